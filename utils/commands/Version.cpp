/// \file
/// `instantrace version`: what --version prints, found like the commands.
///
/// Flow: Installation -> stdout
#include "utils/cli/Installation.h"
#include "utils/commands/Commands.h"

#include <CLI/CLI.hpp>

using namespace instantrace;

CommandRun instantrace::addVersion(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "version", "Print the versions of the tool and of the trace format.");
  Command->footer("Examples:\n"
                  "  instantrace version\n"
                  "  instantrace version | head -n 1");
  return [] { return printVersion(); };
}
