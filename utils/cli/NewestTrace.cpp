#include "utils/cli/NewestTrace.h"

#include "utils/open/CompressedTrace.h"
#include "utils/open/TraceInputs.h"
#include "utils/system/FileTime.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <sys/stat.h>
#include <tuple>
#include <utility>
#include <vector>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// The names in a folder, sorted, of which \p Left are looked at yet.
std::vector<std::string> entriesOf(const std::string &Folder, size_t &Left) {
  std::vector<std::string> Names;
  std::error_code Failed;
  fs::directory_iterator It(
      Folder, fs::directory_options::skip_permission_denied, Failed);
  for (; !Failed && It != fs::directory_iterator() && Left != 0;
       It.increment(Failed), --Left)
    Names.push_back(It->path().filename().string());
  // Which entries come first differs between file systems.
  std::sort(Names.begin(), Names.end());
  return Names;
}

bool isSessionFolder(const std::string &Folder) {
  std::string Path = Folder + "/session.json";
  struct stat Status;
  return ::lstat(Path.c_str(), &Status) == 0 && S_ISREG(Status.st_mode) &&
         !hasTimeTrace(Path);
}

} // namespace

NewestTraces
instantrace::newestTracesBelow(const std::vector<std::string> &Tops,
                               size_t MostEntries) {
  NewestTraces Newest;
  std::vector<FoundTrace> &Found = Newest.Found;
  size_t Left = MostEntries;
  std::deque<std::pair<std::string, dev_t>> Folders;
  for (const std::string &Top : Tops)
    if (struct stat Status; ::stat(Top.c_str(), &Status) == 0)
      Folders.emplace_back(Top, Status.st_dev);
  while (!Folders.empty() && Left != 0) {
    const auto [Current, Device] = std::move(Folders.front());
    Folders.pop_front();
    const bool IsSession = isSessionFolder(Current);
    for (const std::string &Name : entriesOf(Current, Left)) {
      std::string Path = Current + "/" + Name;
      struct stat Status;
      if (Name.starts_with('.') || ::lstat(Path.c_str(), &Status) != 0 ||
          Status.st_dev != Device)
        continue;
      if (S_ISDIR(Status.st_mode)) {
        Folders.emplace_back(std::move(Path), Device);
        continue;
      }
      if (!S_ISREG(Status.st_mode) || !hasTraceName(Name) ||
          Status.st_size == 0)
        continue;
      const auto Ns = static_cast<int64_t>(modifiedNs(Status));
      if (!IsSession)
        Found.push_back({std::move(Path), false, Ns});
      else if (!Found.empty() && Found.back().Path == Current)
        Found.back().WrittenNs = std::max(Found.back().WrittenNs, Ns);
      else
        Found.push_back({Current, true, Ns});
    }
  }
  Newest.Entries = MostEntries - Left;
  Newest.IsComplete = Left != 0;
  std::sort(
      Found.begin(), Found.end(), [](const FoundTrace &A, const FoundTrace &B) {
        return std::tie(B.WrittenNs, A.Path) < std::tie(A.WrittenNs, B.Path);
      });
  return Newest;
}
