/// \file
/// A summary for a command that has recorded something.
///
/// Flow: command -> [summarize] (Summary.cpp) -> a stream
#ifndef INSTANTRACE_UTILS_COMMANDS_SUMMARIZING_H
#define INSTANTRACE_UTILS_COMMANDS_SUMMARIZING_H

#include "runtime/base/Result.h"
#include "utils/analysis/costs/Costs.h"

#include <cstdio>
#include <string>
#include <vector>

namespace instantrace {

/// As `summary --by=BY -n ROWS` does, to \p Into.
Result<int> summarize(const std::vector<std::string> &Inputs, CostKey By,
                      size_t Rows, FILE *Into);

} // namespace instantrace

#endif
