/// \file
/// The files of a project that compiles read, and who changed them how often.
///
/// Flow: HeaderFacts, readGitHistory -> [TouchProject] -> touch, advise
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/advice/TouchCosts.h"
#include "utils/session/GitHistory.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

struct TouchProject {
  std::vector<OwnFile> Files; ///< without git, all that are no system's
  std::optional<GitHistory> Git;
  std::string WhyNoGit;

  /// Once; none without git.
  std::optional<TouchHistory> takeHistory() {
    if (!Git)
      return std::nullopt;
    return TouchHistory{std::move(Git->Commits), Git->Weeks};
  }
};

inline constexpr const char *DefaultSince = "3 months";

/// With the history of \p Repository, or of the one that has sources of the
/// compiles.
/// Errors: \p Repository is not empty, and not one of theirs.
Result<TouchProject> touchProject(const HeaderFacts &H,
                                  const std::vector<std::string> &Inputs,
                                  const std::string &Since = DefaultSince,
                                  const std::string &Repository = {});

} // namespace instantrace
