#include "utils/sqlite/Database.h"

#include "runtime/base/SystemMessage.h"
#include "utils/sqlite/FileAccess.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// How long to wait for another process that writes.
constexpr int LockPatienceMs = 60'000;
/// Of a value and of a row; the largest of ours are command lines and names.
constexpr int MostValueBytes = 1 << 26;

Result<DatabasePointer> open(const std::string &Shown, const std::string &Name,
                             int Flags, const char *FileAccess) {
  sqlite3 *Opened = nullptr;
  // One thread at a time uses it: locks for each value that is bound were a
  // twentieth of adding a session.
  int Code = sqlite3_open_v2(Name.c_str(), &Opened, Flags | SQLITE_OPEN_NOMUTEX,
                             FileAccess);
  DatabasePointer Database(Opened);
  if (Code != SQLITE_OK)
    return Error{(Shown.empty() ? "" : Shown + ": ") +
                 (Opened ? databaseMessage(Opened) : "out of memory")};
  sqlite3_busy_timeout(Opened, LockPatienceMs);
  sqlite3_limit(Opened, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(Opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  return Database;
}

/// The whole path of the file, with no link in it, since SQLite is to follow
/// none. Links to folders are the user's; one in the place of the file itself
/// is refused, with what else a store is not.
Result<std::string> checkedPath(const std::string &Path, bool IsToWrite) {
  std::error_code Failed;
  fs::path Parent = fs::path(Path).parent_path();
  std::string Folder =
      fs::canonical(Parent.empty() ? "." : Parent, Failed).string();
  if (Failed)
    return Error{Path + ": " + Failed.message()};
  std::string Whole =
      (fs::path(Folder) / fs::path(Path).filename()).lexically_normal();
  struct stat Status;
  if (::lstat((Whole + "-journal").c_str(), &Status) == 0)
    return makeError(
        Path, "a journal beside it, " + Path + "-journal",
        "none: no instantrace makes one, and SQLite removes files "
        "that it names; take it away if you know where it is from");
  for (const char *Ending : {"-wal", "-shm", ""}) {
    if (::lstat((Whole + Ending).c_str(), &Status) != 0)
      continue;
    if (S_ISLNK(Status.st_mode))
      return makeError(Path + Ending, "a link", "the file itself");
    if (!S_ISREG(Status.st_mode))
      return makeError(Path + Ending,
                       S_ISDIR(Status.st_mode) ? "a folder" : "a device",
                       "a file");
    if (IsToWrite && Status.st_nlink != 1)
      return makeError(Path + Ending, "a file of several names",
                       "one of its own; a copy of it is");
  }
  return Whole;
}

Result<DatabasePointer> openUntrusted(const std::string &Path, int Flags,
                                      const char *FileAccess) {
  INSTANTRACE_TRY_ASSIGN(
      std::string Whole,
      checkedPath(Path, (Flags & SQLITE_OPEN_READWRITE) != 0));
  if (!FileAccess)
    return Error{Path + ": out of memory"};
  INSTANTRACE_TRY_ASSIGN(
      DatabasePointer Database,
      open(Path, Whole, Flags | SQLITE_OPEN_NOFOLLOW, FileAccess));
  sqlite3 *Opened = Database.get();
  sqlite3_db_config(Opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(Opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(Opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(Opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(Opened, SQLITE_LIMIT_LENGTH, MostValueBytes);
  if (Result<void> Set = execute(Opened, "PRAGMA cell_size_check=ON"); !Set)
    return Error{Path + ": " + Set.error().Message};
  return Database;
}

} // namespace

Result<DatabasePointer> instantrace::openPrivateDatabase() {
  return open("", "", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
}

Result<DatabasePointer>
instantrace::openDatabaseToRead(const std::string &Path) {
  Result<DatabasePointer> Database =
      openUntrusted(Path, SQLITE_OPEN_READONLY, readingFileAccess());
  if (Database)
    sqlite3_db_config(Database->get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                      nullptr);
  return Database;
}

Result<DatabasePointer>
instantrace::openDatabaseToWrite(const std::string &Path) {
  Result<DatabasePointer> Database = openUntrusted(
      Path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, writingFileAccess());
  if (Database)
    sqlite3_wal_hook(Database->get(), copyLogWhenAlone, nullptr);
  return Database;
}

Result<void> instantrace::useLog(sqlite3 *Database) {
  auto mode = [&](const char *Sql) -> Result<std::string> {
    std::string Mode;
    auto keep = [](void *Into, int, char **Values, char **) {
      *static_cast<std::string *>(Into) = Values[0] ? Values[0] : "";
      return 0;
    };
    if (sqlite3_exec(Database, Sql, keep, &Mode, nullptr) != SQLITE_OK)
      return Error{databaseMessage(Database)};
    return Mode;
  };
  constexpr int StepMs = 20;
  for (int WaitedMs = 0;; WaitedMs += StepMs) {
    Result<std::string> Now = mode("PRAGMA journal_mode");
    if (!Now)
      return Now.error();
    if (*Now == "wal")
      return {};
    // One page is written, by itself, so that no journal is needed for it.
    Now = mode("PRAGMA journal_mode=MEMORY; PRAGMA auto_vacuum=INCREMENTAL; "
               "PRAGMA journal_mode=WAL");
    if (Now && *Now == "wal")
      return {};
    // SQLite itself does not wait for another process here.
    if (sqlite3_errcode(Database) != SQLITE_BUSY || WaitedMs >= LockPatienceMs)
      return Now ? Error{"its log cannot be made: " + databaseMessage(Database)}
                 : Now.error();
    sqlite3_sleep(StepMs);
  }
}

Result<DatabasePointer> instantrace::openNewDatabase(const std::string &Path) {
  INSTANTRACE_TRY_ASSIGN(std::string Whole,
                         checkedPath(Path, /*IsToWrite=*/true));
  if (!writingFileAccess())
    return Error{Path + ": out of memory"};
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Database,
                         open(Path, Whole,
                              SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW,
                              writingFileAccess()));
  if (Result<void> Set = execute(
          Database.get(), "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF");
      !Set)
    return Error{Path + ": " + Set.error().Message};
  return Database;
}

DatabaseState DatabaseState::find(const std::string &Path) {
  DatabaseState State;
  struct stat Status;
  if (::stat(Path.c_str(), &Status) == 0) {
    State.Device = Status.st_dev;
    State.Inode = Status.st_ino;
    State.SizeBytes = static_cast<uint64_t>(Status.st_size);
    State.ChangedNs =
        static_cast<uint64_t>(Status.st_mtim.tv_sec) * 1'000'000'000 +
        static_cast<uint64_t>(Status.st_mtim.tv_nsec);
  }
  // The log may be closed again: SQLite's locks are on the database.
  constexpr size_t HeadBytes = 32;
  int Log = ::open((Path + "-wal").c_str(),
                   O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (Log < 0)
    return State;
  if (::fstat(Log, &Status) == 0)
    State.LogBytes = static_cast<uint64_t>(Status.st_size);
  char Head[HeadBytes];
  if (::pread(Log, Head, HeadBytes, 0) == HeadBytes)
    State.LogHead.assign(Head, HeadBytes);
  ::close(Log);
  return State;
}

bool DatabaseState::isKeptBy(const DatabaseState &Later) const {
  if (Device != Later.Device || Inode != Later.Inode)
    return true;
  return SizeBytes == Later.SizeBytes && ChangedNs == Later.ChangedNs &&
         (LogHead.empty() || LogHead == Later.LogHead);
}

std::string instantrace::databaseMessage(sqlite3 *Database) {
  std::string Message = sqlite3_errmsg(Database);
  int Code = sqlite3_errcode(Database);
  int Reason = sqlite3_system_errno(Database);
  if ((Code == SQLITE_CANTOPEN || Code == SQLITE_IOERR) && Reason != 0)
    Message += ": " + systemMessage(Reason);
  return Message;
}

Result<void> instantrace::execute(sqlite3 *Database, const std::string &Sql) {
  if (sqlite3_exec(Database, Sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK)
    return Error{databaseMessage(Database)};
  return {};
}
