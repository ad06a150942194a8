#include "utils/analysis/chains/RowChains.h"

#include "runtime/base/Hash.h"
#include "runtime/base/KeyNumbers.h"
#include "utils/analysis/chains/FrameOrder.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/analysis/view/SelfTimes.h"

#include <tuple>

using namespace instantrace;

namespace {

/// A row and a chain of it. The sums are no part of the key, but beside it:
/// there are millions, and to look elsewhere for them takes as long again.
struct RowSum {
  uint32_t Row, Node;
  uint64_t Count = 0, Memoized = 0, SelfNs = 0, InclusiveNs = 0;
  friend bool operator==(const RowSum &A, const RowSum &B) {
    return A.Row == B.Row && A.Node == B.Node;
  }
  RowChain chain() const {
    return {Node, Count, Memoized, SelfNs, InclusiveNs};
  }
};
struct RowSumHash {
  uint64_t operator()(const RowSum &K) const { return hashPair(K.Row, K.Node); }
};

/// What rows depend on that lies outside of the interval itself. All other
/// tables need not be asked about what is in no row that is wanted.
bool dependsOnFrames(CostKey By) {
  return By == CostKey::Header || By == CostKey::UserFrame;
}

bool hasMore(const RowChain &A, const RowChain &B) {
  auto Rank = [](const RowChain &C) {
    return std::tuple(C.InclusiveNs, C.SelfNs, C.Count + C.Memoized);
  };
  return Rank(A) > Rank(B);
}

/// Of a row there may be a hundred thousand, of which a few are shown: those
/// alone are put in order.
void keepFirst(ChainsOfRow &Row, size_t Most, FrameOrder &Order) {
  std::vector<RowChain> &All = Row.Chains;
  if (Most != 0 && All.size() > Most) {
    auto Last = All.begin() + static_cast<std::ptrdiff_t>(Most - 1);
    std::nth_element(All.begin(), Last, All.end(), hasMore);
    auto Tied =
        std::partition(Last + 1, All.end(), [Last](const RowChain &Chain) {
          return !hasMore(*Last, Chain);
        });
    for (auto Other = Tied; Other != All.end(); ++Other)
      Row.fold(*Other);
    All.erase(Tied, All.end());
  }
  sortRows(
      All, hasMore,
      [&Order](const RowChain &Chain) {
        return OrderedChain{&Order, Chain.Node};
      },
      Most);
  Row.fold(Most);
  All.shrink_to_fit();
}

/// One table, while the trace is gone through.
class TableChains {
public:
  TableChains(const Trace &T, const WantedRows &Wanted,
              const LearnedScopes &Learned)
      : Rows(T, Wanted.By, &Learned), HasFrames(dependsOnFrames(Wanted.By)) {
    Rows.keepOnly(Wanted.Keys);
  }

  void enterSequence(uint32_t Index, const FunctionHomes &Homes) {
    static const std::vector<uint32_t> None;
    Rows.enterSequence(Index, Homes, HasFrames ? nullptr : &None);
  }
  void begin(IntervalId Id, const Interval &I, uint32_t Node, uint64_t SelfNs,
             uint64_t InclusiveNs) {
    Open.push_back(NoIndex);
    if (Node == ChainTree::None && !HasFrames)
      return;
    uint32_t Row = Rows.rowFor(Id, I, Rows.frameOf(I.Parent)).Row;
    if (Node == ChainTree::None || Row == RowIndex::OtherKeys)
      return;
    Open.back() = Row;
    RowSum &Sum = sum(Row, Node);
    ++Sum.Count;
    Sum.SelfNs += SelfNs;
    if (Rows.enter(Row))
      Sum.InclusiveNs += InclusiveNs;
  }
  /// Of the innermost one.
  void end() {
    if (Open.back() != NoIndex)
      Rows.leave(Open.back());
    Open.pop_back();
  }
  void instant(const Instant &I, uint32_t Node) {
    uint32_t Row = Rows.rowFor(I, Rows.frameOf(I.Parent));
    if (Row != RowIndex::OtherKeys)
      ++sum(Row, Node).Memoized;
  }

  RowChains take(size_t Most, FrameOrder &Order) {
    std::vector<ChainsOfRow> ByRow(Rows.size());
    for (const RowSum &Sum : Sums.take())
      ByRow[Sum.Row].Chains.push_back(Sum.chain());
    RowChains Found;
    for (uint32_t Row = 0; Row != ByRow.size(); ++Row) {
      if (ByRow[Row].Chains.empty())
        continue;
      keepFirst(ByRow[Row], Most, Order);
      Found.emplace(Rows[Row].Key, std::move(ByRow[Row]));
    }
    return Found;
  }

private:
  /// Valid until the next call.
  RowSum &sum(uint32_t Row, uint32_t Node) {
    return Sums[Sums.add({Row, Node}).Number];
  }

  RowIndex Rows;
  const bool HasFrames;
  std::vector<uint32_t> Open; // rows that were entered; NoIndex: none was
  KeyNumbers<RowSum, RowSumHash> Sums;
};

void addSequence(const Sequence &S, const ChainNodes::OfSequence &Nodes,
                 TableChains &Table) {
  std::vector<uint64_t> SelfNs = selfTimes(S);
  std::vector<uint64_t> InclusiveNs = inclusiveTimes(S);
  IntervalId Innermost;
  auto endUntil = [&](IntervalId Outer) {
    for (; !(Innermost == Outer);
         Innermost = S.Intervals[Innermost.Value].Parent)
      Table.end();
  };
  for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    endUntil(I.Parent);
    Innermost.Value = Index;
    Table.begin(Innermost, I, Nodes.Intervals[Index], SelfNs[Index],
                InclusiveNs[Index]);
  }
  endUntil({});
  for (size_t At = 0; At != S.Instants.size(); ++At)
    if (Nodes.Instants[At] != ChainTree::None)
      Table.instant(S.Instants[At], Nodes.Instants[At]);
}

} // namespace

ChainNodes instantrace::chainNodes(const Trace &T, TraceFilter &Filter,
                                   ChainTree &Tree) {
  class Finder : public EventSink {
  public:
    Finder(TraceFilter &Filter, OpenWays &Ways, ChainNodes::OfSequence &Into)
        : Filter(Filter), Ways(Ways), Into(Into) {}
    void begin(IntervalId Id, const Interval &I) override {
      Ways.begin(Id, I);
      Into.Intervals.push_back(isTemplateWork(I.Kind) && Filter.selects(I)
                                   ? Ways.node()
                                   : ChainTree::None);
    }
    void end(IntervalId, const Interval &, const ElidedLeaves &) override {
      Ways.end();
    }
    void instant(const Instant &I) override {
      Into.Instants.push_back(I.Kind == EventKind::Memoization &&
                                      Filter.selects(I)
                                  ? Ways.node(I)
                                  : ChainTree::None);
    }

  private:
    TraceFilter &Filter;
    OpenWays &Ways;
    ChainNodes::OfSequence &Into;
  };
  ChainNodes Nodes;
  Filter.enterTrace(T);
  OpenWays Ways(T, EntityLevel::Template, nullptr);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    const LookAhead Ahead = lookAhead(S);
    Filter.enterSequence(Index);
    Ways.enterSequence(Index, Ahead);
    Finder Into(Filter, Ways, Nodes.Sequences.emplace_back());
    feedEvents(S, Into);
  }
  Tree = Ways.take();
  return Nodes;
}

RowChains instantrace::rowChains(const Trace &T, const ChainNodes &Nodes,
                                 const WantedRows &Wanted, size_t Most,
                                 const ChainTree &Tree,
                                 const LearnedScopes &Learned) {
  TableChains Table(T, Wanted, Learned);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    FunctionHomes Homes(T.Sequences[Index]);
    Table.enterSequence(Index, Homes);
    addSequence(T.Sequences[Index], Nodes.Sequences[Index], Table);
  }
  FrameOrder Order(T, Tree);
  return Table.take(Most, Order);
}
