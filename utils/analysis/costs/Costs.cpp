#include "utils/analysis/costs/Costs.h"

#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/names/RowName.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/SelfTimes.h"

#include <algorithm>
#include <unordered_map>

using namespace instantrace;

namespace {

/// Costs of one sequence, added to rows that all sequences share.
class SequenceCosts {
public:
  SequenceCosts(RowIndex &Rows, const Sequence &S, TraceFilter &Filter,
                CostTable &Table)
      : Rows(Rows), S(S), Filter(Filter), Table(Table) {}

  void add() {
    std::vector<uint64_t> SelfNs = selfTimes(S);
    InclusiveNs = inclusiveTimes(S);
    RowOf.resize(S.Intervals.size());
    for (size_t I = 0; I != S.Intervals.size(); ++I)
      addInterval(static_cast<uint32_t>(I), SelfNs[I]);
    while (Innermost)
      leave();
    addCountsOfUndefined();
    addMemoizedHits();
    if (S.Footer)
      Table.DroppedCount += S.Footer->EventsDropped;
  }

private:
  void addInterval(uint32_t Index, uint64_t SelfNs) {
    const Interval &I = S.Intervals[Index];
    if (!I.Parent)
      Table.TotalNs += I.durationNs();
    while (!(Innermost == I.Parent))
      leave();
    bool IsSelected = Filter.selectsAll() || Filter.selects(I);
    uint32_t Row = Rows.rowFor(IntervalId{Index});
    if (!IsSelected)
      Row = Rows.filtered();
    RowOf[Index] = Row;
    if (I.HasElided)
      SelfNs -= addElided(Row, IsSelected, IntervalId{Index}, SelfNs);
    CostRow &R = Rows[Row];
    R.SelfNs += SelfNs;
    R.AstBytes += I.AstBytes;
    Rows.addKind(Row, I.Kind, SelfNs);
    if (Rows.hasDirectHits())
      R.Memoized += I.memoized();
    addCount(Row, I);
    if (Rows.enter(Row))
      R.InclusiveNs += IsSelected ? InclusiveNs[Index] : I.durationNs();
    if (I.Requester) {
      uint32_t Asked = RowOf[I.Requester.Value];
      if (Rows.enterRequested(Asked))
        Rows[Asked].RequestedNs += InclusiveNs[Index];
    }
    Innermost.Value = Index;
  }

  void leave() {
    const Interval &I = S.Intervals[Innermost.Value];
    Rows.leave(RowOf[Innermost.Value]);
    if (I.Requester)
      Rows.leaveRequested(RowOf[I.Requester.Value]);
    Innermost = I.Parent;
  }

  /// Moves the time of short leaves out of the interval they were in; returns
  /// how much, which a lying trace does not make more than there is.
  uint64_t addElided(uint32_t Row, bool IsSelected, IntervalId Id,
                     uint64_t AvailableNs) {
    ElidedLeaves Leaves = S.elidedIn(Id);
    uint64_t Ns = std::min(Leaves.SumNs, AvailableNs);
    uint32_t Elided = IsSelected ? Rows.elided() : Rows.filtered();
    Rows[Row].Elided += Leaves.Count;
    CostRow &R = Rows[Elided];
    R.Count += Leaves.Count;
    R.SelfNs += Ns;
    if (IsSelected) // (filtered) has it already
      R.InclusiveNs += Ns;
    Table.ElidedCount += Leaves.Count;
    Table.ElidedNs += Ns;
    return Ns;
  }

  /// Clang announces one specialization several times: while it chooses a
  /// partial specialization, declares, and defines. So TemplateInstantiation
  /// counts definitions, and an entity never defined counts once.
  void addCount(uint32_t Row, const Interval &I) {
    if (I.Kind != EventKind::TemplateInstantiation || !I.Entity) {
      ++Rows[Row].Count;
      Rows[Row].Definitions += I.Definition;
      return;
    }
    auto [At, IsNew] =
        Instantiated.try_emplace(I.Entity.Value, Specialization{Row, false});
    if (!I.Definition)
      return;
    At->second.IsDefined = true;
    ++Rows[Row].Count;
    ++Rows[Row].Definitions;
  }

  void addCountsOfUndefined() {
    for (const auto &[Entity, Seen] : Instantiated)
      Rows[Seen.FirstRow].Count += !Seen.IsDefined;
  }

  void addMemoizedHits() {
    for (const MemoizedHits &M : S.Memoized) {
      if (Rows.hasDirectHits())
        break; // counted where they were
      uint32_t Row = Filter.selectsHits(M.Entity) ? Rows.hitsRow(M.Entity)
                                                  : Rows.filtered();
      Rows[Row].Memoized += M.Hits;
      Rows.addKind(Row, EventKind::Memoization, 0);
    }
    for (const Instant &I : S.Instants) {
      uint32_t Row = Filter.selects(I) ? Rows.rowFor(I) : Rows.filtered();
      ++(I.Kind == EventKind::Memoization ? Rows[Row].Memoized
                                          : Rows[Row].Count);
      Rows.addKind(Row, I.Kind, 0);
    }
  }

  RowIndex &Rows;
  const Sequence &S;
  TraceFilter &Filter;
  CostTable &Table;
  std::vector<uint32_t> RowOf;       // by interval
  std::vector<uint64_t> InclusiveNs; // by interval
  IntervalId Innermost;
  struct Specialization {
    uint32_t FirstRow;
    bool IsDefined;
  };
  std::unordered_map<uint32_t, Specialization> Instantiated; // by entity
};

uint64_t valueOf(const CostRow &Row, CostOrder Order) {
  switch (Order) {
  case CostOrder::Self:
    return Row.SelfNs;
  case CostOrder::Inclusive:
    return Row.InclusiveNs;
  case CostOrder::Count:
    return Row.Count;
  case CostOrder::Memoized:
    return Row.Memoized;
  case CostOrder::Ast:
    return Row.AstBytes;
  case CostOrder::Name:
    return 0;
  }
  return 0;
}

} // namespace

CostTable instantrace::costs(const Trace &T, CostKey By, TraceFilter &Filter) {
  CostTable Table;
  RowIndex Rows(T, By);
  Filter.enterTrace(T);
  for (uint32_t I = 0; I != T.Sequences.size(); ++I) {
    Rows.enterSequence(I);
    Filter.enterSequence(I);
    SequenceCosts(Rows, T.Sequences[I], Filter, Table).add();
  }
  Table.Rows = Rows.take();
  return Table;
}

CostTable instantrace::costs(const Trace &T, CostKey By) {
  TraceFilter Everything = *TraceFilter::make({});
  return costs(T, By, Everything);
}

void instantrace::sortCosts(CostTable &Table, const Trace &T, CostOrder Order,
                            size_t Wanted) {
  sortRows(
      Table.Rows,
      [Order](const CostRow &A, const CostRow &B) {
        return valueOf(A, Order) > valueOf(B, Order);
      },
      [&T](const CostRow &Row) { return tieText(T, Row.Name); }, Wanted);
}
