#include "utils/cli/TraceArguments.h"

#include "utils/cli/UnfinishedCompiles.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/CompilerText.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/HookText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/system/FolderPath.h"

#include <filesystem>
#include <iterator>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// \p Read has read them, and its line of progress is gone.
Result<Trace> noted(Result<Trace> Read) {
  if (!Read)
    return Read;
  TraceNotes Notes;
  Notes.add(*Read, observedWork(*Read));
  Notes.print();
  return Read;
}

} // namespace

CLI::Option *instantrace::addTraceArguments(CLI::App &Command,
                                            std::vector<std::string> &Paths) {
  return Command
      .add_option("trace", Paths,
                  "traces; a folder means all *.itrace below it; - is the "
                  "standard input")
      ->required();
}

Result<std::vector<std::string>>
instantrace::findTraceArguments(const std::vector<std::string> &Paths,
                                NamedTwice Twice, SessionLacks *Lacks,
                                LinksInFolders Links) {
  InputProgress Seen;
  Result<std::vector<std::string>> Files =
      findTraces(Paths, &Seen, Twice, Links);
  if (Lacks)
    *Lacks = Seen.lacks();
  return Files;
}

void instantrace::warnOfOutputBelow(const std::vector<std::string> &Paths,
                                    const std::string &Into) {
  std::error_code Failed;
  fs::path Output = fs::weakly_canonical(Into, Failed);
  for (const std::string &Path : Paths) {
    fs::path Folder = fs::canonical(Path, Failed);
    if (Failed || !fs::is_directory(Folder, Failed))
      continue;
    if (isBelow(Output, Folder))
      printWarning(Into + ": is below " + Path +
                   ", of which it counts as a part from now on");
  }
}

Result<Trace>
instantrace::readTraceArguments(const std::vector<std::string> &Paths) {
  auto read = [&]() -> Result<Trace> {
    InputProgress Seen; // its line is gone before the notes come
    return readTraces(Paths, Seen);
  };
  return noted(read());
}

void TraceNotes::add(const Trace &T, const ObservedWork &Work) {
  std::vector<std::string> Lost = T.losses();
  Losses.insert(Losses.end(), Lost.begin(), Lost.end());
  Observed += Work;
  TimeTraces.add(T);
  for (const Sequence &S : T.Sequences) {
    if (isUnfinished(S))
      Unfinished.insert(
          {!S.Footer->isInterrupted(), T.Files[S.FileIndex].Name});
    if (!S.Session)
      continue;
    OnTheWall += !S.Session->Clock.empty() && !S.knowsWaits();
    if (WorkingDirectory.empty())
      WorkingDirectory = S.BuildFolder;
  }
  HasWallTime |= T.Clock == EventClock::Wall || OnTheWall != 0;
  Sequences += T.Sequences.size();
}

void TraceNotes::add(TraceNotes More) {
  std::move(More.Losses.begin(), More.Losses.end(), std::back_inserter(Losses));
  Unfinished.merge(More.Unfinished);
  Observed += More.Observed;
  TimeTraces += More.TimeTraces;
  OnTheWall += More.OnTheWall;
  HasWallTime |= More.HasWallTime;
  if (WorkingDirectory.empty())
    WorkingDirectory = std::move(More.WorkingDirectory);
  Sequences += More.Sequences;
}

std::vector<std::string> TraceNotes::unfinished() const {
  std::vector<std::string> Traces;
  for (const auto &[IsFailure, Path] : Unfinished)
    Traces.push_back(Path);
  return Traces;
}

void TraceNotes::print() const {
  if (!project().IsOfSession) // of two builds, the later one
    project() = {WorkingDirectory, {}};
  printUnfinished(unfinished());
  for (const std::string &Loss : Losses)
    printWarning(Loss);
  if (std::string Note = TimeTraces.note(); !Note.empty())
    printWarning(Note);
  if (OnTheWall != 0)
    printNote(counted(OnTheWall, "compile was", "compiles were") +
              " recorded before waiting was told apart from work: times are "
              "wall time, and longer on a busy machine");
  if (std::string Note = hookNote(); !Note.empty())
    printNote(Note);
}

std::string TraceNotes::hookNote() const {
  return instantrace::hookNote(Observed, Sequences);
}

std::optional<LearnedScopes>
instantrace::scopesOfAll(const std::vector<std::string> &Files,
                         const std::vector<std::string> &Named,
                         InputRounds &Rounds, bool AreNeeded) {
  std::optional<LearnedScopes> All;
  if (!AreNeeded || Files.size() == 1)
    return All;
  All.emplace();
  ProgressAlone Seen;
  (void)readNames<LearnedScopes>(
      Files, &Named, Rounds, Seen,
      [](const Trace &T) { return LearnedScopes(T); },
      [&All](const std::string &, LearnedScopes Scopes) {
        All->add(std::move(Scopes));
      });
  return All;
}

Result<CompileMatch>
instantrace::matchBuilds(const Trace &Old, const std::string &OldPath,
                         const Trace &New, const std::string &NewPath,
                         const std::vector<CompileSketch> &OldSketches,
                         const std::vector<CompileSketch> &NewSketches) {
  CompileMatch Match = matchCompiles(Old, New, OldSketches, NewSketches);
  if (Match.Pairs.empty())
    return Error{NewPath + ": found no compile of a file that is compiled in " +
                 OldPath + ", expected at least one"};
  if (std::string Difference = compilerDifference(Old, New);
      !Difference.empty())
    printNote("the builds differ by compiler: " + Difference);
  if (std::string Difference = hookDifference(Old, New); !Difference.empty())
    printWarning(Difference);
  return Match;
}
