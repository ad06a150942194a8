/// \file
/// Whether two traces of one compile have the same costliest template sets.
///
/// Flow:   PairedSets -> [ranking] -> JSON
///
/// Each trace orders the sets by its own times, largest first, equal ones by
/// key. Of the first N, two things are compared:
///
/// - the *share*: how many of the callback's first N are among the observer's.
/// - the order *up to ties*: sets are tied when the callback's times for them
///   differ by at most 1 % of the larger one, or by at most a microsecond: by
///   so much they differ between two callbacks in one compile. At each of the N
///   positions the observer may have another set than the callback if the two
///   are tied; where they are not, the position is a violation. No violation:
///   the order is identical up to ties. A set that the observer has at a wrong
///   place moves those in between by one, so one set may be several violations.
#pragma once

#include "utils/bench/hooks/SetTimes.h"

namespace instantrace {

struct Ranking {
  size_t Compared = 0; // N, or the number of sets when there are fewer
  size_t Shared = 0;
  size_t Violations = 0;

  double share() const {
    return Compared == 0
               ? 1
               : static_cast<double>(Shared) / static_cast<double>(Compared);
  }
};

Ranking ranking(const std::vector<PairedSet> &Sets, Measure M, size_t N);

} // namespace instantrace
