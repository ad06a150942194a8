#include "utils/analysis/chains/RowChains.h"

#include "utils/analysis/chains/FrameOrder.h"
#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/SelfTimes.h"

#include <algorithm>
#include <tuple>

using namespace instantrace;

namespace {

/// By row and chain.
using Sums = std::unordered_map<uint64_t, RowChain>;

class SequenceChains {
public:
  SequenceChains(const Sequence &S, RowIndex &Rows, const RowKeys &Wanted,
                 TraceFilter &Filter, ChainTree &Tree, Sums &To)
      : S(S), Rows(Rows), Wanted(Wanted), Filter(Filter), Tree(Tree), To(To) {}

  void add() {
    std::vector<uint64_t> SelfNs = selfTimes(S);
    std::vector<uint64_t> InclusiveNs = inclusiveTimes(S);
    std::vector<uint32_t> Entered(S.Intervals.size(), NoIndex);
    IntervalId Innermost;
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      for (; !(Innermost == I.Parent);
           Innermost = S.Intervals[Innermost.Value].Parent)
        if (uint32_t Row = Entered[Innermost.Value]; Row != NoIndex)
          Rows.leave(Row);
      Innermost.Value = Index;
      uint32_t Row =
          Rows.rowFor(IntervalId{Index}, I, Rows.frameOf(I.Parent)).Row;
      if (!isTemplateWork(I.Kind) || !isWanted(Row) || !Filter.selects(I))
        continue;
      Entered[Index] = Row;
      RowChain &Sum = sum(Row, Tree.nodeFor(IntervalId{Index}));
      ++Sum.Count;
      Sum.SelfNs += SelfNs[Index];
      if (Rows.enter(Row))
        Sum.InclusiveNs += InclusiveNs[Index];
    }
    for (; Innermost; Innermost = S.Intervals[Innermost.Value].Parent)
      if (uint32_t Row = Entered[Innermost.Value]; Row != NoIndex)
        Rows.leave(Row);
    for (const Instant &I : S.Instants) {
      if (I.Kind != EventKind::Memoization || !Filter.selects(I))
        continue;
      uint32_t Row = Rows.rowFor(I, Rows.frameOf(I.Parent));
      if (isWanted(Row))
        ++sum(Row, Tree.nodeFor(I)).Memoized;
    }
  }

private:
  bool isWanted(uint32_t Row) { return Wanted.contains(Rows[Row].Key); }
  RowChain &sum(uint32_t Row, uint32_t Node) {
    RowChain &Sum = To[uint64_t(Row) << 32 | Node];
    Sum.Node = Node;
    return Sum;
  }

  const Sequence &S;
  RowIndex &Rows;
  const RowKeys &Wanted;
  TraceFilter &Filter;
  ChainTree &Tree;
  Sums &To;
};

bool isBefore(const RowChain &A, const RowChain &B) {
  auto Rank = [](const RowChain &C) {
    return std::tuple(C.InclusiveNs, C.SelfNs, C.Count + C.Memoized);
  };
  return Rank(A) > Rank(B);
}

} // namespace

RowChains instantrace::rowChains(const Trace &T, CostKey By,
                                 const RowKeys &Wanted, size_t Most,
                                 TraceFilter &Filter, ChainTree &Tree) {
  RowIndex Rows(T, By);
  Sums Totals;
  Filter.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    FunctionHomes Homes(T.Sequences[Index]);
    Rows.enterSequence(Index, Homes, nullptr);
    Filter.enterSequence(Index);
    Tree.enterSequence(Index);
    SequenceChains(T.Sequences[Index], Rows, Wanted, Filter, Tree, Totals)
        .add();
  }
  RowChains Found;
  for (const auto &[RowAndNode, Sum] : Totals)
    Found[Rows[static_cast<uint32_t>(RowAndNode >> 32)].Key].Chains.push_back(
        Sum);
  Sums().swap(Totals);
  FrameOrder Order(T, Tree);
  for (auto &[Key, Row] : Found) {
    // What the chains are found in has no order of its own.
    std::sort(
        Row.Chains.begin(), Row.Chains.end(),
        [](const RowChain &A, const RowChain &B) { return A.Node < B.Node; });
    sortRows(
        Row.Chains, isBefore,
        [&Order](const RowChain &Chain) {
          return OrderedChain{&Order, Chain.Node};
        },
        Most);
    Row.fold(Most);
    Row.Chains.shrink_to_fit(); // of many thousands a few are kept
  }
  return Found;
}
