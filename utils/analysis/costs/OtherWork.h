/// \file
/// The rows of a cost table that are not template work, and what can be done
/// about each.
///
/// Flow:   CostTable -> [takeOtherWork] -> sortCosts, CostText
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_OTHERWORK_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_OTHERWORK_H

#include "utils/analysis/costs/Costs.h"

#include <string_view>

namespace instantrace {

/// A few words about a row of that name; empty: it is template work, if of no
/// group. With what LLVM did, some say less.
std::string_view otherWorkHint(std::string_view Row, bool HasBackend);

/// Moves those rows from Rows to OtherWork.
void takeOtherWork(CostTable &Table);

} // namespace instantrace

#endif
