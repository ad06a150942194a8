/// \file
/// The options of all commands that can look at a part of a trace.
///
/// Flow: command line -> [FilterOptions] -> FilterSpec -> TraceFilter
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/view/TraceFilter.h"

#include <CLI/CLI.hpp>

namespace instantrace {

/// The options that were added, for a command that needs to exclude some.
struct FilterOptions {
  CLI::Option *Match, *Exclude, *Kind, *In, *MinTime, *NoSystem, *Level;
};

/// --clock, one of them, for a command that has no others.
void addClockOption(CLI::App &Command);

/// Adds them as a group. \p Spec must live until the command has run.
FilterOptions addFilterOptions(CLI::App &Command, FilterSpec &Spec);

/// An error of it is one of usage.
Result<TraceFilter> usableFilter(const FilterSpec &Spec);

} // namespace instantrace
