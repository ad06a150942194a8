#include "plugin/StuckWatch.h"

#include "plugin/SnapshotChild.h"
#include "plugin/recorder/Clock.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace instantrace {

namespace {

constexpr int TickSignal = SIGURG;
constexpr unsigned TicksUntilStuck = 2;
constexpr long TickNs = StuckWatch::StuckNs / TicksUntilStuck;
constexpr unsigned CopyLimitSeconds = 2;
/// Of the time, at most one part in so many is for children, beyond what the
/// first ones may take.
constexpr uint64_t ChildShare = 100, FirstChildrenNs = 100'000'000;
/// Nor more than that part of the time since anything was heard, if that is
/// more: then whoever kills the compile wants to know why.
constexpr uint64_t IdleShare = 20;
/// A page that is written after a child was made faults once more. It takes
/// from 0.5 us to 10 where the machine itself is a guest: a few are timed.
constexpr size_t TimedPages = 16;
constexpr uint64_t RetryNs = 200'000'000;

/// Those that a signal may be for: a module is compiled within a compile.
std::atomic<StuckWatch *> Watches[16];

/// Not CLOCK_MONOTONIC, whose every reading is an event for those who test when
/// a kill comes.
uint64_t rawNowNs() { return nowNs(CLOCK_MONOTONIC_RAW); }

bool hasOneThread() {
  struct stat Threads;
  return ::stat("/proc/self/task", &Threads) == 0 && Threads.st_nlink == 3;
}

/// What a page takes that is written for the first time. Requires: rare calls.
uint64_t pageFaultNs() {
  const auto PageBytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t Bytes = TimedPages * PageBytes;
  void *Pages = ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Pages == MAP_FAILED)
    return UINT64_MAX;
  ::madvise(Pages, Bytes, MADV_NOHUGEPAGE); // one fault must not fill several
  uint64_t BeginNs = rawNowNs();
  for (size_t At = 0; At != Bytes; At += PageBytes)
    static_cast<volatile char *>(Pages)[At] = 1;
  uint64_t TookNs = rawNowNs() - BeginNs;
  ::munmap(Pages, Bytes);
  return TookNs / TimedPages + 1;
}

/// What a child makes the compile pay if it goes on to write all of its memory.
uint64_t childCostNs() {
  char Text[128];
  int File = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return UINT64_MAX;
  ssize_t Got = ::read(File, Text, sizeof(Text) - 1);
  ::close(File);
  // All of it, what is in memory, what of that is in files.
  uint64_t Pages[3] = {};
  unsigned Field = 0;
  for (ssize_t I = 0; I < Got && Field != 3; ++I)
    if (Text[I] >= '0' && Text[I] <= '9')
      Pages[Field] = Pages[Field] * 10 + static_cast<uint64_t>(Text[I] - '0');
    else
      ++Field;
  if (Field != 3 || Pages[1] < Pages[2])
    return UINT64_MAX;
  uint64_t Written = Pages[1] - Pages[2], EachNs = pageFaultNs();
  return Written > UINT64_MAX / EachNs ? UINT64_MAX : Written * EachNs;
}

bool takeSignal(void (*Handler)(int, siginfo_t *, void *)) {
  struct sigaction Before;
  if (::sigaction(TickSignal, nullptr, &Before) != 0)
    return false;
  if ((Before.sa_flags & SA_SIGINFO) && Before.sa_sigaction == Handler)
    return true;
  if ((Before.sa_flags & SA_SIGINFO) ||
      (Before.sa_handler != SIG_DFL && Before.sa_handler != SIG_IGN))
    return false;
  struct sigaction Ours = {};
  Ours.sa_sigaction = Handler;
  // On another stack if there is one: the compiler may be at the end of its
  // own.
  Ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  // Whatever else comes finds the compiler at its own work.
  ::sigfillset(&Ours.sa_mask);
  return ::sigaction(TickSignal, &Ours, nullptr) == 0;
}

} // namespace

void StuckWatch::start() {
  if (IsArmed || !takeSignal(onSignal))
    return;
  std::atomic<StuckWatch *> *Place = nullptr;
  for (auto &W : Watches) {
    StuckWatch *Nobody = nullptr;
    if (W.compare_exchange_strong(Nobody, this)) {
      Place = &W;
      break;
    }
  }
  if (!Place)
    return;
  reserveForSnapshots();
  sigevent Event = {};
  Event.sigev_notify = SIGEV_THREAD_ID;
  Event.sigev_signo = TickSignal;
  Event.sigev_value.sival_ptr = this;
  Event.sigev_notify_thread_id = static_cast<pid_t>(::syscall(SYS_gettid));
  const itimerspec Each = {{0, TickNs}, {0, TickNs}};
  if (::timer_create(CLOCK_MONOTONIC, &Event, &Timer) != 0) {
    Place->store(nullptr);
    return;
  }
  IsArmed = true;
  StartNs = rawNowNs();
  ::timer_settime(Timer, 0, &Each, nullptr);
}

void StuckWatch::disarm() {
  const itimerspec Never = {};
  if (IsArmed)
    ::timer_settime(Timer, 0, &Never, nullptr);
}

void StuckWatch::stop() {
  if (!IsArmed)
    return;
  ::timer_delete(Timer);
  IsArmed = false;
  // A signal that is still on its way finds nobody.
  for (auto &W : Watches) {
    StuckWatch *Self = this;
    W.compare_exchange_strong(Self, nullptr);
  }
  if (Child > 0)
    ::kill(Child, SIGKILL);
  reap(0);
}

void StuckWatch::onSignal(int, siginfo_t *Info, void *) {
  int ErrorNumber = errno;
  if (Info->si_code == SI_TIMER)
    for (auto &W : Watches) {
      StuckWatch *Watch = W.load();
      if (Watch && Watch == Info->si_value.sival_ptr)
        Watch->tick();
    }
  errno = ErrorNumber;
}

void StuckWatch::tick() {
  reap(WNOHANG);
  uint64_t Heard = Client.heardCount();
  if (Heard != LastHeard) {
    LastHeard = Heard;
    IdleTicks = 0;
    HasLooked = false;
    return;
  }
  if (!HasLooked && ++IdleTicks >= TicksUntilStuck)
    look();
}

void StuckWatch::look() {
  uint64_t BeginNs = rawNowNs();
  // What is owed is asked last: Clang may go on in a thread of its own, where
  // its stack is short, and change what that looks at.
  if (Child > 0 || BeginNs < NextChildNs || !hasOneThread() ||
      !Client.owesNames())
    return;
  uint64_t CostNs = childCostNs();
  uint64_t AllowedNs = FirstChildrenNs + (BeginNs - StartNs) / ChildShare;
  bool IsAllowed = CostNs <= AllowedNs && SpentNs <= AllowedNs - CostNs;
  if (!IsAllowed && CostNs > IdleTicks * uint64_t(TickNs) / IdleShare) {
    NextChildNs = BeginNs + RetryNs;
    return;
  }
  pid_t Started = startSnapshot(
      {[](void *Of) { static_cast<WatchClient *>(Of)->tellFromCopy(); },
       &Client},
      /*ExitSignal=*/0, CopyLimitSeconds);
  uint64_t EndNs = rawNowNs();
  if (Started < 0) {
    NextChildNs = EndNs + RetryNs;
    return;
  }
  NextChildNs = EndNs + (EndNs - BeginNs) * ChildShare;
  SpentNs += CostNs;
  HasLooked = true;
  Child = Started;
  Client.copyIsMade();
}

void StuckWatch::reap(int Options) {
  if (Child > 0 && ::waitpid(Child, nullptr, Options | __WALL) != 0)
    Child = 0;
}

} // namespace instantrace
