/// \file
/// What `constraints` and `overloads` share: options, and the run itself.
///
/// Flow: TraceArguments, TraceFilter -> CheckSink -> [runChecks] -> CheckText
///       -> stdout
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/costs/CheckCosts.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/OutputOptions.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace instantrace {

struct CheckOptions {
  std::vector<std::string> Inputs;
  FilterSpec Filter;
  OutputOptions Output;
};

/// \p Options must live until the command has run.
void addCheckOptions(CLI::App &Command, CheckOptions &Options);

/// Prints the costs of one family; the exit code is 0.
Result<int> runChecks(const CheckOptions &Options, CheckFamily Family);

} // namespace instantrace
