#include "utils/analysis/chains/RequestChains.h"

#include "utils/analysis/chains/ChainTree.h"
#include "utils/analysis/chains/FrameOrder.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

/// What LLVM did for functions that were asked about, at their homes.
template <class GetChain>
void addFunctions(const Sequence &S, const std::vector<uint64_t> &SelfNs,
                  NameQuery &Query, TraceFilter &Filter, GetChain ChainAt,
                  ChainTree &Tree, RequestChain &Total) {
  FunctionHomes Homes(S);
  if (Homes.isEmpty())
    return;
  auto Add = [&](EntityId Entity, const BackendCost &Cost) {
    Total.Backend.edit() += Cost;
    if (IntervalId Home = Homes.of(Entity))
      ChainAt(Tree.nodeFor(Home))->Backend.edit() += Cost;
  };
  for (size_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    if (!isFunctionWork(I) || !Query.selects(I.Entity) ||
        !Filter.selects(Homes.atHome(I)))
      continue;
    BackendCost Cost;
    Cost.addTime(I.Kind, SelfNs[Index]);
    Add(I.Entity, Cost);
  }
  for (const Function &F : S.Functions)
    if (Query.selects(F.Entity) &&
        Filter.selectsFunction(F.Entity, Homes.placeOf(F.Entity)))
      Add(F.Entity, costOf(S, F));
}

void addIntervals(const Sequence &S, const IntervalTimes &Times,
                  NameQuery &Query, TraceFilter &Filter, ChainTree &Tree,
                  std::vector<RequestChain> &ByNode, RequestChain &Total) {
  auto ChainAt = [&](uint32_t Node) {
    if (Node >= ByNode.size())
      ByNode.resize(Tree.size());
    return &ByNode[Node];
  };
  std::vector<bool> IsInside(S.Intervals.size()); // of one that was asked about
  for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    bool IsNested = I.Parent && IsInside[I.Parent.Value];
    bool IsMeant =
        isTemplateWork(I.Kind) && Query.selects(I.Entity) && Filter.selects(I);
    IsInside[Index] = IsNested || IsMeant;
    if (!IsMeant)
      continue;
    for (RequestChain *C : {ChainAt(Tree.nodeFor(IntervalId{Index})), &Total}) {
      ++C->Count;
      C->Definitions += I.Definition;
      C->SelfNs += Times.SelfNs[Index];
      if (!IsNested)
        C->InclusiveNs += Times.InclusiveNs[Index];
    }
  }
  addFunctions(S, Times.SelfNs, Query, Filter, ChainAt, Tree, Total);
  for (const Instant &I : S.Instants) {
    if (I.Kind != EventKind::Memoization || !Query.selects(I.Entity) ||
        !Filter.selects(I))
      continue;
    ++ChainAt(Tree.nodeFor(I))->Memoized;
    ++Total.Memoized;
  }
}

} // namespace

std::vector<RequestFrame>
RequestReport::frames(const RequestChain &Chain) const {
  std::vector<uint32_t> Way;
  for (uint32_t At = Chain.Node; At != ChainTree::None; At = (*Tree)[At].Outer)
    Way.push_back(At);
  std::vector<RequestFrame> Frames;
  size_t Others = Way.size() - std::min(Way.size(), MostFrames);
  for (size_t I = 0; I != Way.size(); ++I) {
    if (Others != 0 && I == MostFrames / 2) {
      Frames.emplace_back().LeftOut = Others;
      I += Others;
    }
    Frames.push_back(Tree->frame(Way[I]));
  }
  return Frames;
}

RequestReport
instantrace::requestChains(const Trace &T, NameQuery &Query,
                           TraceFilter &Filter, EntityLevel Level,
                           const std::vector<IntervalTimes> *Times) {
  RequestReport Report;
  auto Owned = std::make_shared<ChainTree>(T, Level);
  ChainTree &Tree = *Owned;
  Report.Tree = std::move(Owned);
  std::vector<RequestChain> ByNode;
  Filter.enterTrace(T);
  Query.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    Tree.enterSequence(Index);
    Filter.enterSequence(Index);
    Query.enterSequence(S);
    addIntervals(S,
                 Times ? (*Times)[Index]
                       : IntervalTimes{selfTimes(S), inclusiveTimes(S)},
                 Query, Filter, Tree, ByNode, Report.Total);
    for (uint32_t Id = 1; Id <= S.Entities.size(); ++Id)
      Report.Entities += Query.selects(EntityId{Id});
    for (const MemoizedHits &M : S.Memoized)
      if (Query.selects(M.Entity))
        Report.CountedHits += M.Hits;
  }
  for (uint32_t Node = 0; Node != ByNode.size(); ++Node)
    if (ByNode[Node].Count != 0 || ByNode[Node].Memoized != 0 ||
        ByNode[Node].Backend.isThere()) {
      ByNode[Node].Node = Node;
      Report.Chains.push_back(ByNode[Node]);
    }
  FrameOrder Order(T, Tree);
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
      [&Order](const RequestChain &Chain) {
        return OrderedChain{&Order, Chain.Node};
      });
  return Report;
}
