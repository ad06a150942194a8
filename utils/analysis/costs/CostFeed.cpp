#include "utils/analysis/costs/CostFeed.h"

#include "utils/analysis/view/EventWalk.h"

using namespace instantrace;

CostFeed::CostFeed(uint32_t Index, const SequenceFacts &Facts,
                   std::span<KeyCosts> Tables, IntervalListener *Other)
    : Facts(Facts), Tables(Tables), Other(Other) {
  for (KeyCosts &Each : Tables)
    Each.enterSequence(Index, Facts);
}

void CostFeed::begin(IntervalId Id, const Interval &I) {
  OpenInterval O;
  if (I.Kind == EventKind::TemplateInstantiation && I.Entity &&
      !Facts.IsDefined.get(I.Entity.Value)) {
    char &IsKnown = IsCounted[I.Entity.Value];
    O.IsFirstOfUndefined = !IsKnown;
    IsKnown = true;
  }
  O.IsCodeGeneration = I.Kind == EventKind::CodeGeneration;
  O.Parts = CodeGenerationParts(I.BeginNs);
  Open.push_back(O);
  for (KeyCosts &Each : Tables)
    Each.begin(Id, I);
  if (Other)
    Other->begin(I);
}

void CostFeed::end(IntervalId, const Interval &I, const ElidedLeaves &Leaves) {
  const OpenInterval O = Open.back();
  Open.pop_back();
  const uint64_t LastedNs = I.durationNs();
  const bool IsProfiling = I.Kind == EventKind::Profiling;
  EndedInterval E = {I,
                     LastedNs - O.ChildrenNs,
                     LastedNs - (IsProfiling ? 0 : O.ProfilingNs),
                     O.IsFirstOfUndefined,
                     Leaves,
                     O.Parts.isEmpty() ? nullptr : &O.Parts};
  for (KeyCosts &Each : Tables)
    Each.end(E);
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
  for (KeyCosts &Each : Tables)
    Each.leaveSequence();
}

void instantrace::feedCosts(const Trace &T, uint32_t Index,
                            std::span<KeyCosts> Tables,
                            IntervalListener *Other) {
  SequenceFacts Facts(T.Sequences[Index]);
  CostFeed Feed(Index, Facts, Tables, Other);
  feedEvents(T.Sequences[Index], Feed);
  Feed.finish();
}

std::vector<CostTable> instantrace::costTables(const Trace &T,
                                               std::span<const CostKey> Keys,
                                               const TraceFilter &Filter,
                                               const LearnedScopes *Learned,
                                               bool AreKindsKept) {
  std::vector<TraceFilter> Filters(Keys.size(), Filter);
  std::vector<KeyCosts> Costs;
  Costs.reserve(Keys.size());
  for (size_t I = 0; I != Keys.size(); ++I)
    Costs.emplace_back(T, Keys[I], Filters[I], Learned);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index)
    feedCosts(T, Index, Costs);
  std::vector<CostTable> Tables;
  for (KeyCosts &Each : Costs)
    Tables.push_back(Each.take(AreKindsKept));
  return Tables;
}
