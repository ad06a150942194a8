/// \file
/// How much memory there is: of this machine or container, and for a process
/// that has our limits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace instantrace {

/// What this machine, or the container that this is, has; 0: not known.
inline uint64_t machineMemoryBytes() {
  auto Pages = static_cast<uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
  uint64_t Bytes = Pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  uint64_t Limit = 0; // "max" is no number
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> Limit && Limit != 0)
    Bytes = std::min(Bytes, Limit);
  return Bytes;
}

/// The same, or what `ulimit -v` leaves of it.
inline uint64_t processMemoryBytes() {
  const uint64_t Bytes = machineMemoryBytes();
  rlimit Limit{};
  if (::getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY)
    return Bytes;
  const uint64_t Most = Limit.rlim_cur;
  return Bytes == 0 ? Most : std::min(Bytes, Most);
}

} // namespace instantrace
