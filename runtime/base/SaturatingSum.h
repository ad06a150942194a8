/// \file
/// Sums of numbers that anybody may have written.
#pragma once

#include <cstdint>

namespace instantrace {

/// \p A and \p B, or the largest number if that has no room for them.
constexpr uint64_t addSaturating(uint64_t A, uint64_t B) {
  return B > UINT64_MAX - A ? UINT64_MAX : A + B;
}

} // namespace instantrace
