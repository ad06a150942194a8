/// \file
/// The build that `record` runs: a child with our terminal, in our process
/// group, with the signals and limits that we were started with.
///
/// Flow:    command, Environment -> [BuildProcess] -> BuildEnd
/// Signals: what a write of ours may send, SIGPIPE and SIGXFSZ, is ignored here
///          and as it was in the build; those of the terminal reach the build
///          without us, since it is in our group; those that somebody sends to
///          us are passed on, and so are those of timers that we were started
///          with. We stay until it has ended
/// Errors:  "COMMAND: reason", and no process
/// Threads: one; there is one BuildProcess in a process, since signals are
///          caught
#pragma once

#include "runtime/base/Result.h"

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace instantrace {

/// How the build ended.
struct BuildEnd {
  int ExitCode = 0; ///< 128 + Signal where there is one, as shells have it
  int Signal = 0;
  uint64_t UserNs = 0, SystemNs = 0; ///< of all its processes
};

class BuildProcess {
public:
  /// Of a command that cannot be run, as `env` and shells have them.
  static constexpr int ExitNotRunnable = 126, ExitNotFound = 127;

  /// Before anything else of the command: from here on, signals wait for
  /// duringWait(), and the number of open files is as large as it may be.
  BuildProcess();
  ~BuildProcess();
  BuildProcess(const BuildProcess &) = delete;
  BuildProcess &operator=(const BuildProcess &) = delete;

  /// The signal that somebody wants us to end by, which waits since before the
  /// build began, or after it has ended; 0: none. Takes it.
  static int takeEndSignal();
  /// How often the user, or whoever, wanted the build to end.
  static int endsAsked();

  /// \p Environment: "NAME=value" each. errno says what kind of failure it was.
  Result<void> start(const std::vector<std::string> &Command,
                     const std::vector<std::string> &Environment);
  /// Runs the command in place of this process, as if we had not been there;
  /// returns only if it cannot be run, as start() does.
  static Error replaceBy(const std::vector<std::string> &Command);
  int pid() const { return Pid; }
  /// To wait with: the end of the build and what is sent to us interrupt it.
  const sigset_t &duringWait() const { return DuringWait; }
  /// Passes on signals; none while the build runs.
  std::optional<BuildEnd> poll();
  /// The user stopped us, as ^Z does, and we are to stop by stop().
  bool shouldStop() const;
  static void stop();
  /// The terminal has another size than when it was asked last.
  static bool takeResized();

  /// Behind a BuildProcess, for whoever has more to say before endAs(): whoever
  /// reads what we say, or limits our files, is not to change how the build
  /// ends.
  static void ignoreWriteSignals();
  /// Ends this process as the build ended: by its exit code or its signal.
  static int endAs(const BuildEnd &End);

private:
  void restoreInChild() const;

  int Pid = 0;
  std::optional<BuildEnd> End;
  sigset_t Before{}, DuringWait{};
  std::optional<rlimit> FilesBefore;
};

} // namespace instantrace
