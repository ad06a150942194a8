/// \file
/// The registry: a command is a file in this folder and a line in Commands.def.
///
/// Flow: [AllCommands] -> CommandLine
#pragma once

#include "utils/cli/Command.h"

#include <array>
#include <cstddef>
#include <iterator>

namespace instantrace {

#define COMMAND(Name) CommandRun add##Name(CLI::App &App);
#include "utils/commands/Commands.def"

/// In the order of the help.
inline constexpr CommandAdder AllCommands[] = {
#define COMMAND(Name) add##Name,
#include "utils/commands/Commands.def"
};

/// The title that the help has above each of them.
inline constexpr auto GroupsOfCommands = [] {
  std::array<const char *, std::size(AllCommands)> Groups{};
  const char *Group = "";
  size_t Index = 0;
#define COMMAND_GROUP(Title) Group = Title;
#define COMMAND(Name) Groups[Index++] = Group;
#include "utils/commands/Commands.def"
  return Groups;
}();

/// The registry's names of them.
inline constexpr const char *NamesOfCommands[] = {
#define COMMAND(Name) #Name,
#include "utils/commands/Commands.def"
};

} // namespace instantrace
