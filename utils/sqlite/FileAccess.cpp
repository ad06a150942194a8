#include "utils/sqlite/FileAccess.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

using namespace instantrace;

namespace {

sqlite3_vfs *systemFiles() {
  static sqlite3_vfs *const Files = sqlite3_vfs_find(nullptr);
  return Files;
}

constexpr std::string_view LogEnding = "-wal";

enum class FileKind { None, Plain, OfSeveralNames, Other };

FileKind kindOf(const char *Path) {
  struct stat Status;
  if (::lstat(Path, &Status) != 0)
    return errno == ENOENT ? FileKind::None : FileKind::Other;
  if (!S_ISREG(Status.st_mode))
    return FileKind::Other;
  return Status.st_nlink == 1 ? FileKind::Plain : FileKind::OfSeveralNames;
}

/// There is no journal. Should one appear while the database is open, it is not
/// as good as none: whoever put it there may be writing.
int seekFile(sqlite3_vfs *, const char *Name, int What, int *IsThere) {
  if (std::string_view(Name).ends_with("-journal")) {
    *IsThere = 0;
    return kindOf(Name) == FileKind::None ? SQLITE_OK : SQLITE_CANTOPEN;
  }
  return systemFiles()->xAccess(systemFiles(), Name, What, IsThere);
}

int removeNothing(sqlite3_vfs *, const char *, int) {
  return SQLITE_IOERR_DELETE;
}

/// The log of a database, once that has it. Beside an empty file it is somebody
/// else's.
int removeLog(sqlite3_vfs *, const char *Name, int SyncsFolder) {
  // An exception must not go through SQLite.
  std::string_view Database = Name;
  char Path[PATH_MAX];
  struct stat Status;
  if (!Database.ends_with(LogEnding) || Database.size() > sizeof(Path))
    return SQLITE_IOERR_DELETE;
  Database.remove_suffix(LogEnding.size());
  Path[Database.copy(Path, Database.size())] = '\0';
  if (::lstat(Path, &Status) != 0 || Status.st_size == 0)
    return SQLITE_IOERR_DELETE;
  return systemFiles()->xDelete(systemFiles(), Name, SyncsFolder);
}

/// "No index that may be used": SQLite then makes its own in memory, of the
/// frames whose checksums are right.
int mapNoIndex(sqlite3_file *, int, int, int, volatile void **Into) {
  *Into = nullptr;
  return SQLITE_READONLY_CANTINIT;
}
int lockNoIndex(sqlite3_file *, int, int, int) { return SQLITE_OK; }
void orderNoIndex(sqlite3_file *) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
int unmapNoIndex(sqlite3_file *, int) { return SQLITE_OK; }

/// The system's, which all database files share, without an index of a log.
const sqlite3_io_methods *readingMethods(const sqlite3_io_methods &System) {
  static const sqlite3_io_methods Methods = [&] {
    sqlite3_io_methods M = System;
    M.iVersion = 2; // of 3: nothing is mapped
    M.xShmMap = mapNoIndex;
    M.xShmLock = lockNoIndex;
    M.xShmBarrier = orderNoIndex;
    M.xShmUnmap = unmapNoIndex;
    return M;
  }();
  return &Methods;
}

/// Whether a log can have frames. SQLite takes one with a damaged beginning, or
/// with nothing behind it, as a writer leaves it that was killed, for an empty
/// one, but without an index to share it first waits ten seconds for somebody
/// to mend it.
bool isLogBegun(const char *Path) {
  unsigned char Head[32 + 1]; // and the first byte of a frame
  int File =
      ::open(Path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  bool IsRead = File >= 0 && ::pread(File, Head, sizeof(Head), 0) ==
                                 static_cast<ssize_t>(sizeof(Head));
  if (File >= 0)
    ::close(File);
  if (!IsRead)
    return false;
  auto word = [&](size_t I, bool IsBigEndian) {
    uint32_t Value = 0;
    for (size_t J = 0; J != 4; ++J)
      Value = Value << 8 | Head[I * 4 + (IsBigEndian ? J : 3 - J)];
    return Value;
  };
  // https://www.sqlite.org/fileformat2.html, 4.1 and 4.2
  constexpr uint32_t Magic = 0x377f0682;
  constexpr size_t SummedWords = 6;
  uint32_t Found = word(0, true), PageBytes = word(2, true);
  uint32_t First = 0, Second = 0;
  for (size_t I = 0; I != SummedWords; I += 2) {
    First += word(I, Found & 1) + Second;
    Second += word(I + 1, Found & 1) + First;
  }
  return (Found & ~1U) == Magic && (PageBytes & (PageBytes - 1)) == 0 &&
         PageBytes >= 512 && PageBytes <= 65536 && word(6, true) == First &&
         word(7, true) == Second;
}

int openToRead(sqlite3_vfs *, sqlite3_filename Name, sqlite3_file *File,
               int Flags, int *Got) {
  File->pMethods = nullptr;
  sqlite3_vfs *System = systemFiles();
  if (!Name) // a large sort, in a file without a name
    return System->xOpen(System, Name, File, Flags, Got);
  bool IsLog = (Flags & SQLITE_OPEN_WAL) != 0;
  if (!IsLog && (Flags & SQLITE_OPEN_MAIN_DB) == 0)
    return SQLITE_CANTOPEN;
  FileKind Kind = kindOf(Name);
  if (Kind == FileKind::Other) // a pipe would make us wait
    return SQLITE_CANTOPEN;
  if (IsLog && (Kind == FileKind::None || !isLogBegun(Name)))
    Name = "/dev/null";
  Flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  int Code =
      System->xOpen(System, Name, File, Flags | SQLITE_OPEN_READONLY, Got);
  if (Code == SQLITE_OK && !IsLog)
    File->pMethods = readingMethods(*File->pMethods);
  return Code;
}

int openToWrite(sqlite3_vfs *, sqlite3_filename Name, sqlite3_file *File,
                int Flags, int *Got) {
  File->pMethods = nullptr;
  sqlite3_vfs *System = systemFiles();
  if (Name && (Flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) == 0)
    return SQLITE_CANTOPEN;
  if (Name && kindOf(Name) > FileKind::Plain)
    return SQLITE_CANTOPEN;
  return System->xOpen(System, Name, File, Flags, Got);
}

/// The system's files, but for how they are opened and removed.
sqlite3_vfs fileAccess(const char *Name, decltype(sqlite3_vfs::xOpen) Open,
                       decltype(sqlite3_vfs::xDelete) Delete) {
  sqlite3_vfs Files = systemFiles() ? *systemFiles() : sqlite3_vfs();
  Files.zName = Name;
  Files.xOpen = Open;
  Files.xDelete = Delete;
  Files.xAccess = seekFile;
  return Files;
}

const char *registered(sqlite3_vfs &Files) {
  bool IsThere = systemFiles() &&
                 sqlite3_vfs_register(&Files, /*makeDflt=*/0) == SQLITE_OK;
  return IsThere ? Files.zName : nullptr;
}

} // namespace

const char *instantrace::readingFileAccess() {
  static sqlite3_vfs Files =
      fileAccess("instantrace-read", openToRead, removeNothing);
  static const char *const Name = registered(Files);
  return Name;
}

const char *instantrace::writingFileAccess() {
  static sqlite3_vfs Files =
      fileAccess("instantrace-write", openToWrite, removeLog);
  static const char *const Name = registered(Files);
  return Name;
}

int instantrace::copyLogWhenAlone(void *, sqlite3 *Database, const char *Name,
                                  int Pages) {
  constexpr int MostPages = 1000; // as SQLite has it
  sqlite3_file *File = nullptr;
  if (Pages < MostPages ||
      sqlite3_file_control(Database, Name, SQLITE_FCNTL_FILE_POINTER,
                           static_cast<void *>(&File)) != SQLITE_OK)
    return SQLITE_OK;
  // Everybody who has the database open shares its lock. The log is emptied and
  // not only copied: a reader must not find frames that the next writer
  // replaces.
  if (File->pMethods->xLock(File, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK)
    sqlite3_wal_checkpoint_v2(Database, Name, SQLITE_CHECKPOINT_TRUNCATE,
                              nullptr, nullptr);
  return File->pMethods->xUnlock(File, SQLITE_LOCK_SHARED);
}
