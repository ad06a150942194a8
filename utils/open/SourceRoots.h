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
///
/// Of a trace from another checkout nothing is where it says. Then the file
/// below a folder that the reader named, or is in, is taken whose path has the
/// longest end in common, of two parts at least or of all that the compile was
/// given; if there are several, none.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/system/FileDescriptor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace instantrace {

/// What compiles say of their folders, each folder once.
class CompileFolders {
public:
  CompileFolders() = default;
  explicit CompileFolders(const Trace &T);
  explicit CompileFolders(const TraceSession &S);
  /// \p WorkingDirectory may be empty.
  CompileFolders(const std::string &WorkingDirectory,
                 const std::vector<std::string> &Sources);
  /// Those that SourceRoots looks into: absolute ones.
  std::vector<std::string> sources() const;
  void add(CompileFolders More);

private:
  friend class SourceRoots;
  std::set<std::filesystem::path> Sources, Working;
};

class SourceRoots {
public:
  /// \p Named are folders of --source-root.
  SourceRoots(const CompileFolders &Folders,
              const std::vector<std::string> &Named);
  SourceRoots(const Trace &T, const std::vector<std::string> &Named)
      : SourceRoots(CompileFolders(T), Named) {}

  /// A regular file that may be shown, open for reading. Without a descriptor,
  /// errno says why.
  FileDescriptor open(const std::string &Path) const;
  /// Where open() finds it: \p Path, another one, or several that fit alike,
  /// which it does not open (ENOTUNIQ). Empty: nowhere.
  std::vector<std::string> placesOf(const std::string &Path) const;

private:
  struct Root {
    std::filesystem::path Folder; // without links
    bool IsTrusted;
    bool IsReaders; // named, or the one that the reader is in
  };
  void add(const std::filesystem::path &Folder, bool IsTrusted,
           bool IsReaders = false);
  bool isShown(const std::filesystem::path &Real) const;
  std::vector<std::string> endsOf(const std::filesystem::path &Path) const;
  std::vector<std::string> placesOf(const std::string &Path,
                                    std::error_code &Failed) const;

  std::vector<Root> Roots;
  std::vector<std::filesystem::path> Directories; // of the compiles
};

/// All of it, as far as it can be read.
std::string readSource(const FileDescriptor &File);

/// The first \p Most lines, without their ends.
std::vector<std::string_view> sourceLines(std::string_view Text,
                                          size_t Most = SIZE_MAX);

/// What to say of a file that was not opened, by errno.
std::string sourceProblem(int Code);

/// What to say of a file that may not be shown.
inline constexpr std::string_view OutsideSourceRoots =
    "outside the folders of its compile; --source-root adds a folder";

} // namespace instantrace
