/// \file
/// The registry: a command is a file in this folder and a line in Commands.def.
///
/// Flow: [AllCommands] -> CommandLine
#ifndef INSTANTRACE_UTILS_COMMANDS_COMMANDS_H
#define INSTANTRACE_UTILS_COMMANDS_COMMANDS_H

#include "utils/cli/Command.h"

namespace instantrace {

#define COMMAND(Name) CommandRun add##Name(CLI::App &App);
#include "utils/commands/Commands.def"

/// In the order of the help.
inline constexpr CommandAdder AllCommands[] = {
#define COMMAND(Name) add##Name,
#include "utils/commands/Commands.def"
};

} // namespace instantrace

#endif
