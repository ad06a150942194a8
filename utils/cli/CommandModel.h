/// \file
/// The command line as data, so that help, manual pages and completion have one
/// source.
///
/// Flow:   CLI::App -> [commandModel] -> ManPage, ShellCompletion, suggestions
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace instantrace {

struct OptionModel {
  std::vector<std::string> Names; ///< "-n", "--by"; empty: positional
  std::string Positional;         ///< its name, of what is given without one
  std::string Usage;              ///< of a positional
  std::string Group;              ///< as the help has it
  std::string ValueName;          ///< what is behind the name; empty: nothing
  std::string Description;
  std::vector<std::string> Choices; ///< the words it takes; empty: any text
  bool TakesValue = false;
  bool IsRequired = false;
};

struct CommandModel {
  std::string Name;  ///< "instantrace" for the application
  std::string Group; ///< of a command, as the help has it
  std::string Description;
  std::string Footer;
  std::vector<OptionModel> Options;
  std::vector<CommandModel> Commands;

  /// Null: there is none of that name.
  const CommandModel *command(const std::string &Wanted) const {
    for (const CommandModel &C : Commands)
      if (C.Name == Wanted)
        return &C;
    return nullptr;
  }
};

CommandModel commandModel(const CLI::App &App);

/// How a usage line shows what is given without a name: `trace...`, `[file]`,
/// or what the option says by a type name with an ellipsis.
std::string positionalUsage(const CLI::Option &Option);

} // namespace instantrace
