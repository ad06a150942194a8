/// \file
/// The options of all commands that can look at a part of a trace.
///
/// Flow: command line -> [FilterOptions] -> FilterSpec -> TraceFilter
#ifndef INSTANTRACE_UTILS_CLI_FILTEROPTIONS_H
#define INSTANTRACE_UTILS_CLI_FILTEROPTIONS_H

#include "utils/analysis/view/TraceFilter.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace instantrace {

/// The options that were added, for a command that needs to exclude some.
struct FilterOptions {
  CLI::Option *Match, *Exclude, *Kind, *In, *MinTime, *NoSystem, *Level;
};

/// Adds them as a group. \p Spec must live until the command has run.
FilterOptions addFilterOptions(CLI::App &Command, FilterSpec &Spec);

/// None: the options are wrong, which was said.
std::optional<TraceFilter> usableFilter(const FilterSpec &Spec);

} // namespace instantrace

#endif
