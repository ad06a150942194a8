/// \file
/// `instantrace report`: one page with all that the other commands show.
///
/// Flow: TraceArguments -> matchCompiles -> ReportModel -> ReportJson
///       -> ReportPage -> HTML file
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/cli/ExportOptions.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/export/ExportOutput.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/DiffText.h"
#include "utils/render/HookText.h"
#include "utils/render/NumberText.h"
#include "utils/report/ReportJson.h"
#include "utils/report/ReportPage.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct ReportCommandOptions {
  std::vector<std::string> Inputs, Against;
  std::string Output;
  uint64_t MaxBytes = 10000000;
  ReportOptions Report;
  ReportCommandOptions() { Report.NameBytes = 0; } // as is affordable
};

/// A page is made smaller so many times at most.
constexpr int MostAttempts = 12;

/// Keeps the compiles that both builds have; the others are noted.
Result<void> keepCompared(Trace &Old, Trace &New, ReportInput &Input,
                          const ReportCommandOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(CompileMatch Match,
                         matchBuilds(Old, Opts.Against.front(), New,
                                     Opts.Inputs.front(), sketchesOf(Old),
                                     sketchesOf(New)));
  auto Note = [&Input](const std::vector<uint32_t> &Only, const char *Which) {
    if (!Only.empty())
      Input.Notes.push_back(counted(Only.size(), "compile") +
                            (Only.size() == 1 ? " is" : " are") +
                            " only in the " + Which +
                            " build and not compared");
  };
  Note(Match.OnlyOld, "old");
  Note(Match.OnlyNew, "new");
  for (std::string &Renamed : renamedTexts(Match, Old, New))
    Input.Notes.push_back(std::move(Renamed));
  keepPairs(Old, New, Match);
  Input.OldRoot = Match.OldRoot;
  Input.NewRoot = Match.NewRoot;
  return {};
}

/// The page, made smaller until it has no more than the bytes that it may have.
Result<std::string> pageData(Reporter &From, const ReportCommandOptions &Opts) {
  uint64_t Frame = ReportPageBegin.size() + ReportPageEnd.size();
  ReportLimits Limits;
  uint64_t Bytes = 0;
  for (int Attempt = 0; Attempt != MostAttempts; ++Attempt) {
    ReportModel Model = From.model(Limits);
    // Texts alone may be far too many.
    Bytes = reportTextBytes(Model);
    if (Frame + Bytes <= Opts.MaxBytes) {
      std::string Json = reportJson(Model);
      Bytes = Json.size();
      if (Frame + Bytes <= Opts.MaxBytes)
        return Json;
    }
    double Room = Opts.MaxBytes > Frame ? double(Opts.MaxBytes - Frame) : 0;
    Limits = Limits.scaled(std::min(0.9 * Room / double(Bytes), 0.7));
  }
  return makeError(Opts.Output,
                   std::to_string(Frame + Bytes) +
                       " bytes in the smallest page",
                   "no more than --max-size=" + std::to_string(Opts.MaxBytes));
}

/// What the page is of, open as long as it is made.
struct ReportedBuild {
  Trace T;
  std::string HookNote;
  std::vector<std::string> Gaps; // what its sessions lack
};

Result<ReportedBuild> readBuild(const std::vector<std::string> &Inputs) {
  ReportedBuild Build;
  SessionLacks Lacks;
  INSTANTRACE_TRY_ASSIGN(
      std::vector<std::string> Files,
      findTraceArguments(Inputs, NamedTwice::CountOnce, &Lacks));
  Build.Gaps = std::move(Lacks.Notes);
  INSTANTRACE_TRY_ASSIGN(Trace T, readFoundArguments(Files, Inputs));
  Build.T = std::move(T);
  Build.HookNote = hookNote(Build.T);
  return Build;
}

Result<int> runReport(const ReportCommandOptions &Opts) {
  // The reporter makes one for each of its tables.
  INSTANTRACE_TRY_ASSIGN(TraceFilter Usable, usableFilter(Opts.Report.Filter));
  INSTANTRACE_TRY_ASSIGN(ReportedBuild Build, readBuild(Opts.Inputs));
  ReportInput Input;
  Trace *New = &Build.T;
  Input.New = New;
  std::optional<Trace> Old;
  if (!Opts.Against.empty()) {
    INSTANTRACE_TRY_ASSIGN(ReportedBuild Read, readBuild(Opts.Against));
    Old = std::move(Read.T);
    Input.Notes = std::move(Read.Gaps);
    Input.Old = &*Old;
    INSTANTRACE_TRY(keepCompared(*Old, *New, Input, Opts));
  }
  Input.Notes.insert(Input.Notes.begin(), Build.Gaps.begin(), Build.Gaps.end());
  if (!Build.HookNote.empty())
    Input.Notes.push_back(Build.HookNote);
  ReportOptions Options = Opts.Report;
  Options.NameBytes = nameLimitBytes(Options.NameBytes, *New, ExportedNames);
  if (Old)
    Options.NameBytes =
        std::min(Options.NameBytes,
                 nameLimitBytes(Opts.Report.NameBytes, *Old, ExportedNames));
  Reporter From(Input, Options);
  INSTANTRACE_TRY_ASSIGN(std::string Data, pageData(From, Opts));
  ExportOutput Out(Opts.Output);
  Out.append(ReportPageBegin);
  Out.append(Data);
  Out.append(ReportPageEnd);
  Result<int> Written = Out.finish();
  if (Written && Opts.Output != "-")
    printNote(
        "wrote " + Opts.Output + ", " +
        sizeText(ReportPageBegin.size() + Data.size() + ReportPageEnd.size()) +
        "; a browser opens it");
  return Written;
}

} // namespace

CommandRun instantrace::addReport(CLI::App &App) {
  auto Opts = std::make_shared<ReportCommandOptions>();
  CLI::App *Command = App.add_subcommand(
      "report",
      "Write one page for a browser: pictures, tables, request chains.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command
      ->add_option("-o,--output", Opts->Output,
                   "the file, which appears when it is complete; - is stdout")
      ->required();
  Command
      ->add_option("--against", Opts->Against,
                   "compare with this trace or folder of an older build; may "
                   "be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  Command
      ->add_option("--noise", Opts->Report.Within.Percent,
                   "treat times as equal that differ by at most this many "
                   "percent, or by at most 1 ms (default 10)")
      ->check(CLI::NonNegativeNumber);
  Command->add_option("--max-size", Opts->MaxBytes,
                      "largest size of the page in bytes (default 10000000)");
  Command->add_option("--title", Opts->Report.Title,
                      "the title of the page (default: what was compiled)");
  Command->add_flag("!--no-source", Opts->Report.HasSource,
                    "do not read the source files, whose costliest lines are "
                    "otherwise in the page");
  addSourceRootOption(*Command, Opts->Report.MoreRoots);
  addFilterOptions(*Command, Opts->Report.Filter);
  addExportNameOptions(*Command, Opts->Report.Names, Opts->Report.NameBytes);
  Command->footer(
      R"(The page needs no other file and no network. Its views:
  overview    where the time went, what cost most, and what to do about it
  timeline    when each compile ran, and the critical path
  flame graph call paths, by time, count or memory
  treemap     folders and namespaces, by their own cost
  includes    which file includes which, and what that costs
  source      the lines that cost, among those around them
  tables      those of `summary`, `constraints` and `overloads`
With --against, tables have the changes, and boxes the colours of theirs.

What is too small for the page is folded into sums that show their number of
parts, so everything still adds up.

Examples:
  instantrace report -o a.html a.itrace
  instantrace report --no-system -o build.html build/
  instantrace report --against=base/build -o diff.html head/build)");
  return runOnTraces(Opts, runReport);
}
