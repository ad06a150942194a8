#include "utils/lsp/SessionWatch.h"

#include "runtime/base/SystemMessage.h"
#include "utils/cli/NewestTrace.h"
#include "utils/open/TraceInputs.h"
#include "utils/session/RecordedSession.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <utility>
#include <vector>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t LookEveryNs = 1'000'000'000, LookShare = 20,
                   UnaskedShare = 100;

std::string newestEnded(const std::vector<std::string> &Folders) {
  for (FoundTrace &Each : newestTracesBelow(Folders).Found)
    if (!Each.IsSession || !isBeingRecorded(Each.Path))
      return std::move(Each.Path);
  return {};
}

/// A workspace may have a thousand folders: two are named at most.
std::string noTraceBelow(const std::vector<std::string> &Folders) {
  if (Folders.empty())
    return "the workspace has no folder";
  const std::string Others =
      Folders.size() == 1   ? ""
      : Folders.size() == 2 ? " or " + Folders.back()
                            : " or the " + std::to_string(Folders.size() - 1) +
                                  " other folders of the workspace";
  return "no trace below " + Folders.front() + Others +
         "; `instantrace record -- BUILD` makes a session";
}

/// Whether all of what a setting names may be read: a pipe has no end, and
/// neither has what is below `/`.
Result<void> checkNamed(const std::string &Path) {
  std::error_code Failed;
  const fs::file_status Status = fs::status(Path, Failed);
  if (!fs::exists(Status) || fs::is_regular_file(Status))
    return {};
  if (!fs::is_directory(Status))
    return Error{Path + " is neither a file nor a folder"};
  if (fs::is_regular_file(Path + "/session.json", Failed))
    return {};
  size_t Left = MostEntriesLookedAt;
  fs::recursive_directory_iterator It(
      Path, fs::directory_options::skip_permission_denied, Failed);
  for (; !Failed && It != fs::recursive_directory_iterator() && Left != 0;
       It.increment(Failed))
    --Left;
  if (Left == 0)
    return Error{Path + " has more than " +
                 std::to_string(MostEntriesLookedAt) +
                 " entries; name a session in it"};
  if (Failed)
    return Error{Path + ": " + systemMessage(Failed.value())};
  return {};
}

} // namespace

void SessionWatch::watch(std::vector<std::string> NewFolders,
                         std::string NewNamed) {
  Folders = std::move(NewFolders);
  Named = std::move(NewNamed);
  if (!Named.empty() && !Named.starts_with('/'))
    Named = Folders.empty() ? "" : Folders.front() + "/" + Named;
  NextLookNs = 0;
  Reading.stop();
  Seen.reset();
  Costs.reset();
}

Result<std::optional<SessionWatch::Identity>> SessionWatch::newest() const {
  Identity Found;
  Found.Path = Named.empty() ? newestEnded(Folders) : Named;
  if (!Named.empty())
    INSTANTRACE_TRY(checkNamed(Named));
  if (Found.Path.empty() || isBeingRecorded(Found.Path))
    return std::optional<Identity>();
  Result<std::vector<std::string>> Files = findTraces({Found.Path});
  if (!Files)
    return std::optional(Found); // reading it says why
  for (std::string &File : *Files) {
    struct stat Status = {};
    ::stat(File.c_str(), &Status);
    Found.Files.emplace_back(std::move(File), Status);
  }
  return std::optional(Found);
}

void SessionWatch::lookFor(bool IsUnasked) {
  const uint64_t BeginNs = monotonicNs(),
                 BeginCpuNs = clockNs(CLOCK_THREAD_CPUTIME_ID);
  if (BeginNs < NextLookNs || (IsUnasked && BeginNs < NextUnaskedNs))
    return;
  const Result<std::optional<Identity>> Looked = newest();
  const uint64_t EndNs = monotonicNs();
  NextLookNs = EndNs + std::max(LookEveryNs, (EndNs - BeginNs) * LookShare);
  NextUnaskedNs =
      EndNs +
      std::max(LookEveryNs,
               (clockNs(CLOCK_THREAD_CPUTIME_ID) - BeginCpuNs) * UnaskedShare);
  if (!Looked) {
    Problem = Looked.error().Message;
    return;
  }
  const std::optional<Identity> &Found = *Looked;
  if (!Found) {
    if (!Costs)
      Problem = Named.empty() ? noTraceBelow(Folders)
                              : Named + " is still being recorded";
    return;
  }
  if (Found == Seen)
    return;
  if (isReading() && Found->Path == Seen->Path)
    return; // a folder that gets traces all the time would never be read
  if (IsUnasked && SeenUnasked != Found) {
    SeenUnasked = Found;
    return;
  }
  Seen = Found;
  Reading.start([New = Found->Path](WorkState &State) {
    return readSessionCosts(New, State);
  });
}

void SessionWatch::stopReading() {
  if (!isReading())
    return;
  Reading.stop();
  Problem = "reading " + Seen->Path + " was ended; the next recording is read";
}

bool SessionWatch::take(std::chrono::milliseconds Patience) {
  std::optional<Result<SessionCosts>> Read = Reading.take(Patience);
  if (!Read)
    return false;
  NextLookNs = 0; // it may be another one since
  Problem.clear();
  if (!*Read) {
    Problem = Read->error().Message;
    if (Costs)
      Problem += "; costs are still those of " + Path + " as it was";
    return false;
  }
  Path = Seen->Path;
  Costs = std::move(**Read);
  return true;
}
