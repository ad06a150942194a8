/// \file
/// Finds and removes what recording has left below a folder.
///
/// Flow:   folder -> traces, indexes, leftovers, session.json -> removed
/// Trust:  by content and not by name: what is not ours stays, and so does what
///         belongs to a compile or a session that runs. No link is followed,
///         below the folder that was named
/// Errors: of each file that cannot be removed; the others are
#pragma once

#include "runtime/base/Result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace instantrace {

enum class CleanedKind : uint8_t { Trace, Index, Leftover, Session };
inline constexpr size_t CleanedKinds = 4;

struct Cleaning {
  bool OnlyShows = false;
  bool OnlyLeftovers = false;
};

struct Cleaned {
  struct Sum {
    uint64_t Files = 0, Bytes = 0;
  };
  std::array<Sum, CleanedKinds> Sums;
  std::vector<std::string> Paths;    ///< removed, or to be
  std::vector<std::string> Running;  ///< left alone: they are in use
  std::vector<std::string> Unlisted; ///< "PATH: why": nobody looked into them
  std::vector<Error> Failures;
};

/// Told each file that is looked at.
using CleanProgress = std::function<void(const std::string &Path)>;

/// Appends to \p Into. Fails when the folder cannot be read.
Result<void> cleanFolder(const std::string &Folder, const Cleaning &How,
                         Cleaned &Into, const CleanProgress &Progress = {});

} // namespace instantrace
