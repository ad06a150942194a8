/// \file
/// A session as it was recorded: what session.json says.
///
/// Flow:   session.json -> [readSession] -> the store
/// Layout: docs/use/record.md
/// Errors: "PATH: found, expected"; members that are not there are empty
///
/// Anybody may have written the file: it is read up to LongestSessionBytes, and
/// a member of another type than it should have counts as absent.
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

inline constexpr size_t LongestSessionBytes = size_t(1) << 24;

/// What of a build was compiled without us, by one program.
struct RecordedUse {
  uint64_t Count = 0; ///< compiles, or runs
  uint64_t Runs = 0;  ///< of a cache that says what it did
  uint64_t Hits = 0;  ///< of these: no compiler ran
};

/// A process that linked, as far as it was seen.
struct RecordedLink {
  std::string Output;
  uint64_t BeginNs = 0, EndNs = 0; ///< since 1970
};

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
  uint64_t CompiledAgain = 0;      ///< whose trace a later one replaced
  std::vector<std::string> Traces; ///< names of files in the folder
  std::vector<std::string> Problems;
  std::map<std::string, RecordedUse> NotProfiled; ///< by what did them
  std::vector<RecordedLink> Links;
};

/// No more than 16 levels, 1,000 members of an object, and a million values: a
/// level takes a hundred bytes of memory and two of the file, and so does a
/// value; one that keeps the order of its members looks through all of them for
/// each. Of units there is an array.
bool isSessionShaped(std::string_view Text);

/// The text of session.json in \p Folder, which is JSON of a session that this
/// tool knows, and isSessionShaped().
Result<std::string> readSessionText(const std::string &Folder);

/// \p Folder has a session.json.
Result<RecordedSession> readSession(const std::string &Folder);

/// Whether the session \p Folder is being recorded. It says so for ever if
/// `record` was killed, and of one of another machine or container, its process
/// may be anybody's here.
bool isRunning(const RecordedSession &S, const std::string &Folder);

/// Whether \p Folder is that of a session which is being recorded.
bool isBeingRecorded(const std::string &Folder);

/// The `record` whose build runs into \p Folder.
/// Errors: no session, or one that has ended.
Result<uint32_t> runningSession(const std::string &Folder);

} // namespace instantrace
