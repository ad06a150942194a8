/// \file
/// Which files that a trace names may be shown to somebody.
///
/// Flow:   Trace, --source-root -> [SourceRoots] -> report, annotate, advise
/// Errors: errno, as of open(2); EXDEV, as of openat2(2), for what may not be
///         shown
///
/// A trace may name any path, and a page with lines of it may be passed on. So
/// files are shown that are, with all links resolved, below
///  - a folder that the reader named, or the folder in which the reader is;
///  - a folder of system headers (/usr/include and the like);
///  - the working directory of a compile, the folder of what it compiles, or a
///    folder of its command line in which to look for headers.
///
/// The last are what the trace says, so they do not reach far: not to folders
/// at the top (/, /home), of the system's own files (/etc, /proc, ...), nor to
/// anything hidden (.ssh).
#ifndef INSTANTRACE_UTILS_INPUT_SOURCEROOTS_H
#define INSTANTRACE_UTILS_INPUT_SOURCEROOTS_H

#include "runtime/read/Trace.h"
#include "utils/input/FileDescriptor.h"

#include <filesystem>
#include <string>
#include <vector>

namespace instantrace {

class SourceRoots {
public:
  /// \p Named are folders of --source-root.
  SourceRoots(const Trace &T, const std::vector<std::string> &Named);

  /// A regular file that may be shown, open for reading. Without a descriptor,
  /// errno says why.
  FileDescriptor open(const std::string &Path) const;

private:
  struct Root {
    std::filesystem::path Folder; // without links
    bool IsTrusted;
  };
  void add(const std::filesystem::path &Folder, bool IsTrusted);

  std::vector<Root> Roots;
};

/// All of it, as far as it can be read.
std::string readSource(const FileDescriptor &File);

/// What to say of a file that may not be shown.
inline constexpr std::string_view OutsideSourceRoots =
    "outside the folders of its compile; --source-root adds a folder";

} // namespace instantrace

#endif
