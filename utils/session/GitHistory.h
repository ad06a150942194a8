/// \file
/// Which files of a repository its commits changed.
///
/// Flow:   git ls-files, git log -> [readGitHistory] -> touch
/// Bounds: commits, bytes and a time; what is older than the last whole commit
///         is left out then, and Weeks are as many as were read
/// Errors: git is not there, there is no repository, or git says no
///
/// Nothing is written, and nothing that the repository names is run. File names
/// are bytes, whatever they are. A merge changes nothing by itself, as
/// `git log --name-only` has it. What was renamed has the commits of its
/// earlier names; a name that is in use now is never an earlier one.
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace instantrace {

/// How git is run in \p Folder; its command and arguments follow. \p Variables
/// are more ones for its environment, NAME=VALUE.
std::vector<std::string>
gitCommand(const std::string &Folder,
           const std::vector<std::string> &Variables = {});

struct GitHistory {
  /// Ends with a slash; as the folder that was asked for spells it.
  std::string Root;
  std::unordered_set<std::string> Tracked; ///< below the root
  /// Files that each commit changed, by the names that they have now.
  std::vector<std::vector<std::string>> Commits;
  uint64_t BeginSeconds = 0; ///< since 1970, from when on it is known
  double Weeks = 1;          ///< until now; one at least
  bool IsCut = false;        ///< it was too long
  bool IsShallow = false;    ///< the clone has no more
};

/// \p Since: a time as git has it, such as "3 months".
Result<GitHistory> readGitHistory(const std::string &Folder,
                                  const std::string &Since);

/// What git log prints with the format of readGitHistory(). Without the last
/// commit if \p Into.IsCut. Sets Commits, and BeginSeconds to that of the
/// oldest if there is none before that.
/// Errors: it is something else.
Result<void> parseGitLog(std::string_view Log, GitHistory &Into);

} // namespace instantrace
