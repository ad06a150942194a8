/// \file
/// `instantrace constraints` and `instantrace overloads`: what checks cost.
///
/// Flow: TraceArguments, TraceFilter -> checkCosts -> CheckText -> stdout
#include "utils/analysis/costs/CheckCosts.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/CheckText.h"
#include "utils/render/Diagnostics.h"

#include <memory>

using namespace instantrace;

namespace {

struct CheckOptions {
  std::vector<std::string> Inputs;
  FilterSpec Filter;
  OutputOptions Output;
};

Result<int> runChecks(const CheckOptions &Opts, CheckFamily Family) {
  std::optional<TraceFilter> Filter = usableFilter(Opts.Filter);
  if (!Filter)
    return ExitUsage;
  Result<Trace> T = readTraceArguments(Opts.Inputs);
  if (!T)
    return T.error();
  CheckCosts Costs = checkCosts(*T, Family, *Filter);
  Output Out(stdout);
  if (Opts.Output.Records)
    writeCheckRecords(Out, *Opts.Output.Records, *T, Costs, Family,
                      Opts.Output.Rows, Opts.Output.style());
  else
    writeCheckText(Out, *T, Costs, Family, Opts.Output.Rows,
                   Opts.Output.style(), standardOutputTerminal());
  return Out.finish();
}

CommandRun addChecks(CLI::App &Command, CheckFamily Family) {
  auto Opts = std::make_shared<CheckOptions>();
  addTraceArguments(Command, Opts->Inputs);
  addFilterOptions(Command, Opts->Filter);
  addOutputOptions(Command, Opts->Output, "rows");
  return [Opts, Family] { return runChecks(*Opts, Family); };
}

} // namespace

CommandRun instantrace::addConstraints(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "constraints", "Show what checking concepts and constraints costs.");
  Command->footer(
      "A row is a concept, with all steps of its checks but for those of "
      "concepts\n"
      "that it uses; or a constrained template, with what is in no concept.\n"
      "\n"
      "Columns:\n"
      "  inclusive  time of the checks with all that they need; recursion is\n"
      "             counted once\n"
      "  self       of the steps alone, without instantiations and other "
      "concepts\n"
      "  checks     of constraints and nested requirements\n"
      "  subst.     substitutions into constraints, with parameter mappings\n"
      "  requir.    requirements, and parameters, of requires-expressions\n"
      "  normal.    normalizations of constraints\n"
      "A trace does not have the outcome: whether a constraint was "
      "satisfied.\n"
      "\n"
      "Examples:\n"
      "  instantrace constraints a.itrace\n"
      "  instantrace constraints --match='^std::' -n 0 --csv a.itrace");
  return addChecks(*Command, CheckFamily::Constraints);
}

CommandRun instantrace::addOverloads(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "overloads", "Show what trying candidates of overload resolution costs.");
  Command->footer(
      "A row is a function template, or whatever template arguments are "
      "deduced\n"
      "for; all its overloads of one name together.\n"
      "\n"
      "Columns:\n"
      "  inclusive  time of the tries with all that they need; recursion is\n"
      "             counted once\n"
      "  self       of the steps alone, without instantiations and others' "
      "tries\n"
      "  explicit   substitutions of arguments that are written down\n"
      "  deduced    substitutions of deduced arguments\n"
      "  default    default arguments that were checked or instantiated\n"
      "  prior      substitutions of the arguments so far into a parameter\n"
      "  defined    specializations that got a definition, from any use\n"
      "A trace does not have the outcome: whether a candidate was viable, "
      "failed\n"
      "or was chosen. Many tries beside few definitions are a hint, no "
      "proof.\n"
      "\n"
      "Examples:\n"
      "  instantrace overloads a.itrace\n"
      "  instantrace overloads --in src/ --json a.itrace");
  return addChecks(*Command, CheckFamily::Candidates);
}
