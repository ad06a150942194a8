/// \file
/// A database of builds over time, in one file.
///
/// Flow:   sessions -> SessionAdding -> [Store] -> Question -> Answer
/// Layout: schema/*.sql; PRAGMA user_version is the last migration that was run
/// Errors: "PATH: found, expected"
/// Trust:  the file may be anybody's: it can make no function run but those of
///         SQLite, and what is damaged in it is an error
#ifndef INSTANTRACE_UTILS_STORE_STORE_H
#define INSTANTRACE_UTILS_STORE_STORE_H

#include "runtime/base/Result.h"
#include "utils/sqlite/Database.h"
#include "utils/sqlite/Statement.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

/// By the rules of XDG; an error when there is no home.
Result<std::string> defaultStorePath();

class Store {
public:
  /// Makes the file, with the folders above it, where there is none; and brings
  /// an older one up to date.
  static Result<Store> openForWriting(const std::string &Path);
  /// Requires that there is one, of this version or an older one.
  static Result<Store> openForReading(const std::string &Path);

  sqlite3 *database() const { return Database.get(); }
  const std::string &path() const { return Path; }
  /// "PATH: MESSAGE".
  Error failure(const Error &Of) const { return {Path + ": " + Of.Message}; }

  /// All of what it is made of, as SQL.
  static std::string schema();

  /// What is wrong with it, a line each; empty: nothing.
  Result<std::vector<std::string>> check() const;

  struct Pruned {
    uint64_t Builds = 0, Names = 0, Units = 0;
  };
  /// Takes out all builds that began before \p BeforeNs, since 1970, and what
  /// no other build has. At once, or not at all.
  Result<Pruned> prune(uint64_t BeforeNs);
  /// Takes out the builds for which \p Condition, ours and nobody else's,
  /// holds; returns how many. Requires: a transaction.
  Result<uint64_t> removeBuilds(const std::string &Condition);

private:
  Store(std::string Path, DatabasePointer Database)
      : Path(std::move(Path)), Database(std::move(Database)) {}
  static Result<Store> open(const std::string &Path, int Flags);
  Result<int64_t> pragma(const char *Name) const;
  Result<void> checkOurs(bool MayBeEmpty) const;
  Result<void> migrate();

  std::string Path;
  DatabasePointer Database;
};

/// A transaction that is undone unless it is committed.
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

#endif
