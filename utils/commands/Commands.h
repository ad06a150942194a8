/// \file
/// The registry of commands and the command line they share.
///
/// Flow: Main -> [CommandLine] -> one file per command in this folder
#ifndef INSTANTRACE_UTILS_COMMANDS_COMMANDS_H
#define INSTANTRACE_UTILS_COMMANDS_COMMANDS_H

#include "utils/cli/Command.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// Each adds one command to the application and returns how to run it.
#define COMMAND(Name) CommandRun add##Name(CLI::App &App);
#include "utils/commands/Commands.def"

class CommandLine {
public:
  CommandLine();
  /// The exit code if there is nothing to run: help, version, wrong usage.
  std::optional<int> parse(int Argc, char **Argv);
  /// Requires: parse() gave nothing.
  Result<int> run();

private:
  std::string unknownCommand(const std::string &Word) const;
  std::string suggestion(int Argc, char **Argv) const;

  CLI::App App;
  std::vector<std::pair<CLI::App *, CommandRun>> Commands;
  bool PrintVersion = false;
  bool PrintPluginPath = false;
};

} // namespace instantrace

#endif
