#include "utils/lsp/SessionAdvice.h"

#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/cli/LateSources.h"
#include "utils/lsp/SessionCosts.h"
#include "utils/open/EachTrace.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/AdviceText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/SarifText.h"
#include "utils/session/TrialFile.h"

#include <memory>
#include <utility>

using namespace instantrace;

namespace {

class AdviceStream final : public StreamedTrace {
public:
  explicit AdviceStream(const AdviceFinder &Finder) : Events(Finder, T) {}

  TraceSink &events() override { return Events; }
  void finish() override {
    Folders = CompileFolders(T);
    Advice = Events.take(T);
    T = {};
  }

  CompileFolders Folders;
  AdviceFinder::TracePart Advice;

private:
  AdviceSink Events;
};

constexpr size_t SentenceNameColumns = 60;

class AdviceReadings {
public:
  explicit AdviceReadings(const std::atomic<bool> &IsStopped)
      : IsStopped(IsStopped) {
    Spec.Sources = Sources.reader();
    Spec.KeepsCompiles = true;
    Finder.emplace(*All, Spec);
  }

  Result<SessionAdvice> read(const std::string &Path) {
    INSTANTRACE_TRY_ASSIGN(Files, findTraces({Path}));
    INSTANTRACE_TRY(readOnce());
    Roots.emplace(Folders, std::vector<std::string>());
    Sources.findIn(*Roots);
    if (Finder->endFirst())
      INSTANTRACE_TRY(readOnce());
    AdviceReport Report = Finder->take();
    if (Result<RecordedSession> Session = readSession(Path))
      if (Result<TrialHistory> Tried = readTrials(Path, *Session))
        Tried->apply(Report, Finder->names());
    return adviceOfLines(Report);
  }

private:
  Result<void> readOnce() {
    KeptMessages Seen; // reading the costs has said them
    return forEachStreamed(
        EachTrace{Files, Seen, true, nullptr, &Rounds, /*MostThreads=*/1},
        [this] { return std::make_unique<AdviceStream>(*Finder); },
        [this](AdviceStream &Read) -> Result<void> {
          if (IsStopped)
            return Error{"stopped"};
          Folders.add(std::move(Read.Folders));
          Finder->add(std::move(Read.Advice));
          return {};
        });
  }

  /// Where relative paths begin.
  std::string buildFolder() const {
    for (const RecordedCompile &Compile : Finder->compiles())
      if (!Compile.BuildFolder.empty())
        return Compile.BuildFolder;
    return {};
  }

  SessionAdvice adviceOfLines(const AdviceReport &Report) const {
    SessionAdvice All;
    for (const Suggestion &S : Report.Suggestions) {
      SarifResult Place;
      setSarifPlace(Place, S.Place);
      if (Place.LineNo == 0)
        continue; // it is about no line
      LineAdvice &Made =
          All[pathFrom(buildFolder(), Place.Path)].emplace_back();
      Made.LineNo = Place.LineNo;
      Made.Kind = adviceKindName(S.Kind);
      setMessage(Made, S, Report.TotalNs);
      setEdits(Made, S);
    }
    return All;
  }

  void setMessage(LineAdvice &Into, const Suggestion &S,
                  uint64_t TotalNs) const {
    auto Shown = [this](const std::string &Path) {
      return ProjectFolders{buildFolder(), {}}.shown(Path, buildFolder());
    };
    Into.ToDo =
        adviceSentence(S, Finder->names(), {}, SentenceNameColumns, Shown);
    Into.Message =
        Into.ToDo + ". Estimate: saves about " + timeText(S.Saves.EstimateNs) +
        " (" + percentText(S.Saves.EstimateNs, TotalNs) + " % of the build).";
    if (S.Tried)
      Into.Message += " Tried " + trialText(S, TotalNs) + ".";
  }

  void setEdits(LineAdvice &Into, const Suggestion &S) const {
    const std::vector<size_t> &Changed = S.Change.Compiles;
    if (Changed.empty() || !S.Change.Precompiled.empty() ||
        (S.Tried && S.Tried->isRefuted()))
      return;
    const std::vector<RecordedCompile> &Compiles = Finder->compiles();
    Into.CompiledRealtimeNs = UINT64_MAX;
    for (size_t Compile : Changed)
      Into.CompiledRealtimeNs = std::min(Into.CompiledRealtimeNs,
                                         Compiles[Compile].Session.RealtimeNs);
    Into.Edits = S.Change.Edits;
    for (SourceEdit &Edit : Into.Edits) {
      Edit.Path = pathFrom(buildFolder(), Edit.Path);
      // A trace may name ~/.bashrc, and the editor may have begun in ~.
      if (Edit.Path.find("/.") != std::string::npos || !Roots->open(Edit.Path))
        return Into.Edits.clear();
    }
  }

  const std::atomic<bool> &IsStopped;
  const Result<TraceFilter> All = TraceFilter::make({});
  std::optional<SourceRoots> Roots;
  LateSources Sources;
  AdviceSpec Spec;
  std::optional<AdviceFinder> Finder;
  CompileFolders Folders;
  std::vector<std::string> Files;
  InputRounds Rounds;
};

} // namespace

SessionAdvice instantrace::readSessionAdvice(const std::string &SessionPath,
                                             const WorkState &State) {
  Result<SessionAdvice> Read =
      AdviceReadings(State.IsStopped).read(SessionPath);
  return Read ? std::move(*Read) : SessionAdvice();
}
