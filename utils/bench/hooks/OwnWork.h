/// \file
/// Takes the profilers' own work out of two traces of one compile.
///
/// Flow:   two Sequences -> [removeOwnWork] -> the same, with other times
///
/// Two profilers in one compiler see the same clock, and what the compiler does
/// takes as long for one as for the other. What each of them does at length,
/// building names, is an interval of kind Profiling in its own trace, but
/// ordinary time in the other's. So time inside such an interval of either
/// trace is nobody's in both: the clock stands still in it.
///
///   compiler  ──────────╌╌╌──────────╌╌╌──────
///   trace A   ──────────[P]───────────────────   P: kind Profiling
///   trace B   ───────────────────────[P]──────
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

/// Requires: both have a session; the sequences are of one process.
void removeOwnWork(Sequence &A, Sequence &B);

} // namespace instantrace
