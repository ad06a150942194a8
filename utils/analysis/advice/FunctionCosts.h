/// \file
/// What LLVM took for the functions of each entity of a compile.
///
/// Flow: CompileFacts -> [FunctionCosts] -> rules about code generation
#pragma once

#include "utils/analysis/advice/Savings.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <vector>

namespace instantrace {

struct FunctionCosts {
  /// The compile must outlive this.
  explicit FunctionCosts(const CompileFacts &C);

  std::vector<BackendCost> Costs; ///< by entity; empty: the compile tells none
  FunctionHomes Homes;
  /// Of code generation as a whole over what is charged to functions: making
  /// IR, and passes over the module, take longer for more functions.
  double WholePerFunctions = 1;
  uint64_t WholeNs = 0; ///< of code generation, also if nothing tells more

  /// Of the functions that an interval made, which is their home; null: none.
  const BackendCost *madeBy(IntervalId Interval) const {
    EntityId Made = S->Intervals[Interval.Value].Entity;
    return Homes.of(Made) == Interval ? &Costs[Made.Value] : nullptr;
  }

private:
  const Sequence *S;
};

} // namespace instantrace
