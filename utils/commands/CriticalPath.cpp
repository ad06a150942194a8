/// \file
/// `instantrace critical-path`: what determines the duration of a build.
///
/// Flow: TraceInputs -> readBuildWall -> tables or records -> stdout
#include "runtime/base/PrintableText.h"
#include "runtime/base/SaturatingSum.h"
#include "utils/analysis/costs/BuildGaps.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/commands/CriticalWhatIf.h"
#include "utils/commands/OverviewPart.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"
#include "utils/session/BuildWall.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>

using namespace instantrace;

namespace {

struct CriticalOptions {
  std::vector<std::string> Inputs;
  size_t Rows = 5;
  std::optional<RecordFormat> Records;
  WhatIfOptions WhatIf;
};

/// The time of a build that is no compile.
struct OtherTime {
  CompileTimes Build; ///< without a session: from the first compile to the last
  std::vector<LinkTimes> Links;
  std::vector<BuildGap> Gaps;
};

/// Of the time of compiles, how many ran on average.
std::string atOnceText(const BuildSchedule &S) {
  uint64_t WallNs = std::max<uint64_t>(S.wallNs(), 1);
  uint64_t Tenths = (10 * S.busyNs() + WallNs / 2) / WallNs;
  return groupedText(Tenths / 10) + "." + std::to_string(Tenths % 10);
}

/// From the end of the compile before it on the path.
uint64_t waitNs(const BuildWall &Wall, const std::vector<size_t> &Path,
                size_t I) {
  if (I == 0)
    return 0;
  return Wall.Units[Path[I]].Times.BeginNs -
         Wall.Units[Path[I - 1]].Times.EndNs;
}

uint64_t firstBeginNs(const BuildWall &Wall) {
  uint64_t First = UINT64_MAX;
  for (const WallUnit &Unit : Wall.Units)
    First = std::min(First, Unit.Times.BeginNs);
  return First;
}

void writeHead(Output &Out, const BuildWall &Wall) {
  const BuildSchedule &S = Wall.Schedule;
  Out.append(counted(Wall.Units.size(), "compile") + " in " +
             timeText(S.wallNs()) + ", at most " + groupedText(S.mostAtOnce()) +
             " at once, " + atOnceText(S) + " on average; none for " +
             timeText(S.idleNs()) + "\n");
  if (Wall.InnerCompiles != 0)
    Out.append("without " +
               counted(Wall.InnerCompiles, "compile of a module",
                       "compiles of modules") +
               " that ran inside another one\n");
  Out.append("\n");
}

void writePath(Output &Out, const BuildWall &Wall, size_t Wanted,
               const Terminal &Term) {
  std::vector<size_t> Path = Wall.Schedule.criticalPath();
  uint64_t BusyNs = 0;
  for (size_t I : Path)
    BusyNs += Wall.Units[I].Times.durationNs();
  TextTable Table(Out, Term, {{"begin", 10}, {"wait", 10}, {"time", 10}});
  Table.head("critical path: last " +
             groupedText(shownRows(Path.size(), Wanted)) + " of " +
             counted(Path.size(), "compile") + ", " + timeText(BusyNs));
  uint64_t First = firstBeginNs(Wall);
  for (size_t I = Path.size() - shownRows(Path.size(), Wanted);
       I != Path.size(); ++I) {
    const WallUnit &Unit = Wall.Units[Path[I]];
    Table.row({timeText(Unit.Times.BeginNs - First),
               timeText(waitNs(Wall, Path, I)),
               timeText(Unit.Times.durationNs())},
              elideName(shownPath(Unit.Source), Table.nameColumns()));
  }
  Out.append("\n");
}

std::string gapText(const OtherTime &Other, const BuildGap &Gap) {
  constexpr size_t MostLinks = 3;
  std::string Text;
  for (size_t I = 0; I != std::min(Gap.Links.size(), MostLinks); ++I)
    Text += (I == 0 ? "linking " : ", ") +
            printableText(Other.Links[Gap.Links[I].Link].Output) + " (" +
            timeText(Gap.Links[I].Ns) + ")";
  if (Gap.Links.size() > MostLinks)
    Text += ", " + groupedText(Gap.Links.size() - MostLinks) + " more";
  if (!Text.empty())
    return Text;
  return Gap.IsFirst  ? "before the first compile"
         : Gap.IsLast ? "after the last compile"
                      : "no compile and no link was seen";
}

void writeGaps(Output &Out, const OtherTime &Other, size_t Wanted,
               const Terminal &Term) {
  uint64_t SumNs = 0;
  for (const BuildGap &Gap : Other.Gaps)
    SumNs += Gap.Times.durationNs();
  if (SumNs == 0)
    return;
  TextTable Table(Out, Term, {{"begin", 10}, {"time", 10}});
  Table.head("nothing was compiled for " + timeText(SumNs) + " of " +
             timeText(Other.Build.durationNs()));
  for (size_t I = 0; I != shownRows(Other.Gaps.size(), Wanted); ++I) {
    const BuildGap &Gap = Other.Gaps[I];
    Table.row({timeText(Gap.Times.BeginNs - Other.Build.BeginNs),
               timeText(Gap.Times.durationNs())},
              elideName(gapText(Other, Gap), Table.nameColumns()));
  }
  Out.append("\n");
}

void writeSavings(Output &Out, const BuildWall &Wall,
                  const std::vector<WallSaving> &Savings, std::string_view What,
                  size_t Wanted, const Terminal &Term) {
  TextTable Table(Out, Term,
                  {{"saved", 10}, {"%", 7}, {"inclusive", 11}, {"units", 7}});
  Table.head(What);
  const size_t Shown = shownRows(Savings.size(), Wanted);
  const std::vector<std::string> Names = distinctNames(
      Trace(), Savings, Shown,
      [](const WallSaving &Row) { return RowName::fromText(Row.Name); }, {},
      Table.nameColumns());
  for (size_t I = 0; I != Shown; ++I) {
    const WallSaving &Saving = Savings[I];
    Table.row({timeText(Saving.SavedNs),
               percentText(Saving.SavedNs, Wall.Schedule.wallNs()),
               timeText(Saving.InclusiveNs), groupedText(Saving.Units)},
              Names[I]);
  }
  Out.append("\n");
}

void writeText(Output &Out, const BuildWall &Wall, const OtherTime &Other,
               size_t Wanted) {
  Terminal Term = standardOutputTerminal();
  writeHead(Out, Wall);
  writePath(Out, Wall, Wanted, Term);
  writeGaps(Out, Other, Wanted, Term);
  Out.append("Wall time saved if it took no time at all:\n\n");
  writeSavings(Out, Wall, Wall.Templates, "template", Wanted, Term);
  writeSavings(Out, Wall, Wall.Headers, "header", Wanted, Term);
  writeSavings(Out, Wall, Wall.Sources, "unit", Wanted, Term);
}

void writeRow(RecordText &Records, std::string_view Kind, std::string_view Name,
              const CompileTimes &Times, uint64_t WaitNs,
              const WallSaving &Saving) {
  Records.begin();
  Records.text("kind", Kind);
  Records.text("name", Name);
  Records.number("begin_ns", Times.BeginNs);
  Records.number("wait_ns", WaitNs);
  Records.number("time_ns", Saving.InclusiveNs);
  Records.number("saved_ns", Saving.SavedNs);
  Records.number("units", Saving.Units);
  Records.end();
}

void writeRecords(Output &Out, RecordFormat Format, const BuildWall &Wall,
                  const OtherTime &Other, size_t Wanted) {
  RecordText Records(Out, Format);
  std::vector<size_t> Path = Wall.Schedule.criticalPath();
  Records.wholeNumber("compiles", Wall.Units.size());
  Records.wholeNumber("inner_compiles", Wall.InnerCompiles);
  Records.wholeNumber("wall_ns", Wall.Schedule.wallNs());
  Records.wholeNumber("build_wall_ns", Other.Build.durationNs());
  Records.wholeNumber("busy_ns", Wall.Schedule.busyNs());
  Records.wholeNumber("idle_ns", Wall.Schedule.idleNs());
  Records.wholeNumber("most_at_once", Wall.Schedule.mostAtOnce());
  Records.wholeNumber("critical_path_length", Path.size());
  uint64_t First = firstBeginNs(Wall);
  for (size_t I = Path.size() - shownRows(Path.size(), Wanted);
       I != Path.size(); ++I) {
    const WallUnit &Unit = Wall.Units[Path[I]];
    writeRow(Records, "critical", Unit.Source, {Unit.Times.BeginNs - First, 0},
             waitNs(Wall, Path, I), {{}, Unit.Times.durationNs(), 0, 1});
  }
  auto Write = [&](std::string_view Kind,
                   const std::vector<WallSaving> &Savings) {
    for (size_t I = 0; I != shownRows(Savings.size(), Wanted); ++I)
      writeRow(Records, Kind, Savings[I].Name, {}, 0, Savings[I]);
  };
  Write("template", Wall.Templates);
  Write("header", Wall.Headers);
  Write("unit", Wall.Sources);
  for (size_t I = 0; I != shownRows(Other.Gaps.size(), Wanted); ++I) {
    const BuildGap &Gap = Other.Gaps[I];
    writeRow(Records, "gap", gapText(Other, Gap),
             {Gap.Times.BeginNs - Other.Build.BeginNs, 0}, 0,
             {{}, Gap.Times.durationNs(), 0, 0});
  }
  Records.finish();
}

/// With one session, the time before and after the compiles as well.
OtherTime otherTime(const std::vector<std::string> &Inputs,
                    const BuildWall &Wall) {
  OtherTime Other;
  std::vector<CompileTimes> Compiles;
  for (const WallUnit &Unit : Wall.Units)
    Compiles.push_back(Unit.Times);
  Other.Build = {UINT64_MAX, 0};
  for (const CompileTimes &Times : Compiles) {
    Other.Build.BeginNs = std::min(Other.Build.BeginNs, Times.BeginNs);
    Other.Build.EndNs = std::max(Other.Build.EndNs, Times.EndNs);
  }
  if (std::optional<RecordedSession> Session = sessionNamed(Inputs)) {
    for (const RecordedLink &Link : Session->Links)
      Other.Links.push_back({Link.Output, {Link.BeginNs, Link.EndNs}});
    // A build that was killed, or goes on, has no end.
    if (Session->WallNs != 0 && Session->BeginRealtimeNs != 0) {
      const uint64_t BeginNs = Session->BeginRealtimeNs;
      Other.Build.BeginNs = std::min(Other.Build.BeginNs, BeginNs);
      Other.Build.EndNs =
          std::max(Other.Build.EndNs, addSaturating(BeginNs, Session->WallNs));
    }
  }
  Other.Gaps = buildGaps(std::move(Compiles), Other.Links, Other.Build);
  return Other;
}

Result<int> runCritical(const CriticalOptions &Opts) {
  if (Opts.WhatIf.isWanted()) {
    WhatIfOptions WhatIf = Opts.WhatIf;
    WhatIf.Records = Opts.Records;
    return runWhatIf(Opts.Inputs, WhatIf);
  }
  constexpr size_t FewestTried = 50, PerRow = 4;
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs));
  InputProgress Seen;
  size_t Tried =
      Opts.Rows == 0 ? SIZE_MAX : std::max(FewestTried, PerRow * Opts.Rows);
  INSTANTRACE_TRY_ASSIGN(BuildWall Wall, readBuildWall(Files, Tried, Seen));
  OtherTime Other = otherTime(Opts.Inputs, Wall);
  Output Out(stdout, Seen.shown());
  if (Opts.Records)
    writeRecords(Out, *Opts.Records, Wall, Other, Opts.Rows);
  else
    writeText(Out, Wall, Other, Opts.Rows);
  return Out.finish();
}

} // namespace

CommandRun instantrace::addCriticalPath(CLI::App &App) {
  auto Opts = std::make_shared<CriticalOptions>();
  CLI::App *Command = App.add_subcommand(
      "critical-path",
      "Show what determines the duration of a build: its critical "
      "path, and what each template, header and unit adds.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command->add_option("-n,--limit", Opts->Rows,
                      "how many rows of each table to show; 0 means all "
                      "(default 5)");
  addRecordOptions(*Command, Opts->Records, "rows of all tables");
  Command
      ->add_option("--without", Opts->WhatIf.Without,
                   "predict the build without this #include, 'a.h -> b.h'; "
                   "may be repeated")
      ->allow_extra_args(false);
  Command
      ->add_option("--split", Opts->WhatIf.Split,
                   "predict the build where nobody needs what this header "
                   "includes; may be repeated")
      ->allow_extra_args(false);
  addSourceRootOption(*Command, Opts->WhatIf.MoreRoots);
  addColorOption(*Command);
  Command->footer(
      R"(Time that compiles take side by side is not time that one waits for. The
critical path leads from the first compile to the last one that ended: each on
it began when the one before had ended (`wait`: how long after that). A compile
that is not on it could take longer, and nobody would notice.

What would be saved is computed by running the build again on paper, with as
many compiles at once as there were, in the order in which they began, each
shorter by what the template or header takes of it. A compile that began while
there was room for one more had waited for something else than room, and still
begins as long after the compile that had ended before it. Without a change
this gives the measured time exactly. Templates and headers that take
longest in all are tried, at least 50; all of them with -n 0.

Only compiles that were recorded count: not GCC, not what came out of a cache.
When nothing was compiled has rows of its own, with what was linked meanwhile as
far as record saw it.

With --without or --split there is one table instead: the clean build, and a
touch of each file that is no longer included there, now and then. A file goes
from a compile where no other way to it is known, by all recorded compiles and
the #include lines of the sources; with it goes its text, and not what other
files have instantiated of it. That is an estimate. --split is the most that a
part without #includes of its own can save, for those who need no more of it.

Examples:
  instantrace critical-path session/
  instantrace critical-path --without 'b.cpp -> list.h' session/
  instantrace critical-path --json -n 0 session/ > wall.json)");
  return runOnTraces(Opts, runCritical);
}
