/// \file
/// What constraints and candidates of overload resolution cost, by whose they
/// are.
///
/// Flow:   Trace, TraceFilter -> [CheckCosts] -> constraints, overloads
///
/// Clang names each step of a check after another entity, or after none, so a
/// step belongs to what the steps around it are for: to the innermost concept
/// that is being checked, or to the function template whose arguments are being
/// deduced. Instantiations that a step needs are inside it, and in its
/// inclusive time only.
///
/// A trace does not have the outcome: neither whether a constraint was
/// satisfied, nor whether a candidate was viable, failed or was chosen.
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_CHECKCOSTS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_CHECKCOSTS_H

#include "utils/analysis/names/RowName.h"
#include "utils/analysis/view/TraceFilter.h"

#include <array>
#include <vector>

namespace instantrace {

enum class CheckFamily { Constraints, Candidates };

struct CheckRow {
  RowName Owner;
  bool IsConcept = false;
  std::array<uint64_t, EventKindLimit> Counts{}; ///< by kind
  uint64_t SelfNs = 0;                           ///< of the steps
  uint64_t InclusiveNs = 0; ///< of outermost steps, with what they needed
  uint64_t AstBytes = 0;
  /// Definitions of specializations of the same template, anywhere.
  uint64_t Definitions = 0;

  uint64_t count(const std::vector<EventKind> &Kinds) const;
};

struct CheckCosts {
  std::vector<CheckRow> Rows; ///< most inclusive time first
  uint64_t TotalNs = 0;       ///< of the root intervals
  uint64_t SelfNs = 0;        ///< of all steps
  uint64_t FilteredNs = 0;    ///< self time of steps that are not selected
};

CheckCosts checkCosts(const Trace &T, CheckFamily Family, TraceFilter &Filter);

} // namespace instantrace

#endif
