#include "utils/analysis/costs/WorkFrames.h"

#include "utils/analysis/view/UserFrame.h"

#include <algorithm>

using namespace instantrace;

WorkFrames::WorkFrames(const Sequence &S,
                       const std::vector<uint32_t> &Requested,
                       bool AreUserFramesWanted)
    : S(&S), Requested(&Requested) {
  if (AreUserFramesWanted)
    IsUser = userLocations(S);
}

uint32_t WorkFrames::numberOf(IntervalId Id) const {
  auto Found = std::lower_bound(Requested->begin(), Requested->end(), Id.Value);
  auto Number = static_cast<uint32_t>(Found - Requested->begin());
  return Number < Askers.size() && *Found == Id.Value ? Number : NoIndex;
}

/// A concept's, for all of a check: what is inside one may have the name of who
/// is constrained. CheckCosts.cpp says the same of each check.
EntityId WorkFrames::owner(EventKind Kind, EntityId Entity,
                           const WorkFrame *Outer) const {
  if (!isTemplateWork(Kind))
    return {};
  const EntityId Around = Outer ? Outer->Owner : EntityId{};
  if (!Entity)
    return Around;
  auto IsConcept = [this](EntityId Id) {
    const instantrace::Entity *E = S->entity(Id);
    return E && E->Kind == EntityKind::Concept;
  };
  bool IsPartOfCheck = eventGroup(Kind) == EventGroup::Constraint && Outer &&
                       eventGroup(Outer->Kind) == EventGroup::Constraint;
  return IsPartOfCheck && !IsConcept(Entity) && IsConcept(Around) ? Around
                                                                  : Entity;
}

BegunWork WorkFrames::begin(IntervalId Id, const Interval &I) {
  BegunWork Work;
  const WorkFrame *Outer = innermost();
  if (I.Requester) {
    Work.AskedBy = numberOf(I.Requester);
    Outer = Work.AskedBy != NoIndex ? &Askers[Work.AskedBy] : nullptr;
  }
  Work.Is = {I.Kind, owner(I.Kind, I.Entity, Outer),
             userFrame(I.Location, Outer)};
  Work.HasOuter = Outer != nullptr;
  if (Outer)
    Work.OuterKind = Outer->Kind;
  if (Askers.size() != Requested->size() &&
      (*Requested)[Askers.size()] == Id.Value) {
    Work.Requested = static_cast<uint32_t>(Askers.size());
    Askers.push_back(Work.Is);
  }
  Open.push_back(Work.Is);
  return Work;
}
