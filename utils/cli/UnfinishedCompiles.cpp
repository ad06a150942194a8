#include "utils/cli/UnfinishedCompiles.h"

#include "runtime/base/TrimmedText.h"
#include "utils/cli/InputProgress.h"
#include "utils/open/SourceFiles.h"
#include "utils/open/TraceInputs.h"
#include "utils/open/TraceStreams.h"
#include "utils/render/NumberText.h"
#include "utils/render/Terminal.h"
#include "utils/system/FileTime.h"
#include "utils/system/MachineMemory.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <optional>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr size_t MostBlocks = 5;
constexpr size_t NameBytes = 1 << 14;
constexpr size_t MostInputsShown = 5;

/// The script that Clang writes beside what it preprocessed when it crashes:
/// a-0123ab.sh of a.cpp, while the compile ran or soon after.
std::string reproducerOf(const UnfinishedCompile &Compile) {
  constexpr uint64_t PatienceNs = 120'000'000'000;
  if (Compile.Signal == 0 || Compile.RealtimeNs == 0)
    return {};
  const std::string Begin = fs::path(Compile.Input).stem().string() + "-";
  std::error_code Failed;
  const fs::path Folder = fs::temp_directory_path(Failed);
  std::string Found;
  for (fs::directory_iterator File(Folder, Failed), End; !Failed && File != End;
       File.increment(Failed)) {
    const std::string Name = File->path().filename().string();
    if (!Name.starts_with(Begin) || !Name.ends_with(".sh"))
      continue;
    struct stat Is{};
    if (::lstat(File->path().c_str(), &Is) != 0 || !S_ISREG(Is.st_mode))
      continue;
    const uint64_t WrittenNs = modifiedNs(Is);
    if (WrittenNs >= Compile.RealtimeNs &&
        WrittenNs - Compile.RealtimeNs <= Compile.WallNs + PatienceNs)
      Found = std::max(Found, File->path().string());
  }
  return Found;
}

/// As it was when it was compiled, without the blanks around it.
std::string sourceLine(const Trace &T, const UnfinishedCompile &Compile) {
  if (Compile.Asked.LineNo == 0)
    return {};
  SourceFiles Sources(SourceRoots(T, {}), Compile.RealtimeNs);
  return std::string(trimmed(Sources.line(
      Compile.WorkingDirectory, Compile.Asked.Path, Compile.Asked.LineNo)));
}

void explain(const std::string &Path, bool WantsRunning,
             std::vector<ExplainedCompile> &Into) {
  if (!areFiles({Path}))
    return;
  Trace T;
  UnfinishedSink Events(
      T,
      [](const Dictionary &Names, NameId Name) {
        return Names.text(Name, NameStyle(), NameBytes);
      },
      WantsRunning);
  ProgressAlone Seen;
  Seen.begin(0);
  if (!streamFile(
          Path, Seen, [](uint64_t) {}, [](uint64_t, uint64_t) {}, T, Events))
    return;
  for (UnfinishedCompile &Compile : Events.take()) {
    UnfinishedContext Context;
    Context.Source = sourceLine(T, Compile);
    Context.Reproducer = reproducerOf(Compile);
    Context.MemoryBytes = processMemoryBytes();
    Into.push_back({std::move(Compile), std::move(Context)});
  }
}

} // namespace

std::vector<ExplainedCompile>
instantrace::explainUnfinished(const std::vector<std::string> &Traces,
                               size_t Most) {
  std::vector<ExplainedCompile> All;
  for (const std::string &Path : Traces) {
    if (Most != 0 && All.size() >= Most)
      break;
    explain(Path, false, All);
  }
  return All;
}

std::vector<ExplainedCompile>
instantrace::explainRunning(const std::string &Buffer) {
  std::vector<ExplainedCompile> All;
  explain(Buffer, true, All);
  return All;
}

std::string
instantrace::unfinishedBlocks(const std::vector<ExplainedCompile> &Compiles,
                              size_t Columns, size_t MoreCompiles) {
  std::string Text, Interrupted;
  size_t Shown = 0, Folded = 0;
  for (const ExplainedCompile &Each : Compiles) {
    if (Each.Compile.Signal == SIGINT && Each.Context.EndedBy.empty()) {
      if (++Folded <= MostInputsShown)
        Interrupted +=
            (Folded == 1 ? "" : ", ") + printableText(Each.Compile.Input);
      continue;
    }
    if (++Shown > MostBlocks)
      continue;
    for (const std::string &Line :
         unfinishedLines(Each.Compile, Each.Context, Columns))
      Text += Line + "\n";
  }
  MoreCompiles += Shown - std::min(Shown, MostBlocks);
  if (MoreCompiles != 0)
    Text += counted(MoreCompiles, "more compile") +
            " did not finish; `instantrace summary --json` has all\n";
  if (Folded != 0)
    Text += counted(Folded, "compile") + " interrupted by " +
            signalText(SIGINT) + ": " + Interrupted +
            (Folded > MostInputsShown
                 ? " and " + groupedText(Folded - MostInputsShown) + " more"
                 : "") +
            "\n";
  return Text;
}

void instantrace::printUnfinished(const std::vector<std::string> &Traces) {
  // What is only said beside an answer must not be the end of it.
  try {
    std::vector<ExplainedCompile> Compiles =
        explainUnfinished(Traces, MostBlocks);
    const size_t More =
        Compiles.size() == MostBlocks ? Traces.size() - MostBlocks : 0;
    std::fputs(unfinishedBlocks(Compiles, standardErrorTerminal().Columns, More)
                   .c_str(),
               stderr);
  } catch (const std::exception &) {
    return;
  }
}
