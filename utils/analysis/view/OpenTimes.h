/// \file
/// The time of each interval at its end: without those inside, and without our
/// own work.
///
/// Flow:   begins and ends of a sequence -> [OpenTimes] -> sinks
/// Memory: open intervals
#pragma once

#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

class OpenTimes {
public:
  struct Ended {
    /// Leaves below the granularity are in the time of what they were in. Adds
    /// up to the durations of the root intervals.
    uint64_t SelfNs;
    /// Without the time that Instantrace took inside (kind Profiling), unless
    /// that is what it is.
    uint64_t InclusiveNs;
  };

  void begin() { Open.emplace_back(); }
  /// Of the innermost one.
  Ended end(const Interval &I) {
    const Inside Last = Open.back();
    Open.pop_back();
    const uint64_t LastedNs = I.durationNs();
    const bool IsProfiling = I.Kind == EventKind::Profiling;
    if (!Open.empty()) {
      Open.back().ChildrenNs += LastedNs;
      Open.back().ProfilingNs += IsProfiling ? LastedNs : Last.ProfilingNs;
    }
    return {LastedNs - Last.ChildrenNs,
            LastedNs - (IsProfiling ? 0 : Last.ProfilingNs)};
  }

private:
  struct Inside {
    uint64_t ChildrenNs = 0, ProfilingNs = 0;
  };
  std::vector<Inside> Open;
};

} // namespace instantrace
