/// \file
/// `instantrace constraints`: what checking constraints costs.
///
/// Flow: CheckOptions -> runChecks -> stdout
#include "utils/cli/CheckOptions.h"
#include "utils/commands/Commands.h"

#include <memory>

using namespace instantrace;

CommandRun instantrace::addConstraints(CLI::App &App) {
  auto Opts = std::make_shared<CheckOptions>();
  CLI::App *Command = App.add_subcommand(
      "constraints", "Show what checking concepts and constraints costs.");
  addCheckOptions(*Command, *Opts);
  Command->footer(
      R"(A row is a concept, with all steps of its checks but for those of concepts
that it uses; or a constrained template, with what is in no concept.

Columns:
  inclusive  time of the checks with all that they need; recursion is
             counted once
  self       of the steps alone, without instantiations and other concepts
  checks     of constraints and nested requirements
  subst.     substitutions into constraints, with parameter mappings
  requir.    requirements, and parameters, of requires-expressions
  normal.    normalizations of constraints
A trace does not have the outcome: whether a constraint was satisfied.

Examples:
  instantrace constraints a.itrace
  instantrace constraints --match='^std::' -n 0 --csv a.itrace)");
  return [Opts] { return runChecks(*Opts, CheckFamily::Constraints); };
}
