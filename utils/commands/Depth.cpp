/// \file
/// `instantrace depth`: how deep it goes, and what recurs.
///
/// Flow: TraceArguments, TraceFilter -> findRecursion -> RecursionText ->
/// stdout
#include "utils/analysis/chains/Recursion.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/RecursionText.h"

#include <memory>

using namespace instantrace;

namespace {

struct DepthOptions {
  std::vector<std::string> Inputs;
  FilterSpec Filter;
  OutputOptions Output;
};

Result<int> runDepth(const DepthOptions &Opts) {
  Result<TraceFilter> Filter = usableFilter(Opts.Filter);
  if (!Filter)
    return Filter.error();
  Result<Trace> T = readTraceArguments(Opts.Inputs);
  if (!T)
    return T.error();
  RecursionReport Report = findRecursion(*T, *Filter);
  Output Out(stdout);
  if (Opts.Output.Records)
    writeRecursionRecords(Out, *Opts.Output.Records, *T, Report,
                          Opts.Output.Rows, Opts.Output.style());
  else
    writeRecursionText(Out, *T, Report, Opts.Output.Rows, Opts.Output.style(),
                       standardOutputTerminal());
  return Out.finish();
}

} // namespace

CommandRun instantrace::addDepth(CLI::App &App) {
  auto Opts = std::make_shared<DepthOptions>();
  Opts->Output.Rows = 10;
  CLI::App *Command = App.add_subcommand(
      "depth", "Show how deep instantiations go, and which templates recur.");
  addTraceArguments(*Command, Opts->Inputs);
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "rows of each table");
  Command->footer(
      R"(Deepest chains: depth is how many instantiations, substitutions and so on
are inside one another, as -ftemplate-depth counts. Of those between the
same two templates the deepest is shown.

Recursive templates:
  depth    specializations inside one another, over late bodies, too
  total    specializations that were instantiated in all
  times    recursions
  self     time of all its instantiations
  growth   of the deepest recursion: linear, if N steps needed up to 2 N
           specializations; quadratic, from N * N / 4 on, in it or, of 32 or
           more steps, in all recursions; short, below 8 steps. Names that
           grow with the steps mean that each step copies all its
           arguments: quadratic work in a linear recursion

Examples:
  instantrace depth a.itrace
  instantrace depth --match='^mine::' -n 0 build/)");
  return [Opts] { return runDepth(*Opts); };
}
