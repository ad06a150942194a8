/// \file
/// The hash that all of us use: of names, packets and file names.
///
/// Source: xxHash, XXH3 with 64 bits and no seed
#ifndef INSTANTRACE_RUNTIME_BASE_HASH_H
#define INSTANTRACE_RUNTIME_BASE_HASH_H

#include <cstdint>
#include <string_view>

// Inline, so that nothing has to be linked into a compiler's process.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace instantrace {

inline uint64_t hashBytes(std::string_view Bytes) {
  return XXH3_64bits(Bytes.data(), Bytes.size());
}

} // namespace instantrace

#endif
