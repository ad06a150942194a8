/// \file
/// What is made even when memory is out.
///
/// Threads: one at a time
#pragma once

#include <cstddef>
#include <cstdlib>

namespace instantrace {

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
