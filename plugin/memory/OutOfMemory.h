/// \file
/// Lets a profile end for want of memory, where Clang ends.
///
/// An allocation that fails ends the compiler: LLVM's handlers print a line and
/// abort. What fails while Clang calls us may be memory that the compile itself
/// never needed. So under a call to us
///   1. operator new finds memory that was held back, and nobody notices;
///   2. what fails nevertheless is std::bad_alloc, up to where Clang called us
///      (guarded), and there the profile ends. It passes frames of Clang and
///      LLVM where we had them print a name or find a line; these have unwind
///      tables and nothing to clean up, and what they change they change last.
/// Whatever fails elsewhere fails as it does without us.
///
/// Cost:    none before something fails; then a walk over the stack, to see
///          whether one of our functions is on it
/// Threads: any
#pragma once

namespace instantrace {

/// Called when the module is loaded; once is enough.
void surviveOutOfMemory();

/// Holds memory back again if it was used. False: there is none, so this is
/// the time to end the profile.
bool refillMemoryReserve();

/// Whether the compiler has asked for memory and got none.
bool hasRunOutOfMemory();

/// The way from Clang into the profile of \p Client: whatever \p W throws ends
/// that and nothing else.
template <class Client, class Work>
inline void guarded(Client &C, Work W) noexcept {
  try {
    W();
  } catch (...) {
    C.giveUp();
  }
}

} // namespace instantrace
