#include "utils/analysis/chains/Recursion.h"

#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/RequestedFrames.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace instantrace;

namespace {

/// Fewer steps have no shape.
constexpr uint64_t ShortDepth = 8;
/// Many recursions of so many steps are one problem; of fewer, they may have
/// nothing to do with one another.
constexpr uint64_t LongDepth = 32;
/// From a late body outwards, a template's own body is looked for so far.
constexpr int MostRequests = 256;

/// Deeper; of the same depth, longer; otherwise whatever does not depend on the
/// order of the traces.
bool isChainMore(const DeepChain &New, const Trace &NewNames,
                 const DeepChain &Known, const Trace &KnownNames) {
  if (New.Depth != Known.Depth)
    return New.Depth > Known.Depth;
  if (New.InclusiveNs != Known.InclusiveNs)
    return New.InclusiveNs > Known.InclusiveNs;
  if (New.Place != Known.Place)
    return New.Place < Known.Place;
  return tieText(NewNames, New.Innermost) <
         tieText(KnownNames, Known.Innermost);
}

} // namespace

/// Recursions and chains of sequences, one after the other.
///
/// An interval of a template goes on with the recursion that the innermost open
/// one of the template is in; a late body, with that of the next one on the way
/// outwards from who requested it. So a recursion ends with its first interval,
/// or, if one of its intervals is on the way from a requested one, with the
/// compile. What is too short for the filter is inside nothing of its template
/// that is not, and so changes no recursion: it is left out at its end.
class instantrace::RecursionFinder final : public EventSink {
public:
  /// All must outlive it. The filter and the templates enter each sequence
  /// before this.
  RecursionFinder(const Trace &T, TraceFilter &Filter, EntityGroups &Templates,
                  bool HasChains = true)
      : T(T), Filter(Filter), Templates(Templates), HasChains(HasChains) {}

  void enterSequence(uint32_t Index, const LookAhead &Ahead);
  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &) override {}
  void leaveSequence();
  RecursionReport take();

private:
  /// In a recursion.
  struct Step {
    uint32_t Group = NoIndex; ///< its template set; NoIndex: in no recursion
    uint32_t Recursion = NoIndex;
    EntityId Entity;
    uint64_t Steps = 1;
    uint64_t ShortestBytes = 0, LongestBytes = 0; ///< of the names up to here
  };
  struct OpenInterval {
    Step Is;
    EntityId Entity;
    uint32_t Depth = 0;            ///< of template work; 0: it is none
    uint32_t OpenBefore = NoIndex; ///< of the template, in Open
    uint32_t Requester = NoIndex;  ///< in Kept
    uint32_t Kept = NoIndex;
    bool HasRequester = false;
    bool IsFirst = false; ///< of the recursion
  };
  /// Of a requested interval, and of all around it.
  struct KeptStep {
    Step Is;
    uint32_t Outwards; ///< in Kept
  };
  /// The step that is the most of its template, with how many specializations
  /// its recursion instantiated first.
  struct Deepest {
    uint64_t Steps = 0, Specializations = 0;
    NameKey Key; ///< of its name
    IntervalId Id;
    RowName Name;
    uint64_t ShortestBytes = 0, LongestBytes = 0;

    bool isMoreThan(const Deepest &Other) const {
      if (Steps != Other.Steps)
        return Steps > Other.Steps;
      if (Specializations != Other.Specializations)
        return Specializations > Other.Specializations;
      return Key != Other.Key ? Key < Other.Key : Id.Value < Other.Id.Value;
    }
  };
  struct Recursion {
    uint32_t Group = NoIndex; ///< NoIndex: it has ended
    bool IsKept = false;      ///< up to the end of the compile
    Deepest Last;             ///< if it has more than one step
  };
  /// Template work outside of any other.
  struct Chain {
    uint64_t Depth = 0;
    std::vector<EntityId> Entities; ///< outermost first
  };

  void enterRecursion(OpenInterval &O, const Interval &I);
  const Step *before(const OpenInterval &O, uint32_t Group) const;
  uint32_t keepOpen();
  RecursionRow &rowOf(uint32_t Group) {
    if (Group >= Rows.size())
      Rows.resize(Templates.size());
    return Rows[Group];
  }
  void addStep(const OpenInterval &O, IntervalId Id, uint64_t SelfNs);
  void endRecursion(Recursion &R);
  void addChain(const Chain &C, const Interval &Outermost,
                uint64_t InclusiveNs);
  RowName nameOf(EntityId Id) const;

  const Trace &T;
  TraceFilter &Filter;
  EntityGroups &Templates;
  const bool HasChains; ///< or recursions alone
  std::map<std::pair<uint32_t, uint32_t>, DeepChain> Chains; // by groups
  std::vector<RecursionRow> Rows; // by group; it is there if it has a Total
  // Of this sequence:
  uint32_t SequenceIndex = 0;
  const Sequence *S = nullptr;
  OpenTimes Times;
  std::vector<OpenInterval> Open;
  std::vector<Chain> OpenChains;
  std::vector<uint32_t> OpenOf; ///< by group: the innermost, in Open
  std::vector<bool> IsKnown;    ///< by entity
  std::vector<Recursion> Recursions;
  std::vector<uint32_t> Unused;          ///< recursions
  std::map<uint32_t, Deepest> DeepestOf; ///< by group
  std::vector<KeptStep> Kept;
  RequestedFrames<uint32_t> Requested; ///< in Kept
};

void RecursionFinder::enterSequence(uint32_t Index, const LookAhead &Ahead) {
  SequenceIndex = Index;
  S = &T.Sequences[Index];
  IsKnown.assign(S->Entities.size() + 1, false);
  Recursions.clear();
  Unused.clear();
  DeepestOf.clear();
  Kept.clear();
  Requested.enter(Ahead);
}

void RecursionFinder::begin(IntervalId Id, const Interval &I) {
  Times.begin();
  OpenInterval O;
  O.Entity = I.Entity;
  if (HasChains && isTemplateWork(I.Kind)) {
    O.Depth = Open.empty() ? 1 : Open.back().Depth + 1;
    if (O.Depth == 1)
      OpenChains.emplace_back();
  }
  O.HasRequester = static_cast<bool>(I.Requester);
  if (O.HasRequester)
    if (const uint32_t *Found = Requested.find(I.Requester))
      O.Requester = *Found;
  enterRecursion(O, I);
  Open.push_back(O);
  if (Requested.isWanted(Id))
    Requested.keep(keepOpen());
}

void RecursionFinder::enterRecursion(OpenInterval &O, const Interval &I) {
  const Entity *E = S->entity(I.Entity);
  if (I.Kind != EventKind::TemplateInstantiation || !E ||
      E->TemplateSet == E->Name)
    return;
  if (!Filter.selectsAll()) {
    Interval Long = I;
    Long.EndNs = UINT64_MAX; // how long it is, is known at its end
    if (!Filter.selects(Long))
      return;
  }
  const uint32_t Group = Templates.groupFor(I.Entity);
  if (Group >= OpenOf.size())
    OpenOf.resize(Templates.size(), NoIndex);
  O.OpenBefore = OpenOf[Group];
  OpenOf[Group] = static_cast<uint32_t>(Open.size());
  const uint64_t Bytes = S->Names.key(E->Name).SizeBytes;
  if (const Step *Before = before(O, Group)) {
    O.Is = *Before;
    O.Is.Steps += Before->Entity.Value != I.Entity.Value;
    O.Is.ShortestBytes = std::min(O.Is.ShortestBytes, Bytes);
    O.Is.LongestBytes = std::max(O.Is.LongestBytes, Bytes);
  } else {
    if (Unused.empty()) {
      Unused.push_back(static_cast<uint32_t>(Recursions.size()));
      Recursions.emplace_back();
    }
    O.IsFirst = true;
    O.Is = {Group, Unused.back(), {}, 1, Bytes, Bytes};
    Unused.pop_back();
    Recursions[O.Is.Recursion] = {Group, false, {}};
  }
  O.Is.Entity = I.Entity;
}

/// The step before in the recursion of the template; null: there is none.
const RecursionFinder::Step *RecursionFinder::before(const OpenInterval &O,
                                                     uint32_t Group) const {
  if (O.OpenBefore != NoIndex)
    return &Open[O.OpenBefore].Is;
  uint32_t Index = O.Requester;
  for (int Steps = 0; Index != NoIndex && Steps != MostRequests; ++Steps) {
    if (Kept[Index].Is.Group == Group)
      return &Kept[Index].Is;
    Index = Kept[Index].Outwards;
  }
  return nullptr;
}

/// All open intervals are on the way outwards from the innermost one.
uint32_t RecursionFinder::keepOpen() {
  size_t First = Open.size();
  while (First != 0 && Open[First - 1].Kept == NoIndex)
    --First;
  for (; First != Open.size(); ++First) {
    OpenInterval &O = Open[First];
    O.Kept = static_cast<uint32_t>(Kept.size());
    uint32_t Parent = First == 0 ? NoIndex : Open[First - 1].Kept;
    Kept.push_back({O.Is, O.HasRequester ? O.Requester : Parent});
    if (O.Is.Group != NoIndex)
      Recursions[O.Is.Recursion].IsKept = true;
  }
  return Open.back().Kept;
}

void RecursionFinder::end(IntervalId Id, const Interval &I,
                          const ElidedLeaves &) {
  const OpenTimes::Ended Ns = Times.end(I);
  const OpenInterval O = Open.back();
  const bool IsSelected = (O.Depth != 0 || O.Is.Group != NoIndex) &&
                          (Filter.selectsAll() || Filter.selects(I));
  if (O.Depth != 0) {
    Chain &C = OpenChains.back();
    if (IsSelected && O.Depth > C.Depth) {
      C.Depth = O.Depth;
      C.Entities.clear();
      for (size_t Index = Open.size() - O.Depth; Index != Open.size(); ++Index)
        C.Entities.push_back(Open[Index].Entity);
    }
    if (O.Depth == 1) {
      if (C.Depth != 0)
        addChain(C, I, Ns.InclusiveNs);
      OpenChains.pop_back();
    }
  }
  Open.pop_back();
  if (O.Is.Group == NoIndex)
    return;
  OpenOf[O.Is.Group] = O.OpenBefore;
  if (IsSelected)
    addStep(O, Id, Ns.SelfNs);
  else if (O.Kept != NoIndex)
    Kept[O.Kept].Is.Group = NoIndex;
  if (Recursion &R = Recursions[O.Is.Recursion]; O.IsFirst && !R.IsKept) {
    endRecursion(R);
    Unused.push_back(O.Is.Recursion);
  }
}

void RecursionFinder::addStep(const OpenInterval &O, IntervalId Id,
                              uint64_t SelfNs) {
  const Step &Is = O.Is;
  RecursionRow &Row = rowOf(Is.Group);
  Deepest &Last = Recursions[Is.Recursion].Last;
  Row.SelfNs += SelfNs;
  if (!IsKnown[Is.Entity.Value]) {
    IsKnown[Is.Entity.Value] = true;
    ++Row.Total;
    ++Last.Specializations;
  }
  // The step after the first tells that there is a recursion.
  if (Is.Steps < 2 || Is.Steps < Last.Steps)
    return;
  RowName Name = nameOf(Is.Entity);
  NameKey Key =
      Name.Fixed.empty() ? Name.names(T).prefixKey(Name.Name) : NameKey();
  Deepest New{Is.Steps,         Last.Specializations, Key, Id, std::move(Name),
              Is.ShortestBytes, Is.LongestBytes};
  if (New.isMoreThan(Last))
    Last = std::move(New); // both have the number of their recursion
}

void RecursionFinder::endRecursion(Recursion &R) {
  if (R.Group == NoIndex)
    return;
  if (R.Last.Steps != 0) {
    ++Rows[R.Group].Recursions;
    Deepest &Known = DeepestOf[R.Group];
    if (R.Last.isMoreThan(Known))
      Known = std::move(R.Last);
  }
  R.Group = NoIndex;
}

void RecursionFinder::leaveSequence() {
  for (Recursion &R : Recursions)
    endRecursion(R);
  for (auto &[Group, Deepest] : DeepestOf) {
    RecursionRow &Sum = Rows[Group];
    RecursionRow Row = Sum;
    Row.Template = Templates.name(Group);
    Row.Depth = Deepest.Steps;
    Row.Specializations = Deepest.Specializations;
    Row.ShortestBytes = Deepest.ShortestBytes;
    Row.LongestBytes = Deepest.LongestBytes;
    Row.Innermost = std::move(Deepest.Name);
    Row.InnermostKey = Deepest.Key;
    if (Row.isDeeperThan(Sum))
      Sum = std::move(Row);
  }
}

void RecursionFinder::addChain(const Chain &C, const Interval &Outermost,
                               uint64_t InclusiveNs) {
  const uint32_t Outer = Templates.groupFor(C.Entities.front());
  const uint32_t Inner = Templates.groupFor(C.Entities.back());
  auto [Found, IsNew] = Chains.try_emplace({Outer, Inner});
  const DeepChain &Known = Found->second;
  if (std::tuple(C.Depth, InclusiveNs) <
      std::tuple(Known.Depth, Known.InclusiveNs))
    return;
  DeepChain New;
  New.Depth = C.Depth;
  New.InclusiveNs = InclusiveNs;
  New.Innermost = nameOf(C.Entities.back());
  if (const Location *L = S->location(Outermost.Location))
    New.Place = placeText(*S, *L);
  if (!IsNew && !isChainMore(New, T, Known, T))
    return;
  New.First = Templates.key(Outer);
  New.Last = Templates.key(Inner);
  New.Outermost = Templates.name(Outer);
  std::unordered_map<uint32_t, uint64_t> Counts;
  for (auto It = C.Entities.rbegin(); It != C.Entities.rend(); ++It) {
    uint32_t Group = Templates.groupFor(*It);
    if (++Counts[Group] <= New.Frequency)
      continue;
    New.Frequency = Counts[Group];
    New.MostFrequent = Templates.name(Group);
  }
  Found->second = std::move(New);
}

RowName RecursionFinder::nameOf(EntityId Id) const {
  const Entity *E = S->entity(Id);
  return E && S->Names.key(E->Name).SizeBytes != 0
             ? RowName::named(SequenceIndex, {E->Name})
             : RowName::fixed("(unnamed)");
}

RecursionReport RecursionFinder::take() {
  RecursionReport Report;
  for (auto &[Groups, Row] : Chains)
    Report.Chains.push_back(std::move(Row));
  for (uint32_t Group = 0; Group != Rows.size(); ++Group) {
    RecursionRow &Row = Rows[Group];
    if (Row.Total == 0)
      continue;
    Row.Key = Templates.key(Group);
    Report.Recursions.push_back(std::move(Row));
  }
  return Report;
}

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

bool RecursionRow::isDeeperThan(const RecursionRow &Other) const {
  if (Depth != Other.Depth)
    return Depth > Other.Depth;
  if (Specializations != Other.Specializations)
    return Specializations > Other.Specializations;
  return InnermostKey < Other.InnermostKey;
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
  RecursionFinder Finder(T, Filter, Templates, /*HasChains=*/false);
  LookAhead Ahead = lookAhead(T.Sequences[Index]);
  Finder.enterSequence(Index, Ahead);
  feedEvents(T.Sequences[Index], Finder);
  Finder.leaveSequence();
  std::vector<RecursionRow> Rows = Finder.take().Recursions;
  std::erase_if(Rows, [](const RecursionRow &R) { return R.Recursions == 0; });
  return Rows;
}

RecursionSink::RecursionSink(const Trace &T, const TraceFilter &Filter)
    : T(T), Filter(Filter) {}

RecursionSink::~RecursionSink() = default;

EventSink &RecursionSink::beginSequence(uint32_t Index) {
  if (!Finder) {
    Filter.enterTrace(T);
    Templates.emplace(T, EntityLevel::Template);
    Finder = std::make_unique<RecursionFinder>(T, Filter, *Templates);
  }
  Filter.enterSequence(Index);
  Templates->enterSequence(Index);
  Finder->enterSequence(Index, Ahead);
  return *Finder;
}

void RecursionSink::endSequence(Sequence &) { Finder->leaveSequence(); }

RecursionReport RecursionSink::take() {
  return Finder ? Finder->take() : RecursionReport();
}

void MergedRecursion::add(RecursionReport Report, const Trace &T,
                          MergedNames &Names) {
  for (DeepChain &Chain : Report.Chains) {
    auto [Entry, IsNew] = Chains.try_emplace({Chain.First, Chain.Last});
    if (!IsNew && !isChainMore(Chain, T, Entry->second, Names.trace()))
      continue;
    for (RowName *Name :
         {&Chain.Outermost, &Chain.Innermost, &Chain.MostFrequent})
      *Name = Names.add(*Name);
    Entry->second = std::move(Chain);
  }
  for (RecursionRow &Row : Report.Recursions) {
    RecursionRow &Sum = Rows[Row.Key];
    Row.Recursions += Sum.Recursions;
    Row.Total += Sum.Total;
    Row.SelfNs += Sum.SelfNs;
    if (Row.isDeeperThan(Sum)) {
      Row.Template = Names.add(Row.Template);
      Row.Innermost = Names.add(Row.Innermost);
      Sum = std::move(Row);
      continue;
    }
    Sum.Recursions = Row.Recursions;
    Sum.Total = Row.Total;
    Sum.SelfNs = Row.SelfNs;
  }
}

RecursionReport MergedRecursion::take(const Trace &Names) {
  RecursionReport Report;
  for (auto &[Key, Chain] : Chains)
    Report.Chains.push_back(std::move(Chain));
  for (auto &[Key, Row] : Rows)
    if (Row.Recursions != 0)
      Report.Recursions.push_back(std::move(Row));
  sortRows(
      Report.Chains,
      [](const DeepChain &A, const DeepChain &B) {
        return A.Depth != B.Depth ? A.Depth > B.Depth
                                  : A.InclusiveNs > B.InclusiveNs;
      },
      [&Names](const DeepChain &Chain) {
        return std::tuple(tieText(Names, Chain.Outermost),
                          tieText(Names, Chain.Innermost), Chain.Place);
      });
  sortRows(
      Report.Recursions,
      [](const RecursionRow &A, const RecursionRow &B) {
        return A.Depth != B.Depth ? A.Depth > B.Depth : A.SelfNs > B.SelfNs;
      },
      [&Names](const RecursionRow &Row) {
        return tieText(Names, Row.Template);
      });
  return Report;
}
