#include "utils/lsp/SessionWatch.h"

#include "runtime/base/Hash.h"
#include "utils/cli/NewestTrace.h"
#include "utils/open/TraceInputs.h"
#include "utils/session/RecordedSession.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <malloc.h>
#include <sys/stat.h>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

constexpr uint64_t LookEveryNs = 1'000'000'000, LookShare = 20;

std::string newestEnded(const std::string &Folder) {
  for (FoundTrace &Each : newestTracesBelow(Folder).Found)
    if (!Each.IsSession || !isBeingRecorded(Each.Path))
      return std::move(Each.Path);
  return {};
}

} // namespace

void SessionWatch::watch(std::string NewWorkspace, std::string NewNamed) {
  Workspace = std::move(NewWorkspace);
  Named = std::move(NewNamed);
  if (!Named.empty() && !Named.starts_with('/'))
    Named = Workspace + "/" + Named;
  NextLookNs = 0;
}

std::optional<SessionWatch::Identity> SessionWatch::look() const {
  Identity Found;
  Found.Path = Named.empty() ? newestEnded(Workspace) : Named;
  if (Found.Path.empty() || isBeingRecorded(Found.Path))
    return std::nullopt;
  Result<std::vector<std::string>> Files = findTraces({Found.Path});
  if (!Files)
    return Found; // reading it says why
  std::string Text;
  for (const std::string &File : *Files) {
    struct stat Status = {};
    ::stat(File.c_str(), &Status);
    Text += File + '\0' + std::to_string(Status.st_size) + ' ' +
            std::to_string(Status.st_mtim.tv_sec) + '.' +
            std::to_string(Status.st_mtim.tv_nsec) + '\0';
  }
  Found.Files = hashBytes(Text);
  return Found;
}

bool SessionWatch::refresh() {
  const uint64_t BeginNs = monotonicNs();
  if (BeginNs < NextLookNs)
    return false;
  std::optional<Identity> Found = look();
  const uint64_t EndNs = monotonicNs();
  NextLookNs = EndNs + std::max(LookEveryNs, (EndNs - BeginNs) * LookShare);
  if (!Found) {
    if (!Costs)
      Problem = "no trace below " + Workspace +
                "; `instantrace record -- BUILD` makes a session";
    return false;
  }
  if (Found == Seen)
    return false;
  Seen = Found;
  Result<SessionCosts> Read = readSessionCosts(Found->Path);
  ::malloc_trim(0); // what reading needed is far more than what is kept
  Path = Found->Path;
  Problem = Read ? std::string() : Read.error().Message;
  Costs = Read ? std::optional(std::move(*Read)) : std::nullopt;
  return true;
}
