#include "utils/analysis/chains/Recursion.h"

#include "utils/analysis/names/RowName.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/SelfTimes.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

using namespace instantrace;

namespace {

/// Fewer steps have no shape.
constexpr uint64_t ShortDepth = 8;
/// Many recursions of so many steps are one problem; of fewer, they may have
/// nothing to do with one another.
constexpr uint64_t LongDepth = 32;
/// From a late body outwards, a template's own body is looked for so far.
constexpr int MostRequests = 256;

class RecursionFinder {
public:
  RecursionFinder(const Trace &T, TraceFilter &Filter, EntityGroups &Templates)
      : T(T), Filter(Filter), Templates(Templates) {}

  /// The filter and the templates have entered it.
  void find(uint32_t Index) {
    SequenceIndex = Index;
    S = &T.Sequences[Index];
    SelfNs = selfTimes(*S);
    InclusiveNs = inclusiveTimes(*S);
    FactsOf.assign(S->Intervals.size(), {});
    IsKnown.assign(S->Entities.size() + 1, false);
    Open.clear();
    IntervalId Innermost;
    for (uint32_t I = 0; I != S->Intervals.size(); ++I) {
      for (; !(Innermost == S->Intervals[I].Parent);
           Innermost = S->Intervals[Innermost.Value].Parent)
        leave(Innermost.Value);
      enter(I);
      Innermost.Value = I;
    }
    addRecursions();
  }
  void add(uint32_t Index) {
    find(Index);
    addChains();
  }

  std::vector<RecursionRow> recursions() const {
    std::vector<RecursionRow> Found;
    for (const auto &[Group, Row] : Rows)
      if (Row.Recursions != 0)
        Found.push_back(Row);
    return Found;
  }

  RecursionReport take() {
    RecursionReport Report;
    for (auto &[Key, Chain] : Chains)
      Report.Chains.push_back(Chain);
    Report.Recursions = recursions();
    sortRows(
        Report.Chains,
        [](const DeepChain &A, const DeepChain &B) {
          return A.Depth != B.Depth ? A.Depth > B.Depth
                                    : A.InclusiveNs > B.InclusiveNs;
        },
        [this](const DeepChain &Chain) {
          return std::tuple(tieText(T, Chain.Outermost),
                            tieText(T, Chain.Innermost), Chain.Place);
        });
    sortRows(
        Report.Recursions,
        [](const RecursionRow &A, const RecursionRow &B) {
          return A.Depth != B.Depth ? A.Depth > B.Depth : A.SelfNs > B.SelfNs;
        },
        [this](const RecursionRow &Row) { return tieText(T, Row.Template); });
    return Report;
  }

private:
  /// Of an interval.
  struct Facts {
    uint32_t Depth = 0;            ///< of template work; 0: it is none
    uint32_t Outermost = NoIndex;  ///< template work around it
    uint32_t Group = NoIndex;      ///< its template set, if it is a recursion's
    uint32_t Before = NoIndex;     ///< the step before in the recursion
    uint32_t OpenBefore = NoIndex; ///< what was open of the group
    uint32_t Steps = 0;
    uint32_t First = NoIndex; ///< of the recursion
    uint32_t News = 0;        ///< first instantiations, of a recursion's first
  };

  void enter(uint32_t Index) {
    const Interval &I = S->Intervals[Index];
    Facts &F = FactsOf[Index];
    if (isTemplateWork(I.Kind)) {
      const Facts *Outer = I.Parent ? &FactsOf[I.Parent.Value] : nullptr;
      F.Depth = Outer ? Outer->Depth + 1 : 1;
      F.Outermost = F.Depth > 1 ? Outer->Outermost : Index;
    }
    const Entity *E = S->entity(I.Entity);
    if (I.Kind != EventKind::TemplateInstantiation || !E ||
        E->TemplateSet == E->Name || !Filter.selects(I))
      return;
    F.Group = Templates.groupFor(I.Entity);
    if (F.Group >= Open.size())
      Open.resize(Templates.size(), NoIndex);
    F.OpenBefore = Open[F.Group];
    F.Before = F.OpenBefore != NoIndex ? F.OpenBefore : requestedBy(I, F.Group);
    Open[F.Group] = Index;
    F.Steps = 1;
    F.First = Index;
    if (F.Before != NoIndex) {
      const Facts &Before = FactsOf[F.Before];
      bool IsSame = S->Intervals[F.Before].Entity.Value == I.Entity.Value;
      F.Steps = Before.Steps + !IsSame;
      F.First = Before.First;
    }
    if (!IsKnown[I.Entity.Value]) {
      IsKnown[I.Entity.Value] = true;
      ++FactsOf[F.First].News;
      ++Rows[F.Group].Total;
    }
    Rows[F.Group].SelfNs += SelfNs[Index];
  }

  void leave(uint32_t Index) {
    if (FactsOf[Index].Group != NoIndex)
      Open[FactsOf[Index].Group] = FactsOf[Index].OpenBefore;
  }

  uint32_t requestedBy(const Interval &I, uint32_t Group) const {
    IntervalId At = I.Requester;
    for (int Steps = 0; At && Steps != MostRequests; ++Steps) {
      if (FactsOf[At.Value].Group == Group)
        return At.Value;
      At = outwards(S->Intervals[At.Value]);
    }
    return NoIndex;
  }

  void addChains() {
    std::vector<uint32_t> DeepestIn(S->Intervals.size(), NoIndex);
    for (uint32_t I = 0; I != FactsOf.size(); ++I) {
      if (FactsOf[I].Depth == 0 || !Filter.selects(S->Intervals[I]))
        continue;
      uint32_t &Deepest = DeepestIn[FactsOf[I].Outermost];
      if (Deepest == NoIndex || FactsOf[I].Depth > FactsOf[Deepest].Depth)
        Deepest = I;
    }
    for (uint32_t I = 0; I != FactsOf.size(); ++I)
      if (DeepestIn[I] != NoIndex)
        addChain(I, DeepestIn[I]);
  }

  void addChain(uint32_t Outermost, uint32_t Innermost) {
    uint64_t Depth = FactsOf[Innermost].Depth;
    uint32_t Outer = Templates.groupFor(S->Intervals[Outermost].Entity);
    uint32_t Inner = Templates.groupFor(S->Intervals[Innermost].Entity);
    auto [Found, IsNew] = Chains.try_emplace({Outer, Inner});
    DeepChain &Chain = Found->second;
    if (!IsNew && !isMoreThan(Chain, Outermost, Innermost))
      return;
    Chain.Depth = Depth;
    Chain.Outermost = Templates.name(Outer);
    Chain.Innermost = nameOf(Innermost);
    Chain.Place = placeOf(S->Intervals[Outermost].Location);
    Chain.InclusiveNs = InclusiveNs[Outermost];
    std::unordered_map<uint32_t, uint64_t> Counts;
    Chain.Frequency = 0;
    for (IntervalId At{Innermost}; At && FactsOf[At.Value].Depth != 0;
         At = S->Intervals[At.Value].Parent) {
      uint32_t Group = Templates.groupFor(S->Intervals[At.Value].Entity);
      if (++Counts[Group] <= Chain.Frequency)
        continue;
      Chain.Frequency = Counts[Group];
      Chain.MostFrequent = Templates.name(Group);
    }
  }

  /// Deeper; of the same depth, longer; otherwise whatever does not depend on
  /// the order of the traces.
  bool isMoreThan(const DeepChain &Chain, uint32_t Outermost,
                  uint32_t Innermost) const {
    const Interval &Outer = S->Intervals[Outermost];
    if (FactsOf[Innermost].Depth != Chain.Depth)
      return FactsOf[Innermost].Depth > Chain.Depth;
    if (InclusiveNs[Outermost] != Chain.InclusiveNs)
      return InclusiveNs[Outermost] > Chain.InclusiveNs;
    std::string Place = placeOf(Outer.Location);
    return Place != Chain.Place
               ? Place < Chain.Place
               : tieText(T, nameOf(Innermost)) < tieText(T, Chain.Innermost);
  }

  bool isMoreThan(const RecursionRow &Row, uint32_t Last) const {
    const Facts &F = FactsOf[Last];
    if (F.Steps != Row.Depth)
      return F.Steps > Row.Depth;
    if (FactsOf[F.First].News != Row.Specializations)
      return FactsOf[F.First].News > Row.Specializations;
    return keyOf(nameOf(Last)) < keyOf(Row.Innermost);
  }

  NameKey keyOf(const RowName &Name) const {
    return Name.Fixed.empty() ? Name.names(T).prefixKey(Name.Name) : NameKey();
  }

  void addRecursions() {
    std::vector<bool> HasSteps(FactsOf.size()); // of a recursion's first
    std::unordered_map<uint32_t, uint32_t>
        LastOf; // by group: of the most steps
    for (uint32_t I = 0; I != FactsOf.size(); ++I) {
      const Facts &F = FactsOf[I];
      if (F.Group == NoIndex)
        continue;
      RecursionRow &Row = Rows[F.Group];
      // The step after the first tells that there is a recursion.
      if (F.Steps < 2)
        continue;
      Row.Recursions += !HasSteps[F.First];
      HasSteps[F.First] = true;
      if (!isMoreThan(Row, I))
        continue;
      Row.Template = Templates.name(F.Group);
      Row.Depth = F.Steps;
      Row.Specializations = FactsOf[F.First].News;
      Row.Innermost = nameOf(I);
      LastOf[F.Group] = I;
    }
    // Once per recursion: in a long one each step is more than the one before.
    for (auto [Group, Last] : LastOf)
      measureNames(Rows[Group], Last);
  }

  void measureNames(RecursionRow &Row, uint32_t Last) const {
    Row.ShortestBytes = UINT64_MAX;
    Row.LongestBytes = 0;
    for (uint32_t At = Last; At != NoIndex; At = FactsOf[At].Before) {
      const Entity *E = S->entity(S->Intervals[At].Entity);
      uint64_t Bytes = S->Names.key(E->Name).SizeBytes;
      Row.ShortestBytes = std::min(Row.ShortestBytes, Bytes);
      Row.LongestBytes = std::max(Row.LongestBytes, Bytes);
    }
  }

  RowName nameOf(uint32_t Index) const {
    const Entity *E = S->entity(S->Intervals[Index].Entity);
    return E && S->Names.key(E->Name).SizeBytes != 0
               ? RowName::named(SequenceIndex, {E->Name})
               : RowName::fixed("(unnamed)");
  }

  std::string placeOf(LocationId Id) const {
    const Location *L = S->location(Id);
    return L ? placeText(*S, *L) : std::string();
  }

  const Trace &T;
  TraceFilter &Filter;
  EntityGroups &Templates;
  std::map<std::pair<uint32_t, uint32_t>, DeepChain> Chains; // by groups
  std::map<uint32_t, RecursionRow> Rows;                     // by group
  // Of this sequence:
  uint32_t SequenceIndex = 0;
  const Sequence *S = nullptr;
  std::vector<uint64_t> SelfNs, InclusiveNs; // by interval
  std::vector<Facts> FactsOf;
  std::vector<bool> IsKnown;  // by entity
  std::vector<uint32_t> Open; // by group: the innermost interval
};

} // namespace

std::string_view instantrace::growthName(RecursionGrowth Growth) {
  switch (Growth) {
  case RecursionGrowth::Short:
    return "short";
  case RecursionGrowth::Linear:
    return "linear";
  case RecursionGrowth::Between:
    return "more than linear";
  case RecursionGrowth::Quadratic:
    return "quadratic";
  }
  return "";
}

RecursionGrowth RecursionRow::growth() const {
  if (Depth < ShortDepth)
    return RecursionGrowth::Short;
  if (isRepeated())
    return RecursionGrowth::Quadratic;
  if (Specializations <= 2 * Depth)
    return RecursionGrowth::Linear;
  // A triangle of N rows has N * N / 2 fields; what stops early has fewer.
  return Specializations >= Depth * Depth / 4 ? RecursionGrowth::Quadratic
                                              : RecursionGrowth::Between;
}

bool RecursionRow::isRepeated() const {
  return Depth >= LongDepth && Specializations <= 2 * Depth &&
         Total >= Depth * Depth / 4;
}

bool RecursionRow::hasGrowingNames() const {
  // A number that grows has a few digits more; an argument per step, at least
  // two bytes.
  return Depth >= ShortDepth && LongestBytes >= ShortestBytes + 2 * (Depth - 1);
}

std::vector<RecursionRow> instantrace::recursionsOf(const Trace &T,
                                                    uint32_t Index,
                                                    TraceFilter &Filter,
                                                    EntityGroups &Templates) {
  RecursionFinder Finder(T, Filter, Templates);
  Finder.find(Index);
  return Finder.recursions();
}

RecursionReport instantrace::findRecursion(const Trace &T,
                                           TraceFilter &Filter) {
  EntityGroups Templates(T, EntityLevel::Template);
  Filter.enterTrace(T);
  RecursionFinder Finder(T, Filter, Templates);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    Templates.enterSequence(Index);
    Filter.enterSequence(Index);
    Finder.add(Index);
  }
  return Finder.take();
}
