/// \file
/// The options of all commands that show names.
///
/// Flow: command line -> [NameOptions] -> NameStyle -> NameText
#ifndef INSTANTRACE_UTILS_CLI_NAMEOPTIONS_H
#define INSTANTRACE_UTILS_CLI_NAMEOPTIONS_H

#include "runtime/strings/Dictionary.h"

#include <CLI/CLI.hpp>

namespace instantrace {

/// Adds them as a group. \p Style must live until the command has run.
void addNameOptions(CLI::App &Command, NameStyle &Style);

} // namespace instantrace

#endif
