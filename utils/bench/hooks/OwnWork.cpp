#include "utils/bench/hooks/OwnWork.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Event times are since the start of the session.
void addNaming(const Sequence &S, std::vector<StoppedClock::Span> &Spans) {
  uint64_t StartNs = S.Session->MonotonicNs;
  for (const Interval &I : S.Intervals)
    if (I.Kind == EventKind::Profiling)
      Spans.push_back({StartNs + I.BeginNs, StartNs + I.EndNs});
}

void setTimes(Sequence &S, const StoppedClock &Clock) {
  uint64_t StartNs = S.Session->MonotonicNs,
           ClockAtStartNs = Clock.shownTimeNs(StartNs);
  auto set = [&](uint64_t &TimeNs) {
    TimeNs = Clock.shownTimeNs(StartNs + TimeNs) - ClockAtStartNs;
  };
  for (Interval &I : S.Intervals) {
    set(I.BeginNs);
    set(I.EndNs);
  }
  for (Instant &I : S.Instants)
    set(I.TimeNs);
  set(S.LastTimeNs);
}

} // namespace

StoppedClock::StoppedClock(std::vector<Span> Spans) {
  std::sort(Spans.begin(), Spans.end(),
            [](const Span &A, const Span &B) { return A.BeginNs < B.BeginNs; });
  uint64_t StoppedNs = 0;
  for (const Span &S : Spans) {
    if (Stops.empty() || Stops.back().EndNs < S.BeginNs) {
      if (!Stops.empty())
        StoppedNs += Stops.back().EndNs - Stops.back().BeginNs;
      Stops.push_back({S.BeginNs, std::max(S.BeginNs, S.EndNs), StoppedNs});
    }
    Stops.back().EndNs = std::max(Stops.back().EndNs, S.EndNs);
  }
}

uint64_t StoppedClock::shownTimeNs(uint64_t TimeNs) const {
  auto Next = std::upper_bound(
      Stops.begin(), Stops.end(), TimeNs,
      [](uint64_t Time, const Stop &S) { return Time < S.BeginNs; });
  if (Next == Stops.begin())
    return TimeNs;
  const Stop &Last = *std::prev(Next);
  return TimeNs - Last.StoppedBeforeNs -
         (std::min(TimeNs, Last.EndNs) - Last.BeginNs);
}

void instantrace::removeOwnWork(Sequence &A, Sequence &B,
                                std::vector<StoppedClock::Span> Work) {
  addNaming(A, Work);
  addNaming(B, Work);
  StoppedClock Clock(std::move(Work));
  setTimes(A, Clock);
  setTimes(B, Clock);
}
