#include "utils/commands/TriedAdvice.h"

#include "utils/cli/Command.h"
#include "utils/commands/OverviewPart.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Progress.h"
#include "utils/session/TrialFile.h"
#include "utils/trial/Trial.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// The CMakeLists.txt that belongs to a folder of a build; empty: not found.
std::string cmakeLists(const fs::path &BuildFolder) {
  const std::string Name = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (fs::path Top = BuildFolder; Top.has_relative_path();
       Top = Top.parent_path()) {
    std::ifstream Cache(Top / "CMakeCache.txt");
    for (std::string Line; std::getline(Cache, Line);) {
      if (!Line.starts_with(Name))
        continue;
      const fs::path File =
          (fs::path(Line.substr(Name.size())) /
           BuildFolder.lexically_relative(Top) / "CMakeLists.txt")
              .lexically_normal();
      std::error_code Failed;
      return fs::is_regular_file(File, Failed) ? File.string() : std::string();
    }
  }
  return {};
}

} // namespace

Result<void>
instantrace::trySuggestions(size_t Count,
                            const std::vector<RecordedCompile> &Compiles,
                            Suggestions &All, int &Signal) {
  TrialProcess Process; // what waits for it comes when the scratch folder went
  auto tryThem = [&]() -> Result<void> {
    INSTANTRACE_TRY_ASSIGN(TrialRun Trial, TrialRun::make(Process, Compiles));
    Progress Shown("compiles to try suggestions", 0, ProgressUnit::Items);
    uint64_t Done = 0;
    Trial.OnCompile = [&](const std::string &Source) {
      Shown.enter(Source);
      Shown.at(Done++);
    };
    Trial.OnProgram = [&](const std::string &Program) {
      Shown.makeRoom();
      printNote("--try runs " + Program);
    };
    for (size_t I = 0; I != std::min(Count, All.size()); ++I) {
      INSTANTRACE_TRY_ASSIGN(All[I].Tried, Trial.run(All[I]));
    }
    return {};
  };
  Result<void> Tried = tryThem();
  Signal = Process.interruptedBy();
  return Tried;
}

SessionTrials::SessionTrials(const std::vector<std::string> &Inputs) {
  const std::optional<RecordedSession> Session = sessionNamed(Inputs);
  if (!Session)
    return;
  if (Result<TrialHistory> Read = readTrials(Inputs.front(), *Session)) {
    Folder = Inputs.front();
    History = std::move(*Read);
  } else {
    printNote(Read.error().Message + "; it is ignored");
  }
}

void SessionTrials::keep(const Suggestions &All, const Trace &Names) {
  if (!History.add(All, Names) || Folder.empty())
    return;
  if (Result<void> Written = writeTrials(Folder, History); !Written)
    printNote(Written.error().Message +
              "; what was tried is not kept for later");
}

Result<int>
instantrace::writePatch(const std::string &Path, std::string Root,
                        const std::vector<RecordedCompile> &Compiles,
                        const Suggestions &All) {
  std::error_code Failed;
  if (Root.empty())
    Root = fs::current_path(Failed).string();
  EditedSources Sources;
  bool HasPaid = false;
  for (const Suggestion &S : All)
    if (S.Tried && S.Tried->Kind == TrialResult::Outcome::Paid) {
      HasPaid = true;
      std::vector<SourceEdit> Edits = S.Change.Edits;
      if (!S.Change.CMakeEdit.Path.empty())
        Edits.push_back(S.Change.CMakeEdit);
      else if (std::string File = cmakeLists(S.Change.CMakeFolder);
               !File.empty())
        Edits.push_back({std::move(File), 0, "\n" + S.Snippet + "\n"});
      INSTANTRACE_TRY(
          Sources.add(Edits, Compiles[S.Change.Compiles.front()].BuildFolder));
    }
  if (Sources.isEmpty()) {
    printNote(Path + " is not written: " +
              (HasPaid ? "what paid changes the build files; -v shows the lines"
                       : "nothing that was tried paid"));
    return ExitBadInput;
  }
  INSTANTRACE_TRY(writeFile(Path, Sources.unifiedDiff(Root)));
  return ExitSuccess;
}
