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
#ifndef INSTANTRACE_PLUGIN_MEMORY_OUTOFMEMORY_H
#define INSTANTRACE_PLUGIN_MEMORY_OUTOFMEMORY_H

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace instantrace {

/// Called when the module is loaded; once is enough.
void surviveOutOfMemory();

/// Holds memory back again if it was used. False: there is none, so this is
/// the time to end the profile.
bool refillMemoryReserve();

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

/// Base of what Clang has us make and cannot do without: when memory is out,
/// the first \p Spares of a type are made in static memory.
template <class Derived, unsigned Spares = 4> class AlwaysMade {
public:
  static void *operator new(size_t SizeBytes) noexcept {
    if (void *Memory = std::malloc(SizeBytes))
      return Memory;
    return UsedSpares == Spares ? nullptr : spare(UsedSpares++);
  }
  static void operator delete(void *Memory) noexcept {
    for (unsigned I = 0; I != Spares; ++I)
      if (Memory == spare(I))
        return; // never made again
    std::free(Memory);
  }

private:
  friend Derived;
  AlwaysMade() = default;
  static void *spare(unsigned I) {
    struct alignas(Derived) Room {
      char Bytes[sizeof(Derived)];
    };
    static Room Rooms[Spares];
    return &Rooms[I];
  }
  static inline unsigned UsedSpares = 0;
};

} // namespace instantrace

#endif
