/// \file
/// The command line: the options of the tool itself, and its commands.
///
/// Flow: main -> [CommandLine] -> one command of utils/commands
#ifndef INSTANTRACE_UTILS_CLI_COMMANDLINE_H
#define INSTANTRACE_UTILS_CLI_COMMANDLINE_H

#include "runtime/base/Result.h"
#include "utils/cli/Command.h"

#include <span>

namespace instantrace {

/// Parses the command line and runs the command in it. Help lists the commands
/// in the order of \p Adders.
/// \returns the exit code.
Result<int> runCommandLine(std::span<const CommandAdder> Adders, int Argc,
                           char **Argv);

} // namespace instantrace

#endif
