/// \file
/// `instantrace diff`: what changed between two builds.
///
/// Flow: two TraceArguments -> matchCompiles -> costs of each -> diffCosts
///       -> DiffText -> stdout, exit code
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/CostDiff.h"
#include "utils/cli/CostChoices.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/DiffText.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct DiffOptions {
  std::string Old, New;
  CostKey By = CostKey::Template;
  CostOrder Order = CostOrder::Count;
  Noise Within;
  FilterSpec Filter;
  OutputOptions Output;
  bool Markdown = false;
  std::vector<std::string> FailOn;
};

std::vector<std::string> pathsOf(const Trace &T,
                                 const std::vector<uint32_t> &Compiles) {
  std::vector<std::string> Paths;
  for (uint32_t Index : Compiles) {
    std::string Path = inputPath(T.Sequences[Index]);
    Paths.push_back(Path.empty() ? T.Files[T.Sequences[Index].FileIndex].Name
                                 : Path);
  }
  return Paths;
}

Result<std::vector<JudgedBound>> judge(const std::vector<Bound> &Bounds,
                                       const ComparedBuild &Old,
                                       const ComparedBuild &New, CostKey By,
                                       TraceFilter &Filter) {
  std::vector<JudgedBound> Judged;
  if (Bounds.empty())
    return Judged;
  CostTable OldCosts, NewCosts;
  bool IsThere = By == CostKey::Template;
  if (!IsThere) {
    OldCosts = costs(Old.T, CostKey::Template, Filter);
    NewCosts = costs(New.T, CostKey::Template, Filter);
  }
  BuildCosts Before{Old.T, IsThere ? Old.Costs : OldCosts};
  BuildCosts After{New.T, IsThere ? New.Costs : NewCosts};
  for (const Bound &B : Bounds) {
    for (const BuildCosts *Build : {&After, &Before})
      if (Build == &After || B.IsGrowth)
        if (Result<void> Can = checkable(B, *Build); !Can)
          return Can.error();
    BoundCheck C = check(B, After, &Before);
    Judged.push_back({B, C, !C.IsTrue});
  }
  return Judged;
}

Result<int> runDiff(const DiffOptions &Opts) {
  Result<TraceFilter> Filter = usableFilter(Opts.Filter);
  if (!Filter)
    return Filter.error();
  std::vector<Bound> Bounds;
  for (const std::string &Text : Opts.FailOn) {
    Result<Bound> B = parseBound(Text);
    if (!B)
      return usageError("--fail-on '" + Text + "': " + B.error().Message);
    Bounds.push_back(std::move(*B));
  }
  Result<Trace> OldTrace = readTraceArguments({Opts.Old});
  if (!OldTrace)
    return OldTrace.error();
  Result<Trace> NewTrace = readTraceArguments({Opts.New});
  if (!NewTrace)
    return NewTrace.error();
  Result<CompileMatch> Match =
      matchBuilds(*OldTrace, Opts.Old, *NewTrace, Opts.New);
  if (!Match)
    return Match.error();
  ComparedBuild Old, New;
  Old.Only = pathsOf(*OldTrace, Match->OnlyOld);
  New.Only = pathsOf(*NewTrace, Match->OnlyNew);
  keepPairs(*OldTrace, *NewTrace, *Match);
  Old.T = std::move(*OldTrace);
  New.T = std::move(*NewTrace);
  Old.Costs = costs(Old.T, Opts.By, *Filter);
  New.Costs = costs(New.T, Opts.By, *Filter);
  moveRoot(Old.Costs, Match->OldRoot, Match->NewRoot);
  CostDiff Rows =
      diffCosts(Old.Costs, Old.T, New.Costs, New.T, Opts.Order, Opts.Within);
  Result<std::vector<JudgedBound>> Judged =
      judge(Bounds, Old, New, Opts.By, *Filter);
  if (!Judged)
    return Judged.error();
  BuildDiff Diff{Old, New, Rows, Opts.Within, *Judged};
  DiffTextStyle Style{nameOf(CostKeys, Opts.By), Opts.Output.style(),
                      Opts.Output.Rows};
  Output Out(stdout);
  if (Opts.Output.Records)
    writeDiffRecords(Out, *Opts.Output.Records, Diff, Style);
  else if (Opts.Markdown)
    writeDiffMarkdown(Out, Diff, Style);
  else
    writeDiff(Out, Diff, Style, standardOutputTerminal());
  Result<int> Written = Out.finish();
  if (!Written)
    return Written.error();
  for (const JudgedBound &B : *Judged)
    if (!B.IsKept)
      return ExitOverBudget;
  return ExitSuccess;
}

} // namespace

CommandRun instantrace::addDiff(CLI::App &App) {
  auto Opts = std::make_shared<DiffOptions>();
  CLI::App *Command = App.add_subcommand(
      "diff", "Show what changed between two builds, and fail when a bound is "
              "exceeded.");
  Command
      ->add_option("old", Opts->Old,
                   "a trace, or a folder with the traces of a build")
      ->required();
  Command->add_option("new", Opts->New, "the same of the other build")
      ->required();
  addChoice(*Command, "--by", CostKeys, Opts->By,
            "what a row stands for, template by default");
  addChoice(*Command, "--sort", CostOrders, Opts->Order,
            "largest change first; of count by default, since times are noisy");
  Command
      ->add_option("--noise", Opts->Within.Percent,
                   "treat times as equal that differ by at most this many "
                   "percent, or by at most 1 ms (default 10)")
      ->check(CLI::NonNegativeNumber);
  Command
      ->add_option(
          "--fail-on", Opts->FailOn,
          "exit with 3 if this holds, such as 'count>+5%'; may be repeated")
      ->allow_extra_args(false);
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "rows");
  addMarkdownOption(*Command, Opts->Markdown);
  Command->footer(
      R"(Compiles are matched by the paths of their source files, by as much of the end
as agrees, so the two builds may be in different folders; a path below the old
folder is the same as that path below the new one. Compiles without a partner
are listed, and not compared.

Counts are the same in every run of one compiler on one source, so every change
of them is real. Times are not: ~ means within the noise. Unchanged rows are not
shown; + before a name means that it appeared, - that it disappeared.

A bound is METRIC COMPARISON LIMIT, or METRIC(PATTERN) COMPARISON LIMIT for the
templates whose names match:
  count, memoized, ast, self   of templates
  time                         of the whole compiles
  frontend, optimize, generate, bytes, functions
                               of the templates' functions (docs/use/backend.md)
  > >= < <=                    and a number, with a unit: 1200, 1.5s, 20MB
  + before the number          limits the growth: +100, +5%, +20ms
Exit code 3 if a --fail-on bound holds; 1 if the traces cannot be compared.

Examples:
  instantrace diff before.itrace after.itrace
  instantrace diff --by=file --sort=count base/build branch/build
  instantrace diff --fail-on='count>+5%' --markdown base/ head/ >>$GITHUB_STEP_SUMMARY)");
  return [Opts] { return runDiff(*Opts); };
}
