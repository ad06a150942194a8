/// \file
/// A transaction of SQLite that is undone unless it is committed.
///
/// Errors: what SQLite says
#pragma once

#include "runtime/base/Result.h"
#include "utils/sqlite/Database.h"

#include <utility>

namespace instantrace {

class Transaction {
public:
  /// Nobody else writes from now on.
  static Result<Transaction> begin(sqlite3 *Database);
  /// Of what others do not see: locks nobody out.
  static Result<Transaction> beginOwn(sqlite3 *Database);
  Transaction(Transaction &&Other) noexcept
      : Database(std::exchange(Other.Database, nullptr)) {}
  Transaction &operator=(Transaction &&) = delete;
  ~Transaction() {
    if (Database)
      sqlite3_exec(Database, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Result<void> commit();

private:
  explicit Transaction(sqlite3 *Database) : Database(Database) {}
  static Result<Transaction> beginBy(sqlite3 *Database, const char *Sql);

  sqlite3 *Database;
};

} // namespace instantrace
