#include "utils/analysis/costs/SequenceFacts.h"

#include "utils/analysis/view/EventWalk.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

void FactCollector::begin(IntervalId Id, const Interval &I) {
  Functions.begin(Id, I);
  if (I.Requester)
    Requesters.push_back(I.Requester.Value);
}

void FactCollector::end(IntervalId Id, const Interval &I,
                        const ElidedLeaves &) {
  Functions.end(Id, I);
  if (I.Kind != EventKind::TemplateInstantiation)
    return;
  if (I.Definition && I.Entity)
    IsDefined[I.Entity.Value] = true;
  Observed.add(I);
}

SequenceFacts::SequenceFacts(const Sequence &S, FactCollector From)
    : Homes(S, From.Functions), ReferredTo(std::move(From.Requesters)),
      IsDefined(std::move(From.IsDefined)),
      Observed(observedWork(S, From.Observed)) {
  Homes.forEachHome([this](IntervalId Id) { ReferredTo.push_back(Id.Value); });
  std::sort(ReferredTo.begin(), ReferredTo.end());
  ReferredTo.erase(std::unique(ReferredTo.begin(), ReferredTo.end()),
                   ReferredTo.end());
}

namespace {

FactCollector collected(const Sequence &S) {
  FactCollector Facts;
  feedEvents(S, Facts);
  return Facts;
}

} // namespace

SequenceFacts::SequenceFacts(const Sequence &S)
    : SequenceFacts(S, collected(S)) {}
