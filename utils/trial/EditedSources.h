/// \file
/// Sources with the edits of a suggestion, as copies that Clang reads in their
/// place, and as a unified diff.
///
/// Flow:   SourceEdit -> [EditedSources] -> overlay for -ivfsoverlay; diff
/// Errors: a file that cannot be read, or whose line is no #include any more
///
/// Nothing of the user's tree is written. In a copy, a line that goes leaves an
/// empty one, so that messages of the compiler keep their places.
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/advice/Trial.h"

#include <map>
#include <string>
#include <vector>

namespace instantrace {

class EditedSources {
public:
  /// Relative paths begin in \p Folder.
  Result<void> add(const std::vector<SourceEdit> &Edits,
                   const std::string &Folder);
  bool isEmpty() const { return Files.empty(); }
  /// Writes the copies and the overlay into \p Folder; the overlay's path.
  Result<std::string> writeOverlay(const std::string &Folder) const;
  /// Paths are relative to \p Root where they are below it, as `patch -p1`
  /// takes them there.
  std::string unifiedDiff(const std::string &Root) const;

private:
  struct File {
    std::vector<std::string> Lines;         ///< with their ends
    std::map<size_t, std::string> Replaced; ///< by index
    std::string Appended;
  };
  std::map<std::string, File> Files; ///< by absolute path
};

} // namespace instantrace
