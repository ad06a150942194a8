/// \file
/// While it lives, growing a file beyond the limit on file sizes (ulimit -f) is
/// an error and not the death of the compiler by SIGXFSZ.
///
/// Threads: blocks the signal for the calling thread only
#ifndef INSTANTRACE_RUNTIME_SHM_FILESIZESIGNALBLOCK_H
#define INSTANTRACE_RUNTIME_SHM_FILESIZESIGNALBLOCK_H

#include <csignal>
#include <ctime>
#include <pthread.h>

namespace instantrace {

class FileSizeSignalBlock {
public:
  FileSizeSignalBlock() {
    ::sigemptyset(&Signal);
    ::sigaddset(&Signal, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &Signal, &Before);
  }
  ~FileSizeSignalBlock() {
    if (::sigismember(&Before, SIGXFSZ) != 0)
      return;
    // Taken while blocked: it is this thread's, since write() raises it there.
    const timespec NoWait = {};
    ::sigtimedwait(&Signal, nullptr, &NoWait);
    ::pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }
  FileSizeSignalBlock(const FileSizeSignalBlock &) = delete;
  FileSizeSignalBlock &operator=(const FileSizeSignalBlock &) = delete;

private:
  sigset_t Signal;
  sigset_t Before;
};

} // namespace instantrace

#endif
