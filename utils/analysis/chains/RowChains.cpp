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

/// The chains of one table, from sums that are ordered by node.
RowChains chainsOf(size_t Table, const std::vector<RowSum> &ByNode,
                   const std::vector<RowSet> &Sets) {
  RowChains ByRow;
  for (const RowSum &Each : ByNode) {
    const RowSet &Set = Sets[Each.Set];
    const uint16_t Row = Set.Rows[Table];
    if (Row == RowIndex::OtherKeys)
      continue;
    if (Row >= ByRow.size())
      ByRow.resize(Row + size_t(1));
    std::vector<RowChain> &Chains = ByRow[Row].Chains;
    RowChain Sum = Each.Sum;
    Sum.Node = Each.Node;
    if (!Set.isOutermost(Table))
      Sum.InclusiveNs = 0;
    if (!Chains.empty() && Chains.back().Node == Sum.Node)
      Chains.back().add(Sum);
    else
      Chains.push_back(Sum);
  }
  return ByRow;
}

std::vector<RowSum> takeByNode(RowSums &Sums) {
  std::vector<RowSum> All = Sums.take();
  Sums = {};
  std::sort(All.begin(), All.end(), [](const RowSum &A, const RowSum &B) {
    return A.Node != B.Node ? A.Node < B.Node : A.Set < B.Set;
  });
  return All;
}

void fold(RowChains &Into, uint32_t Row, const ChainsOfRow &More) {
  if (Row >= Into.size())
    Into.resize(Row + size_t(1));
  Into[Row].OtherChains += More.OtherChains;
  Into[Row].Others.add(More.Others);
}

} // namespace

ChainSink::ChainSink(const Trace &T, const TraceFilter &Filter,
                     const std::vector<WantedRows> &Wanted,
                     const LearnedScopes *Learned)
    : T(T), Filter(Filter), Wanted(Wanted), Learned(Learned) {}

EventSink &ChainSink::beginSequence(uint32_t Index) {
  // What is a class is learned from names, so not before there are some.
  if (!Ways) {
    Ways.emplace(T, EntityLevel::Template, Learned);
    Filter.enterTrace(T, Learned);
    Tables.reserve(Wanted.size());
    for (const WantedRows &Rows : Wanted)
      Tables.emplace_back(T, Rows.Key, Learned).keepOnly(Rows.Keys);
  }
  Ways->enterSequence(Index, Ahead);
  Filter.enterSequence(Index);
  Homes = FunctionHomes(T.Sequences[Index], Ahead.Functions);
  for (RowIndex &Each : Tables)
    Each.enterSequence(Index, Homes);
  Frames = WorkFrames(T.Sequences[Index], Ahead.Requested,
                      /*AreUserFramesWanted=*/true);
  return *this;
}

/// Intervals inside of what is no template work may be in its row.
RowSet ChainSink::rowsFor(const Interval &I, const BegunWork &Work,
                          bool IsSelected) {
  RowSet Set;
  for (size_t Table = 0; Table != Tables.size(); ++Table) {
    const uint32_t ParentRow =
        Open.empty() ? NoIndex : Open.back().Rows.Rows[Table];
    const uint32_t Row = Tables[Table].rowFor(I, Work, ParentRow);
    Set.Rows[Table] = static_cast<uint16_t>(Row);
    if (IsSelected && Row != RowIndex::OtherKeys && Tables[Table].enter(Row))
      Set.Outermost |= static_cast<uint16_t>(1U << Table);
  }
  return Set;
}

void ChainSink::begin(IntervalId Id, const Interval &I) {
  Ways->begin(Id, I);
  Times.begin();
  const BegunWork Work = Frames.begin(Id, I);
  Interval Copy = I;
  Copy.EndNs = UINT64_MAX; // how long it is, is known at its end
  const bool IsSelected = isTemplateWork(I.Kind) && Filter.selects(Copy);
  Open.push_back({rowsFor(I, Work, IsSelected), IsSelected});
}

/// What is too short is inside nothing of its row that is not, so who is
/// outermost does not depend on it.
void ChainSink::end(IntervalId, const Interval &I, const ElidedLeaves &) {
  const OpenTimes::Ended E = Times.end(I);
  const OpenInterval O = Open.back();
  Open.pop_back();
  Frames.end();
  if (O.IsSelected) {
    for (size_t Table = 0; Table != Tables.size(); ++Table)
      if (O.Rows.Rows[Table] != RowIndex::OtherKeys)
        Tables[Table].leave(O.Rows.Rows[Table]);
    if (!Filter.needsDurations() || Filter.selects(I)) {
      RowChain &Sum = sum(O.Rows, Ways->node());
      ++Sum.Count;
      Sum.SelfNs += E.SelfNs;
      Sum.InclusiveNs += E.InclusiveNs;
    }
  }
  Ways->end();
}

void ChainSink::instant(const Instant &I) {
  if (I.Kind != EventKind::Memoization || !Filter.selects(I))
    return;
  const LocationId UserFrame = Frames.userFrame(I.Location);
  RowSet Set;
  for (size_t Table = 0; Table != Tables.size(); ++Table)
    Set.Rows[Table] = static_cast<uint16_t>(Tables[Table].rowFor(
        I, UserFrame, Frames.innermost(),
        Open.empty() ? NoIndex : Open.back().Rows.Rows[Table]));
  if (Set != RowSet{})
    ++sum(Set, Ways->node(I)).Memoized;
}

TraceChains ChainSink::take() {
  TraceChains Made;
  Made.Sets = Sets.take();
  Made.Sums = Sums.take();
  if (Ways)
    Made.Tree = Ways->take();
  return Made;
}

void MergedChains::add(const TraceChains &Chains, MergedNames &Names) {
  ChainImport NodeOf(Chains.Tree, Tree, Groups, Names);
  std::vector<uint32_t> SetOf;
  SetOf.reserve(Chains.Sets.size());
  for (const RowSet &Set : Chains.Sets)
    SetOf.push_back(Sets.add(Set).Number);
  for (const RowSum &Each : Chains.Sums)
    Sums[Sums.add({SetOf[Each.Set], NodeOf(Each.Node)}).Number].Sum.add(
        Each.Sum);
  if (Sums.size() > Most)
    cut();
}

/// What is left has the ways of what is kept, and no others.
void MergedChains::cut() {
  ChainTree Old = std::exchange(Tree, {});
  ChainCopy NodeOf(Old, Tree);
  const std::vector<RowSum> ByNode = takeByNode(Sums);
  const std::vector<RowSet> OldSets = Sets.take();
  Sets = {};
  Folded.resize(std::size(CostKeyNames));
  for (size_t Table = 0; Table != Folded.size(); ++Table) {
    RowChains ByRow = chainsOf(Table, ByNode, OldSets);
    for (uint32_t Row = 0; Row != ByRow.size(); ++Row) {
      std::vector<RowChain> &All = ByRow[Row].Chains;
      if (All.size() > OfRow)
        std::nth_element(All.begin(),
                         All.begin() + static_cast<std::ptrdiff_t>(OfRow),
                         All.end(), hasMore);
      ByRow[Row].fold(OfRow);
      fold(Folded[Table], Row, ByRow[Row]);
      // Of this table alone.
      RowSet Set;
      Set.Rows[Table] = static_cast<uint16_t>(Row);
      Set.Outermost = static_cast<uint16_t>(1U << Table);
      for (const RowChain &Chain : All)
        Sums[Sums.add({Sets.add(Set).Number, NodeOf(Chain.Node)}).Number]
            .Sum.add(Chain);
    }
  }
}

void MergedChains::end(const Trace &T, size_t MostShown) {
  FrameOrder Order(T, Tree);
  const std::vector<RowSum> ByNode = takeByNode(Sums);
  const std::vector<RowSet> All = Sets.take();
  for (size_t Table = 0; Table != std::size(CostKeyNames); ++Table) {
    RowChains &ByRow = Ended.emplace_back(chainsOf(Table, ByNode, All));
    if (isCut())
      for (uint32_t Row = 0; Row != Folded[Table].size(); ++Row)
        fold(ByRow, Row, Folded[Table][Row]);
    for (ChainsOfRow &Row : ByRow)
      keepFirst(Row, MostShown, Order);
  }
}
