#include "utils/analysis/costs/CostSink.h"

#include <utility>

using namespace instantrace;

CostSink::CostSink(const Trace &T, std::span<const CostKey> Keys,
                   const TraceFilter &Filter, const LearnedScopes *Learned,
                   IntervalListener *Other)
    : T(T), Keys(Keys.begin(), Keys.end()), Filter(Filter), Learned(Learned),
      Other(Other) {}

/// Groups of names are learned when it is made, so not before there are some.
void CostSink::enterTrace() {
  if (std::exchange(HasNames, true))
    return;
  Filter.enterTrace(T, Learned);
  for (CostKey Key : Keys)
    Tables.emplace_back(T, Key, Learned);
}

EventSink &CostSink::beginSequence(uint32_t Index) {
  enterTrace();
  Feed.reset();
  if (IsSummed && !IsSummed(Index))
    return Feed.emplace(T, Index, Ahead, std::span<KeyCosts>(), Filter);
  if (Other)
    Other->enterSequence(T.Sequences[Index]);
  return Feed.emplace(T, Index, Ahead, Tables, Filter, Other);
}

void CostSink::finishSequence() { Feed->finish(); }

std::vector<CostTable> CostSink::take(bool AreKindsKept) {
  enterTrace(); // there may have been no sequence
  std::vector<CostTable> Taken;
  for (KeyCosts &Each : Tables)
    Taken.push_back(Each.take(AreKindsKept));
  return Taken;
}
