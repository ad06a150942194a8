/// \file
/// ^C, which ends a command and not the session.
///
/// Threads: one; there is one Interrupt in a process, since signals are caught
#pragma once

#include "runtime/base/Result.h"

#include <csignal>
#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

/// Of an error that is none but a ^C.
inline constexpr std::string_view Interrupted = "interrupted";

/// So often a walk over all that there is asks whether it shall end.
inline constexpr uint32_t StepsPerLook = 1 << 12;

inline Error interruptedError() { return Error{std::string(Interrupted)}; }

/// Whether the user wants the command that runs to end. Walks ask it.
bool isInterrupted();
/// Before the next command.
void clearInterrupt();

/// Waits until \p File can be read. False: a signal that is caught came first,
/// or while nobody waited: a read alone would sleep on.
bool waitForInput(int File);

/// While there is one, SIGINT sets that. A second one, of which no command has
/// taken notice, ends the program as it would without us.
class InterruptCatcher {
public:
  InterruptCatcher();
  ~InterruptCatcher();
  InterruptCatcher(const InterruptCatcher &) = delete;
  InterruptCatcher &operator=(const InterruptCatcher &) = delete;

private:
  struct sigaction Before;
};

} // namespace instantrace
