#include "utils/analysis/costs/Costs.h"

#include "utils/analysis/costs/KeyCosts.h"
#include "utils/analysis/names/RowName.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/Emission.h"

#include <algorithm>
#include <cmath>

using namespace instantrace;

namespace {

/// Costs of one sequence, added to rows that all sequences share.
class SequenceCosts {
public:
  SequenceCosts(RowIndex &Rows, const Sequence &S, const SequenceFacts &Facts,
                TraceFilter &Filter, CostTable &Table)
      : Rows(Rows), S(S), Facts(Facts), Filter(Filter), Table(Table) {}

  void add() {
    Table.HasBackend |= !S.Functions.empty();
    RowOf.resize(S.Intervals.size());
    for (size_t I = 0; I != S.Intervals.size(); ++I)
      addInterval(static_cast<uint32_t>(I), Facts.SelfNs[I]);
    while (Innermost)
      leave();
    addMemoizedHits();
    addFunctions();
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
    bool IsSelected = Filter.selectsAll() || isSelected(I);
    uint32_t Row = Rows.rowFor(IntervalId{Index});
    if (!IsSelected)
      Row = Rows.filtered();
    RowOf[Index] = Row;
    if (I.HasElided)
      SelfNs -= addElided(Row, IsSelected, IntervalId{Index}, SelfNs);
    if (const CodeGenerationPart *Part = Facts.Parts.of(Index))
      SelfNs -= addCodeGeneration(*Part, IsSelected, SelfNs);
    CostRow &R = Rows[Row];
    R.SelfNs += SelfNs;
    R.AstBytes += I.AstBytes;
    addBackend(R, I, SelfNs, Facts.Parts.of(Index) != nullptr);
    Rows.addKind(Row, I.Kind, SelfNs);
    if (Rows.hasDirectHits())
      R.Memoized += I.memoized();
    if (Rows.counts(I))
      addCount(Row, Index);
    if (Rows.enter(Row))
      R.InclusiveNs += IsSelected ? Facts.InclusiveNs[Index] : I.durationNs();
    if (I.Requester) {
      uint32_t Asked = RowOf[I.Requester.Value];
      if (Rows.enterRequested(Asked))
        Rows[Asked].RequestedNs += Facts.InclusiveNs[Index];
    }
    Innermost.Value = Index;
  }

  /// What LLVM does for a function is where that was instantiated.
  bool isSelected(const Interval &I) {
    return Filter.selects(isFunctionWork(I) ? Rows.homes().atHome(I) : I);
  }

  /// Gives the parts of a code generation's self time rows of their own;
  /// returns how much that is. Where short leaves took of it is not known, and
  /// is what lies between the parts first.
  uint64_t addCodeGeneration(const CodeGenerationPart &Part, bool IsSelected,
                             uint64_t AvailableNs) {
    uint64_t ObjectNs = std::min(Part.ObjectWritingNs, AvailableNs);
    uint64_t IrNs = std::min(Part.IrGenerationNs, AvailableNs - ObjectNs);
    Table.IrGenerationNs += IrNs;
    IrGenerationNs += IrNs;
    addPart("(IR generation)", IrNs, 0, IsSelected);
    addPart("(object writing)", ObjectNs, ObjectNs, IsSelected);
    return IrNs + ObjectNs;
  }

  void addPart(std::string_view Name, uint64_t Ns, uint64_t GenerateNs,
               bool IsSelected) {
    uint32_t Row = IsSelected ? Rows.codeGenerationRow(Name) : Rows.filtered();
    CostRow &R = Rows[Row];
    R.SelfNs += Ns;
    if (GenerateNs != 0)
      R.Backend.edit().GenerateNs += GenerateNs;
    // Otherwise the row is that of the whole code generation, which has it.
    if (IsSelected && !Rows.isByKind()) {
      R.InclusiveNs += Ns;
      ++R.Count;
    }
    Rows.addKind(Row, EventKind::CodeGeneration, Ns);
  }

  void addBackend(CostRow &R, const Interval &I, uint64_t SelfNs,
                  bool HasParts) {
    switch (I.Kind) {
    case EventKind::OptimizeFunction:
    case EventKind::OptimizeModule:
      R.Backend.edit().OptimizeNs += SelfNs;
      break;
    case EventKind::MachineCode:
      R.Backend.edit().GenerateNs += SelfNs;
      break;
    case EventKind::CodeGeneration:
      if (HasParts) // LLVM's, between functions
        R.Backend.edit().GenerateNs += SelfNs;
      return;
    default:
      return;
    }
    Table.HasBackend = true;
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
  void addCount(uint32_t Row, uint32_t Index) {
    const Interval &I = S.Intervals[Index];
    bool IsCounted = I.Kind != EventKind::TemplateInstantiation || !I.Entity ||
                     I.Definition || Facts.IsFirstOfUndefined[Index];
    Rows[Row].Count += IsCounted;
    Rows[Row].Definitions += I.Definition;
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

  void addFunctions() {
    if (S.Functions.empty()) {
      // What was read of another profiler has no table of functions.
      Table.UnknownEmission += !Rows.homes().isEmpty();
      return;
    }
    Table.UnknownEmission += !knowsEmission(S);
    Table.CodeBytes += S.Footer ? S.Footer->CodeBytes : 0;
    double AllIr = 0;
    for (const Function &F : S.Functions)
      AllIr += F.IrInstructions;
    double IrSoFar = 0;
    uint64_t SharedOutNs = 0;
    for (const Function &F : S.Functions) {
      bool IsSelected =
          Filter.selectsAll() ||
          Filter.selectsFunction(F.Entity, Rows.homes().placeOf(F.Entity));
      uint32_t Row = IsSelected
                         ? Rows.functionRow(F.Entity, Rows.homes().of(F.Entity))
                         : Rows.filtered();
      Rows.addKind(Row, EventKind::MachineCode, 0);
      BackendCost Of = costOf(S, F);
      // Shares of the sum so far, so that the last one ends at the whole.
      IrSoFar += F.IrInstructions;
      uint64_t UpToNs = IrGenerationNs;
      if (IrSoFar < AllIr)
        UpToNs = static_cast<uint64_t>(std::round(
            static_cast<double>(IrGenerationNs) * (IrSoFar / AllIr)));
      else if (AllIr == 0)
        UpToNs = 0;
      UpToNs = std::max(SharedOutNs, UpToNs);
      Of.IrGenerationEstimateNs = UpToNs - SharedOutNs;
      SharedOutNs = UpToNs;
      Rows[Row].Backend.edit() += Of;
    }
  }

  RowIndex &Rows;
  const Sequence &S;
  const SequenceFacts &Facts;
  TraceFilter &Filter;
  CostTable &Table;
  uint64_t IrGenerationNs = 0; // of this sequence
  std::vector<uint32_t> RowOf; // by interval
  IntervalId Innermost;
};

} // namespace

BackendCost &BackendCost::operator+=(const BackendCost &More) {
  OptimizeNs += More.OptimizeNs;
  GenerateNs += More.GenerateNs;
  IrGenerationEstimateNs += More.IrGenerationEstimateNs;
  IrInstructions += More.IrInstructions;
  MachineInstructions += More.MachineInstructions;
  ObjectBytes += More.ObjectBytes;
  Given += More.Given;
  Emitted += More.Emitted;
  InlinedAway += More.InlinedAway;
  return *this;
}

BackendCost instantrace::costOf(const Sequence &S, const Function &F) {
  std::optional<bool> Kept = isEmitted(S, F);
  BackendCost Of;
  Of.IrInstructions = F.IrInstructions;
  Of.MachineInstructions = F.MachineInstructions;
  Of.ObjectBytes = F.ObjectBytes;
  Of.Given = 1;
  Of.Emitted = Kept.value_or(false);
  Of.InlinedAway = Kept.has_value() && !*Kept;
  return Of;
}

uint64_t instantrace::valueOf(const CostRow &Row, CostOrder Order) {
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
  case CostOrder::Frontend:
    return Row.frontendNs();
  case CostOrder::Optimize:
    return Row.backend().OptimizeNs;
  case CostOrder::Generate:
    return Row.backend().GenerateNs;
  case CostOrder::Bytes:
    return Row.backend().ObjectBytes;
  case CostOrder::Functions:
    return Row.backend().Emitted;
  case CostOrder::InlinedAway:
    return Row.backend().InlinedAway;
  }
  return 0;
}

KeyCosts::KeyCosts(const Trace &T, CostKey By, TraceFilter &Filter,
                   const LearnedScopes *Learned)
    : T(T), Filter(Filter), Rows(T, By, Learned) {
  Filter.enterTrace(T);
}

void KeyCosts::add(uint32_t Index, const SequenceFacts &Facts) {
  Rows.enterSequence(Index, Facts.Homes);
  Filter.enterSequence(Index);
  SequenceCosts(Rows, T.Sequences[Index], Facts, Filter, Table).add();
}

CostTable KeyCosts::take(bool AreKindsKept) {
  Table.Rows = Rows.take(AreKindsKept ? &Table.Kinds : nullptr);
  return std::move(Table);
}

CostTable instantrace::costs(const Trace &T, CostKey By, TraceFilter &Filter) {
  KeyCosts Costs(T, By, Filter, nullptr);
  for (uint32_t I = 0; I != T.Sequences.size(); ++I)
    Costs.add(I, SequenceFacts(T.Sequences[I]));
  return Costs.take(/*AreKindsKept=*/false);
}

CostTable instantrace::costs(const Trace &T, CostKey By) {
  TraceFilter Everything = *TraceFilter::make({});
  return costs(T, By, Everything);
}

bool instantrace::needsLearnedScopes(CostKey By) {
  return By == CostKey::Class || By == CostKey::Namespace;
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
