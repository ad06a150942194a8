/// \file
/// A session as it was recorded: what session.json says.
///
/// Flow:   session.json -> [readSession] -> the store
/// Layout: docs/use/record.md
/// Errors: "PATH: found, expected"; members that are not there are empty
///
/// Anybody may have written the file: it is read up to LongestSessionBytes, and
/// a member of another type than it should have counts as absent.
#ifndef INSTANTRACE_UTILS_SESSION_RECORDEDSESSION_H
#define INSTANTRACE_UTILS_SESSION_RECORDEDSESSION_H

#include "runtime/base/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace instantrace {

inline constexpr size_t LongestSessionBytes = size_t(1) << 24;

struct RecordedSession {
  std::string State; ///< "running", "ended", "interrupted"
  std::vector<std::string> Command;
  std::string WorkingDirectory;
  uint64_t BeginRealtimeNs = 0;                   ///< since 1970
  uint64_t Pid = 0;                               ///< of `record`
  std::string Commit, Branch, Author, SourceRoot; ///< empty: not known
  bool IsModified = false;                        ///< as far as is known
  std::string Host, System, Architecture, Processor;
  uint64_t Cpus = 0;
  uint64_t WallNs = 0, UserNs = 0, SystemNs = 0;
  uint64_t ExitCode = 0;
  std::vector<std::string> Traces;             ///< names of files in the folder
  std::map<std::string, uint64_t> NotProfiled; ///< compiles, by what did them
};

/// The text of session.json in \p Folder, which is JSON of a session that this
/// tool knows, of few levels.
Result<std::string> readSessionText(const std::string &Folder);

/// \p Folder has a session.json.
Result<RecordedSession> readSession(const std::string &Folder);

/// Whether the session \p Folder is being recorded. It says so for ever if
/// `record` was killed, and of one of another machine or container, its process
/// may be anybody's here.
bool isRunning(const RecordedSession &S, const std::string &Folder);

} // namespace instantrace

#endif
