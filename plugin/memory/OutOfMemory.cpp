#include "plugin/memory/OutOfMemory.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <link.h>
#include <sys/mman.h>
#include <unwind.h>

namespace instantrace {

namespace {

/// Untouched, it costs address space alone. Small allocations find room in a
/// part of it, and a table of names that has to grow seldom needs more.
constexpr size_t HeldBackBytes = size_t(1) << 20;
std::atomic<void *> HeldBack;

bool releaseHeldBack() {
  void *Memory = HeldBack.exchange(nullptr);
  return Memory && ::munmap(Memory, HeldBackBytes) == 0;
}

struct AddressRange {
  uintptr_t Begin = 0, End = 0;
};
AddressRange Own; ///< of this module

int findOwn(dl_phdr_info *Info, size_t, void *) {
  auto Address = reinterpret_cast<uintptr_t>(&findOwn);
  AddressRange Found{UINTPTR_MAX, 0};
  for (int I = 0; I != Info->dlpi_phnum; ++I) {
    const auto &Segment = Info->dlpi_phdr[I];
    if (Segment.p_type != PT_LOAD)
      continue;
    uintptr_t Begin = Info->dlpi_addr + Segment.p_vaddr;
    Found.Begin = std::min<uintptr_t>(Found.Begin, Begin);
    Found.End = std::max<uintptr_t>(Found.End, Begin + Segment.p_memsz);
  }
  if (Address < Found.Begin || Address >= Found.End)
    return 0;
  Own = Found;
  return 1;
}

/// Of a walk over the stack, innermost frame first.
struct Walk {
  bool HasLeftHandler = false; ///< whose frames are ours, too
  bool HasMetUs = false;
};

_Unwind_Reason_Code visit(_Unwind_Context *Frame, void *Into) {
  uintptr_t Address = _Unwind_GetIP(Frame);
  auto &W = *static_cast<Walk *>(Into);
  bool IsOurs = Address >= Own.Begin && Address < Own.End;
  W.HasMetUs = IsOurs && W.HasLeftHandler;
  W.HasLeftHandler |= !IsOurs;
  return W.HasMetUs ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/// Requires: called by a handler that somebody else has called.
bool isInsideProfile() {
  Walk W;
  _Unwind_Backtrace(visit, &W);
  return W.HasMetUs;
}

std::new_handler HandlerBefore;
std::atomic<bool> HasRunOut;

/// operator new tries again when this returns.
void atFailedNew() {
  if (!isInsideProfile()) {
    HasRunOut = true;
    if (!HandlerBefore)
      throw std::bad_alloc();
    return HandlerBefore();
  }
  if (!releaseHeldBack())
    throw std::bad_alloc();
}

/// LLVM's own allocations (safe_malloc) end here; it must not return.
void atFailedAllocation(void *, const char *Reason, bool MakesCrashReport) {
  if (isInsideProfile())
    throw std::bad_alloc();
  HasRunOut = true;
  llvm::remove_bad_alloc_error_handler();
  llvm::report_bad_alloc_error(Reason, MakesCrashReport);
}

} // namespace

bool hasRunOutOfMemory() { return HasRunOut; }

bool refillMemoryReserve() {
  if (HeldBack.load())
    return true;
  void *Memory = ::mmap(nullptr, HeldBackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return false;
  void *Nothing = nullptr;
  if (!HeldBack.compare_exchange_strong(Nothing, Memory))
    ::munmap(Memory, HeldBackBytes); // another thread was faster
  return true;
}

void surviveOutOfMemory() {
  static std::atomic_flag IsDone = ATOMIC_FLAG_INIT;
  if (IsDone.test_and_set())
    return;
  ::dl_iterate_phdr(findOwn, nullptr);
  refillMemoryReserve();
  HandlerBefore = std::set_new_handler(atFailedNew);
  llvm::remove_bad_alloc_error_handler(); // Clang has none
  llvm::install_bad_alloc_error_handler(atFailedAllocation, nullptr);
}

} // namespace instantrace
