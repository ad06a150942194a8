/// \file
/// Takes the profilers' own work out of two traces of one compile.
///
/// Flow:   two Sequences, times of work -> [removeOwnWork] -> the same
///         Sequences, with other times
///
/// Two profilers in one compiler see the same clock, and what the compiler does
/// takes as long for one as for the other. What each of them does at an event
/// is time in the other's intervals: probes hear of a push before the callback
/// and of the pop after it, so that theirs contain all that the callback does.
/// When one was at work in a hook, or the thread did not run, is known from
/// plugin/bench/OwnWorkLog.h, and elsewhere one names, in intervals of kind
/// Profiling. Such time is nobody's in both traces: the clock stands still in
/// it.
///
///   compiler  ──────────╌╌╌──────────╌╌╌──────
///   trace A   ──────────[W]───────────────────   W: at work
///   trace B   ───────────────────────[W]──────
///   both now  ──────────|────────────|────────
#pragma once

#include "runtime/read/Trace.h"

#include <cstdint>
#include <vector>

namespace instantrace {

/// A clock that stands still at times.
class StoppedClock {
public:
  struct Span {
    uint64_t BeginNs, EndNs;
  };
  /// \p Spans may touch, overlap and be in any order.
  explicit StoppedClock(std::vector<Span> Spans);

  /// What it shows at \p TimeNs: never less for a later time.
  uint64_t shownTimeNs(uint64_t TimeNs) const;

private:
  struct Stop {
    uint64_t BeginNs, EndNs;
    uint64_t StoppedBeforeNs; // in all
  };
  std::vector<Stop> Stops; // apart and in order
};

/// Requires: both have a session and times by the clock on the wall; the
/// sequences are of one process. \p Work: of CLOCK_MONOTONIC.
void removeOwnWork(Sequence &A, Sequence &B,
                   std::vector<StoppedClock::Span> Work);

} // namespace instantrace
