#include "utils/export/ExportPlan.h"

#include <algorithm>
#include <functional>

using namespace instantrace;

ExportPlan::ExportPlan(const Trace &T, const ExportLimits &Limits) {
  uint64_t Intervals = 0, Instants = 0;
  for (const Sequence &S : T.Sequences) {
    Intervals += S.Intervals.size();
    Instants += S.Instants.size();
  }
  KeptIntervals = Intervals;
  bool AllFit = Limits.MaxEvents == 0 || Intervals <= Limits.MaxEvents;
  if (Limits.MinNs != 0 || Limits.MaxDepth != 0 || !AllFit)
    keepByTimeAndDepth(T, Limits);
  if (Limits.MaxEvents != 0 && KeptIntervals > Limits.MaxEvents)
    keepLongest(T, Limits.MaxEvents);
  KeepsInstants =
      Limits.MinNs == 0 &&
      (Limits.MaxEvents == 0 || KeptIntervals + Instants <= Limits.MaxEvents);
  countRemoved(T);
}

void ExportPlan::keepByTimeAndDepth(const Trace &T,
                                    const ExportLimits &Limits) {
  uint64_t MaxDepth = Limits.MaxDepth ? Limits.MaxDepth : UINT64_MAX;
  KeptIntervals = 0;
  std::vector<uint32_t> Open; // the intervals around the current one
  for (const Sequence &S : T.Sequences) {
    std::vector<bool> &Keeps = Kept.emplace_back(S.Intervals.size());
    Open.clear();
    for (uint32_t At = 0; At != S.Intervals.size(); ++At) {
      const Interval &I = S.Intervals[At];
      while (!Open.empty() && Open.back() != I.Parent.Value)
        Open.pop_back();
      Open.push_back(At);
      if (I.durationNs() < Limits.MinNs || Open.size() > MaxDepth ||
          (I.Parent && !Keeps[I.Parent.Value]))
        continue;
      Keeps[At] = true;
      ++KeptIntervals;
    }
  }
}

/// Of equally long ones those that begin first, so that a parent, which is
/// never shorter, stays before its children.
void ExportPlan::keepLongest(const Trace &T, uint64_t Wanted) {
  std::vector<uint64_t> Durations;
  Durations.reserve(KeptIntervals);
  for (size_t At = 0; At != T.Sequences.size(); ++At)
    for (size_t I = 0; I != Kept[At].size(); ++I)
      if (Kept[At][I])
        Durations.push_back(T.Sequences[At].Intervals[I].durationNs());
  auto Last = Durations.begin() + static_cast<std::ptrdiff_t>(Wanted - 1);
  std::nth_element(Durations.begin(), Last, Durations.end(), std::greater<>());
  uint64_t ShortestNs = *Last;
  uint64_t OfShortest = static_cast<uint64_t>(
      std::count(Durations.begin(), Last + 1, ShortestNs));
  for (size_t At = 0; At != T.Sequences.size(); ++At) {
    for (size_t I = 0; I != Kept[At].size(); ++I) {
      uint64_t Ns = T.Sequences[At].Intervals[I].durationNs();
      if (!Kept[At][I] || Ns > ShortestNs)
        continue;
      Kept[At][I] = Ns == ShortestNs && OfShortest != 0;
      OfShortest -= Kept[At][I];
    }
  }
  KeptIntervals = Wanted;
}

void ExportPlan::countRemoved(const Trace &T) {
  for (size_t At = 0; At != T.Sequences.size(); ++At) {
    const Sequence &S = T.Sequences[At];
    for (const Instant &I : S.Instants)
      Removed.Instants += !keeps(At, I);
    if (Kept.empty())
      continue;
    for (uint32_t Id = 0; Id != S.Intervals.size(); ++Id) {
      if (Kept[At][Id])
        continue;
      const Interval &I = S.Intervals[Id];
      ++Removed.Intervals;
      if (!I.Parent || Kept[At][I.Parent.Value])
        Removed.Ns += I.durationNs();
    }
  }
}
