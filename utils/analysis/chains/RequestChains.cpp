#include "utils/analysis/chains/RequestChains.h"

#include "utils/analysis/chains/FrameOrder.h"
#include "utils/analysis/names/TieOrder.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace instantrace;

namespace {

/// Names that a message suggests.
constexpr size_t MostSimilar = 5;

/// The chain of a node; makes it if it is not there yet.
RequestChain &chainAt(std::vector<RequestChain> &ByNode, uint32_t Node) {
  if (Node >= ByNode.size())
    ByNode.resize(Node + size_t(1));
  return ByNode[Node];
}

/// Those that there are.
std::vector<RequestChain> chainsOf(std::vector<RequestChain> ByNode) {
  for (uint32_t Node = 0; Node != ByNode.size(); ++Node)
    ByNode[Node].Node = Node;
  std::erase_if(ByNode,
                [](const RequestChain &Chain) { return Chain.isEmpty(); });
  return ByNode;
}

} // namespace

void RequestChain::add(const RequestChain &More) {
  Count += More.Count;
  Definitions += More.Definitions;
  Memoized += More.Memoized;
  SelfNs += More.SelfNs;
  InclusiveNs += More.InclusiveNs;
  Backend.add(More.Backend);
}

std::vector<RequestFrame>
RequestReport::frames(const RequestChain &Chain) const {
  std::vector<uint32_t> Way;
  for (uint32_t Index = Chain.Node; Index != ChainTree::None;
       Index = Tree[Index].Outer)
    Way.push_back(Index);
  std::vector<RequestFrame> Frames;
  size_t Others = Way.size() - std::min(Way.size(), MostFrames);
  for (size_t I = 0; I != Way.size(); ++I) {
    if (Others != 0 && I == MostFrames / 2) {
      Frames.emplace_back().LeftOut = Others;
      I += Others;
    }
    Frames.push_back(Tree.frame(Way[I]));
  }
  return Frames;
}

RequestSink::RequestSink(const Trace &T, const NameQuery &Query,
                         const TraceFilter &Filter, EntityLevel Level,
                         const LearnedScopes *Learned)
    : T(T), Query(Query), Filter(Filter), Level(Level), Learned(Learned) {}

EventSink &RequestSink::beginSequence(uint32_t Index) {
  // What is a class is learned from names, so not before there are some.
  if (!Ways) {
    Ways.emplace(T, Level, Learned);
    Filter.enterTrace(T, Learned);
    Query.enterTrace(T);
  }
  S = &T.Sequences[Index];
  Ways->enterSequence(Index, Ahead);
  Filter.enterSequence(Index);
  Query.enterSequence(*S);
  Homes = FunctionHomes(*S, Ahead.Functions);
  HomeNodes = {};
  IsEvaluated.clear();
  return *this;
}

void RequestSink::begin(IntervalId Id, const Interval &I) {
  Ways->begin(Id, I);
  Times.begin();
  if (!Homes.isEmpty())
    Homes.begin(Id, I);
  bool IsMeant =
      (isTemplateWork(I.Kind) || I.Kind == EventKind::ConstantEvaluation) &&
      Query.selects(I.Entity);
  if (isLineWork(I.Kind) && Query.selects(I.Entity))
    IsEvaluated[I.Entity.Value] |= IsMeant;
  if (IsMeant && Homes.isFunction(I.Entity))
    HomeNodes.begin(Id, I, Ways->node());
  if (IsMeant && !Filter.selectsAll()) {
    Interval Copy = I;
    Copy.EndNs = UINT64_MAX; // how long it is, is known at its end
    IsMeant = Filter.selects(Copy);
  }
  // What is too short is inside nothing that is not, so who is outermost does
  // not depend on it.
  Open.push_back({IsMeant, IsMeant || (!Open.empty() && Open.back().IsInside)});
}

void RequestSink::end(IntervalId Id, const Interval &I, const ElidedLeaves &) {
  const OpenInterval O = Open.back();
  Open.pop_back();
  const OpenTimes::Ended E = Times.end(I);
  if (!Homes.isEmpty())
    Homes.end(Id, I);
  if (isFunctionWork(I)) {
    if (Query.selects(I.Entity) && Filter.selects(Homes.atHome(I))) {
      BackendCost Cost;
      Cost.addTime(I.Kind, E.SelfNs);
      addFunction(I.Entity, Cost);
    }
  } else if (I.Definition && isTemplateWork(I.Kind) &&
             Query.selects(I.Entity) && Homes.isFunction(I.Entity)) {
    HomeNodes.end(Id, I, Ways->node());
  }
  if (O.IsMeant && (!Filter.needsDurations() || Filter.selects(I))) {
    const bool IsNested = !Open.empty() && Open.back().IsInside;
    for (RequestChain *Chain : {&chain(Ways->node()), &Report.Total}) {
      ++Chain->Count;
      Chain->Definitions += I.Definition;
      Chain->SelfNs += E.SelfNs;
      if (!IsNested)
        Chain->InclusiveNs += E.InclusiveNs;
    }
  }
  Ways->end();
}

void RequestSink::instant(const Instant &I) {
  if (I.Kind != EventKind::Memoization || !Query.selects(I.Entity) ||
      !Filter.selects(I))
    return;
  ++chain(Ways->node(I)).Memoized;
  ++Report.Total.Memoized;
}

/// What LLVM did for a function that was asked about, at its home.
void RequestSink::addFunction(EntityId Entity, const BackendCost &Cost) {
  Report.Total.Backend.edit() += Cost;
  if (const uint32_t *Home = HomeNodes.find(Entity))
    chain(*Home).Backend.edit() += Cost;
}

RequestChain &RequestSink::chain(uint32_t Node) {
  return chainAt(ByNode, Node);
}

void RequestSink::endSequence(Sequence &) {
  for (const Function &F : S->Functions)
    if (Query.selects(F.Entity) &&
        Filter.selectsFunction(F.Entity, Homes.placeOf(F.Entity)))
      addFunction(F.Entity, costOf(*S, F));
  for (uint32_t Id = 1; Id <= S->Entities.size(); ++Id)
    if (Query.selects(EntityId{Id})) {
      auto LineWork = IsEvaluated.find(Id);
      Report.Entities += LineWork == IsEvaluated.end() || LineWork->second;
    }
  for (const MemoizedHits &M : S->Memoized)
    if (Query.selects(M.Entity))
      Report.CountedHits += M.Hits;
}

RequestReport RequestSink::take() {
  if (Ways)
    Report.Tree = Ways->take();
  Report.Chains = chainsOf(std::move(ByNode));
  if (Report.Entities == 0)
    Report.Similar = Query.similar(T, MostSimilar);
  return std::move(Report);
}

void MergedRequests::add(RequestReport Report, MergedNames &Names) {
  Sum.Total.add(Report.Total);
  Sum.Entities += Report.Entities;
  Sum.CountedHits += Report.CountedHits;
  std::move(Report.Similar.begin(), Report.Similar.end(),
            std::back_inserter(Sum.Similar));
  ChainImport NodeOf(Report.Tree, Sum.Tree, Groups, Names);
  for (const RequestChain &Chain : Report.Chains)
    chainAt(ByNode, NodeOf(Chain.Node)).add(Chain);
}

RequestReport MergedRequests::take(const Trace &T) {
  RequestReport Report = std::move(Sum);
  const ChainTree &Tree = Report.Tree;
  Report.Chains = chainsOf(std::move(ByNode));
  NameQuery::keepNearest(Report.Similar, MostSimilar);
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
