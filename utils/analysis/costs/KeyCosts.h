/// \file
/// Costs by one key, of the sequences of a trace one after the other.
///
/// Flow:   CostFeed -> [KeyCosts] -> CostTable
/// Memory: rows, open and requested intervals, a row for each entity
///
/// CostSink feeds one for each key, with what is the same for all of them.
#pragma once

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
  bool IsSelected;      ///< if not at its end, then not at all
  /// Of outermost ones inside an outermost one that are not selected; 0 unless
  /// that is what this is.
  uint64_t FilteredNs;
  const ElidedLeaves &Leaves;
  const CodeGenerationParts *Parts; ///< null: there are none
};

class KeyCosts {
public:
  /// Both must outlive this, and the trace not change. It needs no events.
  KeyCosts(const Trace &T, CostKey Key, const LearnedScopes *Learned)
      : T(T), Rows(T, Key, Learned) {}

  /// Requires: indices ascend.
  void enterSequence(uint32_t Index, const FunctionHomes &Homes);
  void begin(IntervalId Id, const Interval &I, const BegunWork &Work,
             bool IsSelected);
  /// Requires: it is the innermost one.
  void end(IntervalId Id, const EndedInterval &E);
  /// \p Parent is around it, or null.
  void instant(const Instant &I, LocationId UserFrame, const WorkFrame *Parent,
               bool IsSelected);
  /// An entity that was instantiated and never defined counts once, where that
  /// was done first.
  void countUndefined(EntityId Entity);
  /// \p Filter has entered the sequence.
  void leaveSequence(TraceFilter &Filter);

  /// Whether FunctionHomes have to know more than what functions are.
  bool needsHomes() const { return Rows.hasDirectHits(); }
  bool needsUserFrames() const { return Rows.needsUserFrames(); }
  /// Of the sequences since this was called last. With the kinds of rows if
  /// they are to be kept.
  CostTable take(bool AreKindsKept);

private:
  struct OpenInterval {
    uint32_t FrameRow; ///< as if it were selected
    uint32_t Row;
    uint32_t AskedRow;  ///< NoIndex: nobody's
    uint32_t Requested; ///< in RowsOfRequested; NoIndex: not there
    bool IsSelected, IsOutermost, IsAskedOnce;
  };

  uint32_t innermostRow() const {
    return Open.empty() ? NoIndex : Open.back().FrameRow;
  }
  void drop(OpenInterval &O);
  uint64_t addElided(const OpenInterval &O, const ElidedLeaves &Leaves,
                     uint64_t AvailableNs);
  uint64_t addCodeGeneration(const EndedInterval &E, bool IsSelected,
                             uint64_t AvailableNs);
  void addPart(std::string_view Name, uint64_t Ns, uint64_t GenerateNs,
               bool IsSelected);
  void addBackend(CostRow &R, const Interval &I, uint64_t SelfNs,
                  bool HasParts);
  void addMemoizedHits(TraceFilter &Filter);
  void addFunctions(TraceFilter &Filter);

  const Trace &T;
  RowIndex Rows;
  CostTable Table;
  // Of this sequence:
  const Sequence *S = nullptr;
  uint64_t IrGenerationNs = 0;
  std::vector<uint32_t> RowsOfRequested;
  ById<uint32_t> FirstRows; ///< by entity, of its first instantiation
  std::vector<OpenInterval> Open;
};

} // namespace instantrace
