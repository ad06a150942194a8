/// \file
/// A command of this program that somebody asks for in an editor; the server
/// goes on meanwhile.
///
/// Flow:    LspServer -> [EditorCommand] -> instantrace record, report
/// Signals: whoever is asked to end gets SIGTERM, with all that is in its
///          process group, and what still runs 3 s later SIGKILL, but for the
///          command itself, which has a session to end. Where the server is
///          killed, a shell in that group sends both
/// Output:  our error output, which editors keep as a log
/// Threads: none; its owner asks whether it has ended
#pragma once

#include "runtime/base/Result.h"
#include "utils/system/FileDescriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace instantrace {

class EditorCommand {
public:
  EditorCommand() = default;
  EditorCommand(const EditorCommand &) = delete;
  EditorCommand &operator=(const EditorCommand &) = delete;
  /// Waits some seconds for the end of what it stops.
  ~EditorCommand();

  /// \p Words follow the name of the program. Only one runs at a time.
  Result<void> start(std::vector<std::string> Words, const std::string &Folder);
  bool isRunning() const { return Pid != 0; }
  /// Once, when it has ended: its exit code, 128 + signal for one that ended by
  /// a signal.
  std::optional<int> take();
  /// Asks it and what it has started to end, which take() ends if they do not,
  /// and says when they have.
  void stop();
  /// Whether the one that runs, or ran last, was asked to end: its exit code is
  /// its own, as that of ninja and of make is then.
  bool isStopped() const { return IsStopped; }

private:
  pid_t Pid = 0;   ///< 0: none runs
  pid_t Guard = 0; ///< the shell; it ends the group when Alive is closed
  FileDescriptor Alive;
  bool IsStopped = false;
  uint64_t KillNs = 0; ///< on the monotonic clock, if it is stopped
};

} // namespace instantrace
