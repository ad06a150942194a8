/// \file
/// When a file was written.
#pragma once

#include <cstdint>
#include <sys/stat.h>

namespace instantrace {

/// Nanoseconds since 1970; of what is older, modulo 2^64.
inline uint64_t modifiedNs(const struct stat &Is) {
  return static_cast<uint64_t>(Is.st_mtim.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Is.st_mtim.tv_nsec);
}

} // namespace instantrace
