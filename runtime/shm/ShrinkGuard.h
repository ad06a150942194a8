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
/// Errors:  none; with no room for one more range it is not guarded
#ifndef INSTANTRACE_RUNTIME_SHM_SHRINKGUARD_H
#define INSTANTRACE_RUNTIME_SHM_SHRINKGUARD_H

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

  /// Zeros have taken the place of the file.
  bool isCut() const;

private:
  void release();

  static constexpr int NoSlot = -1;
  int Slot = NoSlot;
};

} // namespace instantrace

#endif
