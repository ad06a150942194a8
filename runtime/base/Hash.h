/// \file
/// The hash that all of us use: of names, packets and file names.
///
/// Source: xxHash, XXH3 with 64 bits and no seed
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Inline, so that nothing has to be linked into a compiler's process.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace instantrace {

inline uint64_t hashBytes(std::string_view Bytes) {
  return XXH3_64bits(Bytes.data(), Bytes.size());
}

/// Of two small numbers, for tables in memory: its upper bits are the better
/// ones (Fibonacci hashing). No file has it.
constexpr uint64_t hashPair(uint32_t A, uint32_t B) {
  return (uint64_t(A) << 32 | B) * 0x9E3779B97F4A7C15u;
}

/// The same of bytes that come in pieces.
class PieceHash {
public:
  PieceHash() { XXH3_64bits_reset(&State); }
  PieceHash &add(const void *Data, size_t SizeBytes) {
    XXH3_64bits_update(&State, Data, SizeBytes);
    return *this;
  }
  uint64_t value() const { return XXH3_64bits_digest(&State); }

private:
  XXH3_state_t State;
};

} // namespace instantrace
