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
  CLI::App *Command =
      App.add_subcommand("help", "Print the help of the tool or of a command.");
  Command->add_option("command", *Name,
                      "the command; without it, the tool itself");
  Command->footer("Examples:\n"
                  "  instantrace help summary\n"
                  "  instantrace help | less");
  return [Name, &App]() -> Result<int> {
    CommandModel Whole = commandModel(App);
    const CommandModel *Page = Name->empty() ? &Whole : Whole.command(*Name);
    if (!Page)
      return usageError("found no command '" + *Name +
                        "', expected one of those in instantrace --help");
    Output Out(stdout);
    Out.append(helpText(Whole, *Page, HelpLength::Long));
    return Out.finish();
  };
}
