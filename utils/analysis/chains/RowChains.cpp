#include "utils/analysis/chains/RowChains.h"

#include "runtime/base/Hash.h"
#include "utils/analysis/chains/FrameOrder.h"
#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/SelfTimes.h"

#include <algorithm>
#include <optional>
#include <tuple>

using namespace instantrace;

namespace {

/// By row and chain: of a build there are millions, and nodes of a standard
/// table were half of the time of a report. Linear probing, at most half full.
class ChainSums {
public:
  struct Sum {
    uint32_t Row;
    RowChain Chain;
  };

  /// Valid until the next call.
  RowChain &operator()(uint32_t Row, uint32_t Node) {
    if (2 * (All.size() + 1) > Slots.size())
      grow();
    uint32_t &At = slot(Row, Node);
    if (At == 0) {
      All.push_back({Row, {}});
      All.back().Chain.Node = Node;
      At = static_cast<uint32_t>(All.size());
    }
    return All[At - 1].Chain;
  }
  const std::vector<Sum> &all() const { return All; }

private:
  uint32_t &slot(uint32_t Row, uint32_t Node) {
    for (size_t At = hashPair(Row, Node) >> Shift;;
         At = (At + 1) & (Slots.size() - 1)) {
      uint32_t &Slot = Slots[At];
      if (Slot == 0 ||
          (All[Slot - 1].Row == Row && All[Slot - 1].Chain.Node == Node))
        return Slot;
    }
  }
  void grow() {
    --Shift;
    Slots.assign(size_t(1) << (64 - Shift), 0);
    for (uint32_t I = 0; I != All.size(); ++I)
      slot(All[I].Row, All[I].Chain.Node) = I + 1;
  }

  std::vector<Sum> All;
  std::vector<uint32_t> Slots; // from 1; 0: free
  unsigned Shift = 54;
};

/// Whether a row is wanted, as far as that was asked.
using AskedRows = std::vector<std::optional<bool>>;

class SequenceChains {
public:
  SequenceChains(const Sequence &S, RowIndex &Rows, const RowKeys &Wanted,
                 AskedRows &IsWanted, TraceFilter &Filter, ChainTree &Tree,
                 ChainSums &To)
      : S(S), Rows(Rows), Wanted(Wanted), IsWanted(IsWanted), Filter(Filter),
        Tree(Tree), To(To) {}

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
      RowChain &Sum = To(Row, Tree.nodeFor(IntervalId{Index}));
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
        ++To(Row, Tree.nodeFor(I)).Memoized;
    }
  }

private:
  bool isWanted(uint32_t Row) {
    if (Row >= IsWanted.size())
      IsWanted.resize(Row + size_t(1));
    if (!IsWanted[Row])
      IsWanted[Row] = Wanted.contains(Rows[Row].Key);
    return *IsWanted[Row];
  }

  const Sequence &S;
  RowIndex &Rows;
  const RowKeys &Wanted;
  AskedRows &IsWanted;
  TraceFilter &Filter;
  ChainTree &Tree;
  ChainSums &To;
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
  AskedRows IsWanted;
  ChainSums Totals;
  Filter.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    FunctionHomes Homes(T.Sequences[Index]);
    Rows.enterSequence(Index, Homes, nullptr);
    Filter.enterSequence(Index);
    Tree.enterSequence(Index);
    SequenceChains(T.Sequences[Index], Rows, Wanted, IsWanted, Filter, Tree,
                   Totals)
        .add();
  }
  RowChains Found;
  for (const ChainSums::Sum &Sum : Totals.all())
    Found[Rows[Sum.Row].Key].Chains.push_back(Sum.Chain);
  Totals = {};
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
