/// \file
/// The folder that holds what one build recorded: traces, and session.json,
/// which says what was built, where, by what, and what is missing.
///
/// Flow:   `record` -> [SessionFolder] -> session.json
/// Layout: docs/use/record.md
/// Errors: "PATH: found, expected"; a folder with something in it is not ours
///         to fill
#pragma once

#include "runtime/base/Result.h"
#include "utils/session/CacheLog.h"
#include "utils/session/ForeignCompiles.h"
#include "utils/system/FileDescriptor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// What git says of the folder that is built in; empty outside of a repository.
struct SourceRevision {
  std::string Commit, Branch;
  std::string Author; ///< of the commit, as "NAME <ADDRESS>"
  std::string Root;   ///< the folder that the repository is checked out in
  std::optional<bool> IsModified; ///< none: git did not say
};

/// Asks git, two seconds each time at most, and changes nothing, its index
/// neither; what the repository would have git run, such as a filter, a watcher
/// or what fetches missing objects, is not run.
SourceRevision revisionOf(const std::string &Folder);

/// One trace of a session.
struct SessionUnit {
  std::string Trace;  ///< its name in the folder
  std::string Source; ///< as the compiler was given it
  std::string Clang;
  uint64_t WallNs = 0; ///< of the compile
  bool IsComplete = true;
};

struct SessionFacts {
  enum class StateKind { Running, Ended, Interrupted };

  std::vector<std::string> Command;
  std::string WorkingDirectory;
  SourceRevision Revision;
  uint64_t BeginRealtimeNs = 0; ///< since 1970
  int Pid = 0;                  ///< of `record`
  StateKind State = StateKind::Running;
  // From here on known at the end.
  uint64_t WallNs = 0, UserNs = 0, SystemNs = 0;
  int ExitCode = 0, Signal = 0;
  uint64_t CompiledAgain = 0; ///< whose trace took the place of one before
  std::vector<SessionUnit> Units;
  std::map<std::string, ForeignCompiles::Use> Foreign;
  std::vector<ForeignCompiles::Link> Links;
  CacheUse Cache;       ///< ccache
  CacheUse ServerCache; ///< sccache
  std::vector<std::string> Problems;
};

class SessionFolder {
public:
  /// Makes \p Path, or one with a name of its own in the working directory when
  /// it is empty. One that exists must be empty and our own, and nobody else
  /// may record into it: that is a usage error.
  static Result<SessionFolder> make(const std::string &Path);

  /// Absolute.
  const std::string &path() const { return Path; }
  /// As the user wrote it, or will write it.
  const std::string &shownPath() const { return Shown; }
  /// Writes session.json anew, at once or not at all.
  Result<void> write(const SessionFacts &Facts) const;
  /// Room for session.json at the end, should the disk be full by then; it is
  /// free when this is closed. Nothing where there is none.
  FileDescriptor reserve() const;
  /// Of a build that did not begin: all is as it was.
  void undo() const;

private:
  /// Of the folder `Shown`, which is there.
  Result<void> claim();

  std::string Path, Shown;
  bool IsMade = false; ///< by us
  FileDescriptor Held; ///< locked for as long as somebody records into it
};

/// Writes a file anew, at once or not at all.
Result<void> writeFile(const std::string &Path, const std::string &Text);

std::string sessionJson(const SessionFacts &Facts);
/// Writes session.json in \p Folder anew, at once or not at all.
Result<void> writeSessionJson(const std::string &Folder,
                              const std::string &SessionJson);

/// Whether somebody records into the session \p Folder, in whatever container:
/// the kernel lets go of it when that process ends.
bool isHeld(const std::string &Folder);

/// A folder that nobody else may enter, for the time of a build.
class PrivateFolder {
public:
  /// \p MayHaveSpace: its path may have one. Errors: there is no place for it.
  static Result<PrivateFolder> make(bool MayHaveSpace = true);
  /// Below TMPDIR, where there is room for more than a socket. Those that
  /// killed processes of this user left there are removed.
  static Result<PrivateFolder> makeTemporary();
  PrivateFolder(PrivateFolder &&Other) noexcept;
  PrivateFolder &operator=(PrivateFolder &&) = delete;
  ~PrivateFolder();
  const std::string &path() const { return Path; }
  /// It stays, for processes that outlive us.
  void keep() { IsKept = true; }

private:
  explicit PrivateFolder(std::string Path) : Path(std::move(Path)) {}
  std::string Path;    ///< empty: it was moved from
  FileDescriptor Held; ///< locked, if it is temporary
  bool IsKept = false;
};

} // namespace instantrace
