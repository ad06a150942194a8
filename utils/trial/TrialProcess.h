/// \file
/// Runs one compile after the other and measures each: its CPU time, and how it
/// ended.
///
/// Flow:    command -> [TrialProcess] -> ProcessEnd
/// Signals: ^C, SIGTERM, SIGHUP and SIGQUIT end the compile that runs, with what
///          it has started, and are kept for whoever made the object
/// Errors:  "PROGRAM: reason" if it cannot be run; "interrupted"
/// Threads: one; there is one such object in a process
#pragma once

#include "runtime/base/Result.h"

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct ProcessEnd {
  int ExitCode = 0;    ///< 128 and the signal that ended it
  uint64_t CpuNs = 0;  ///< user and system, with what it waited for
  bool IsLate = false; ///< it was ended after the seconds of its limit
};

/// 0: no limit.
struct ProcessLimits {
  uint64_t Seconds = 0;
  uint64_t FileBytes = 0, MemoryBytes = 0; ///< of each of its processes
};

class TrialProcess {
public:
  TrialProcess();
  ~TrialProcess();
  TrialProcess(const TrialProcess &) = delete;
  TrialProcess &operator=(const TrialProcess &) = delete;

  /// Nothing comes from the standard input; what it prints goes to the file
  /// \p Messages.
  Result<ProcessEnd> run(const std::vector<std::string> &Words,
                         const std::vector<std::string> &Environment,
                         const std::string &WorkingDirectory,
                         const std::string &Messages,
                         const ProcessLimits &Limits = {});
  /// The signal that ended it all; 0: none.
  int interruptedBy() const { return Signal; }

private:
  Result<ProcessEnd> wait(int Pid, uint64_t Seconds);

  sigset_t Before{}, Awaited{};
  struct sigaction ChildBefore{};
  int Signal = 0;
};

} // namespace instantrace
