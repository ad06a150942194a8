/// \file
/// `instantrace completion`: a script that shells read, made of what --help is
/// made of.
///
/// Flow: CLI::App -> commandModel -> shellCompletion -> stdout
#include "utils/cli/Choices.h"
#include "utils/cli/CommandModel.h"
#include "utils/cli/ShellCompletion.h"
#include "utils/commands/Commands.h"
#include "utils/render/Output.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

constexpr Choice<Shell> Shells[] = {
    {"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}};

} // namespace

CommandRun instantrace::addCompletion(CLI::App &App) {
  auto Wanted = std::make_shared<Shell>(Shell::Bash);
  CLI::App *Command = App.add_subcommand(
      "completion", "Print a script that completes commands in a shell.");
  addChoice(*Command, "shell", Shells, *Wanted, "the shell")->required();
  Command->footer(R"(Examples:
  source <(instantrace completion bash)
  instantrace completion zsh > ~/.zfunc/_instantrace
  instantrace completion fish > ~/.config/fish/completions/instantrace.fish)");
  return [Wanted, &App]() -> Result<int> {
    Output Out(stdout);
    Out.append(shellCompletion(*Wanted, commandModel(App)));
    return Out.finish();
  };
}
