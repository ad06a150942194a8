#include "utils/analysis/costs/CheckCosts.h"

#include "utils/analysis/names/TieOrder.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

bool isStep(EventKind Kind, CheckFamily Family) {
  EventGroup Group = eventGroup(Kind);
  if (Family == CheckFamily::Constraints)
    return Group == EventGroup::Constraint;
  return Group == EventGroup::Substitution ||
         Group == EventGroup::DefaultArgument;
}

/// Steps that are about a template as a whole, and not about a parameter of it.
bool isCandidate(EventKind Kind) {
  return Kind == EventKind::ExplicitTemplateArgumentSubstitution ||
         Kind == EventKind::DeducedTemplateArgumentSubstitution ||
         Kind == EventKind::LambdaExpressionSubstitution;
}

/// A function template `f` is tried, and its specializations, `f<int>`, have
/// the template set `f<$>`.
uint64_t definitionsOf(const CheckCosts &Costs, const NameKey &Template) {
  uint64_t Count = 0;
  for (const NameKey &Key : {Template, Dictionary::keyOf(Template, "<$>")})
    if (auto Found = Costs.Definitions.find(Key);
        Found != Costs.Definitions.end())
      Count += Found->second;
  return Count;
}

} // namespace

uint64_t CheckRow::count(const std::vector<EventKind> &Kinds) const {
  uint64_t Sum = 0;
  for (EventKind Kind : Kinds)
    Sum += Counts[static_cast<size_t>(Kind)];
  return Sum;
}

EventSink &CheckSink::beginSequence(uint32_t Index) {
  if (!S) {
    Groups.emplace(T, EntityLevel::Template);
    Filter.enterTrace(T);
  }
  S = &T.Sequences[Index];
  Groups->enterSequence(Index);
  Filter.enterSequence(Index);
  return *this;
}

void CheckSink::begin(IntervalId, const Interval &I) {
  Times.begin();
  OpenInterval O{NoIndex, false};
  if (isStep(I.Kind, Family)) {
    O.Owner = ownerOf(I);
    Interval Long = I;
    Long.EndNs = UINT64_MAX; // how long it is, is known at its end
    O.IsCounted = Filter.selects(Long);
  }
  Open.push_back(O);
  if (O.IsCounted) {
    row(O.Owner);
    ++OpenSteps[O.Owner];
  }
}

void CheckSink::end(IntervalId, const Interval &I, const ElidedLeaves &) {
  const OpenTimes::Ended Ns = Times.end(I);
  const OpenInterval O = Open.back();
  Open.pop_back();
  if (Open.empty())
    Costs.TotalNs += I.durationNs();
  if (Family == CheckFamily::Candidates && I.Definition &&
      I.Kind == EventKind::TemplateInstantiation) {
    uint32_t Group = Groups->groupFor(I.Entity);
    if (Group >= Definitions.size())
      Definitions.resize(Groups->size());
    ++Definitions[Group];
  }
  if (O.Owner == NoIndex)
    return;
  Costs.SelfNs += Ns.SelfNs;
  // What is too short is inside nothing of its owner that is not, so who is
  // outermost does not depend on it.
  const bool IsOutermost = O.IsCounted && --OpenSteps[O.Owner] == 0;
  if (!O.IsCounted || !Filter.selects(I)) {
    Costs.FilteredNs += Ns.SelfNs;
    return;
  }
  CheckRow &Row = Rows[O.Owner];
  ++Row.Counts[static_cast<size_t>(I.Kind)];
  Row.SelfNs += Ns.SelfNs;
  Row.AstBytes += I.AstBytes;
  if (IsOutermost)
    Row.InclusiveNs += Ns.InclusiveNs;
}

CheckRow &CheckSink::row(uint32_t Group) {
  if (Group >= Rows.size()) {
    Rows.resize(Groups->size());
    OpenSteps.resize(Groups->size());
  }
  return Rows[Group];
}

uint32_t CheckSink::ownerOf(const Interval &I) {
  uint32_t Around = Open.empty() ? NoIndex : Open.back().Owner;
  const Entity *E = S->entity(I.Entity);
  bool HasName = E && S->Names.key(E->Name).SizeBytes != 0;
  if (Family == CheckFamily::Candidates) {
    if (isCandidate(I.Kind) || Around == NoIndex)
      return Groups->groupFor(I.Entity);
    return Around;
  }
  if (HasName && E->Kind == EntityKind::Concept) {
    uint32_t Owner = Groups->groupFor(I.Entity);
    if (Owner >= IsConcept.size())
      IsConcept.resize(Owner + 1);
    IsConcept[Owner] = true;
    return Owner;
  }
  if (Around != NoIndex &&
      (!HasName || (Around < IsConcept.size() && IsConcept[Around])))
    return Around;
  return Groups->groupFor(I.Entity);
}

CheckCosts CheckSink::take() {
  for (uint32_t Group = 0; Group != Definitions.size(); ++Group)
    if (Definitions[Group] != 0)
      Costs.Definitions[Groups->key(Group)] = Definitions[Group];
  for (uint32_t Group = 0; Group != Rows.size(); ++Group) {
    CheckRow &Row = Rows[Group];
    auto IsCounted = [](uint64_t Count) { return Count != 0; };
    if (std::none_of(Row.Counts.begin(), Row.Counts.end(), IsCounted))
      continue;
    Row.Owner = Groups->name(Group);
    Row.Key = Groups->key(Group);
    Row.IsConcept = Group < IsConcept.size() && IsConcept[Group];
    Costs.Rows.push_back(std::move(Row));
  }
  return std::move(Costs);
}

void MergedChecks::add(CheckCosts Costs, MergedNames &Names) {
  Sum.TotalNs += Costs.TotalNs;
  Sum.SelfNs += Costs.SelfNs;
  Sum.FilteredNs += Costs.FilteredNs;
  for (const auto &[Key, Count] : Costs.Definitions)
    Sum.Definitions[Key] += Count;
  for (CheckRow &Row : Costs.Rows) {
    auto [Entry, IsNew] =
        ByKey.try_emplace(Row.Key, static_cast<uint32_t>(Sum.Rows.size()));
    if (IsNew) {
      Row.Owner = Names.add(Row.Owner);
      Sum.Rows.push_back(std::move(Row));
      continue;
    }
    CheckRow &Target = Sum.Rows[Entry->second];
    Target.IsConcept |= Row.IsConcept;
    for (size_t Kind = 0; Kind != Target.Counts.size(); ++Kind)
      Target.Counts[Kind] += Row.Counts[Kind];
    Target.SelfNs += Row.SelfNs;
    Target.InclusiveNs += Row.InclusiveNs;
    Target.AstBytes += Row.AstBytes;
  }
}

CheckCosts MergedChecks::take(const Trace &Names) {
  settleChecks(Sum, Names);
  return std::move(Sum);
}

void instantrace::settleChecks(CheckCosts &Costs, const Trace &Names) {
  for (CheckRow &Row : Costs.Rows)
    Row.Definitions = definitionsOf(Costs, Row.Key);
  sortRows(
      Costs.Rows,
      [](const CheckRow &A, const CheckRow &B) {
        return A.InclusiveNs != B.InclusiveNs ? A.InclusiveNs > B.InclusiveNs
                                              : A.SelfNs > B.SelfNs;
      },
      [&Names](const CheckRow &Row) { return tieText(Names, Row.Owner); });
}
