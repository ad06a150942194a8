#include "runtime/shm/ShrinkGuard.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <sys/mman.h>
#include <utility>

namespace instantrace {

namespace {

struct GuardedRange {
  std::atomic<uint8_t *> Begin; ///< null: the slot is free
  std::atomic<size_t> SizeBytes;
  std::atomic<bool> IsCut;
};
/// Compiles of one process, which are modules within modules at most, or
/// indexes that a program has open: of more, the rest is not mapped
/// (IndexBytes).
GuardedRange Ranges[64];
struct sigaction Before; // written before our handler is installed
std::atomic<int> Installed;

bool putZeros(const void *Fault) {
  auto Address = reinterpret_cast<uintptr_t>(Fault);
  for (GuardedRange &R : Ranges) {
    uint8_t *Begin = R.Begin.load(std::memory_order_acquire);
    size_t SizeBytes = R.SizeBytes.load(std::memory_order_relaxed);
    auto First = reinterpret_cast<uintptr_t>(Begin);
    if (!Begin || Address < First || Address - First >= SizeBytes)
      continue;
    // First, so that no other thread finds zeros and no mark.
    R.IsCut.store(true, std::memory_order_relaxed);
    void *Zeros =
        ::mmap(Begin, SizeBytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    return Zeros != MAP_FAILED;
  }
  return false;
}

void atBusError(int Signal, siginfo_t *Info, void *Context) {
  int Errno = errno;
  // Sent by kill() it has no address that means anything.
  if (Info->si_code > 0 && putZeros(Info->si_addr)) {
    errno = Errno;
    return;
  }
  if ((Before.sa_flags & SA_SIGINFO) != 0 && Before.sa_sigaction) {
    Before.sa_sigaction(Signal, Info, Context);
  } else if (Before.sa_handler != SIG_DFL && Before.sa_handler != SIG_IGN) {
    Before.sa_handler(Signal);
  } else {
    // As without us: the access is repeated, or the signal is sent again.
    ::sigaction(Signal, &Before, nullptr);
    if (Info->si_code <= 0)
      ::raise(Signal);
  }
  errno = Errno;
}

void install() {
  int Expected = 0;
  if (!Installed.compare_exchange_strong(Expected, 1))
    return;
  struct sigaction Ours = {};
  Ours.sa_sigaction = atBusError;
  // Not blocked while it runs, since a handler before us may not return.
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&Ours.sa_mask);
  ::sigaction(SIGBUS, nullptr, &Before);
  ::sigaction(SIGBUS, &Ours, nullptr);
}

} // namespace

ShrinkGuard::ShrinkGuard(uint8_t *Data, size_t SizeBytes) {
  install();
  for (int I = 0; I != int(std::size(Ranges)); ++I) {
    uint8_t *Free = nullptr;
    if (Ranges[I].Begin.load(std::memory_order_relaxed))
      continue;
    if (!Ranges[I].Begin.compare_exchange_strong(Free, Data,
                                                 std::memory_order_acq_rel))
      continue;
    Ranges[I].IsCut.store(false, std::memory_order_relaxed);
    Ranges[I].SizeBytes.store(SizeBytes, std::memory_order_release);
    Slot = I;
    Cut = &Ranges[I].IsCut;
    return;
  }
}

ShrinkGuard::~ShrinkGuard() { release(); }

void ShrinkGuard::release() {
  if (Slot == NoSlot)
    return;
  Ranges[Slot].SizeBytes.store(0, std::memory_order_relaxed);
  Ranges[Slot].Begin.store(nullptr, std::memory_order_release);
  Slot = NoSlot;
  Cut = nullptr;
}

ShrinkGuard::ShrinkGuard(ShrinkGuard &&Other) noexcept
    : Slot(std::exchange(Other.Slot, NoSlot)),
      Cut(std::exchange(Other.Cut, nullptr)) {}

ShrinkGuard &ShrinkGuard::operator=(ShrinkGuard &&Other) noexcept {
  if (this != &Other) {
    release();
    Slot = std::exchange(Other.Slot, NoSlot);
    Cut = std::exchange(Other.Cut, nullptr);
  }
  return *this;
}

} // namespace instantrace
