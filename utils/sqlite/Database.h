/// \file
/// A database of SQLite, opened and closed.
///
/// Errors: what SQLite says
#ifndef INSTANTRACE_UTILS_SQLITE_DATABASE_H
#define INSTANTRACE_UTILS_SQLITE_DATABASE_H

#include "runtime/base/Result.h"

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

/// In memory, or a new file, which must not exist.
Result<DatabasePointer> openDatabase(const std::string &Path);

/// Runs statements that give no rows.
Result<void> execute(sqlite3 *Database, const std::string &Sql);

} // namespace instantrace

#endif
