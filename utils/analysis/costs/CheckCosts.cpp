#include "utils/analysis/costs/CheckCosts.h"

#include "utils/analysis/names/RowName.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/SelfTimes.h"

#include <algorithm>
#include <unordered_map>

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

class CheckFinder {
public:
  CheckFinder(const Trace &T, CheckFamily Family, TraceFilter &Filter)
      : T(T), Family(Family), Filter(Filter), Groups(T, EntityLevel::Template) {
    Filter.enterTrace(T);
  }

  void add(uint32_t Index) {
    S = &T.Sequences[Index];
    Groups.enterSequence(Index);
    Filter.enterSequence(Index);
    std::vector<uint64_t> SelfNs = selfTimes(*S);
    std::vector<uint64_t> InclusiveNs = inclusiveTimes(*S);
    OwnerOf.assign(S->Intervals.size(), NoIndex);
    std::vector<uint32_t> Counted(S->Intervals.size(), NoIndex);
    IntervalId Innermost;
    for (uint32_t I = 0; I != S->Intervals.size(); ++I) {
      const Interval &Own = S->Intervals[I];
      for (; !(Innermost == Own.Parent);
           Innermost = S->Intervals[Innermost.Value].Parent)
        if (uint32_t Owner = Counted[Innermost.Value]; Owner != NoIndex)
          --Open[Owner];
      Innermost.Value = I;
      if (!Own.Parent)
        Costs.TotalNs += Own.durationNs();
      if (Own.Kind == EventKind::TemplateInstantiation && Own.Definition)
        ++row(Groups.groupFor(Own.Entity)).Definitions;
      if (!isStep(Own.Kind, Family))
        continue;
      Costs.SelfNs += SelfNs[I];
      uint32_t Owner = OwnerOf[I] = ownerOf(Own);
      if (!Filter.selects(Own)) {
        Costs.FilteredNs += SelfNs[I];
        continue;
      }
      Counted[I] = Owner;
      CheckRow &Row = row(Owner);
      ++Row.Counts[static_cast<size_t>(Own.Kind)];
      Row.SelfNs += SelfNs[I];
      Row.AstBytes += Own.AstBytes;
      if (Open[Owner]++ == 0)
        Row.InclusiveNs += InclusiveNs[I];
    }
    Open.assign(Open.size(), 0);
  }

  CheckCosts take() {
    for (uint32_t Group = 0; Group != Rows.size(); ++Group) {
      CheckRow &Row = Rows[Group];
      auto IsCounted = [](uint64_t Count) { return Count != 0; };
      if (std::none_of(Row.Counts.begin(), Row.Counts.end(), IsCounted))
        continue;
      Row.Owner = Groups.name(Group);
      if (Family == CheckFamily::Candidates)
        Row.Definitions += definitionsOfSet(Group);
      Row.IsConcept = Group < IsConcept.size() && IsConcept[Group];
      Costs.Rows.push_back(Row);
    }
    sortRows(
        Costs.Rows,
        [](const CheckRow &A, const CheckRow &B) {
          return A.InclusiveNs != B.InclusiveNs ? A.InclusiveNs > B.InclusiveNs
                                                : A.SelfNs > B.SelfNs;
        },
        [this](const CheckRow &Row) { return tieText(T, Row.Owner); });
    return std::move(Costs);
  }

private:
  uint32_t ownerOf(const Interval &I) {
    uint32_t Around = I.Parent ? OwnerOf[I.Parent.Value] : NoIndex;
    const Entity *E = S->entity(I.Entity);
    bool HasName = E && S->Names.key(E->Name).SizeBytes != 0;
    if (Family == CheckFamily::Candidates) {
      if (isCandidate(I.Kind) || Around == NoIndex)
        return Groups.groupFor(I.Entity);
      return Around;
    }
    if (HasName && E->Kind == EntityKind::Concept) {
      uint32_t Owner = Groups.groupFor(I.Entity);
      if (Owner >= IsConcept.size())
        IsConcept.resize(Owner + 1);
      IsConcept[Owner] = true;
      return Owner;
    }
    if (Around != NoIndex &&
        (!HasName || (Around < IsConcept.size() && IsConcept[Around])))
      return Around;
    return Groups.groupFor(I.Entity);
  }

  /// A function template `f` is tried, and its specializations, `f<int>`, have
  /// the template set `f<$>`.
  uint64_t definitionsOfSet(uint32_t Group) {
    if (DefinitionsOf.empty())
      for (uint32_t Each = 0; Each != Rows.size(); ++Each)
        DefinitionsOf[Groups.key(Each)] = Rows[Each].Definitions;
    auto Found =
        DefinitionsOf.find(Dictionary::keyOf(Groups.key(Group), "<$>"));
    return Found == DefinitionsOf.end() ? 0 : Found->second;
  }

  CheckRow &row(uint32_t Group) {
    if (Group >= Rows.size()) {
      Rows.resize(Groups.size());
      Open.resize(Groups.size());
    }
    return Rows[Group];
  }

  const Trace &T;
  CheckFamily Family;
  TraceFilter &Filter;
  EntityGroups Groups;
  CheckCosts Costs;
  std::vector<CheckRow> Rows;  // by group
  std::vector<uint32_t> Open;  // by group: steps
  std::vector<bool> IsConcept; // by group
  /// By the name of the group, when all are known.
  std::unordered_map<NameKey, uint64_t, NameKeyHash> DefinitionsOf;
  // Of this sequence:
  const Sequence *S = nullptr;
  std::vector<uint32_t> OwnerOf; // by interval: of steps
};

} // namespace

uint64_t CheckRow::count(const std::vector<EventKind> &Kinds) const {
  uint64_t Sum = 0;
  for (EventKind Kind : Kinds)
    Sum += Counts[static_cast<size_t>(Kind)];
  return Sum;
}

CheckCosts instantrace::checkCosts(const Trace &T, CheckFamily Family,
                                   TraceFilter &Filter) {
  CheckFinder Finder(T, Family, Filter);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index)
    Finder.add(Index);
  return Finder.take();
}
