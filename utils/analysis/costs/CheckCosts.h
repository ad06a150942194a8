/// \file
/// What constraints and candidates of overload resolution cost, by whose they
/// are.
///
/// Flow:   events, TraceFilter -> [CheckSink] -> CheckCosts of each trace
///         -> [MergedChecks] -> constraints, overloads
/// Memory: rows and open intervals
///
/// Clang names each step of a check after another entity, or after none, so a
/// step belongs to what the steps around it are for: to the innermost concept
/// that is being checked, or to the function template whose arguments are being
/// deduced. Instantiations that a step needs are inside it, and in its
/// inclusive time only.
///
/// A trace does not have the outcome: neither whether a constraint was
/// satisfied, nor whether a candidate was viable, failed or was chosen.
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/names/RowName.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/TraceFilter.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace instantrace {

enum class CheckFamily { Constraints, Candidates };

struct CheckRow {
  RowName Owner;
  NameKey Key; ///< of it
  bool IsConcept = false;
  std::array<uint64_t, EventKindLimit> Counts{}; ///< by kind
  uint64_t SelfNs = 0;                           ///< of the steps
  uint64_t InclusiveNs = 0; ///< of outermost steps, with what they needed
  uint64_t AstBytes = 0;
  /// Of candidates, definitions of specializations of the same template,
  /// anywhere; when all traces are merged.
  uint64_t Definitions = 0;

  uint64_t count(const std::vector<EventKind> &Kinds) const;
};

struct CheckCosts {
  std::vector<CheckRow> Rows; ///< most inclusive time first
  uint64_t TotalNs = 0;       ///< of the root intervals
  uint64_t SelfNs = 0;        ///< of all steps
  uint64_t FilteredNs = 0;    ///< self time of steps that are not selected
  /// Of candidates: by the template set.
  std::unordered_map<NameKey, uint64_t, NameKeyHash> Definitions;
};

class CheckSink final : public TraceSink, EventSink {
public:
  /// \p T must outlive it, and is what the trace is read into: it has its
  /// tables when its events begin. Filters remember what they are asked, so
  /// \p Filter is copied.
  CheckSink(const Trace &T, CheckFamily Family, const TraceFilter &Filter)
      : T(T), Family(Family), Filter(Filter) {}

  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override {}
  /// With rows in no order. Ends the life of the sink.
  CheckCosts take();

private:
  struct OpenInterval {
    uint32_t Owner; ///< of a step; otherwise NoIndex
    bool IsCounted;
  };

  void begin(IntervalId, const Interval &I) override;
  void end(IntervalId, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &) override {}
  uint32_t ownerOf(const Interval &I);
  CheckRow &row(uint32_t Group);

  const Trace &T;
  CheckFamily Family;
  TraceFilter Filter;
  std::optional<EntityGroups> Groups; ///< when there are names
  CheckCosts Costs;
  std::vector<CheckRow> Rows;        ///< by group
  std::vector<uint32_t> OpenSteps;   ///< by group: of it
  std::vector<uint64_t> Definitions; ///< by group
  std::vector<bool> IsConcept;       ///< by group
  // Of this sequence:
  const Sequence *S = nullptr;
  OpenTimes Times;
  std::vector<OpenInterval> Open;
};

/// Puts the rows of all traces in order, and counts their definitions. \p Names
/// are those of the rows.
void settleChecks(CheckCosts &Costs, const Trace &Names);

class MergedChecks {
public:
  /// \p Costs is of the trace that \p Names entered last.
  void add(CheckCosts Costs, MergedNames &Names);
  /// Settled; \p Names have been given to add().
  CheckCosts take(const Trace &Names);

private:
  std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey;
  CheckCosts Sum;
};

} // namespace instantrace
