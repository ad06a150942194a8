/// \file
/// An operator new that tells the program of each allocation first. For
/// programs of one file, which define beforeAllocation() and include this once.
#pragma once

#include <cstdlib>
#include <new>

/// May throw std::bad_alloc.
static void beforeAllocation();

// NOLINTBEGIN(misc-definitions-in-headers): of programs of one file
[[gnu::noinline]] void *operator new(size_t Size) {
  beforeAllocation();
  void *Memory = std::malloc(Size);
  if (!Memory)
    std::abort();
  return Memory;
}
[[gnu::noinline]] void operator delete(void *Memory) noexcept {
  std::free(Memory);
}
[[gnu::noinline]] void operator delete(void *Memory, size_t) noexcept {
  std::free(Memory);
}
// NOLINTEND(misc-definitions-in-headers)
