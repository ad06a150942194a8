/// \file
/// One session of several: of the parts of a build, or of what several machines
/// built of it. And one whose traces are taken apart.
///
/// Flow:   folders of sessions -> [mergeSessions] -> a folder of all traces,
///         and session.json
///         session.json, new names -> [SplitSession] -> session.json
/// Layout: docs/use/record.md
/// Errors: "PATH: found, expected", before anything is written; after that the
///         new folder is gone again
///
/// Traces are copied. A name that two sessions have gets a number behind it,
/// and one whose trace is gone stays that of no file. Times, counts and
/// problems are added up; what was built, where and when is kept of each
/// session, as it was written.
#pragma once

#include "runtime/base/Result.h"
#include "utils/open/InputObserver.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace instantrace {

struct MergedSession {
  uint64_t Sessions = 0, Traces = 0, Bytes = 0;
};

/// \p Into is as SessionFolder::make() takes it.
Result<MergedSession> mergeSessions(const std::vector<std::string> &Folders,
                                    const std::string &Into,
                                    InputObserver &Seen);

/// Whether it has a session.json, of a session or of another program.
bool isSession(const std::string &Folder);

/// The session of traces that are taken apart: what it says stays, of traces
/// with other names. One whose `record` was killed was interrupted.
class SplitSession {
public:
  /// Errors: no session, or one whose build runs.
  static Result<SplitSession> of(const std::string &Folder);

  /// The next compile of the trace \p Compile is in \p Target. One in a folder
  /// below is of no unit of the session.
  void add(const std::string &Compile, std::string Target);
  Result<void> write(const std::string &Into) const;

private:
  std::string Folder;
  std::string Facts;                     ///< JSON
  std::unordered_set<std::string> Taken; ///< by what was made, plain names
  std::unordered_map<std::string, std::vector<std::string>> Made;
};

} // namespace instantrace
