/// \file
/// The first screen of `summary`, `record` and `run`.
///
/// Flow: traces -> OverviewSink and AdviceSink, in one pass; AdviceSink, in
///       another if advice needs it; sources -> OverviewText -> a stream
#include "utils/analysis/overview/UserLines.h"
#include "utils/cli/LateSources.h"
#include "utils/cli/UnfinishedCompiles.h"
#include "utils/commands/OverviewPart.h"
#include "utils/commands/Summarizing.h"
#include "utils/render/Diagnostics.h"
#include "utils/session/BuildProcess.h"
#include "utils/session/CMakeReply.h"
#include "utils/system/MachineMemory.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

std::string inputWords(const std::vector<std::string> &Inputs) {
  std::string Words;
  for (const std::string &Input : Inputs)
    Words += (Words.empty() ? "" : " ") + Input;
  return Words;
}

class OverviewReading {
public:
  explicit OverviewReading(const OverviewSpec &Spec) : Spec(Spec) {
    Advised.Sources = Sources.reader();
    Advised.CMake = CMake.reader();
    Finder.emplace(*All, Advised);
  }

  Result<void> read();
  Result<int> show();

private:
  Result<void> readFirst();
  Result<void> readAgain();

  const OverviewSpec &Spec;
  const Result<TraceFilter> All = TraceFilter::make({});
  LateSources Sources;
  CMakeReply CMake;
  AdviceSpec Advised;
  std::optional<AdviceFinder> Finder;
  SessionLacks Lacks;
  InputRounds Rounds;
  std::vector<std::string> Files;
  OverviewSums Sums;
  CompileFolders Folders;
  bool IsIncomplete = false;
  std::vector<std::string> Unfinished; ///< traces
};

Result<void> OverviewReading::readFirst() {
  const std::vector<std::string> Wanted = std::exchange(Files, {});
  auto Use = [this](OverviewPart &Part) -> Result<void> {
    if (Spec.GoesOn && !Spec.GoesOn())
      return Error{"stopped while traces were read"};
    Files.push_back(Part.Path); // others could not be read, which was said
    Sums.add(Part.Sums);
    Folders.add(std::move(Part.Folders));
    Finder->add(std::move(Part.Advice));
    return {};
  };
  auto Open = [this] {
    return std::make_unique<OverviewPart>(*Finder, /*WithOverview=*/true);
  };
  if (Spec.IsLossKnown) {
    ProgressAlone Seen;
    return forEachStreamed(EachTrace{Wanted, Seen, true, nullptr, &Rounds},
                           Open, Use);
  }
  INSTANTRACE_TRY_ASSIGN(
      TraceNotes Notes,
      streamEachTrace(Wanted, Open, Use, false, &Spec.Inputs, &Rounds));
  if (Spec.IsRecord)
    Unfinished = Notes.unfinished();
  IsIncomplete = Notes.isIncomplete() || Files.size() != Wanted.size();
  return {};
}

Result<void> OverviewReading::readAgain() {
  ProgressAlone Seen; // what is missing has been said
  return forEachStreamed(
      EachTrace{Files, Seen, false, nullptr, &Rounds},
      [this] {
        return std::make_unique<OverviewPart>(*Finder, /*WithOverview=*/false);
      },
      [this](OverviewPart &Part) -> Result<void> {
        if (Spec.GoesOn && !Spec.GoesOn())
          return Error{"stopped while traces were read"};
        Finder->add(std::move(Part.Advice));
        return {};
      });
}

Result<void> OverviewReading::read() {
  INSTANTRACE_TRY_ASSIGN(
      Files,
      Spec.IsLossKnown
          ? findTraces(Spec.Inputs)
          : findTraceArguments(Spec.Inputs, NamedTwice::CountOnce, &Lacks));
  INSTANTRACE_TRY(readFirst());
  Sources.findIn(SourceRoots(Folders, {}));
  return Finder->endFirst() ? readAgain() : Result<void>();
}

Result<int> OverviewReading::show() {
  std::optional<RecordedSession> Session = sessionNamed(Spec.Inputs);
  AdviceReport Report = Finder->take();
  for (const std::string &Problem : CMake.problems())
    printWarning(Problem);
  OverviewScreen Shown{
      Sums,       projectFolders(Session, Sums), {}, 0, Report, Finder->names(),
      Spec.Names, inputWords(Spec.Inputs)};
  if (Session && Session->WallNs != 0)
    Shown.WallNs = Session->WallNs;
  Shown.MemoryBytes = machineMemoryBytes();
  Shown.Processors = std::thread::hardware_concurrency();
  Shown.Traces = Files.size();
  Shown.IsIncomplete = IsIncomplete;
  Shown.Unfinished = explainUnfinished(Unfinished);
  Shown.Unprofiled = Lacks.Unprofiled;
  std::vector<UserLine> Lines = userLines(Sums);
  Shown.AllLines = Lines.size();
  Lines.resize(std::min(Lines.size(), LinesOnScreen));
  SourceFiles Unchanged(SourceRoots(Folders, {}), Sums.FirstRealtimeNs);
  for (UserLine &Line : Lines) {
    std::string Place = Shown.Project.shown(Line.Path, Line.WorkingDirectory) +
                        ":" + std::to_string(Line.LineNo);
    std::string Source =
        Unchanged.line(Line.WorkingDirectory, Line.Path, Line.LineNo);
    Shown.Lines.push_back(
        {std::move(Line), std::move(Place), std::move(Source)});
  }
  Output Out(Spec.Into);
  if (Spec.IsRecord)
    writeOverviewRecord(Out, Shown);
  else
    writeOverviewText(Out, Shown,
                      Spec.Into == stderr ? standardErrorTerminal()
                                          : standardOutputTerminal());
  return Out.finish();
}

} // namespace

std::optional<RecordedSession>
instantrace::sessionNamed(const std::vector<std::string> &Inputs) {
  std::error_code None;
  if (Inputs.size() != 1 || !fs::exists(Inputs.front() + "/session.json", None))
    return std::nullopt;
  Result<RecordedSession> Read = readSession(Inputs.front());
  return Read ? std::optional(*Read) : std::nullopt;
}

ProjectFolders
instantrace::projectFolders(const std::optional<RecordedSession> &Session,
                            const OverviewSums &Sums) {
  return Session
             ? ProjectFolders{Session->WorkingDirectory, Session->SourceRoot}
             : ProjectFolders{Sums.WorkingDirectory, {}};
}

Result<int> instantrace::showOverview(const OverviewSpec &Spec) {
  OverviewReading Reading(Spec);
  INSTANTRACE_TRY(Reading.read());
  return Reading.show();
}

void instantrace::showRecorded(const std::string &Folder,
                               std::optional<CostKey> GroupedKey, size_t Rows) {
  BuildProcess::ignoreWriteSignals();
  try {
    if (!findTraces({Folder}))
      return;
    std::fputs("\n", stderr);
    Result<int> Shown =
        GroupedKey ? summarize({Folder}, *GroupedKey, Rows, stderr)
                   : showOverview({{Folder}, {}, false, stderr, true, [] {
                                     return BuildProcess::takeEndSignal() == 0;
                                   }});
    if (!Shown)
      printWarning(Shown.error().Message);
  } catch (const std::exception &E) {
    std::fprintf(stderr, "instantrace: warning: %s\n", E.what());
  }
}
