/// \file
/// Keeps a process alive when a file that it has mapped is cut by somebody
/// else.
///
/// Any access to pages beyond the new end is a SIGBUS, which kills. For a
/// guarded range the handler puts private zeros in the place of the mapping, so
/// that the access goes on: what was recorded is lost, and the compile is not.
///
/// Flow:    SharedMemory -> [ShrinkGuard] -> SIGBUS
/// Threads: any; the handler is that of the process. A fault outside guarded
///          ranges goes to the handler that was there before
/// Errors:  none; with no room for one more range it is not guarded, as
///          isGuarding() says
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace instantrace {

class ShrinkGuard {
public:
  ShrinkGuard() = default; ///< guards nothing
  /// Requires: \p Data begins a page of a mapping that outlives this.
  ShrinkGuard(uint8_t *Data, size_t SizeBytes);
  ~ShrinkGuard();
  ShrinkGuard(ShrinkGuard &&Other) noexcept;
  ShrinkGuard &operator=(ShrinkGuard &&Other) noexcept;

  bool isGuarding() const { return Slot != NoSlot; }
  /// Zeros have taken the place of the file. True for who has read one of them.
  bool isCut() const {
    // The handler runs in the middle of what was read before.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return Cut && Cut->load(std::memory_order_relaxed);
  }

private:
  void release();

  static constexpr int NoSlot = -1;
  int Slot = NoSlot;
  const std::atomic<bool> *Cut = nullptr; ///< of the slot
};

} // namespace instantrace
