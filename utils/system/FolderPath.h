/// \file
/// Whether a path leads into a folder.
///
/// Leaves: links and "..", to std::filesystem::canonical
#pragma once

#include <algorithm>
#include <filesystem>

namespace instantrace {

/// Whether \p Path is \p Folder or below it, both without links.
inline bool isBelow(const std::filesystem::path &Path,
                    const std::filesystem::path &Folder) {
  return std::mismatch(Folder.begin(), Folder.end(), Path.begin(), Path.end())
             .first == Folder.end();
}

} // namespace instantrace
