/// \file
/// The time of events.
///
/// Source: CLOCK_MONOTONIC, which all processes of a machine share
#ifndef INSTANTRACE_PLUGIN_RECORDER_CLOCK_H
#define INSTANTRACE_PLUGIN_RECORDER_CLOCK_H

#include <cstdint>
#include <ctime>

namespace instantrace {

/// CLOCK_MONOTONIC in nanoseconds.
inline uint64_t monotonicNowNs() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

/// Event times are rounded down to this. Reading the clock takes longer, and a
/// record is half a byte shorter in the mean. A power of two.
inline constexpr uint32_t TimeUnitNs = 16;

inline uint64_t roundedToTimeUnit(uint64_t TimeNs) {
  return TimeNs & ~uint64_t(TimeUnitNs - 1);
}

} // namespace instantrace

#endif
