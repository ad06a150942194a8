#include "utils/analysis/chains/RowChains.h"

#include "utils/analysis/chains/FrameOrder.h"
#include "utils/analysis/names/TieOrder.h"

#include <tuple>
#include <utility>

using namespace instantrace;

namespace {

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

} // namespace

/// One table, while a trace is read.
class ChainSink::Table {
public:
  Table(const Trace &T, const WantedRows &Wanted, const LearnedScopes *Learned)
      : Rows(T, Wanted.By, Learned) {
    Rows.keepOnly(Wanted.Keys);
  }

  void enterSequence(uint32_t Index, const FunctionHomes &Homes,
                     const LookAhead &Ahead) {
    Rows.enterSequence(Index, Homes, &Ahead.Requested);
  }
  void begin(IntervalId Id, const Interval &I, bool IsSelected) {
    OpenInterval O;
    O.Frame = Rows.rowFor(Id, I, innermost());
    O.IsWanted = IsSelected && O.Frame.Row != RowIndex::OtherKeys;
    O.IsOutermost = O.IsWanted && Rows.enter(O.Frame.Row);
    Open.push_back(O);
  }
  /// Whether it has a part in a row.
  bool isWanted() const { return Open.back().IsWanted; }
  void add(uint32_t Node, const OpenTimes::Ended &Of) {
    const OpenInterval &O = Open.back();
    RowChain &Sum = sum(O.Frame.Row, Node);
    ++Sum.Count;
    Sum.SelfNs += Of.SelfNs;
    if (O.IsOutermost)
      Sum.InclusiveNs += Of.InclusiveNs;
  }
  /// Of the innermost one.
  void end(IntervalId Id, const Interval &I) {
    const OpenInterval &O = Open.back();
    Rows.endHome(Id, I, O.Frame.Row);
    if (O.IsWanted)
      Rows.leave(O.Frame.Row);
    Open.pop_back();
  }
  /// The row of what is inside the innermost one; OtherKeys: none is wanted.
  uint32_t rowFor(const Instant &I) { return Rows.rowFor(I, innermost()); }
  /// Valid until the next call.
  RowChain &sum(uint32_t Row, uint32_t Node) {
    return Sums[Sums.add({Row, Node}).Number].Sum;
  }

  TraceChains::OfTable take() {
    TraceChains::OfTable Made;
    for (uint32_t Row = 0; Row != Rows.size(); ++Row)
      Made.Keys.push_back(Rows[Row].Key);
    Made.Sums = Sums.take();
    return Made;
  }

private:
  struct OpenInterval {
    RowFrame Frame;
    bool IsWanted, IsOutermost;
  };
  const RowFrame *innermost() const {
    return Open.empty() ? nullptr : &Open.back().Frame;
  }

  RowIndex Rows;
  std::vector<OpenInterval> Open;
  KeyNumbers<RowSum, RowSumHash> Sums;
};

ChainSink::ChainSink(const Trace &T, const TraceFilter &Filter,
                     const std::vector<WantedRows> &Wanted,
                     const LearnedScopes *Learned)
    : T(T), Filter(Filter), Wanted(Wanted), Learned(Learned) {}

ChainSink::~ChainSink() = default;

EventSink &ChainSink::beginSequence(uint32_t Index) {
  // What is a class is learned from names, so not before there are some.
  if (!Ways) {
    Ways.emplace(T, EntityLevel::Template, Learned);
    Filter.enterTrace(T, Learned);
    Tables.reserve(Wanted.size());
    for (const WantedRows &Of : Wanted)
      Tables.emplace_back(T, Of, Learned);
  }
  Ways->enterSequence(Index, Ahead);
  Filter.enterSequence(Index);
  Homes = FunctionHomes(T.Sequences[Index], Ahead.Functions);
  for (Table &Of : Tables)
    Of.enterSequence(Index, Homes, Ahead);
  return *this;
}

void ChainSink::begin(IntervalId Id, const Interval &I) {
  Ways->begin(Id, I);
  Times.begin();
  Homes.begin(Id, I);
  Interval Of = I;
  Of.EndNs = UINT64_MAX; // how long it is, is known at its end
  IsSelected.push_back(isTemplateWork(I.Kind) && Filter.selects(Of));
  for (Table &Each : Tables)
    Each.begin(Id, I, IsSelected.back());
}

/// What is too short is inside nothing of its row that is not, so who is
/// outermost does not depend on it.
void ChainSink::end(IntervalId Id, const Interval &I, const ElidedLeaves &) {
  const OpenTimes::Ended Of = Times.end(I);
  Homes.end(Id, I);
  const bool IsMeant =
      IsSelected.back() && (!Filter.needsDurations() || Filter.selects(I));
  IsSelected.pop_back();
  for (Table &Each : Tables) {
    if (IsMeant && Each.isWanted())
      Each.add(Ways->node(), Of);
    Each.end(Id, I);
  }
  Ways->end();
}

void ChainSink::instant(const Instant &I) {
  if (I.Kind != EventKind::Memoization || !Filter.selects(I))
    return;
  for (Table &Each : Tables)
    if (uint32_t Row = Each.rowFor(I); Row != RowIndex::OtherKeys)
      ++Each.sum(Row, Ways->node(I)).Memoized;
}

TraceChains ChainSink::take() {
  TraceChains Made;
  for (Table &Each : Tables)
    Made.Tables.push_back(Each.take());
  if (Ways)
    Made.Tree = Ways->take();
  return Made;
}

void MergedChains::add(TraceChains Of, MergedNames &Names) {
  Tables.resize(std::max(Tables.size(), Of.Tables.size()));
  ChainImport NodeOf(Of.Tree, Tree, Groups, Names);
  size_t Sums = 0;
  for (size_t At = 0; At != Of.Tables.size(); ++At) {
    const TraceChains::OfTable &From = Of.Tables[At];
    OfTable &To = Tables[At];
    std::vector<uint32_t> RowOf(From.Keys.size());
    for (size_t Row = 1; Row != RowOf.size(); ++Row)
      RowOf[Row] = To.RowOf
                       .try_emplace(From.Keys[Row],
                                    static_cast<uint32_t>(To.RowOf.size()))
                       .first->second;
    for (const RowSum &Each : From.Sums)
      To.Sums[To.Sums.add({RowOf[Each.Row], NodeOf(Each.Node)}).Number].Sum.add(
          Each.Sum);
    Sums += To.Sums.size();
  }
  if (Sums > Most)
    cut();
}

/// What is left has the ways of what is kept, and no others.
void MergedChains::cut() {
  ChainTree Old = std::exchange(Tree, {});
  ChainCopy NodeOf(Old, Tree);
  for (RowChains &Table : Ended)
    for (auto &[Key, Row] : Table)
      for (RowChain &Chain : Row.Chains)
        Chain.Node = NodeOf(Chain.Node);
  for (OfTable &Of : Tables) {
    Of.Folded.resize(Of.RowOf.size());
    std::vector<ChainsOfRow> ByRow(Of.RowOf.size());
    for (RowSum &Each : Of.Sums.take()) {
      Each.Sum.Node = Each.Node;
      ByRow[Each.Row].Chains.push_back(Each.Sum);
    }
    Of.Sums = {};
    for (uint32_t Row = 0; Row != ByRow.size(); ++Row) {
      std::vector<RowChain> &All = ByRow[Row].Chains;
      if (All.size() > OfRow)
        std::nth_element(All.begin(),
                         All.begin() + static_cast<std::ptrdiff_t>(OfRow),
                         All.end(), hasMore);
      ByRow[Row].fold(OfRow);
      Of.Folded[Row].OtherChains += ByRow[Row].OtherChains;
      Of.Folded[Row].Others.add(ByRow[Row].Others);
      for (const RowChain &Chain : All)
        Of.Sums[Of.Sums.add({Row, NodeOf(Chain.Node)}).Number].Sum.add(Chain);
    }
  }
}

void MergedChains::endTables(const Trace &T, size_t MostShown) {
  FrameOrder Order(T, Tree);
  for (OfTable &Of : std::exchange(Tables, {})) {
    std::vector<ChainsOfRow> ByRow = std::move(Of.Folded);
    ByRow.resize(Of.RowOf.size());
    for (RowSum &Each : Of.Sums.take()) {
      Each.Sum.Node = Each.Node;
      ByRow[Each.Row].Chains.push_back(Each.Sum);
    }
    RowChains &Found = Ended.emplace_back();
    for (const auto &[Key, Row] : Of.RowOf) {
      if (ByRow[Row].Chains.empty())
        continue;
      keepFirst(ByRow[Row], MostShown, Order);
      Found.emplace(Key, std::move(ByRow[Row]));
    }
  }
}
