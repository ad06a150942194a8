/// \file
/// The one place that opens databases of SQLite.
///
/// Flow:   the store, `query`, `export` -> [openDatabase] -> SQLite
/// Errors: what SQLite says, and the system to it; "PATH: found, expected" of
///         what is not opened
/// Trust:  the file, and whatever lies beside it, may be anybody's. SQLite
///         follows the journal beside a database and deletes the file that
///         this one names, so it gets none to see: our files have a log (-wal)
///         instead. Schemas call no function of ours, and nothing is loaded or
///         attached
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <memory>
#include <sqlite3.h>
#include <string>

namespace instantrace {

struct CloseDatabase {
  void operator()(sqlite3 *Database) const { sqlite3_close(Database); }
};
using DatabasePointer = std::unique_ptr<sqlite3, CloseDatabase>;

struct FinalizeStatement {
  void operator()(sqlite3_stmt *Statement) const {
    sqlite3_finalize(Statement);
  }
};
using StatementPointer = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// One that nobody else sees, in memory or in files without a name.
Result<DatabasePointer> openPrivateDatabase();

/// No file is written, made or removed, and none but the database and its log
/// is opened. What another process has committed is seen as long as it writes
/// by openDatabaseToWrite().
Result<DatabasePointer> openDatabaseToRead(const std::string &Path);

/// Makes the file where there is none. Nothing is written or removed but the
/// file, its log (-wal) and the log's index (-shm); the file has to get its log
/// (useLog) before anything is put into it.
Result<DatabasePointer> openDatabaseToWrite(const std::string &Path);

/// Of an empty one, also that it can give back what is free (incremental
/// vacuum). Requires: openDatabaseToWrite().
Result<void> useLog(sqlite3 *Database);

/// Fills an empty file that the caller has just made, and that nobody else
/// knows; without a journal, so that a failure leaves it to be removed.
Result<DatabasePointer> openNewDatabase(const std::string &Path);

/// What a program that writes by other rules would change under a reader.
struct DatabaseState {
  uint64_t Device = 0, Inode = 0, SizeBytes = 0, ChangedNs = 0;
  uint64_t LogBytes = 0;
  std::string LogHead; ///< none: there is no log, or nothing in it

  static DatabaseState find(const std::string &Path);
  /// Whether what was read between two looks is of one state: the file itself
  /// stays as it is meanwhile, and its log only grows. Another file of the name
  /// is none of the reader's.
  bool isKeptBy(const DatabaseState &Later) const;
};

/// What failed last, with the system's reason where the system refused.
std::string databaseMessage(sqlite3 *Database);

/// Runs statements that give no rows.
Result<void> execute(sqlite3 *Database, const std::string &Sql);

} // namespace instantrace
