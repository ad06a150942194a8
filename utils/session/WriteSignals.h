/// \file
/// What a write may send, SIGPIPE and SIGXFSZ, as this process was started with
/// it: main() changes both for us, and what we start gets them back.
///
/// Flow: before main() -> [WriteSignals] -> a child, between fork() and exec
#pragma once

#include <csignal>

namespace instantrace {

/// Ends whoever does not handle it. It is ours alone to ignore.
struct WriteSignals {
  struct sigaction Pipe = {}, FileSize = {};
  bool IsPipeBlocked = false;

  WriteSignals() {
    ::sigaction(SIGPIPE, nullptr, &Pipe);
    ::sigaction(SIGXFSZ, nullptr, &FileSize);
    sigset_t Blocked;
    ::sigprocmask(SIG_BLOCK, nullptr, &Blocked);
    IsPipeBlocked = ::sigismember(&Blocked, SIGPIPE) == 1;
  }

  /// In a child, with the signals of \p Mask blocked.
  void restore(sigset_t Mask) const {
    ::sigaction(SIGPIPE, &Pipe, nullptr);
    ::sigaction(SIGXFSZ, &FileSize, nullptr);
    if (IsPipeBlocked)
      ::sigaddset(&Mask, SIGPIPE);
    ::sigprocmask(SIG_SETMASK, &Mask, nullptr);
  }
};

/// Before main().
inline const WriteSignals StartedWith;

} // namespace instantrace
