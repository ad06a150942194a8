/// \file
/// Takes the events of a sequence one after the other, for who has no need of
/// all of them at once.
///
/// Flow:   EventDecoder -> EventStream -> [EventSink] -> index, costs
///         Sequence -> feedEvents (EventWalk.h) -> EventSink
/// Memory: none for each interval but for those that are open
#pragma once

#include "runtime/read/Trace.h"

namespace instantrace {

class EventSink {
public:
  virtual ~EventSink() = default;
  /// Intervals are numbered in the order of their begins. Of \p I there is what
  /// its begin says: neither an end nor memory, hits or flags.
  virtual void begin(IntervalId Id, const Interval &I) = 0;
  /// Of the innermost one, with everything. \p Leaves are those of the
  /// interval, with a count of 0 if it has none. What never ended does so
  /// behind the last event, is Open and has the time of that.
  virtual void end(IntervalId Id, const Interval &I,
                   const ElidedLeaves &Leaves) = 0;
  virtual void instant(const Instant &I) = 0;
};

} // namespace instantrace
