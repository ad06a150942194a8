/// \file
/// The command line: the options of the tool itself, and its commands.
///
/// Flow: main -> [CommandLine] -> one command of utils/commands
#ifndef INSTANTRACE_UTILS_CLI_COMMANDLINE_H
#define INSTANTRACE_UTILS_CLI_COMMANDLINE_H

#include "runtime/base/Result.h"
#include "utils/cli/Command.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

class CommandLine {
public:
  /// Help lists the commands in the order of \p Adders.
  explicit CommandLine(std::span<const CommandAdder> Adders);
  /// The exit code if there is nothing to run: help, version.
  Result<std::optional<int>> parse(int Argc, char **Argv);
  /// Requires: parse() gave no exit code.
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
