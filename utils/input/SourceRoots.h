/// \file
/// Which files that a trace names may be shown to somebody.
///
/// Flow:   Trace, --source-root -> [SourceRoots] -> report, annotate, advise
///
/// A trace may name any path, and a page with lines of it may be passed on. So
/// files are shown that are, with all links resolved, below
///  - a folder that the reader named, or the folder in which the reader is;
///  - a folder of system headers (/usr/include and the like);
///  - the working directory of a compile, or a folder of its command line in
///  which
///    to look for headers. The trace says which those are, so they do not reach
///    far: not to folders at the top (/, /home), of the system's own files
///    (/etc, /proc, ...), nor to anything hidden below them (.ssh).
#ifndef INSTANTRACE_UTILS_INPUT_SOURCEROOTS_H
#define INSTANTRACE_UTILS_INPUT_SOURCEROOTS_H

#include "runtime/read/Trace.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

class SourceRoots {
public:
  /// \p Named are folders of --source-root.
  SourceRoots(const Trace &T, const std::vector<std::string> &Named);

  /// The path of the file without links, which is what to open; none when it is
  /// not there (then errno says why) or may not be shown (errno is EACCES).
  std::optional<std::string> resolve(const std::string &Path) const;

private:
  struct Root {
    std::filesystem::path Folder; // without links
    bool IsTrusted;
  };
  void add(const std::filesystem::path &Folder, bool IsTrusted);
  void addSession(const TraceSession &S);

  std::vector<Root> Roots;
};

/// What to say of a file that may not be shown.
inline constexpr std::string_view OutsideSourceRoots =
    "outside the folders of its compile; --source-root adds a folder";

} // namespace instantrace

#endif
