#include "plugin/CrashHandler.h"

#include "plugin/SnapshotChild.h"

#include "llvm/Support/Signals.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace instantrace {

namespace {

/// Naming what is pending takes milliseconds; a child that takes longer has met
/// a lock that nobody will release.
constexpr unsigned ChildLimitSeconds = 10;
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

void save(CrashClient &Client) {
  Client.markCrashed();
  SnapshotWork Work = {
      [](void *Of) { static_cast<CrashClient *>(Of)->saveAfterCrash(); },
      &Client};
  pid_t Child = startSnapshot(Work, SIGCHLD, ChildLimitSeconds);
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
    reserveForSnapshots();
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
