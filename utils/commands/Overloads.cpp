/// \file
/// `instantrace overloads`: what trying candidates costs.
///
/// Flow: CheckOptions -> runChecks -> stdout
#include "utils/cli/CheckOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/commands/Commands.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

CommandRun instantrace::addOverloads(CLI::App &App) {
  auto Opts = std::make_shared<CheckOptions>();
  CLI::App *Command = App.add_subcommand(
      "overloads", "Show what the candidates of overload resolution cost.");
  addCheckOptions(*Command, *Opts);
  Command->footer(
      R"(A row is a function template, or whatever else template arguments are deduced
for; all overloads of one name together.

Columns:
  inclusive  time of the candidates with everything inside; recursion is
             counted once
  self       time of the steps alone, without instantiations and other
             candidates
  explicit   substitutions of explicit arguments
  deduced    substitutions of deduced arguments
  default    default arguments that were checked or instantiated
  prior      substitutions of earlier arguments into a parameter
  defined    specializations that were defined, whatever used them
A trace does not have the outcome, whether a candidate was viable, failed or
was chosen. Many tries and few definitions are a hint, not a proof.

Examples:
  instantrace overloads a.itrace
  instantrace overloads --in src/ --json a.itrace)");
  return runOnTraces<CheckOptions>(Opts, [](const CheckOptions &Options) {
    return runChecks(Options, CheckFamily::Candidates);
  });
}
