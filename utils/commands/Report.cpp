/// \file
/// `instantrace report`: one page with all that the other commands show.
///
/// Flow: TraceArguments -> names, sums, paths, a round each -> Reporter
///       -> ReportModel -> ReportJson -> ReportPage -> HTML file
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/cli/ExportOptions.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/cli/SummedBuild.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/commands/OverviewPart.h"
#include "utils/commands/TouchProject.h"
#include "utils/commands/TriedAdvice.h"
#include "utils/export/ExportOutput.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/DiffText.h"
#include "utils/render/HookText.h"
#include "utils/render/NumberText.h"
#include "utils/report/ReportJson.h"
#include "utils/report/ReportPage.h"
#include "utils/session/CMakeReply.h"
#include "utils/session/RecordedSession.h"

#include <CLI/CLI.hpp>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace instantrace;

namespace {

struct ReportCommandOptions {
  std::vector<std::string> Inputs, Against;
  std::string Output;
  uint64_t MaxBytes = 10000000;
  bool IsOpened = false;
  ReportOptions Report;
  ReportCommandOptions() { Report.NameBytes = 0; } // as is affordable
};

/// A page is made smaller so many times at most.
constexpr int MostAttempts = 12;

/// What tables say of a build, before its events are read.
struct ReportNames {
  BuildNames Names;
  NameSizes Sizes;
};

/// One of the builds, for as many rounds as there are.
struct ReportedBuild {
  BuildTraces Traces;
  std::vector<std::string> Gaps; // what its sessions lack
  ReportNames Known;

  /// Null: of one file, names are learned when it is read.
  const LearnedScopes *scopes() const {
    return Traces.Files.size() == 1 ? nullptr : &Known.Names.Scopes;
  }
};

Result<void> findBuild(const std::vector<std::string> &Inputs,
                       ReportedBuild &Build) {
  SessionLacks Lacks;
  Build.Traces.Paths = Inputs;
  INSTANTRACE_TRY_ASSIGN(
      Build.Traces.Files,
      findTraceArguments(Inputs, NamedTwice::CountOnce, &Lacks));
  Build.Gaps = std::move(Lacks.Notes);
  INSTANTRACE_TRY_ASSIGN(Build.Known.Names,
                         readBuildNames(Build.Traces, /*AreScopesWanted=*/true,
                                        &Build.Known.Sizes));
  return {};
}

/// Of compiles that one of the builds alone has, nothing is in the page but
/// that there are some.
struct ComparedCompiles {
  std::optional<KeptCompiles> New, Old;
};

Result<void> compare(const ReportedBuild &Old, const ReportedBuild &New,
                     ReportInput &Input, ComparedCompiles &Kept,
                     const ReportCommandOptions &Opts) {
  const BuildNames &Before = Old.Known.Names, &After = New.Known.Names;
  INSTANTRACE_TRY_ASSIGN(CompileMatch Match,
                         matchBuilds(Before.Compiles, Opts.Against.front(),
                                     After.Compiles, Opts.Inputs.front(),
                                     Before.Sketches, After.Sketches));
  std::vector<uint32_t> KeptOld = Match.oldCompiles(),
                        KeptNew = Match.newCompiles();
  auto Take = [&Input](const Trace &Compiles, std::vector<uint32_t> &Kept,
                       std::vector<uint32_t> &Only, const char *Which) {
    const size_t Taken = takePrerequisites(Compiles, Kept, Only).size();
    const std::string Build = std::string(" only in the ") + Which + " build";
    if (Taken != 0)
      Input.Notes.push_back(
          counted(Taken, "compile") + Build + (Taken == 1 ? " is" : " are") +
          " counted too, since the others use what is made there");
    if (!Only.empty())
      Input.Notes.push_back(counted(Only.size(), "compile") +
                            (Only.size() == 1 ? " is" : " are") + Build +
                            " and not compared");
  };
  Take(Before.Compiles, KeptOld, Match.OnlyOld, "old");
  Take(After.Compiles, KeptNew, Match.OnlyNew, "new");
  for (std::string &Renamed :
       renamedTexts(Match, Before.Compiles, After.Compiles))
    Input.Notes.push_back(std::move(Renamed));
  Input.OldRoot = Match.OldRoot;
  Input.NewRoot = Match.NewRoot;
  for (const MatchedCompile &Pair : Match.Pairs)
    Input.InputOf.emplace(
        inputText(Before.Compiles, Before.Compiles.Sequences[Pair.Old]),
        inputText(After.Compiles, After.Compiles.Sequences[Pair.New]));
  Kept.Old.emplace(Before.Compiles, KeptOld);
  Kept.New.emplace(After.Compiles, KeptNew);
  Input.KeepsOld = [&Kept](const std::string &File, uint32_t Index) {
    return Kept.Old->contains(File, Index);
  };
  Input.KeepsNew = [&Kept](const std::string &File, uint32_t Index) {
    return Kept.New->contains(File, Index);
  };
  return {};
}

/// What one trace adds.
class PagePart final : public NotedStream {
public:
  PagePart(const Reporter &Whole, ReportSideOf Side) : Made(Whole, Side, T) {}

  TraceSink &events() override { return Made.events(); }
  void finish() override {
    Notes.add(T, Observed);
    Made.finish(T);
    T = {};
  }

  ReportPart Made;
};

/// All that is missing from the traces is said in the first round.
Result<TraceNotes> readSums(ReportedBuild &Build, Reporter &Into,
                            ReportSideOf Side) {
  return streamEachTrace(
      Build.Traces.Files,
      [&] { return std::make_unique<PagePart>(Into, Side); },
      [&Into](PagePart &Part) -> Result<void> {
        Into.add(Part.Made);
        return {};
      },
      /*AreFailuresTold=*/false, Build.Traces.named(), &Build.Traces.Rounds);
}

Result<void> readPaths(ReportedBuild &Build, Reporter &Into,
                       ReportSideOf Side) {
  ProgressAlone Seen;
  return forEachStreamed(
      EachTrace{Build.Traces.Files, Seen, false, nullptr, &Build.Traces.Rounds},
      [&] { return std::make_unique<PagePart>(Into, Side); },
      [&Into](PagePart &Part) -> Result<void> {
        Into.add(Part.Made);
        return {};
      });
}

/// The page, made smaller until it has no more than the bytes that it may have.
Result<std::string> pageData(Reporter &R, const ReportCommandOptions &Opts) {
  uint64_t Frame = ReportPageBegin.size() + ReportPageEnd.size();
  ReportLimits Limits;
  uint64_t Bytes = 0;
  for (int Attempt = 0; Attempt != MostAttempts; ++Attempt) {
    ReportModel Model = R.model(Limits);
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

/// What a session, if it is one, says of itself.
void addSession(const std::vector<std::string> &Inputs,
                ReportOptions &Options) {
  std::optional<RecordedSession> Session = sessionNamed(Inputs);
  if (!Session)
    return;
  Options.Project = {Session->WorkingDirectory, Session->SourceRoot};
  Options.WallNs = Session->WallNs;
  // A page without sources may be for strangers.
  for (size_t I = 0; Options.HasSource && I != Session->Command.size(); ++I)
    Options.Command += (I == 0 ? "" : " ") + Session->Command[I];
}

/// The files whose changes cost most, a week if there is a history.
std::vector<ReportTouch>
costliestTouches(HeaderFacts &Headers, const std::vector<std::string> &Inputs) {
  constexpr size_t TouchesShown = 10;
  std::vector<ReportTouch> Shown;
  Result<TouchProject> Project = touchProject(Headers, Inputs);
  if (!Project || Headers.compileCount() == 0)
    return Shown;
  std::optional<TouchHistory> History = Project->takeHistory();
  if (History && History->Commits.empty())
    History.reset();
  std::map<std::string, FileNumber> FileOf;
  for (const OwnFile &File : Project->Files)
    FileOf.emplace(File.Name, File.Spelled.front());
  const TouchTable Table = touchCosts(
      Rebuilds(Headers), Project->Files, History ? &*History : nullptr,
      TouchKey::File, History ? TouchOrder::Week : TouchOrder::Time);
  for (const TouchRow &Row : Table.Rows)
    if (Shown.size() != TouchesShown)
      Shown.push_back({Row.Name, Headers.path(FileOf.at(Row.Name)),
                       Row.Touch.Units, Row.Touch.Ns, Row.Often.Commits,
                       Row.Often.WeekNs});
  return Shown;
}

/// The name of what is shown, in the current folder: "build.html".
std::string pageName(const std::vector<std::string> &Inputs) {
  std::filesystem::path Name =
      std::filesystem::absolute(Inputs.front()).lexically_normal();
  if (!Name.has_filename())
    Name = Name.parent_path();
  return (Name.stem().empty() ? "report" : Name.stem().string()) + ".html";
}

void openInBrowser(const std::string &Path) {
  std::string Program = "xdg-open", Word = Path;
  std::array<char *, 3> Words = {Program.data(), Word.data(), nullptr};
  pid_t Id = 0;
  int Status = 1;
  if (::posix_spawnp(&Id, Program.c_str(), nullptr, nullptr, Words.data(),
                     environ) == 0)
    ::waitpid(Id, &Status, 0);
  if (Status != 0)
    printWarning("xdg-open cannot open " + Path);
}

Result<int> writeReport(const ReportCommandOptions &Opts) {
  // The reporter makes one for each of its tables.
  INSTANTRACE_TRY(usableFilter(Opts.Report.Filter));
  ReportedBuild New, Old;
  INSTANTRACE_TRY(findBuild(Opts.Inputs, New));
  ReportInput Input;
  Input.HasOld = !Opts.Against.empty();
  ReportOptions Options = Opts.Report;
  addSession(Opts.Inputs, Options);
  Options.Trials = SessionTrials(Opts.Inputs).history();
  CMakeReply CMake;
  if (Options.HasSource) {
    Options.CMake = CMake.reader();
    Options.Touches = [&Opts](HeaderFacts &Headers) {
      return costliestTouches(Headers, Opts.Inputs);
    };
  }
  Options.NameBytes =
      nameLimitBytes(Opts.Report.NameBytes, New.Known.Sizes, ExportedNames);
  ComparedCompiles Kept;
  if (Input.HasOld) {
    INSTANTRACE_TRY(findBuild(Opts.Against, Old));
    Input.Notes = Old.Gaps;
    INSTANTRACE_TRY(compare(Old, New, Input, Kept, Opts));
    Options.NameBytes = std::min(
        Options.NameBytes,
        nameLimitBytes(Opts.Report.NameBytes, Old.Known.Sizes, ExportedNames));
    Input.OldScopes = Old.scopes();
  }
  Input.Scopes = New.scopes();
  Input.Notes.insert(Input.Notes.begin(), New.Gaps.begin(), New.Gaps.end());
  Reporter R(Input, Options);
  INSTANTRACE_TRY_ASSIGN(TraceNotes Notes, readSums(New, R, ReportSideOf::New));
  if (Input.HasOld)
    INSTANTRACE_TRY(readSums(Old, R, ReportSideOf::Old));
  if (std::string Note = Notes.hookNote(); !Note.empty())
    Input.Notes.push_back(std::move(Note));
  R.endSums();
  INSTANTRACE_TRY(readPaths(New, R, ReportSideOf::New));
  if (Input.HasOld)
    INSTANTRACE_TRY(readPaths(Old, R, ReportSideOf::Old));
  R.endPaths();
  INSTANTRACE_TRY_ASSIGN(std::string Data, pageData(R, Opts));
  for (const std::string &Problem : CMake.problems())
    printWarning(Problem);
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

Result<int> runReport(const ReportCommandOptions &Opts) {
  ReportCommandOptions Named = Opts;
  if (Named.Output.empty())
    Named.Output = pageName(Opts.Inputs);
  Result<int> Written = writeReport(Named);
  if (Written && Named.IsOpened && Named.Output != "-")
    openInBrowser(Named.Output);
  return Written;
}

} // namespace

CommandRun instantrace::addReport(CLI::App &App) {
  auto Opts = std::make_shared<ReportCommandOptions>();
  CLI::App *Command = App.add_subcommand(
      "report",
      "Write one page for a browser: pictures, tables, request chains.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command->add_option(
      "-o,--output", Opts->Output,
      "the file, which appears when it is complete; - is stdout "
      "(default: the name of the trace or folder, with .html)");
  Command->add_flag("--open", Opts->IsOpened,
                    "show the page in the browser (xdg-open)");
  Command
      ->add_option("--against", Opts->Against,
                   "compare with this trace or folder of an older build; may "
                   "be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  Command->add_option("--noise", Opts->Report.Within.Percent,
                      "treat times as equal that differ by at most this many "
                      "percent, or by at most 1 ms (default 10)");
  Command->add_option("--max-size", Opts->MaxBytes,
                      "largest size of the page in bytes (default 10000000)");
  Command->add_option("--title", Opts->Report.Title,
                      "the title of the page (default: what was compiled)");
  Command->add_flag("!--no-sources,!--no-source", Opts->Report.HasSource,
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
  instantrace report a.itrace
  instantrace report --no-system -o build.html build/
  instantrace report --against=base/build -o diff.html head/build)");
  return runOnTraces(Opts, runReport);
}
