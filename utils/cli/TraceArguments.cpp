#include "utils/cli/TraceArguments.h"

#include "utils/input/FolderPath.h"
#include "utils/input/TraceInputs.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/HookText.h"

#include <filesystem>
#include <iterator>
#include <memory>

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
instantrace::readTraceArguments(const std::vector<std::string> &Paths,
                                Unreadable InFolder) {
  auto read = [&]() -> Result<Trace> {
    InputProgress Seen;
    INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                           findTraces(Paths, &Seen));
    // As if each was named.
    return readFoundTraces(
        Files, InFolder == Unreadable::IsError ? Files : Paths, Seen);
  };
  return noted(read());
}

Result<Trace>
instantrace::readFoundArguments(const std::vector<std::string> &Files,
                                const std::vector<std::string> &Paths) {
  auto read = [&] {
    InputProgress Seen;
    return readFoundTraces(Files, Paths, Seen);
  };
  return noted(read());
}

void TraceNotes::add(const Trace &T, const ObservedWork &Work) {
  std::vector<std::string> Lost = T.losses();
  Losses.insert(Losses.end(), Lost.begin(), Lost.end());
  Observed += Work;
  TimeTraces.add(T);
  Sequences += T.Sequences.size();
}

void TraceNotes::add(TraceNotes More) {
  std::move(More.Losses.begin(), More.Losses.end(), std::back_inserter(Losses));
  Observed += More.Observed;
  TimeTraces += More.TimeTraces;
  Sequences += More.Sequences;
}

void TraceNotes::print() const {
  for (const std::string &Loss : Losses)
    printWarning(Loss);
  if (std::string Note = TimeTraces.note(); !Note.empty())
    printWarning(Note);
  if (std::string Note = hookNote(Observed, Sequences); !Note.empty())
    printNote(Note);
}

void instantrace::learnScopes(const std::vector<std::string> &Files,
                              const std::vector<std::string> &Named,
                              LearnedScopes &Into) {
  class Scopes final : public StreamedTrace {
  public:
    TraceSink &events() override { return None; }
    void finish() override {
      Learned = LearnedScopes(T);
      T = {};
    }
    LearnedScopes Learned;

  private:
    NoEvents None;
  };
  ProgressAlone Seen;
  (void)forEachStreamed(
      EachTrace{Files, Seen, false, {}, &Named},
      [] { return std::make_unique<Scopes>(); },
      [&Into](Scopes &Of) -> Result<void> {
        Into.add(std::move(Of.Learned));
        return {};
      });
}

Result<std::optional<LearnedScopes>>
instantrace::scopesOfAll(const std::vector<std::string> &Files,
                         const std::vector<std::string> &Named,
                         EntityLevel Level) {
  std::optional<LearnedScopes> Learned;
  if (Files.size() == 1 ||
      (Level != EntityLevel::Class && Level != EntityLevel::Namespace))
    return Learned;
  for (const std::string &File : Files)
    if (std::error_code Failed;
        File == "-" || !fs::is_regular_file(File, Failed))
      return makeError(inputName(File), "what can be read once",
                       "a file: for classes and namespaces, several traces are "
                       "read twice");
  learnScopes(Files, Named, Learned.emplace());
  return Learned;
}

Result<std::unique_ptr<LearnedScopes>>
instantrace::learnScopesOf(TraceFilter &Filter,
                           const std::vector<std::string> &Files,
                           const std::vector<std::string> &Named) {
  std::unique_ptr<LearnedScopes> Kept;
  if (!Filter.needsAllNames())
    return Kept;
  INSTANTRACE_TRY_ASSIGN(std::optional<LearnedScopes> Learned,
                         scopesOfAll(Files, Named, Filter.level()));
  if (Learned)
    Kept = std::make_unique<LearnedScopes>(std::move(*Learned));
  Filter.setScopes(Kept.get());
  return Kept;
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
  if (std::string Difference = hookDifference(Old, New); !Difference.empty())
    printWarning(Difference);
  return Match;
}
