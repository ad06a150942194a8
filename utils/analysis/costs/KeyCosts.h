/// \file
/// Costs by one key, of the sequences of a trace one after the other.
///
/// Flow:   CostFeed -> [KeyCosts] -> CostTable
/// Memory: rows, open and requested intervals, a row for each entity
///
/// CostSink feeds one for each key.
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_KEYCOSTS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_KEYCOSTS_H

#include "utils/analysis/costs/CodeGenerationParts.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/costs/RowIndex.h"

namespace instantrace {

/// An interval at its end, and what follows from those inside it.
struct EndedInterval {
  const Interval &I;
  uint64_t SelfNs;
  uint64_t InclusiveNs; ///< without Instantrace's own work
  bool IsFirst;         ///< instantiation of its entity
  const ElidedLeaves &Leaves;
  const CodeGenerationParts *Parts; ///< null: there are none
};

class KeyCosts {
public:
  /// All must outlive this, and the trace not change. It needs no events.
  /// \p Filter is entered.
  KeyCosts(const Trace &T, CostKey By, TraceFilter &Filter,
           const LearnedScopes *Learned);

  /// Requires: indices ascend, and both are as RowIndex wants them.
  void enterSequence(uint32_t Index, const FunctionHomes &Homes,
                     const std::vector<uint32_t> &Requested);
  void begin(IntervalId Id, const Interval &I);
  /// Requires: it is the innermost one.
  void end(IntervalId Id, const EndedInterval &E);
  void instant(const Instant &I);
  /// An entity that was instantiated and never defined counts once, where that
  /// was done first.
  void countUndefined(EntityId Entity);
  void leaveSequence();

  /// Whether FunctionHomes have to know more than what functions are.
  bool needsHomes() const {
    return Rows.hasDirectHits() || !Filter.selectsAll();
  }
  /// Of the sequences since this was called last. With the kinds of rows if
  /// they are to be kept.
  CostTable take(bool AreKindsKept);

private:
  struct OpenInterval {
    RowFrame Frame; ///< as if it were selected
    uint32_t Row;
    uint32_t AskedRow;       ///< NoIndex: nobody's
    uint32_t RequestedAt;    ///< in RowsOfRequested; NoIndex: not there
    uint64_t FilteredNs = 0; ///< inside, of outermost ones
    bool IsSelected, IsOutermost, IsAskedOnce;
  };

  const RowFrame *innermost() const {
    return Open.empty() ? nullptr : &Open.back().Frame;
  }
  uint32_t rowOfRequested(IntervalId Id) const;
  void dropShort(OpenInterval &O, const Interval &I);
  uint64_t addElided(const OpenInterval &O, const ElidedLeaves &Leaves,
                     uint64_t AvailableNs);
  uint64_t addCodeGeneration(const EndedInterval &E, bool IsSelected,
                             uint64_t AvailableNs);
  void addPart(std::string_view Name, uint64_t Ns, uint64_t GenerateNs,
               bool IsSelected);
  void addBackend(CostRow &R, const Interval &I, uint64_t SelfNs,
                  bool HasParts);
  void addMemoizedHits();
  void addFunctions();

  const Trace &T;
  TraceFilter &Filter;
  RowIndex Rows;
  CostTable Table;
  // Of this sequence:
  const Sequence *S = nullptr;
  uint64_t IrGenerationNs = 0;
  const std::vector<uint32_t> *Requested = nullptr;
  std::vector<uint32_t> RowsOfRequested;
  ById<uint32_t> FirstRows; ///< by entity, of its first instantiation
  std::vector<OpenInterval> Open;
};

} // namespace instantrace

#endif
