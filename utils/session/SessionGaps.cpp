#include "utils/session/SessionGaps.h"

#include "runtime/base/SaturatingSum.h"
#include "utils/open/CompressedTrace.h"
#include "utils/render/NumberText.h"
#include "utils/session/ClangStart.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_set>
#include <vector>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Many times what `record` has to say: anybody may have written the file.
constexpr size_t LongestText = 2000;

/// What the session names may be anything: only a name in the folder is one.
bool isThere(const std::string &Folder, const std::string &Trace) {
  std::error_code None;
  return Trace.find('/') == Trace.npos &&
         (fs::exists(Folder + "/" + Trace, None) ||
          fs::exists(Folder + "/" + Trace + std::string(CompressedEnding),
                     None));
}

/// A problem is one of a trace if it begins with the path of one, and whoever
/// reads the trace tells that again.
uint64_t problemsOfOthers(const RecordedSession &S,
                          const std::unordered_set<std::string_view> &Traces) {
  uint64_t Count = 0;
  for (const std::string &Problem : S.Problems) {
    std::string_view Path = std::string_view(Problem).substr(
        0, std::min(Problem.find(": "), Problem.size()));
    Count += !Traces.contains(Path.substr(Path.rfind('/') + 1));
  }
  return Count;
}

std::string endText(const RecordedSession &S, const std::string &Folder) {
  if (S.State == "running")
    return isRunning(S, Folder)
               ? "what the build, which still runs, has not compiled yet"
               : "what else was compiled: record was killed, and has counted "
                 "nothing";
  if (S.State == "interrupted")
    return "what was not compiled when the build was interrupted";
  if (S.ExitCode != 0)
    return "what was not compiled because the build failed, exit code " +
           std::to_string(S.ExitCode);
  return {};
}

} // namespace

SessionGaps instantrace::sessionGaps(const RecordedSession &S,
                                     const std::string &Folder) {
  SessionGaps Gaps;
  std::vector<std::string> Parts;
  auto lacks = [&](uint64_t Compiles, std::string Text) {
    Gaps.Compiles = addSaturating(Gaps.Compiles, Compiles);
    Parts.push_back(std::move(Text));
  };
  for (const auto &[What, Use] : S.NotProfiled) {
    // What a cache says of itself counts, and not how often it was run.
    if (Use.Hits != 0)
      lacks(Use.Hits, groupedText(Use.Hits) + " of " +
                          counted(Use.Runs, "object") + ", out of " + What);
    else if ((What == "GCC" || What.starts_with(ClangWithout)) &&
             Use.Count != 0)
      lacks(Use.Count, counted(Use.Count, "compile") + " by " + What);
    else if (Use.Count != 0 && Use.Runs == 0)
      lacks(0, "what " + counted(Use.Count, "run") + " of " + What +
                   " compiled elsewhere");
  }
  if (S.CompiledAgain != 0)
    lacks(S.CompiledAgain,
          counted(S.CompiledAgain, "compile") + " that a later one replaced");
  uint64_t Removed = 0;
  std::unordered_set<std::string_view> Traces;
  for (const std::string &Trace : S.Traces) {
    Removed += !isThere(Folder, Trace);
    Traces.insert(Trace);
  }
  if (Removed != 0)
    lacks(Removed, counted(Removed, "trace") + " no longer in the folder");
  if (uint64_t Problems = problemsOfOthers(S, Traces))
    lacks(0, counted(Problems, "problem") + " in session.json");
  if (std::string End = endText(S, Folder); !End.empty())
    lacks(0, std::move(End));
  auto say = [&Gaps](const std::string &Part) {
    Gaps.Text += (Gaps.Text.empty() ? "" : "; ") + Part;
  };
  uint64_t Unsaid = 0;
  for (const std::string &Part : Parts)
    if (Gaps.Text.size() + Part.size() <= LongestText)
      say(Part);
    else
      ++Unsaid;
  if (Unsaid != 0)
    say(groupedText(Unsaid) + " more, in session.json");
  return Gaps;
}
