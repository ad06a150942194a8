/// \file
/// Replays the intervals and instants of a sequence in the recorded order.
///
/// Flow: Sequence -> [walkEvents] -> dump, exporters
#ifndef INSTANTRACE_UTILS_ANALYSIS_VIEW_EVENTWALK_H
#define INSTANTRACE_UTILS_ANALYSIS_VIEW_EVENTWALK_H

#include "runtime/read/Trace.h"

namespace instantrace {

/// Calls V.begin(IntervalId), V.end(IntervalId) and V.instant(const Instant &).
/// An interval that was never ended gets no end.
template <class Visitor> void walkEvents(const Sequence &S, Visitor &&V) {
  size_t NextInstant = 0;
  IntervalId Open;
  auto Instants = [&](IntervalId Inside, size_t Begun) {
    for (; NextInstant != S.Instants.size(); ++NextInstant) {
      const Instant &I = S.Instants[NextInstant];
      if (!(I.Parent == Inside) || I.BegunBefore != Begun)
        return;
      V.instant(I);
    }
  };
  auto EndInnermost = [&](size_t Begun) {
    Instants(Open, Begun);
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

} // namespace instantrace

#endif
