/// \file
/// `instantrace completion` and `instantrace man`: what shells and man read,
/// made of what --help is made of.
///
/// Flow: CLI::App -> commandModel -> shellCompletion, manPage -> stdout
#include "utils/cli/Choices.h"
#include "utils/cli/CommandModel.h"
#include "utils/cli/ManPage.h"
#include "utils/cli/ShellCompletion.h"
#include "utils/commands/Commands.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Output.h"

#include <memory>

using namespace instantrace;

namespace {

constexpr Choice<Shell> Shells[] = {
    {"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}};

} // namespace

CommandRun instantrace::addCompletion(CLI::App &App) {
  auto For = std::make_shared<Shell>(Shell::Bash);
  CLI::App *Command = App.add_subcommand(
      "completion", "Print a script that completes commands in a shell.");
  addChoice(*Command, "shell", Shells, *For, "which one")->required();
  Command->footer("Examples:\n"
                  "  source <(instantrace completion bash)\n"
                  "  instantrace completion zsh > ~/.zfunc/_instantrace\n"
                  "  instantrace completion fish > "
                  "~/.config/fish/completions/instantrace.fish");
  return [For, &App]() -> Result<int> {
    Output Out(stdout);
    Out.append(shellCompletion(*For, commandModel(App)));
    return Out.finish();
  };
}

CommandRun instantrace::addMan(CLI::App &App) {
  auto Name = std::make_shared<std::string>();
  CLI::App *Command = App.add_subcommand(
      "man", "Print a manual page, for man, of the tool or of a command.");
  Command->add_option("command", *Name, "which one; none: the tool itself");
  Command->footer("Example:\n"
                  "  instantrace man summary | man -l -");
  return [Name, &App]() -> Result<int> {
    CommandModel Whole = commandModel(App);
    const CommandModel *Of = Name->empty() ? &Whole : nullptr;
    for (const CommandModel &Candidate : Whole.Commands)
      if (Candidate.Name == *Name)
        Of = &Candidate;
    if (!Of) {
      printError("found no command '" + *Name +
                 "', expected one of those in instantrace --help");
      return ExitUsage;
    }
    Output Out(stdout);
    Out.append(manPage(Whole, *Of));
    return Out.finish();
  };
}
