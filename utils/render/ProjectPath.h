/// \file
/// Paths for people: those of the project are relative to it.
///
/// Flow:    session.json, or the first compile -> project(); a path of a trace
///          -> [shownPath] -> text
/// Leaves:  records, which have paths as they are in the trace
/// Threads: project() is set before anything is rendered, by one
#pragma once

#include <string>
#include <string_view>

namespace instantrace {

/// What paths are shown relative to.
struct ProjectFolders {
  std::string Base; ///< where the build was run; empty: not known
  std::string Root; ///< of the repository; empty: not known
  bool IsOfSession = false;

  /// A path of a trace, which begins in \p WorkingDirectory if it is relative:
  /// what is outside of the project is absolute.
  std::string shown(const std::string &Path,
                    const std::string &WorkingDirectory) const;
};

/// That of what this command reads.
ProjectFolders &project();

/// A normal path, with or without `:line` behind it, as project() has it and
/// printable. Other texts stay what they are.
std::string shownPath(std::string_view Path);

} // namespace instantrace
