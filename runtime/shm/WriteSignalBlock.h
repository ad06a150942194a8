/// \file
/// While it lives, growing a file beyond the limit on file sizes (ulimit -f)
/// and writing to a pipe that nobody reads are errors, and not the death of the
/// compiler by SIGXFSZ or SIGPIPE.
///
/// Threads: blocks the signals for the calling thread only
#pragma once

#include <csignal>
#include <ctime>
#include <initializer_list>
#include <pthread.h>

namespace instantrace {

class WriteSignalBlock {
public:
  WriteSignalBlock() {
    ::sigemptyset(&Signals);
    ::sigaddset(&Signals, SIGXFSZ);
    ::sigaddset(&Signals, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &Signals, &Before);
  }
  ~WriteSignalBlock() {
    // Those that were not blocked before are taken while they are: they are
    // this thread's, since write() raises them there.
    for (int Signal : {SIGXFSZ, SIGPIPE})
      if (::sigismember(&Before, Signal) != 0)
        ::sigdelset(&Signals, Signal);
    const timespec NoWait = {};
    while (::sigtimedwait(&Signals, nullptr, &NoWait) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }
  WriteSignalBlock(const WriteSignalBlock &) = delete;
  WriteSignalBlock &operator=(const WriteSignalBlock &) = delete;

private:
  sigset_t Signals;
  sigset_t Before;
};

} // namespace instantrace
