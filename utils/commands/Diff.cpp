/// \file
/// `instantrace diff`: what changed between two builds.
///
/// Flow: two TraceArguments -> names of each -> matchCompiles -> sums of what
///       is compared -> diffCosts -> DiffText -> stdout, exit code
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/CostDiff.h"
#include "utils/analysis/costs/RowMatch.h"
#include "utils/cli/CostChoices.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/SummedBuild.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/CompilerText.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/DiffText.h"
#include "utils/render/HookText.h"
#include "utils/render/NumberText.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <utility>

using namespace instantrace;

namespace {

struct DiffOptions {
  std::vector<std::string> Builds; ///< old ones, and the new one
  CostKey Key = CostKey::Template;
  CostOrder Order = CostOrder::Count;
  Noise Within;
  FilterSpec Filter;
  OutputOptions Output;
  bool Markdown = false;
  std::vector<std::string> FailOn;
  bool AcrossCompilers = false;

  const std::string &old() const { return Builds.front(); }
  const std::string &newest() const { return Builds.back(); }
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

/// A build, and what bounds are about.
struct BuildToCompare {
  ComparedBuild Is;
  std::optional<CostTable> ByTemplate; ///< none: it is what is compared
  CostTable ByFile = {};               ///< in text alone
  CostTable ByKind = {};               ///< of two Clangs, in text alone

  BuildCosts forBounds() const {
    return {*Is.Names, ByTemplate ? *ByTemplate : Is.Costs};
  }
};

Result<std::vector<JudgedBound>> judge(const std::vector<Bound> &Bounds,
                                       const BuildToCompare &Old,
                                       const BuildToCompare &New) {
  std::vector<JudgedBound> Judged;
  BuildCosts Before = Old.forBounds(), After = New.forBounds();
  for (const Bound &B : Bounds) {
    for (const BuildCosts *Build : {&After, &Before})
      if (Build == &After || B.IsGrowth)
        INSTANTRACE_TRY(checkable(B, *Build));
    BoundCheck C = check(B, After, &Before);
    Judged.push_back({B, C, !C.IsTrue});
  }
  return Judged;
}

Result<int> compare(const DiffOptions &Opts, const std::vector<Bound> &Bounds,
                    BuildToCompare &Old, const BuildToCompare &New,
                    const CompileMatch &Match, TimeSpreads Spreads,
                    std::vector<std::string> Renamed, std::string Compilers) {
  matchRows(Old.Is.Costs, *Old.Is.Names, New.Is.Costs, *New.Is.Names,
            {Match.OldRoot, Match.NewRoot});
  Noise Within = Opts.Within;
  if (Spreads.recordings() != 0) {
    Spreads.add(Old.Is.Costs);
    Within.Spreads = &Spreads;
  }
  CostDiff Rows = diffCosts(Old.Is.Costs, *Old.Is.Names, New.Is.Costs,
                            *New.Is.Names, Opts.Order, Within);
  INSTANTRACE_TRY_ASSIGN(std::vector<JudgedBound> Judged,
                         judge(Bounds, Old, New));
  matchRows(Old.ByFile, *Old.Is.Names, New.ByFile, *New.Is.Names,
            {Match.OldRoot, Match.NewRoot});
  CostDiff Files = diffCosts(Old.ByFile, *Old.Is.Names, New.ByFile,
                             *New.Is.Names, Opts.Order, Opts.Within);
  matchRows(Old.ByKind, *Old.Is.Names, New.ByKind, *New.Is.Names, {});
  CostDiff Kinds = diffCosts(Old.ByKind, *Old.Is.Names, New.ByKind,
                             *New.Is.Names, CostOrder::Self, Opts.Within);
  BuildDiff Diff{Old.Is, New.Is,
                 Rows,   Within,
                 Judged, std::move(Renamed),
                 &Files, std::move(Compilers),
                 &Kinds};
  DiffTextStyle Style{nameOf(CostKeys, Opts.Key), Opts.Output.style(),
                      Opts.Output.Rows, Opts.Order};
  Output Out(stdout);
  if (Opts.Output.Records)
    writeDiffRecords(Out, *Opts.Output.Records, Diff, Style);
  else if (Opts.Markdown)
    writeDiffMarkdown(Out, Diff, Style);
  else
    writeDiff(Out, Diff, Style, standardOutputTerminal());
  INSTANTRACE_TRY(Out.finish());
  for (const JudgedBound &B : Judged)
    if (!B.IsKept)
      return ExitOverBudget;
  return ExitSuccess;
}

bool needsTemplates(const DiffOptions &Opts, const std::vector<Bound> &Bounds) {
  return !Bounds.empty() && Opts.Key != CostKey::Template;
}

/// One of the two while it is read.
struct BuildSide {
  BuildTraces Traces;
  BuildNames Names;
  SummedBuild Sum; ///< of the compiles that are compared
};

Result<void> sumCompared(const DiffOptions &Opts,
                         const std::vector<Bound> &Bounds, SumSpec Spec,
                         std::vector<uint32_t> Compared,
                         std::vector<uint32_t> Only, BuildSide &Side,
                         BuildToCompare &Build) {
  Build.Is.Compiles = Compared.size();
  Build.Is.Prerequisites =
      pathsOf(Side.Names.Compiles,
              takePrerequisites(Side.Names.Compiles, Compared, Only));
  KeptCompiles Kept(Side.Names.Compiles, Compared);
  Spec.Kept = &Kept;
  Spec.Scopes = &Side.Names.Scopes;
  INSTANTRACE_TRY_ASSIGN(Side.Sum, sumBuild(Side.Traces, Spec));
  Build.Is.Names = &Side.Sum.Names.trace();
  Build.Is.Costs = std::move(Side.Sum.Tables[0]);
  Build.Is.Only = pathsOf(Side.Names.Compiles, Only);
  if (!Only.empty() && !Opts.Output.Records) {
    KeptCompiles Alone(Side.Names.Compiles, Only);
    SumSpec Whole = Spec;
    Whole.Keys = {CostKey::Kind};
    Whole.Kept = &Alone;
    INSTANTRACE_TRY_ASSIGN(SummedBuild Sum, sumBuild(Side.Traces, Whole));
    Build.Is.OnlyNs = Sum.Tables[0].compileNs();
  }
  if (needsTemplates(Opts, Bounds))
    Build.ByTemplate = std::move(Side.Sum.Tables[1]);
  if (!Opts.Output.Records)
    Build.ByFile = std::move(Side.Sum.Tables.back());
  for (size_t Index = 1; Index != Spec.Keys.size(); ++Index)
    if (Spec.Keys[Index] == CostKey::Kind)
      Build.ByKind = std::move(Side.Sum.Tables[Index]);
  return {};
}

/// Adds what another recording of the old build has.
Result<void> addRecording(const DiffOptions &Opts, const std::string &Path,
                          const SumSpec &Spec, const BuildNames &NewNames,
                          const BuildToCompare &New, TimeSpreads &Build) {
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments({Path}));
  BuildSide Side{{std::move(Files), {Path}, Unreadable::IsError}, {}, {}};
  INSTANTRACE_TRY_ASSIGN(Side.Names,
                         readBuildNames(Side.Traces, needsScopes(Spec)));
  INSTANTRACE_TRY_ASSIGN(CompileMatch Match,
                         matchBuilds(Side.Names.Compiles, Path,
                                     NewNames.Compiles, Opts.newest(),
                                     Side.Names.Sketches, NewNames.Sketches));
  if (Match.Pairs.size() != New.Is.Compiles)
    return makeError(Path, counted(Match.Pairs.size(), "compile") + " of NEW",
                     "a recording of the same build as OLD, which has " +
                         std::to_string(New.Is.Compiles));
  std::vector<uint32_t> Compared;
  for (const MatchedCompile &Pair : Match.Pairs)
    Compared.push_back(Pair.Old);
  BuildToCompare Recording;
  INSTANTRACE_TRY(
      sumCompared(Opts, {}, Spec, Compared, Match.OnlyOld, Side, Recording));
  matchRows(Recording.Is.Costs, *Recording.Is.Names, New.Is.Costs,
            *New.Is.Names, {Match.OldRoot, Match.NewRoot});
  Build.add(Recording.Is.Costs);
  return {};
}

/// Which compiles are compared is known by their names, before their events are
/// read.
Result<int> compareTraces(const DiffOptions &Opts,
                          const std::vector<Bound> &Bounds,
                          const TraceFilter &Filter) {
  const Unreadable InFolder =
      Bounds.empty() ? Unreadable::IsTold : Unreadable::IsError;
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> OldFiles,
                         findTraceArguments({Opts.old()}));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> NewFiles,
                         findTraceArguments({Opts.newest()}));
  BuildSide OldSide{{std::move(OldFiles), {Opts.old()}, InFolder}, {}, {}};
  BuildSide NewSide{{std::move(NewFiles), {Opts.newest()}, InFolder}, {}, {}};
  SumSpec Spec{{Opts.Key}, Filter};
  if (needsTemplates(Opts, Bounds))
    Spec.Keys.push_back(CostKey::Template);
  for (BuildSide *Side : {&OldSide, &NewSide}) {
    INSTANTRACE_TRY_ASSIGN(Side->Names,
                           readBuildNames(Side->Traces, needsScopes(Spec)));
  }
  const BuildNames &OldNames = OldSide.Names, &NewNames = NewSide.Names;
  INSTANTRACE_TRY_ASSIGN(CompileMatch Match,
                         matchBuilds(OldNames.Compiles, Opts.old(),
                                     NewNames.Compiles, Opts.newest(),
                                     OldNames.Sketches, NewNames.Sketches));
  std::string Compilers =
      compilerDifference(OldNames.Compiles, NewNames.Compiles);
  if (!Bounds.empty() && !Opts.AcrossCompilers && !Compilers.empty())
    return Error{"--fail-on: the builds differ by compiler (" + Compilers +
                 "), which changes what is counted; --across-compilers "
                 "compares them all the same"};
  if (!Opts.Output.Records) {
    if (!Compilers.empty() && Opts.Key != CostKey::Kind)
      Spec.Keys.push_back(CostKey::Kind);
    Spec.Keys.push_back(CostKey::File);
  }
  BuildToCompare Old, New;
  INSTANTRACE_TRY(sumCompared(Opts, Bounds, Spec, Match.oldCompiles(),
                              Match.OnlyOld, OldSide, Old));
  INSTANTRACE_TRY(sumCompared(Opts, Bounds, Spec, Match.newCompiles(),
                              Match.OnlyNew, NewSide, New));
  TimeSpreads Spreads;
  for (size_t I = 1; I + 1 < Opts.Builds.size(); ++I)
    INSTANTRACE_TRY(
        addRecording(Opts, Opts.Builds[I], Spec, NewNames, New, Spreads));
  return compare(Opts, Bounds, Old, New, Match, std::move(Spreads),
                 renamedTexts(Match, OldNames.Compiles, NewNames.Compiles),
                 std::move(Compilers));
}

Result<int> runDiff(const DiffOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  std::vector<Bound> Bounds;
  for (const std::string &Text : Opts.FailOn) {
    Result<Bound> B = parseBound(Text);
    if (!B)
      return usageError("--fail-on: " + B.error().Message);
    Bounds.push_back(std::move(*B));
  }
  return compareTraces(Opts, Bounds, Filter);
}

} // namespace

CommandRun instantrace::addDiff(CLI::App &App) {
  auto Opts = std::make_shared<DiffOptions>();
  CLI::App *Command = App.add_subcommand(
      "diff", "Show what changed between two builds, and fail when a bound is "
              "exceeded.");
  Command
      ->add_option("builds", Opts->Builds,
                   "OLD and NEW: each a trace, or a folder with the traces of "
                   "a build; before NEW, more recordings of OLD, whose times "
                   "then say what noise is; none means the two newest "
                   "sessions below this folder")
      ->expected(2, CLI::detail::expected_max_vector_size);
  addChoice(*Command, "--by", CostKeys, Opts->Key,
            "what a row stands for, template by default");
  addChoice(*Command, "--sort", CostOrders, Opts->Order,
            "largest change first; of count by default, since times are noisy");
  Command->add_option("--noise", Opts->Within.Percent,
                      "treat times as equal that differ by at most this many "
                      "percent, or by at most 1 ms (default 10)");
  Command
      ->add_option(
          "--fail-on", Opts->FailOn,
          "exit with 3 if this holds, such as 'count>+5%'; may be repeated")
      ->allow_extra_args(false);
  Command->add_flag("--across-compilers", Opts->AcrossCompilers,
                    "judge bounds also where the builds differ by the version "
                    "of Clang, level of optimization, language or target");
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "rows");
  addMarkdownOption(*Command, Opts->Markdown);
  Command->footer(
      R"(Compiles are matched by the paths of their source files, by as much of the end
as agrees, so the two builds may be in different folders; a path below the old
folder is the same as that path below the new one. What is left was renamed if
it instantiates the same as no other does, or if its name differs in the ending
alone; a note says so. Compiles without a partner are listed, and not compared.
One that makes a precompiled header or a module for those that are counts with
them, since their work may have moved there.

Counts are the same in every run of one compiler on one source, so every change
of them is real. Times are not: ~ means within the noise, which is --noise, or,
of a build that was recorded several times, what these recordings of it differ
by in that row. Unchanged rows are not shown; + before a name means that it
appeared, - that it disappeared.

A bound is METRIC COMPARISON LIMIT, or METRIC(PATTERN) COMPARISON LIMIT for the
templates whose names match:
  count, memoized, ast, self   of templates
  time                         of the whole compiles
  memory                       peak of the largest compile
  frontend, optimize, generate, bytes, functions
                               of the templates' functions
                               (docs/use/analyses.md)
  > >= < <=                    and a number, with a unit: 1200, 1.5s, 20MB
  + before the number          limits the growth: +100, +5%, +20ms
Exit code 3 if a --fail-on bound holds; 1 if the traces cannot be compared.

Examples:
  instantrace diff                      # the last two builds recorded here
  instantrace diff before.itrace after.itrace
  instantrace diff --by=file --sort=count base/build branch/build
  instantrace diff --sort=self base1/ base2/ base3/ head/
  instantrace diff --fail-on='count>+5%' --markdown base/ head/ >> summary.md)");
  return [Opts]() -> Result<int> {
    INSTANTRACE_TRY(nameNewestSessions(Opts->Builds));
    return runDiff(*Opts);
  };
}
