#include "plugin/CrashHandler.h"

#include "llvm/Support/Signals.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

namespace instantrace {

namespace {

/// Naming what is pending takes milliseconds; a child that takes longer has met
/// a lock that nobody will release.
constexpr unsigned ChildLimitSeconds = 10;
constexpr size_t ChildStackBytes = size_t(2) * 1024 * 1024;
/// A stack for the child, and some address space for when the compiler has used
/// up its own. Untouched, it costs none.
constexpr size_t ReserveBytes = ChildStackBytes + size_t(6) * 1024 * 1024;
std::atomic<void *> Reserve;

struct Slot {
  std::atomic<CrashClient *> Client;
  std::atomic<pid_t> Thread;
};
/// Compiles of one process: modules within modules, at most.
Slot Slots[64];

pid_t currentThread() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

void waitForChild(pid_t Child) {
  constexpr timespec Pause = {0, 2'000'000};
  for (unsigned I = 0; I != (ChildLimitSeconds + 2) * 500; ++I) {
    pid_t Ended = ::waitpid(Child, nullptr, WNOHANG);
    if (Ended == Child || Ended < 0)
      return;
    ::nanosleep(&Pause, nullptr);
  }
  ::kill(Child, SIGKILL);
  ::waitpid(Child, nullptr, 0);
}

/// The child has this one alone to do.
CrashClient *ChildClient;
void runChildWork() {
  ChildClient->saveAfterCrash();
  ::_exit(0);
}

[[noreturn]] void runChild(CrashClient &Client) {
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
  ::alarm(ChildLimitSeconds);

  ChildClient = &Client;
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

void save(CrashClient &Client) {
  Client.markCrashed();
  // Not fork(): its handlers take the allocator's locks, and the signal may
  // have come from inside the allocator.
  auto Child = static_cast<pid_t>(
      ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (Child == 0)
    runChild(Client);
  if (Child > 0)
    waitForChild(Child);
}

void write(const char *Text) {
  [[maybe_unused]] ssize_t Written =
      ::write(STDERR_FILENO, Text, std::strlen(Text));
}

void saveAllOf(pid_t Thread) {
  for (Slot &S : Slots) {
    if (S.Thread.load() != Thread)
      continue;
    // Taken out, so that a second crash does not come here again.
    CrashClient *Client = S.Client.exchange(nullptr);
    if (!Client)
      continue;
    save(*Client);
    Client->stopRecording();
    const char *Leftover = Client->leftoverPath();
    struct stat Status;
    if (*Leftover == 0 || ::stat(Leftover, &Status) != 0)
      continue;
    write("instantrace: the compile was cut short; for its profile until then: "
          "instantrace recover ");
    write(Leftover);
    write("\n");
  }
}

/// Where its stack is short, Clang goes on in a thread of its own, and that of
/// the only compile waits for it.
pid_t crashedThread() {
  pid_t Thread = currentThread(), Only = Thread;
  unsigned Taken = 0;
  for (Slot &S : Slots) {
    if (!S.Client.load())
      continue;
    Only = S.Thread.load();
    if (Only == Thread)
      return Thread;
    ++Taken;
  }
  return Taken == 1 ? Only : Thread;
}

/// After the stack trace and all else that Clang prints, since handlers run in
/// the order in which they were added.
void atCrash(void *) { saveAllOf(crashedThread()); }

/// Clang exits without a signal after errors of its own, such as those of the
/// backend.
void atExit() { saveAllOf(currentThread()); }

void installOnce() {
  static const bool Installed = [] {
    void *Memory = ::mmap(nullptr, ReserveBytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Memory != MAP_FAILED)
      Reserve = Memory;
    llvm::sys::AddSignalHandler(atCrash, nullptr);
    std::atexit(atExit);
    return true;
  }();
  (void)Installed;
}

} // namespace

void CrashClient::enlist() {
  installOnce();
  pid_t Thread = currentThread();
  for (Slot &S : Slots) {
    CrashClient *Nobody = nullptr;
    if (!S.Client.compare_exchange_strong(Nobody, this))
      continue;
    S.Thread = Thread;
    return;
  }
}

CrashClient::~CrashClient() { withdraw(); }

void CrashClient::withdraw() {
  for (Slot &S : Slots) {
    CrashClient *Self = this;
    S.Client.compare_exchange_strong(Self, nullptr);
  }
}

} // namespace instantrace
