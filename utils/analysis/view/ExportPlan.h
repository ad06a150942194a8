/// \file
/// Which events an export has, and what its limits take away.
///
/// Flow:   Trace, ExportLimits -> [ExportPlan] -> walkExport -> one format
/// Leaves: saying it (the formats and `export` do), folding (ExportWalk)
///
/// Viewers have limits: on the depth, on the size, on what a person can read.
/// What a limit takes away is always whole subtrees: whatever is inside an
/// interval is neither longer nor less deep than it, so what is kept is a tree
/// again, and each removed subtree is accounted for in the innermost interval
/// that is kept. With a filter, what it selects is kept and what is around
/// that; the rest is removed in the same way.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/view/TraceFilter.h"

#include <cstdint>
#include <vector>

namespace instantrace {

/// 0: no such limit.
struct ExportLimits {
  uint64_t MinNs = 0;     // shorter intervals are removed
  uint64_t MaxDepth = 0;  // so many intervals inside one another
  uint64_t MaxEvents = 0; // the longest intervals, and instants if all fit
  bool HasFilter = false; // beside these; for what is said
};

/// What the numbers of an export are.
enum class ExportMetric { Time, Count, Memory };

/// What the limits took away, of all sequences.
struct RemovedEvents {
  uint64_t Intervals = 0;
  uint64_t Instants = 0;
  uint64_t Ns = 0; // of the outermost removed intervals
  explicit operator bool() const { return Intervals != 0 || Instants != 0; }
};

class ExportPlan {
public:
  /// The trace must not change while the plan is in use. \p Filter selects what
  /// is looked at, as far as it is not about time.
  ExportPlan(const Trace &T, const ExportLimits &Limits, TraceFilter &Filter);

  bool keeps(size_t SequenceIndex, IntervalId Id) const {
    return Kept.empty() || Kept[SequenceIndex][Id.Value];
  }
  bool keeps(size_t SequenceIndex, const Instant &I) const {
    return KeepsInstants && !isUnselected(SequenceIndex, I) &&
           (!I.Parent || keeps(SequenceIndex, IntervalId{I.Parent}));
  }
  const RemovedEvents &removed() const { return Removed; }

private:
  void keepByTimeAndDepth(const Trace &T, const ExportLimits &Limits);
  void keepSelected(const Trace &T, TraceFilter &Filter);
  void keepLongest(const Trace &T, uint64_t Wanted);
  void countRemoved(const Trace &T);

  bool isUnselected(size_t SequenceIndex, const Instant &I) const {
    if (UnselectedInstants.empty())
      return false;
    const auto &Flags = UnselectedInstants[SequenceIndex];
    return Flags[static_cast<size_t>(&I - FirstInstants[SequenceIndex])];
  }

  std::vector<std::vector<bool>> Kept;               // by sequence; empty: all
  std::vector<std::vector<bool>> UnselectedInstants; // empty: none
  std::vector<const Instant *> FirstInstants;        // by sequence
  bool KeepsInstants = true;
  uint64_t KeptIntervals = 0;
  RemovedEvents Removed;
};

} // namespace instantrace
