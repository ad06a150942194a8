/// \file
/// `instantrace depth`: how deep it goes, and what recurs.
///
/// Flow: TraceArguments, TraceFilter -> RecursionSink -> MergedRecursion
///       -> RecursionText -> stdout
#include "utils/analysis/chains/Recursion.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NamedPart.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/QuestionTraces.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/RecursionText.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

using namespace instantrace;

namespace {

struct DepthOptions {
  std::vector<std::string> Inputs;
  FilterSpec Filter;
  OutputOptions Output;
};

Result<int> runDepth(const DepthOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  QuestionTraces Traces(Opts.Inputs);
  INSTANTRACE_TRY(Traces.find(Filter));
  MergedNames Names;
  MergedRecursion Merged;
  INSTANTRACE_TRY(Traces.stream(
      [&] { return std::make_unique<NamedPart<RecursionSink>>(Filter); },
      [&](NamedPart<RecursionSink> &Part) -> Result<void> {
        Names.enterTrace(Part.T);
        Merged.add(std::move(Part.Taken), Part.T, Names);
        return {};
      }));
  const Trace &T = Names.trace();
  RecursionReport Report = Merged.take(T);
  return Opts.Output.print(writeRecursionText, writeRecursionRecords, T, Report,
                           Opts.Output.Rows, Opts.Output.style());
}

} // namespace

CommandRun instantrace::addDepth(CLI::App &App) {
  auto Opts = std::make_shared<DepthOptions>();
  Opts->Output.Rows = 10;
  CLI::App *Command = App.add_subcommand(
      "depth",
      "Show how deep instantiations nest, and which templates recurse.");
  addTracesOrNewest(*Command, Opts->Inputs);
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "rows of each table");
  Command->footer(
      R"(Deepest chains: depth is the number of nested instantiations, substitutions
and so on, as -ftemplate-depth counts them. The deepest of several chains
between the same two templates is shown.

Recursive templates:
  depth    nested specializations, late bodies included
  total    specializations instantiated in all
  times    recursions
  self     time of all instantiations of the template
  growth   of the deepest recursion: short below 8 steps; linear if N steps
           need at most 2 N specializations; quadratic if they need N * N / 4
           or more, in this recursion or, from 32 steps on, in all of them.
           Names that grow with the steps mean that each step copies all its
           arguments: quadratic work in a linear recursion

Examples:
  instantrace depth a.itrace
  instantrace depth --match='^mine::' -n 0 build/)");
  return runOnTraces(Opts, runDepth);
}
