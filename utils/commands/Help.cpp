/// \file
/// `instantrace help`: what --help prints, found like the commands.
///
/// Flow: CLI::App -> commandModel -> helpText -> stdout
#include "utils/cli/CommandModel.h"
#include "utils/cli/HelpText.h"
#include "utils/commands/Commands.h"
#include "utils/render/Output.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

CommandRun instantrace::addHelp(CLI::App &App) {
  auto Name = std::make_shared<std::string>();
  auto HasAll = std::make_shared<bool>(false);
  CLI::App *Command =
      App.add_subcommand("help", "Print the help of the tool or of a command.");
  Command->add_option("command", *Name,
                      "the command; without it, the tool itself");
  Command->add_flag("-a,--all", *HasAll, "all commands");
  Command->footer("Examples:\n"
                  "  instantrace help summary\n"
                  "  instantrace help -a");
  return [Name, HasAll, &App]() -> Result<int> {
    CommandModel Whole = commandModel(App);
    const CommandModel *Page = Name->empty() ? &Whole : Whole.command(*Name);
    if (!Page)
      return usageError("found no command '" + *Name +
                        "', expected one of those in instantrace help -a");
    Output Out(stdout);
    Out.append(
        helpText(Whole, *Page, *HasAll ? HelpLength::All : HelpLength::Long));
    return Out.finish();
  };
}
