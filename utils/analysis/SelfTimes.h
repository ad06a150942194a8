/// \file
/// The time of each interval without those inside.
#ifndef INSTANTRACE_UTILS_ANALYSIS_SELFTIMES_H
#define INSTANTRACE_UTILS_ANALYSIS_SELFTIMES_H

#include "runtime/trace/Trace.h"

#include <vector>

namespace instantrace {

/// By interval, in nanoseconds; leaves below the granularity are in the time of
/// what they were in. Adds up to the durations of the root intervals.
inline std::vector<uint64_t> selfTimes(const Sequence &S) {
  std::vector<uint64_t> SelfNs(S.Intervals.size());
  for (size_t I = 0; I != SelfNs.size(); ++I) {
    SelfNs[I] = S.Intervals[I].durationNs();
    if (IntervalId Parent = S.Intervals[I].Parent)
      SelfNs[Parent.Value] -= SelfNs[I];
  }
  return SelfNs;
}

} // namespace instantrace

#endif
