/// \file
/// What LLVM took for the functions of each entity of a compile.
///
/// Flow: CompileFacts -> [FunctionCosts] -> rules about code generation
#ifndef INSTANTRACE_UTILS_ANALYSIS_ADVICE_FUNCTIONCOSTS_H
#define INSTANTRACE_UTILS_ANALYSIS_ADVICE_FUNCTIONCOSTS_H

#include "utils/analysis/advice/Savings.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <vector>

namespace instantrace {

struct FunctionCosts {
  explicit FunctionCosts(const CompileFacts &C);

  std::vector<BackendCost> Costs; ///< by entity; empty: the compile tells none
  FunctionHomes Homes;
};

} // namespace instantrace

#endif
