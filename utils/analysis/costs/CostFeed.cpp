#include "utils/analysis/costs/CostFeed.h"

#include <algorithm>

using namespace instantrace;

CostFeed::CostFeed(const Trace &T, uint32_t Index, const LookAhead &Ahead,
                   std::span<KeyCosts> Tables, IntervalListener *Other)
    : Homes(T.Sequences[Index], Ahead.Functions), Tables(Tables), Other(Other) {
  for (KeyCosts &Each : Tables) {
    Each.enterSequence(Index, Homes, Ahead.Requested);
    NeedsHomes |= Each.needsHomes();
  }
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
  Open.push_back(O);
  if (NeedsHomes || isFunctionWork(I))
    Homes.begin(Id, I);
  for (KeyCosts &Each : Tables)
    Each.begin(Id, I);
  if (Other)
    Other->begin(I);
}

void CostFeed::end(IntervalId Id, const Interval &I,
                   const ElidedLeaves &Leaves) {
  const OpenInterval O = Open.back();
  Open.pop_back();
  const uint64_t LastedNs = I.durationNs();
  const bool IsProfiling = I.Kind == EventKind::Profiling;
  if (I.Kind == EventKind::TemplateInstantiation && I.Definition && I.Entity)
    Entities[I.Entity.Value] = Seen::Defined;
  if (NeedsHomes)
    Homes.end(Id, I);
  EndedInterval E = {I,
                     LastedNs - O.ChildrenNs,
                     LastedNs - (IsProfiling ? 0 : O.ProfilingNs),
                     O.IsFirst,
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
  if (Outer.IsCodeGeneration)
    Outer.Parts.add(I);
}

void CostFeed::instant(const Instant &I) {
  for (KeyCosts &Each : Tables)
    Each.instant(I);
}

void CostFeed::finish() {
  Entities.forEach([this](uint32_t Id, Seen Is) {
    if (Is == Seen::Instantiated)
      for (KeyCosts &Each : Tables)
        Each.countUndefined({Id});
  });
  for (KeyCosts &Each : Tables)
    Each.leaveSequence();
}
