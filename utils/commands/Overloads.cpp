/// \file
/// `instantrace overloads`: what trying candidates costs.
///
/// Flow: CheckOptions -> runChecks -> stdout
#include "utils/cli/CheckOptions.h"
#include "utils/commands/Commands.h"

#include <memory>

using namespace instantrace;

CommandRun instantrace::addOverloads(CLI::App &App) {
  auto Opts = std::make_shared<CheckOptions>();
  CLI::App *Command = App.add_subcommand(
      "overloads", "Show what trying candidates of overload resolution costs.");
  addCheckOptions(*Command, *Opts);
  Command->footer(
      R"(A row is a function template, or whatever template arguments are deduced
for; all its overloads of one name together.

Columns:
  inclusive  time of the tries with all that they need; recursion is
             counted once
  self       of the steps alone, without instantiations and others' tries
  explicit   substitutions of arguments that are written down
  deduced    substitutions of deduced arguments
  default    default arguments that were checked or instantiated
  prior      substitutions of the arguments so far into a parameter
  defined    specializations that got a definition, from any use
A trace does not have the outcome: whether a candidate was viable, failed
or was chosen. Many tries beside few definitions are a hint, no proof.

Examples:
  instantrace overloads a.itrace
  instantrace overloads --in src/ --json a.itrace)");
  return [Opts] { return runChecks(*Opts, CheckFamily::Candidates); };
}
