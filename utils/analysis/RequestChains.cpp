#include "utils/analysis/RequestChains.h"

#include "utils/analysis/PathRules.h"
#include "utils/analysis/SelfTimes.h"
#include "utils/analysis/TieOrder.h"
#include "utils/analysis/UserFrame.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace instantrace;

namespace {

constexpr uint32_t None = UINT32_MAX;
/// Paths are compared as far as that.
constexpr size_t PathBytes = 1 << 16;

/// All chains as a tree: a node is a frame, and its way outwards is the rest.
class ChainTree {
public:
  ChainTree(const Trace &T, EntityLevel Level) : T(T), Groups(T, Level) {}

  void enterSequence(uint32_t Index) {
    S = &T.Sequences[Index];
    Groups.enterSequence(Index);
    NodeOf.assign(S->Intervals.size(), Unknown);
    PlaceOf.assign(S->Locations.Rows.size() + 1, Unknown);
  }

  /// The chain of an interval; None if there is nothing to say.
  uint32_t of(IntervalId Id) {
    std::vector<IntervalId> Way;
    uint32_t Outer = None;
    for (; Id; Id = outwards(S->Intervals[Id.Value])) {
      if (NodeOf[Id.Value] != Unknown) {
        Outer = NodeOf[Id.Value];
        break;
      }
      Way.push_back(Id);
      if (isUserLocation(*S, S->Intervals[Id.Value].Location))
        break;
    }
    for (; !Way.empty(); Way.pop_back()) {
      const Interval &I = S->Intervals[Way.back().Value];
      if (isTemplateWork(I.Kind) || I.Kind == EventKind::FileInclusion)
        Outer = node(Outer, I.Kind, I.Entity, I.Location,
                     static_cast<bool>(I.Requester));
      NodeOf[Way.back().Value] = Outer;
    }
    return Outer;
  }

  uint32_t of(const Instant &I) {
    uint32_t Outer = None;
    if (I.Parent && !isUserLocation(*S, I.Location))
      Outer = of(I.Parent);
    return node(Outer, I.Kind, I.Entity, I.Location, false);
  }

  RequestChain &operator[](uint32_t Node) { return Nodes[Node].Chain; }

  std::vector<RequestChain> take() {
    std::vector<RequestChain> Chains;
    for (Node &Of : Nodes)
      if (Of.Chain.Count != 0 || Of.Chain.Memoized != 0) {
        Chains.push_back(Of.Chain);
        for (uint32_t At = Of.Itself; At != None; At = Nodes[At].Outer)
          Chains.back().Frames.push_back(frame(Nodes[At]));
      }
    return Chains;
  }

private:
  static constexpr uint32_t Unknown = UINT32_MAX - 1;
  struct Node {
    uint32_t Itself, Outer, Group, Place;
    bool IsLate, IsInclusion;
    RequestChain Chain;
  };
  struct Step {
    uint32_t Outer, Group, Place;
    bool IsLate;
    friend auto operator<=>(const Step &, const Step &) = default;
  };

  uint32_t node(uint32_t Outer, EventKind Kind, EntityId Entity, LocationId At,
                bool IsLate) {
    Step Key{Outer, Groups.of(Entity), place(At), IsLate};
    auto [Found, IsNew] = ByStep.try_emplace(Key, None);
    if (!IsNew)
      return Found->second;
    for (uint32_t Same = Outer; Same != None; Same = Nodes[Same].Outer)
      if (Nodes[Same].Group == Key.Group && Nodes[Same].Place == Key.Place)
        return Found->second = Same;
    auto Index = static_cast<uint32_t>(Nodes.size());
    Nodes.push_back({Index,
                     Outer,
                     Key.Group,
                     Key.Place,
                     IsLate,
                     Kind == EventKind::FileInclusion,
                     {}});
    return Found->second = Index;
  }

  uint32_t place(LocationId At) {
    const Location *L = S->location(At);
    if (!L || At.isDeclaration())
      return None;
    uint32_t &Known = PlaceOf[At.Value];
    if (Known != Unknown)
      return Known;
    std::string Text = normalPath(S->Names.text(L->File, PathBytes));
    if (Text.empty())
      return Known = None;
    Text.append(":").append(std::to_string(L->LineNo));
    auto [Found, IsNew] =
        ByPlace.try_emplace(Text, static_cast<uint32_t>(Places.size()));
    if (IsNew)
      Places.push_back(Text);
    return Known = Found->second;
  }

  RequestFrame frame(const Node &Of) const {
    return {Groups.name(Of.Group),
            Of.Place == None ? std::string() : Places[Of.Place], Of.IsLate,
            Of.IsInclusion};
  }

  const Trace &T;
  EntityGroups Groups;
  const Sequence *S = nullptr;
  std::vector<Node> Nodes; // outer ones first
  std::map<Step, uint32_t> ByStep;
  std::vector<std::string> Places;
  std::unordered_map<std::string, uint32_t> ByPlace;
  std::vector<uint32_t> NodeOf;  // by interval of this sequence
  std::vector<uint32_t> PlaceOf; // by location of this sequence
};

void addIntervals(const Sequence &S, NameQuery &Query, TraceFilter &Filter,
                  ChainTree &Tree, RequestChain &Total) {
  std::vector<uint64_t> SelfNs = selfTimes(S);
  std::vector<bool> IsInside(S.Intervals.size()); // of one that was asked about
  for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    bool IsNested = I.Parent && IsInside[I.Parent.Value];
    bool IsMeant =
        isTemplateWork(I.Kind) && Query.selects(I.Entity) && Filter.selects(I);
    IsInside[Index] = IsNested || IsMeant;
    if (!IsMeant)
      continue;
    for (RequestChain *Of : {&Tree[Tree.of(IntervalId{Index})], &Total}) {
      ++Of->Count;
      Of->Definitions += I.Definition;
      Of->SelfNs += SelfNs[Index];
      if (!IsNested)
        Of->InclusiveNs += I.durationNs();
    }
  }
  for (const Instant &I : S.Instants) {
    if (I.Kind != EventKind::Memoization || !Query.selects(I.Entity) ||
        !Filter.selects(I))
      continue;
    ++Tree[Tree.of(I)].Memoized;
    ++Total.Memoized;
  }
}

} // namespace

RequestReport instantrace::requestChains(const Trace &T, NameQuery &Query,
                                         TraceFilter &Filter,
                                         EntityLevel Level) {
  RequestReport Report;
  ChainTree Tree(T, Level);
  Filter.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    Tree.enterSequence(Index);
    Filter.enterSequence(Index);
    Query.enterSequence(S);
    addIntervals(S, Query, Filter, Tree, Report.Total);
    for (uint32_t Id = 1; Id <= S.Entities.size(); ++Id)
      Report.Entities += Query.selects(EntityId{Id});
    for (const MemoizedHits &M : S.Memoized)
      if (Query.selects(M.Entity))
        Report.CountedHits += M.Hits;
  }
  Report.Chains = Tree.take();
  // By time, then by how often.
  sortRows(
      Report.Chains,
      [](const RequestChain &A, const RequestChain &B) {
        if (A.InclusiveNs != B.InclusiveNs)
          return A.InclusiveNs > B.InclusiveNs;
        if (A.SelfNs != B.SelfNs)
          return A.SelfNs > B.SelfNs;
        return A.Count + A.Memoized > B.Count + B.Memoized;
      },
      [&T](const RequestChain &Chain) {
        std::vector<std::tuple<TieText, std::string, bool>> Texts;
        for (const RequestFrame &Frame : Chain.Frames)
          Texts.emplace_back(tieText(T, Frame.What), Frame.Place, Frame.IsLate);
        return Texts;
      });
  return Report;
}
