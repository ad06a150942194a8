#include "utils/analysis/view/ExportPlan.h"

#include <algorithm>
#include <functional>

using namespace instantrace;

ExportPlan::ExportPlan(const Trace &T, const ExportLimits &Limits,
                       TraceFilter &Filter) {
  uint64_t Intervals = 0, Instants = 0;
  for (const Sequence &S : T.Sequences) {
    Intervals += S.Intervals.size();
    Instants += S.Instants.size();
  }
  KeptIntervals = Intervals;
  bool AllFit = Limits.MaxEvents == 0 || Intervals <= Limits.MaxEvents;
  bool SelectsAll = Filter.selectsAll();
  if (Limits.MinNs != 0 || Limits.MaxDepth != 0 || !AllFit || !SelectsAll)
    keepByTimeAndDepth(T, Limits);
  if (!SelectsAll)
    keepSelected(T, Filter);
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
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      while (!Open.empty() && Open.back() != I.Parent.Value)
        Open.pop_back();
      Open.push_back(Index);
      if (I.durationNs() < Limits.MinNs || Open.size() > MaxDepth ||
          (I.Parent && !Keeps[I.Parent.Value]))
        continue;
      Keeps[Index] = true;
      ++KeptIntervals;
    }
  }
}

void ExportPlan::keepSelected(const Trace &T, TraceFilter &Filter) {
  KeptIntervals = 0;
  Filter.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    Filter.enterSequence(Index);
    std::vector<bool> &Unselected =
        UnselectedInstants.emplace_back(S.Instants.size());
    FirstInstants.push_back(S.Instants.data());
    std::vector<bool> Wanted(S.Intervals.size()); // selected, or around such
    for (size_t I = 0; I != S.Instants.size(); ++I) {
      Unselected[I] = !Filter.selects(S.Instants[I]);
      if (!Unselected[I] && S.Instants[I].Parent)
        Wanted[S.Instants[I].Parent.Value] = true;
    }
    for (size_t I = S.Intervals.size(); I-- != 0;) { // children first
      Wanted[I] = Wanted[I] || Filter.selects(S.Intervals[I]);
      if (Wanted[I] && S.Intervals[I].Parent)
        Wanted[S.Intervals[I].Parent.Value] = true;
      Kept[Index][I] = Kept[Index][I] && Wanted[I];
      KeptIntervals += Kept[Index][I];
    }
  }
}

/// Of equally long ones those that begin first, so that a parent, which is
/// never shorter, stays before its children.
void ExportPlan::keepLongest(const Trace &T, uint64_t Wanted) {
  std::vector<uint64_t> Durations;
  Durations.reserve(KeptIntervals);
  for (size_t Index = 0; Index != T.Sequences.size(); ++Index)
    for (size_t I = 0; I != Kept[Index].size(); ++I)
      if (Kept[Index][I])
        Durations.push_back(T.Sequences[Index].Intervals[I].durationNs());
  auto Last = Durations.begin() + static_cast<std::ptrdiff_t>(Wanted - 1);
  std::nth_element(Durations.begin(), Last, Durations.end(), std::greater<>());
  uint64_t ShortestNs = *Last;
  uint64_t OfShortest = static_cast<uint64_t>(
      std::count(Durations.begin(), Last + 1, ShortestNs));
  for (size_t Index = 0; Index != T.Sequences.size(); ++Index) {
    for (size_t I = 0; I != Kept[Index].size(); ++I) {
      uint64_t Ns = T.Sequences[Index].Intervals[I].durationNs();
      if (!Kept[Index][I] || Ns > ShortestNs)
        continue;
      Kept[Index][I] = Ns == ShortestNs && OfShortest != 0;
      OfShortest -= Kept[Index][I];
    }
  }
  KeptIntervals = Wanted;
}

void ExportPlan::countRemoved(const Trace &T) {
  for (size_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    for (const Instant &I : S.Instants)
      Removed.Instants += !keeps(Index, I);
    if (Kept.empty())
      continue;
    for (uint32_t Id = 0; Id != S.Intervals.size(); ++Id) {
      if (Kept[Index][Id])
        continue;
      const Interval &I = S.Intervals[Id];
      ++Removed.Intervals;
      if (!I.Parent || Kept[Index][I.Parent.Value])
        Removed.Ns += I.durationNs();
    }
  }
}
