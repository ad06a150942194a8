/// \file
/// The source lines that cost something, with those around them.
///
/// Flow:   costs by line and by user frame -> [SourceExcerpts] -> ReportModel
/// Errors: none; of a file that cannot be read, why is kept instead of lines
///
/// Lines are taken by cost until there are as many as a page may have. Only
/// regular files are opened, and those that SourceRoots allows: a trace can
/// name anything.
#pragma once

#include "utils/analysis/costs/Costs.h"
#include "utils/open/SourceRoots.h"

#include <map>
#include <string>
#include <vector>

namespace instantrace {

struct SourceLine {
  uint32_t LineNo = 0;
  std::string Text;         // clean, cut when it is long
  uint64_t CausedNs = 0;    // of the row of summary --by=user-frame
  uint64_t InclusiveNs = 0; // of that of --by=line, as the next one
  uint64_t Count = 0;
};

struct SourceExcerpt {
  std::string Path; // as in the tables
  std::vector<SourceLine> Lines;
  std::string Problem; // why there are no lines, or that they are not the ones
};

struct SourceExcerpts {
  std::vector<SourceExcerpt> Files; // by path
  uint64_t CostlyLines = 0;         // that could be shown, in all files
  uint64_t ShownCostlyLines = 0;
};

/// Where relative paths of traces begin, by path: the folder of the first
/// compile that has a location in it.
class PathFolders {
public:
  PathFolders() = default;
  explicit PathFolders(const Trace &T);
  void add(PathFolders More);
  /// Ends in a slash; empty for an absolute path.
  std::string folderOf(const std::string &Path) const;

private:
  std::map<std::string, std::string> Folders;
  std::string First; ///< of any compile
};

/// At most \p MaxLines, of which each costly one has \p Context on either side.
SourceExcerpts sourceExcerpts(const PathFolders &Folders,
                              const CostTable &ByLine,
                              const CostTable &ByUserFrame,
                              const SourceRoots &Roots, size_t MaxLines);

} // namespace instantrace
