/// \file
/// The options of all commands that show names.
///
/// Flow: command line -> [NameOptions] -> NameStyle -> NameText
#pragma once

#include "utils/analysis/names/NameLimit.h"

#include <CLI/CLI.hpp>

namespace instantrace {

/// Adds them as a group. \p Style must live until the command has run.
void addNameOptions(CLI::App &Command, NameStyle &Style);

/// What `--max-name` says; if it was not given, which is 0, what is affordable,
/// with a note if that is less than usual.
uint64_t nameLimitBytes(uint64_t AskedBytes, const Trace &T,
                        const NameBudget &Budget);
/// The same of traces that are read one by one.
uint64_t nameLimitBytes(uint64_t AskedBytes, const NameSizes &Sizes,
                        const NameBudget &Budget);

/// The same of `--max-path`.
uint64_t pathLimitBytes(uint64_t AskedBytes, const Trace &T,
                        const PathBudget &Budget);

} // namespace instantrace
