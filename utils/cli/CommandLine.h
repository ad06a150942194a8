/// \file
/// The command line: the options of the tool itself, and its commands.
///
/// Flow: main -> [CommandLine] -> one command of utils/commands
#pragma once

#include "runtime/base/Result.h"
#include "utils/cli/Command.h"

#include <span>

namespace instantrace {

/// What the command line asks for, which may be help; nothing is printed before
/// it runs. Help lists the commands in the order of \p Adders, each below its
/// title in \p Groups.
Result<CommandRun> parseCommandLine(std::span<const CommandAdder> Adders,
                                    int Argc, char **Argv,
                                    std::span<const char *const> Groups = {});

/// Parses the command line and runs the command in it.
/// \returns the exit code.
Result<int> runCommandLine(std::span<const CommandAdder> Adders, int Argc,
                           char **Argv,
                           std::span<const char *const> Groups = {});

} // namespace instantrace
