/// \file
/// All that is below a folder, and which parts of it nobody may look into.
///
/// Flow:   folder -> [visitBelow] -> TraceInputs, recovery, cleaning
/// Errors: "PATH: why", of the folder itself, and of one below it that cannot be
///         listed for another reason than its permissions
#pragma once

#include "runtime/base/Result.h"
#include "runtime/base/SystemMessage.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// Told "PATH: why" of a folder whose content is left out.
using UnlistedFolder = std::function<void(const std::string &Message)>;

/// In no order. Follows no link below \p Folder, which may be one.
inline Result<void> visitBelow(
    const std::string &Folder,
    const std::function<void(const std::filesystem::directory_entry &)> &Visit,
    const UnlistedFolder &Unlisted) {
  namespace fs = std::filesystem;
  std::vector<std::string> Folders = {Folder};
  for (bool IsFirst = true; !Folders.empty(); IsFirst = false) {
    std::string Current = std::move(Folders.back());
    Folders.pop_back();
    std::error_code Failed;
    for (fs::directory_iterator It(Current, Failed);
         !Failed && It != fs::directory_iterator(); It.increment(Failed)) {
      std::error_code NoStatus;
      if (!It->is_symlink(NoStatus) && It->is_directory(NoStatus))
        Folders.push_back(It->path().string());
      Visit(*It);
    }
    if (!Failed)
      continue;
    std::string Why = Current + ": " + systemMessage(Failed.value());
    if (IsFirst || Failed != std::errc::permission_denied)
      return Error{std::move(Why)};
    if (Unlisted)
      Unlisted(Why);
  }
  return {};
}

} // namespace instantrace
