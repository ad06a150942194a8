/// \file
/// `instantrace constraints`: what checking constraints costs.
///
/// Flow: CheckOptions -> runChecks -> stdout
#include "utils/cli/CheckOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/commands/Commands.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

CommandRun instantrace::addConstraints(CLI::App &App) {
  auto Opts = std::make_shared<CheckOptions>();
  CLI::App *Command = App.add_subcommand(
      "constraints", "Show what checks of concepts and constraints cost.");
  addCheckOptions(*Command, *Opts);
  Command->footer(
      R"(A row is a concept, with all steps of its checks except those of concepts
that it uses; or a constrained template, with the steps outside concepts.

Columns:
  inclusive  time of the checks with everything inside; recursion is counted
             once
  self       time of the steps alone, without instantiations and other
             concepts
  checks     checks of constraints and nested requirements
  subst.     substitutions into constraints, with parameter mappings
  requir.    requirements, and parameters, of requires-expressions
  normal.    normalizations of constraints
A trace does not have the outcome, whether a constraint was satisfied.

Examples:
  instantrace constraints a.itrace
  instantrace constraints --match='^std::' -n 0 --csv a.itrace)");
  return runOnTraces<CheckOptions>(Opts, [](const CheckOptions &Options) {
    return runChecks(Options, CheckFamily::Constraints);
  });
}
