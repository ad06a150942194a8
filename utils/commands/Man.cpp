/// \file
/// `instantrace man`: manual pages, made of what --help is made of.
///
/// Flow: CLI::App -> commandModel -> manPage -> stdout
#include "utils/cli/CommandModel.h"
#include "utils/cli/ManPage.h"
#include "utils/commands/Commands.h"
#include "utils/render/Output.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

CommandRun instantrace::addMan(CLI::App &App) {
  auto Name = std::make_shared<std::string>();
  CLI::App *Command = App.add_subcommand(
      "man", "Print the manual page of the tool or of a command.");
  Command->add_option("command", *Name,
                      "the command; without it, the tool itself");
  Command->footer("Examples:\n"
                  "  instantrace man summary | man -l -\n"
                  "  instantrace man > instantrace.1");
  return [Name, &App]() -> Result<int> {
    CommandModel Whole = commandModel(App);
    const CommandModel *Described =
        Name->empty() ? &Whole : Whole.command(*Name);
    if (!Described)
      return usageError("found no command '" + *Name +
                        "', expected one of those in instantrace help -a");
    Output Out(stdout);
    Out.append(manPage(Whole, *Described));
    return Out.finish();
  };
}
