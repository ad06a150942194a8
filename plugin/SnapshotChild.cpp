#include "plugin/SnapshotChild.h"

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace instantrace {

namespace {

constexpr size_t ChildStackBytes = size_t(2) * 1024 * 1024;
/// Untouched, it costs none.
constexpr size_t ReserveBytes = ChildStackBytes + size_t(6) * 1024 * 1024;

std::atomic<void *> Reserve;

SnapshotWork ChildWork;
void runChildWork() {
  ChildWork.Run(ChildWork.Of);
  ::_exit(0);
}

[[noreturn]] void runChild(SnapshotWork Work, unsigned LimitSeconds) {
  // Whatever goes wrong from here on ends the child, silently: a signal that
  // kills it would be in the kernel's log, and with whoever collects crashes.
  struct sigaction Ends = {};
  Ends.sa_handler = [](int) { ::_exit(1); };
  Ends.sa_flags = SA_ONSTACK;
  for (int Signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS,
                     SIGALRM, SIGXFSZ})
    ::sigaction(Signal, &Ends, nullptr);
  ::prctl(PR_SET_DUMPABLE, 0);
  sigset_t All;
  ::sigfillset(&All);
  ::sigprocmask(SIG_UNBLOCK, &All, nullptr);
  const rlimit NoCore = {0, 0};
  ::setrlimit(RLIMIT_CORE, &NoCore);
  ::close(STDOUT_FILENO);
  ::close(STDERR_FILENO);
  ::alarm(LimitSeconds);

  ChildWork = Work;
  auto *Stack = static_cast<char *>(Reserve.load());
  ucontext_t Context;
  if (!Stack || ::getcontext(&Context) != 0)
    runChildWork();
  ::munmap(Stack + ChildStackBytes, ReserveBytes - ChildStackBytes);
  ::mprotect(Stack, ChildStackBytes, PROT_READ | PROT_WRITE);
  Context.uc_stack.ss_sp = Stack;
  Context.uc_stack.ss_size = ChildStackBytes;
  Context.uc_link = nullptr;
  ::makecontext(&Context, runChildWork, 0);
  ::setcontext(&Context);
  ::_exit(1);
}

} // namespace

void reserveForSnapshots() {
  static const bool Reserved = [] {
    void *Memory = ::mmap(nullptr, ReserveBytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Memory != MAP_FAILED)
      Reserve = Memory;
    return true;
  }();
  (void)Reserved;
}

pid_t startSnapshot(SnapshotWork Work, int ExitSignal, unsigned LimitSeconds) {
  // Not fork(): its handlers take the allocator's locks, and the signal may
  // have come from inside the allocator.
  auto Child = static_cast<pid_t>(
      ::syscall(SYS_clone, ExitSignal, nullptr, nullptr, nullptr, nullptr));
  if (Child == 0)
    runChild(Work, LimitSeconds);
  return Child;
}

} // namespace instantrace
