/// \file
/// What costs need to know of all events of a sequence before the first of them
/// gets a row.
///
/// Flow:   events -> [FactCollector] -> SequenceFacts -> CostFeed
/// Memory: some numbers for each entity, and one for each interval that asked
///         for another one that came late
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_SEQUENCEFACTS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_SEQUENCEFACTS_H

#include "runtime/read/ById.h"
#include "runtime/read/EventSink.h"
#include "utils/analysis/costs/ObservedWork.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <cstdint>
#include <vector>

namespace instantrace {

class FactCollector : public EventSink {
public:
  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override;
  void instant(const Instant &) override {}

private:
  friend struct SequenceFacts;
  FunctionWork Functions;
  std::vector<uint32_t> Requesters;
  ById<char> IsDefined; ///< entities that an instantiation defined
  ObservedWork Observed;
};

struct SequenceFacts {
  /// \p From has seen all events; the sequence has its tables.
  SequenceFacts(const Sequence &S, FactCollector From);
  /// Of a sequence that has its events.
  explicit SequenceFacts(const Sequence &S);

  FunctionHomes Homes;
  /// Intervals that later ones refer to, ascending.
  std::vector<uint32_t> ReferredTo;
  ById<char> IsDefined; ///< entities that an instantiation defined
  ObservedWork Observed;
};

} // namespace instantrace

#endif
