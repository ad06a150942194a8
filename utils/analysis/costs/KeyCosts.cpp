#include "utils/analysis/costs/KeyCosts.h"

#include "utils/analysis/view/Emission.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace instantrace;

void KeyCosts::enterSequence(uint32_t Index, const FunctionHomes &Homes) {
  Rows.enterSequence(Index, Homes);
  S = &T.Sequences[Index];
  Table.HasBackend |= !S->Functions.empty();
  IrGenerationNs = 0;
  RowsOfRequested.clear();
  FirstRows = {};
}

void KeyCosts::begin(IntervalId Id, const Interval &I, const BegunWork &Work,
                     bool IsSelected) {
  OpenInterval O;
  O.FrameRow = Rows.rowFor(I, Work, innermostRow());
  Rows.beginHome(Id, I, O.FrameRow);
  O.IsSelected = IsSelected;
  O.Row = IsSelected ? O.FrameRow : Rows.filtered();
  O.IsOutermost = IsSelected && Rows.enter(O.Row);
  O.AskedRow =
      Work.AskedBy != NoIndex ? RowsOfRequested[Work.AskedBy] : NoIndex;
  O.IsAskedOnce = O.AskedRow != NoIndex && Rows.enterRequested(O.AskedRow);
  O.Requested = Work.Requested;
  if (O.Requested != NoIndex)
    RowsOfRequested.push_back(O.Row);
  Open.push_back(O);
}

/// What is too short is inside nothing of its row that is not, so who is
/// outermost does not depend on it.
void KeyCosts::drop(OpenInterval &O) {
  O.IsSelected = false;
  Rows.leave(O.Row);
  O.Row = Rows.filtered();
  if (O.Requested != NoIndex)
    RowsOfRequested[O.Requested] = O.Row;
}

void KeyCosts::end(IntervalId Id, const EndedInterval &E) {
  OpenInterval O = Open.back();
  Open.pop_back();
  const Interval &I = E.I;
  if (O.IsSelected && !E.IsSelected)
    drop(O);
  uint64_t SelfNs = E.SelfNs;
  if (!I.Parent)
    Table.TotalNs += I.durationNs();
  if (I.HasElided)
    SelfNs -= addElided(O, E.Leaves, SelfNs);
  if (E.Parts)
    SelfNs -= addCodeGeneration(E, O.IsSelected, SelfNs);
  if (I.Kind == EventKind::Profiling)
    Table.ProfilingNs += SelfNs;
  CostRow &R = Rows[O.Row];
  R.SelfNs += SelfNs;
  R.AstBytes += I.AstBytes;
  addBackend(R, I, SelfNs, E.Parts != nullptr);
  Rows.addKind(O.Row, I.Kind, SelfNs);
  if (Rows.hasDirectHits())
    R.Memoized += I.memoized();
  // Clang announces one specialization several times: while it chooses a
  // partial specialization, declares, and defines. So TemplateInstantiation
  // counts definitions, and what is never defined counts in countUndefined().
  if (Rows.counts(I)) {
    R.Count +=
        I.Kind != EventKind::TemplateInstantiation || !I.Entity || I.Definition;
    R.Definitions += I.Definition;
  }
  if (E.IsFirst)
    FirstRows[I.Entity.Value] = O.Row;
  Rows.endHome(Id, I, O.FrameRow);
  if (O.IsSelected) {
    if (O.IsOutermost)
      R.InclusiveNs += E.InclusiveNs;
    Rows.leave(O.Row);
  }
  if (O.IsAskedOnce)
    Rows[O.AskedRow].RequestedNs += E.InclusiveNs;
  if (O.AskedRow != NoIndex)
    Rows.leaveRequested(O.AskedRow);
  if (E.FilteredNs != 0)
    Rows[Rows.filtered()].InclusiveNs += E.FilteredNs;
}

void KeyCosts::countUndefined(EntityId Entity) {
  ++Rows[FirstRows.get(Entity.Value)].Count;
}

void KeyCosts::instant(const Instant &I, LocationId UserFrame,
                       const WorkFrame *Parent, bool IsSelected) {
  uint32_t Row = IsSelected ? Rows.rowFor(I, UserFrame, Parent, innermostRow())
                            : Rows.filtered();
  ++(I.Kind == EventKind::Memoization ? Rows[Row].Memoized : Rows[Row].Count);
  Rows.addKind(Row, I.Kind, 0);
}

void KeyCosts::leaveSequence(TraceFilter &Filter) {
  addMemoizedHits(Filter);
  addFunctions(Filter);
  if (!S->Footer)
    return;
  Table.DroppedCount += S->Footer->EventsDropped;
  Table.PeakRssBytes = std::max(Table.PeakRssBytes, S->Footer->PeakRssBytes);
}

CostTable KeyCosts::take(bool AreKindsKept) {
  Table.Rows = Rows.take(AreKindsKept ? &Table.Kinds : nullptr);
  return std::exchange(Table, {});
}

/// Gives the parts of a code generation's self time rows of their own; returns
/// how much that is. Where short leaves took of it is not known, and is what
/// lies between the parts first.
uint64_t KeyCosts::addCodeGeneration(const EndedInterval &E, bool IsSelected,
                                     uint64_t AvailableNs) {
  uint64_t ObjectNs =
      std::min(E.Parts->objectWritingNs(E.I.EndNs), AvailableNs);
  uint64_t IrNs = std::min(E.Parts->irGenerationNs(), AvailableNs - ObjectNs);
  Table.IrGenerationNs += IrNs;
  IrGenerationNs += IrNs;
  // Where nothing of the backend is recorded, IR is in all of code generation,
  // and units are compared with each other.
  addPart("(IR generation)", IrNs, Rows.isByUnit() ? IrNs : 0, IsSelected);
  addPart("(object writing)", ObjectNs, ObjectNs, IsSelected);
  return IrNs + ObjectNs;
}

void KeyCosts::addPart(std::string_view Name, uint64_t Ns, uint64_t GenerateNs,
                       bool IsSelected) {
  uint32_t Row = IsSelected ? Rows.codeGenerationRow(Name) : Rows.filtered();
  CostRow &R = Rows[Row];
  R.SelfNs += Ns;
  if (GenerateNs != 0)
    R.Backend.edit().GenerateNs += GenerateNs;
  // Otherwise the row is that of the whole code generation, which has it.
  if (IsSelected && !Rows.hasWholeCodeGeneration()) {
    R.InclusiveNs += Ns;
    ++R.Count;
  }
  Rows.addKind(Row, EventKind::CodeGeneration, Ns);
}

void KeyCosts::addBackend(CostRow &R, const Interval &I, uint64_t SelfNs,
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
    if (HasParts || Rows.isByUnit()) // LLVM's, between functions
      R.Backend.edit().GenerateNs += SelfNs;
    if (!Rows.isByUnit())
      return;
    break;
  default:
    return;
  }
  Table.HasBackend = true;
}

/// Moves the time of short leaves out of the interval they were in; returns how
/// much, which a lying trace does not make more than there is.
uint64_t KeyCosts::addElided(const OpenInterval &O, const ElidedLeaves &Leaves,
                             uint64_t AvailableNs) {
  uint64_t Ns = std::min(Leaves.SumNs, AvailableNs);
  uint32_t Elided = O.IsSelected ? Rows.elided() : Rows.filtered();
  Rows[O.Row].Elided += Leaves.Count;
  Table.ElidedCount += Leaves.Count;
  Table.ElidedNs += Ns;
  if (Elided == O.Row)
    return 0;
  CostRow &R = Rows[Elided];
  R.Count += Leaves.Count;
  R.SelfNs += Ns;
  if (O.IsSelected) // (filtered) has it already
    R.InclusiveNs += Ns;
  return Ns;
}

void KeyCosts::addMemoizedHits(TraceFilter &Filter) {
  if (Rows.hasDirectHits())
    return; // counted where they were
  for (const MemoizedHits &M : S->Memoized) {
    uint32_t Row =
        Filter.selectsHits(M.Entity) ? Rows.hitsRow(M.Entity) : Rows.filtered();
    Rows[Row].Memoized += M.Hits;
    Rows.addKind(Row, EventKind::Memoization, 0);
  }
}

void KeyCosts::addFunctions(TraceFilter &Filter) {
  if (S->Functions.empty()) {
    // What was read of another profiler has no table of functions.
    Table.UnknownEmission += !Rows.homes().isEmpty();
    return;
  }
  Table.UnknownEmission += !knowsEmission(*S);
  Table.CodeBytes += S->Footer ? S->Footer->CodeBytes : 0;
  double AllIr = 0;
  for (const Function &F : S->Functions)
    AllIr += F.IrInstructions;
  double IrSoFar = 0;
  uint64_t SharedOutNs = 0;
  for (const Function &F : S->Functions) {
    bool IsSelected =
        Filter.selectsAll() ||
        Filter.selectsFunction(F.Entity, Rows.homes().placeOf(F.Entity));
    uint32_t Row = IsSelected ? Rows.functionRow(F.Entity) : Rows.filtered();
    Rows.addKind(Row, EventKind::MachineCode, 0);
    BackendCost Cost = costOf(*S, F);
    // Shares of the sum so far, so that the last one ends at the whole.
    IrSoFar += F.IrInstructions;
    uint64_t UpToNs = IrGenerationNs;
    if (IrSoFar < AllIr)
      UpToNs = static_cast<uint64_t>(
          std::round(static_cast<double>(IrGenerationNs) * (IrSoFar / AllIr)));
    else if (AllIr == 0)
      UpToNs = 0;
    UpToNs = std::max(SharedOutNs, UpToNs);
    Cost.IrGenerationEstimateNs = UpToNs - SharedOutNs;
    SharedOutNs = UpToNs;
    Rows[Row].Backend.edit() += Cost;
  }
}
