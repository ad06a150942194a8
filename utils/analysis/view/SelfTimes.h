/// \file
/// The time of each interval: without those inside, and without our own work.
#pragma once

#include "runtime/read/Trace.h"

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

/// By interval, in nanoseconds: its duration without the time that Instantrace
/// took inside it (kind Profiling), unless that is what it is.
inline std::vector<uint64_t> inclusiveTimes(const Sequence &S) {
  std::vector<uint64_t> Ns(S.Intervals.size()); // of Profiling inside, at first
  for (size_t Index = Ns.size(); Index-- != 0;) { // children first
    const Interval &I = S.Intervals[Index];
    bool IsOwn = I.Kind == EventKind::Profiling;
    if (I.Parent)
      Ns[I.Parent.Value] += IsOwn ? I.durationNs() : Ns[Index];
    Ns[Index] = I.durationNs() - (IsOwn ? 0 : Ns[Index]);
  }
  return Ns;
}

} // namespace instantrace
