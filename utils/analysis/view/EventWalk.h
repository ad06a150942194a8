/// \file
/// Replays the intervals and instants of a sequence in the recorded order.
///
/// Flow: Sequence -> [walkEvents] -> dump, exporters
///       Sequence -> [feedEvents] -> EventSink
#pragma once

#include "runtime/read/EventSink.h"
#include "runtime/read/Trace.h"

namespace instantrace {

/// Calls V.begin(IntervalId), V.end(IntervalId) and V.instant(const Instant &).
/// An interval that was never ended gets no end.
template <class Visitor> void walkEvents(const Sequence &S, Visitor &&V) {
  size_t NextInstant = 0;
  IntervalId Open;
  auto Instants = [&](IntervalId Inside, size_t BeginCount) {
    for (; NextInstant != S.Instants.size(); ++NextInstant) {
      const Instant &I = S.Instants[NextInstant];
      if (!(I.Parent == Inside) || I.BegunBefore != BeginCount)
        return;
      V.instant(I);
    }
  };
  auto EndInnermost = [&](size_t BeginCount) {
    Instants(Open, BeginCount);
    V.end(Open);
    Open = S.Intervals[Open.Value].Parent;
  };
  for (size_t I = 0; I != S.Intervals.size(); ++I) {
    while (!(Open == S.Intervals[I].Parent))
      EndInnermost(I);
    Instants(Open, I);
    Open.Value = static_cast<uint32_t>(I);
    V.begin(Open);
  }
  while (Open && !S.Intervals[Open.Value].Open)
    EndInnermost(S.Intervals.size());
  Instants(Open, S.Intervals.size());
}

/// The same events as if they were only now read. What a begin says is more
/// than that: all of the interval.
inline void feedEvents(const Sequence &S, EventSink &Into) {
  struct Visitor {
    const Sequence &S;
    EventSink &Into;
    IntervalId Innermost;

    void begin(IntervalId Id) {
      Innermost = Id;
      Into.begin(Id, S.Intervals[Id.Value]);
    }
    void end(IntervalId Id) {
      const Interval &I = S.Intervals[Id.Value];
      Innermost = I.Parent;
      Into.end(Id, I, I.HasElided ? S.elidedIn(Id) : ElidedLeaves{Id});
    }
    void instant(const Instant &I) { Into.instant(I); }
  };
  Visitor V{S, Into, {}};
  walkEvents(S, V);
  while (V.Innermost)
    V.end(V.Innermost);
}

} // namespace instantrace
