#include "utils/commands/TouchProject.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/commands/OverviewPart.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

using namespace instantrace;

namespace {

/// Ends with a slash; empty: there is none.
std::string commonFolder(const HeaderFacts &H) {
  std::optional<std::string> Common;
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile) {
    const std::string &Source = H.run(Compile).Source;
    if (H.isForOthers(Compile) || !Source.starts_with('/'))
      continue;
    std::string Folder = Source.substr(0, Source.rfind('/') + 1);
    if (!Common)
      Common = Folder;
    size_t Alike = 0;
    for (size_t Index = 0; Index != std::min(Common->size(), Folder.size()) &&
                           (*Common)[Index] == Folder[Index];
         ++Index)
      if (Folder[Index] == '/')
        Alike = Index + 1;
    Common->resize(Alike);
  }
  return Common && Common->size() > 1 ? *Common : std::string();
}

/// The files below \p Root for which \p IsOwn is true; \p Root ends with a
/// slash.
template <class Function>
std::vector<OwnFile> ownFiles(const HeaderFacts &H, const std::string &Root,
                              const Function &IsOwn) {
  std::map<std::string, OwnFile> Found;
  for (FileNumber File = 0; File != H.fileCount(); ++File) {
    std::string Path = H.fullPath(File);
    if (!Path.starts_with(Root))
      continue;
    std::string Name = Path.substr(Root.size());
    if (!IsOwn(Name, File))
      continue;
    OwnFile &Own = Found[Name];
    Own.Name = std::move(Name);
    Own.Spelled.push_back(File);
  }
  std::vector<OwnFile> All;
  for (auto &[Name, File] : Found)
    All.push_back(std::move(File));
  return All;
}

std::vector<OwnFile> trackedFiles(const HeaderFacts &H, const GitHistory &Git,
                                  const std::string &Root) {
  return ownFiles(H, Root, [&Git](const std::string &Name, FileNumber) {
    return Git.Tracked.contains(Name);
  });
}

} // namespace

Result<TouchProject> instantrace::touchProject(
    const HeaderFacts &H, const std::vector<std::string> &Inputs,
    const std::string &Since, const std::string &Repository) {
  const std::string Common = commonFolder(H);
  std::vector<std::string> Folders, Roots;
  std::error_code None;
  if (!Repository.empty())
    Folders.push_back(
        normalPath(std::filesystem::absolute(Repository, None).string()));
  // Where the build was recorded, which may have been elsewhere.
  if (std::optional<RecordedSession> Session = sessionNamed(Inputs);
      Session && Session->SourceRoot.starts_with('/'))
    Roots.push_back(normalPath(Session->SourceRoot) + "/");
  if (Repository.empty()) {
    Folders = Roots;
    if (!Common.empty())
      Folders.push_back(Common);
    constexpr size_t MostFolders = 8;
    std::set<std::string> Sources;
    for (size_t Compile = 0; Compile != H.compileCount(); ++Compile)
      if (const std::string &Source = H.run(Compile).Source;
          Source.starts_with('/') && Sources.size() < MostFolders)
        Sources.insert(folderOf(Source));
    Folders.insert(Folders.end(), Sources.begin(), Sources.end());
  }
  std::string Why;
  for (std::string &Folder : Folders) {
    if (!std::filesystem::is_directory(Folder, None))
      continue;
    while (Folder.size() > 1 && Folder.ends_with('/'))
      Folder.pop_back();
    Result<GitHistory> Git = readGitHistory(Folder, Since);
    if (!Git) {
      if (!Repository.empty())
        return Git.error();
      if (Why.empty())
        Why = Git.error().Message;
      continue;
    }
    Roots.insert(Roots.begin(), Git->Root);
    for (const std::string &Root : Roots)
      if (std::vector<OwnFile> Files = trackedFiles(H, *Git, Root);
          !Files.empty())
        return TouchProject{std::move(Files), std::move(*Git), {}};
    Roots.erase(Roots.begin());
    Why = Git->Root + ": no file that a compile reads is in this repository";
  }
  if (!Repository.empty())
    return Error{Why.empty() ? Repository + ": not a folder" : Why};
  return TouchProject{ownFiles(H, Common,
                               [&H](const std::string &, FileNumber File) {
                                 return !H.isSystem(File);
                               }),
                      std::nullopt,
                      Why.empty() ? "the sources are not here" : Why};
}
