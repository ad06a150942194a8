/// \file
/// What the tables of a query read: the trace, and what it takes a pass to
/// know.
///
/// Flow: Trace -> [TraceModel] -> TraceTables -> SQLite
///
/// Nothing is computed before a column asks for it, and then once per sequence;
/// names are expanded anew for each row that shows them, never kept.
#pragma once

#include "utils/analysis/view/ExportPlan.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// A begin, an end or an instant.
struct TraceEvent {
  enum Type : uint8_t { Begin, End, Instant };
  uint32_t Index = 0; // of the interval or the instant
  uint32_t Depth = 0; // intervals around it
  Type What = Begin;
};

class TraceModel {
public:
  /// \p Plan null: everything.
  TraceModel(const Trace &T, const NameStyle &Style, size_t NameLimitBytes,
             const ExportPlan *Plan)
      : T(T), Plan(Plan), Style(Style), NameLimitBytes(NameLimitBytes),
        Computed(T.Sequences.size()) {}

  const Sequence &sequence(size_t Index) const { return T.Sequences[Index]; }
  size_t sequenceCount() const { return T.Sequences.size(); }
  const TraceInput &input(size_t Index) const {
    return T.Files[T.Sequences[Index].FileIndex];
  }
  bool keeps(size_t Index, uint32_t Interval) const {
    return !Plan || Plan->keeps(Index, IntervalId{Interval});
  }

  /// By interval: without the intervals and elided leaves inside.
  uint64_t selfNs(size_t Index, uint32_t Interval);
  uint64_t depth(size_t Index, uint32_t Interval);
  /// By entity, as the trace counts them.
  uint64_t memoizedHits(size_t Index, EntityId Entity);
  const std::vector<TraceEvent> &events(size_t Index);
  uint64_t intervalCount(size_t Index) const;
  uint64_t nameCount(size_t Index) const;

  bool hasName(size_t Index, NameId Name) const;
  /// Cut with a hash behind it where it is longer than the limit.
  std::string name(size_t Index, NameId Name) const;

private:
  struct OfSequence {
    std::vector<uint64_t> SelfNs, Hits;
    std::vector<uint32_t> Depth;
    std::optional<std::vector<TraceEvent>> Events;
  };

  const Trace &T;
  const ExportPlan *Plan;
  NameStyle Style;
  size_t NameLimitBytes;
  std::vector<OfSequence> Computed;
};

} // namespace instantrace
