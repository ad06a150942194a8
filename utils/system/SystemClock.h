/// \file
/// The system's clocks, in nanoseconds.
#pragma once

#include <cstdint>
#include <ctime>

namespace instantrace {

inline uint64_t clockNs(clockid_t Clock) {
  timespec Now = {};
  ::clock_gettime(Clock, &Now);
  return uint64_t(Now.tv_sec) * 1'000'000'000 + uint64_t(Now.tv_nsec);
}
inline uint64_t monotonicNs() { return clockNs(CLOCK_MONOTONIC); }
/// Since 1970.
inline uint64_t realtimeNs() { return clockNs(CLOCK_REALTIME); }

} // namespace instantrace
