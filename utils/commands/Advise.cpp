/// \file
/// `instantrace advise`: what to change.
///
/// Flow: TraceArguments, TraceFilter -> AdviceSink -> AdviceFinder, once or
///       twice; sources -> AdviceReport -> AdviceText -> stdout
#include "runtime/base/PrintableText.h"
#include "utils/analysis/overview/UserLines.h"
#include "utils/cli/Choices.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/LateSources.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/commands/Commands.h"
#include "utils/commands/OverviewPart.h"
#include "utils/commands/TouchProject.h"
#include "utils/commands/TriedAdvice.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/AdviceText.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"
#include "utils/session/BuildProcess.h"
#include "utils/session/CMakeReply.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

struct AdviseOptions {
  std::vector<std::string> Inputs;
  std::vector<std::string> Only;
  double MinSharePercent = 1;
  bool NoSources = false;
  bool HasAll = false;
  std::string TryWord;
  size_t Try = 0; ///< so many suggestions
  std::string Patch;
  std::vector<std::string> MoreRoots;
  FilterSpec Filter;
  OutputOptions Output;
  bool IsSarif = false;
};

AdviceSpec specFor(const AdviseOptions &Opts) {
  AdviceSpec Spec;
  Spec.MinPermille = 10 * Opts.MinSharePercent;
  Spec.KeepsCompiles = Opts.Try != 0;
  for (AdviceKind Kind : AdviceKinds)
    for (const std::string &Word : Opts.Only)
      if (Word == adviceKindName(Kind))
        Spec.Only.push_back(Kind);
  return Spec;
}

Result<int> write(const AdviseOptions &Opts, const Trace &Names,
                  const AdviceReport &Report, const OverviewSums &Sums,
                  const HeaderFacts *Headers) {
  Output Out(stdout);
  if (Opts.Output.Records) {
    writeAdviceRecords(Out, *Opts.Output.Records, Names, Report,
                       chooseBuildMode(Sums), Opts.Output.Rows,
                       Opts.Output.style());
    return Out.finish();
  }
  ProjectFolders Project = projectFolders(sessionNamed(Opts.Inputs), Sums);
  if (Opts.IsSarif) {
    writeAdviceSarif(Out, Names, Report, Opts.Output.Rows, Project,
                     Sums.WorkingDirectory, [&](const Suggestion &S) {
                       return !Headers || S.Compiles.empty()
                                  ? std::string()
                                  : Headers->run(S.Compiles[0].Compile).Source;
                     });
    return Out.finish();
  }
  AdviceTextStyle Style;
  Style.Wanted = Opts.Output.Rows;
  Style.Names = Opts.Output.style();
  Style.MinPercent = Opts.MinSharePercent;
  Style.HasAll = Opts.HasAll;
  Style.Build = chooseBuildMode(Sums);
  Style.Shown = [&](const std::string &Path) {
    return Project.shown(Path, Sums.WorkingDirectory);
  };
  if (std::vector<UserLine> Lines = userLines(Sums); !Lines.empty())
    Style.LargestCost =
        printableText(Project.shown(Lines[0].Path, Lines[0].WorkingDirectory)) +
        ":" + std::to_string(Lines[0].LineNo) + ", " +
        percentText(Lines[0].Ns, Sums.totalNs()) + " %";
  writeAdviceText(Out, Names, Report, Style, standardOutputTerminal());
  return Out.finish();
}

/// Adds what suggestions save a week, if they say which compiles they change,
/// and if there is a history.
void addWeeks(HeaderFacts *Headers, const std::vector<std::string> &Inputs,
              AdviceReport &Report) {
  auto isKnown = [](const Suggestion &S) { return !S.Compiles.empty(); };
  if (!Headers || std::ranges::none_of(Report.Suggestions, isKnown))
    return;
  Result<TouchProject> Project = touchProject(*Headers, Inputs);
  const std::optional<TouchHistory> History =
      Project ? Project->takeHistory() : std::nullopt;
  if (!History || History->Commits.empty())
    return;
  const Rebuilds Made(*Headers);
  Report.Commits = History->Commits.size();
  Report.Weeks = History->Weeks;
  for (Suggestion &S : Report.Suggestions)
    if (isKnown(S))
      S.WeekNs = weekSavedNs(Made, Project->Files, *History, S.Compiles);
}

Result<int> runAdvise(const AdviseOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs));
  InputRounds Rounds;
  std::optional<LearnedScopes> Compared =
      scopesOfAll(Files, Opts.Inputs, Rounds, Filter.needsAllNames());
  LateSources Sources;
  CMakeReply CMake;
  AdviceSpec Spec = specFor(Opts);
  if (!Opts.NoSources) {
    Spec.Sources = Sources.reader();
    Spec.CMake = CMake.reader();
  }
  AdviceFinder Finder(Filter, Spec, Compared ? &*Compared : nullptr);
  CompileFolders Folders;
  std::vector<std::string> Again; // others could not be read, which was said
  OverviewSums Sums;
  auto Open = [&](bool WithOverview) {
    return [&Finder, WithOverview] {
      return std::make_unique<OverviewPart>(Finder, WithOverview);
    };
  };
  INSTANTRACE_TRY(streamEachTrace(
      Files, Open(/*WithOverview=*/true),
      [&](OverviewPart &Part) -> Result<void> {
        Again.push_back(Part.Path);
        Folders.add(std::move(Part.Folders));
        Sums.add(Part.Sums);
        Finder.add(std::move(Part.Advice));
        return {};
      },
      /*AreFailuresTold=*/false, &Opts.Inputs, &Rounds));
  Sources.findIn(SourceRoots(Folders, Opts.MoreRoots));
  if (Finder.endFirst()) {
    ProgressAlone Seen; // what is missing has been said
    INSTANTRACE_TRY(forEachStreamed(
        EachTrace{Again, Seen, false, nullptr, &Rounds}, Open(false),
        [&Finder](OverviewPart &Part) -> Result<void> {
          Finder.add(std::move(Part.Advice));
          return {};
        }));
  }
  AdviceReport Report = Finder.take();
  for (const std::string &Problem : CMake.problems())
    printWarning(Problem);
  addWeeks(Finder.headers(), Opts.Inputs, Report);
  SessionTrials Trials(Opts.Inputs);
  Suggestions Patched; // earlier trials are not in the diff
  if (Opts.Try != 0) {
    int Signal = 0;
    Result<void> Ended =
        trySuggestions(Opts.Try, Finder.compiles(), Report.Suggestions, Signal);
    if (Signal != 0)
      return BuildProcess::endAs({128 + Signal, Signal});
    INSTANTRACE_TRY(Ended);
    Report.HasTrials = true;
    Trials.keep(Report.Suggestions, Finder.names());
    Patched = Report.Suggestions;
  }
  Trials.history().apply(Report, Finder.names());
  INSTANTRACE_TRY(write(Opts, Finder.names(), Report, Sums, Finder.headers()));
  if (Opts.Patch.empty())
    return ExitSuccess;
  const std::optional<RecordedSession> Session = sessionNamed(Opts.Inputs);
  return writePatch(Opts.Patch, Session ? Session->SourceRoot : std::string(),
                    Finder.compiles(), Patched);
}

std::string kindsText() {
  constexpr size_t WordColumns = 22, MeaningColumns = 56;
  std::string Text = "Kinds of suggestions:\n";
  for (AdviceKind Kind : AdviceKinds) {
    std::string_view Word = adviceKindName(Kind);
    for (const std::string &Line :
         brokenIntoLines(adviceKindMeaning(Kind), MeaningColumns)) {
      Text += "  " + std::string(Word) +
              std::string(WordColumns - Word.size(), ' ') + Line + "\n";
      Word = {};
    }
  }
  return Text;
}

} // namespace

CommandRun instantrace::addAdvise(CLI::App &App) {
  auto Opts = std::make_shared<AdviseOptions>();
  Opts->Output.Rows = 10;
  CLI::App *Command = App.add_subcommand(
      "advise", "Suggest changes, and estimate what each saves.");
  addTracesOrNewest(*Command, Opts->Inputs);
  std::vector<std::string> Words;
  for (AdviceKind Kind : AdviceKinds)
    Words.emplace_back(adviceKindName(Kind));
  Command
      ->add_option("--only", Opts->Only,
                   "only suggestions of this kind, see below; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->check(CLI::IsMember(Words));
  Command
      ->add_option("--min-share", Opts->MinSharePercent,
                   "only suggestions that save at least this share of the "
                   "total time, in percent (default 1)")
      ->check(CLI::Range(0.0, 100.0));
  Command->add_flag("--no-sources", Opts->NoSources,
                    "do not read the source files");
  Command->add_flag("-v,--verbose", Opts->HasAll,
                    "with all evidence, lines to write, and what may be "
                    "against it");
  CLI::Option *Try = Command->add_flag(
      "--try{3}", Opts->TryWord,
      "try the first 3 suggestions, or --try=N: compile with each in a scratch "
      "folder, and measure; runs the compilers that were recorded");
  Command
      ->add_option("-o,--output", Opts->Patch,
                   "what paid of the suggestions tried, as a unified diff")
      ->needs(Try);
  addSourceRootOption(*Command, Opts->MoreRoots);
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "suggestions");
  addSarifOption(*Command, Opts->IsSarif);
  Command->footer(
      kindsText() +
      R"(never-kept, duplicates, and parts of extern-template and type-independent-part,
need traces with what LLVM did (docs/use/analyses.md).

A saving is the sum over all given compiles, as recorded: an estimate, with a
lower limit (what goes for certain) and an upper one (what goes if nothing
else needs it). Suggestions of different kinds may save the same work. Sources
are read from where the compiler read them, to tell which functions are
inline and which names a file mentions; of them names and #includes are
printed. Filters select what suggestions are about.

--try compiles up to 6 units of each suggestion, before and after in turn, in
three rounds, with the recorded commands, and compares user and system time. It
works in a folder below TMPDIR, which is removed, and runs only what is called
as Clang is, and ninja, to ask how what paid is linked. Results are kept in the
trials.json of a session, shown from then on, and correct other estimates of
their kinds. With -o, the exit code is 1 if nothing paid that a diff can say.

Examples:
  instantrace advise build/
  instantrace advise -v -n 1 build/
  instantrace advise -n 3 --only=recursion --only=enable-if a.itrace
  instantrace advise --try build/
  instantrace advise --in src/ --min-share=2 --json build/
  instantrace advise --sarif -n 0 build/ > advice.sarif)");
  Command->parse_complete_callback([Opts, Try] {
    if (Try->count() == 0)
      return;
    // Not check(): CLI11 2.6 checks an absent flag as 0.
    if (std::string Wrong = CLI::Range(1, 1000)(Opts->TryWord); !Wrong.empty())
      throw CLI::ValidationError("--try", Wrong);
    CLI::detail::lexical_cast(Opts->TryWord, Opts->Try);
  });
  return runOnTraces(Opts, runAdvise);
}
