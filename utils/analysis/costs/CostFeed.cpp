#include "utils/analysis/costs/CostFeed.h"

#include <algorithm>

using namespace instantrace;

CostFeed::CostFeed(const Trace &T, uint32_t Index, const LookAhead &Ahead,
                   std::span<KeyCosts> Tables, TraceFilter &Filter,
                   IntervalListener *Other)
    : Homes(T.Sequences[Index], Ahead.Functions),
      NeedsHomes(!Filter.selectsAll()), Tables(Tables), Filter(Filter),
      Other(Other) {
  Filter.enterSequence(Index);
  bool NeedsUserFrames = false;
  for (KeyCosts &Each : Tables) {
    Each.enterSequence(Index, Homes);
    NeedsHomes |= Each.needsHomes();
    NeedsUserFrames |= Each.needsUserFrames();
  }
  Frames = WorkFrames(T.Sequences[Index], Ahead.Requested, NeedsUserFrames);
}

/// What LLVM does for a function is selected where that was instantiated, and
/// what has no name as what it belongs to.
bool CostFeed::selects(const Interval &I, EntityId Owner) {
  if (isFunctionWork(I))
    return Filter.selects(Homes.atHome(I));
  if (I.Entity)
    return Filter.selects(I);
  Interval Copy = I;
  Copy.Entity = Owner;
  return Filter.selects(Copy);
}

void CostFeed::begin(IntervalId Id, const Interval &I) {
  OpenInterval O;
  if (I.Kind == EventKind::TemplateInstantiation && I.Entity) {
    Seen &Is = Entities[I.Entity.Value];
    O.IsFirst = Is == Seen::No;
    Is = std::max(Is, Seen::Instantiated);
  }
  O.IsCodeGeneration = I.Kind == EventKind::CodeGeneration;
  O.Parts = CodeGenerationParts(I.BeginNs);
  if (NeedsHomes || isFunctionWork(I))
    Homes.begin(Id, I);
  const BegunWork Work = Frames.begin(Id, I);
  if (!Filter.selectsAll()) {
    Interval Copy = I;
    Copy.EndNs = UINT64_MAX; // how long it is, is known at its end
    O.IsSelected = selects(Copy, Work.Is.Owner);
  }
  Open.push_back(O);
  for (KeyCosts &Each : Tables)
    Each.begin(Id, I, Work, O.IsSelected);
  if (Other)
    Other->begin(I);
}

void CostFeed::end(IntervalId Id, const Interval &I,
                   const ElidedLeaves &Leaves) {
  OpenInterval O = Open.back();
  Open.pop_back();
  const uint64_t LastedNs = I.durationNs();
  const bool IsProfiling = I.Kind == EventKind::Profiling;
  if (I.Kind == EventKind::TemplateInstantiation && I.Definition && I.Entity)
    Entities[I.Entity.Value] = Seen::Defined;
  if (NeedsHomes)
    Homes.end(Id, I);
  if (O.IsSelected && Filter.needsDurations())
    O.IsSelected = selects(I, Frames.innermost()->Owner);
  Frames.end();
  const uint64_t FilteredNs = O.IsSelected ? O.FilteredNs : LastedNs;
  EndedInterval E = {I,
                     LastedNs - O.ChildrenNs,
                     LastedNs - (IsProfiling ? 0 : O.ProfilingNs),
                     O.IsFirst,
                     O.IsSelected,
                     Open.empty() ? FilteredNs : 0,
                     Leaves,
                     O.Parts.isEmpty() ? nullptr : &O.Parts};
  for (KeyCosts &Each : Tables)
    Each.end(Id, E);
  if (Other)
    Other->end(I, E.InclusiveNs);
  if (Open.empty())
    return;
  OpenInterval &Outer = Open.back();
  Outer.ChildrenNs += LastedNs;
  Outer.ProfilingNs += IsProfiling ? LastedNs : O.ProfilingNs;
  Outer.FilteredNs += FilteredNs;
  if (Outer.IsCodeGeneration)
    Outer.Parts.add(I);
}

void CostFeed::instant(const Instant &I) {
  const bool IsSelected = Filter.selects(I);
  const LocationId UserFrame = Frames.userFrame(I.Location);
  for (KeyCosts &Each : Tables)
    Each.instant(I, UserFrame, Frames.innermost(), IsSelected);
}

void CostFeed::finish() {
  Entities.forEach([this](uint32_t Id, Seen Is) {
    if (Is == Seen::Instantiated)
      for (KeyCosts &Each : Tables)
        Each.countUndefined({Id});
  });
  for (KeyCosts &Each : Tables)
    Each.leaveSequence(Filter);
}
