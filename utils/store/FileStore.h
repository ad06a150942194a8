/// \file
/// A store of builds in one file, of SQLite.
///
/// Flow:   SessionTables -> [FileStore] -> AnswerTable
/// Layout: schema/*.sql; PRAGMA user_version is the last migration that was run
/// Errors: "PATH: found, expected"
/// Trust:  the file may be anybody's: it is read if its schema is what our
///         migrations make, to the letter, so that no view, trigger or
///         expression of its own runs; what is damaged in it is an error, and
///         our questions end after as much work as a file of its size can need
#pragma once

#include "runtime/base/Result.h"
#include "utils/sqlite/Database.h"
#include "utils/sqlite/Statement.h"
#include "utils/store/Store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

class FileStore final : public Store {
public:
  /// Makes the file, with the folders above it, where there is none; and brings
  /// an older one up to date. Several at once make one.
  static Result<FileStore> openForWriting(const std::string &Path);
  /// Requires that there is one, of this version or an older one. It stays as
  /// it is, and shows what there was when it was opened.
  static Result<FileStore> openForReading(const std::string &Path);

  FileStore(FileStore &&Other) noexcept
      : Path(std::move(Other.Path)), Database(std::move(Other.Database)),
        Opened(std::move(Other.Opened)) {}

  std::string place() const override { return Path; }
  const std::string &sqlOf(const Question &Q, bool IsDetail) const override {
    return IsDetail ? Q.DetailSql : Q.Sql;
  }
  Result<void> read(const std::string &Sql, const SqlValues &Values,
                    const Bound *Budget, AnswerTable &Into) override;
  Result<int> select(const std::string &Sql, RowFormat Format,
                     Output &Out) override;
  Result<Checked> check() override;
  /// At once, or not at all.
  Result<Pruned> prune(uint64_t BeforeNs,
                       std::optional<uint64_t> KeepDays) override;
  Result<std::optional<KnownBuild>> known(const std::string &Session) override;
  Result<SessionTables> stage() override {
    return SessionTables::make(Database.get(),
                               SessionTables::Staged::WithoutSpecializations);
  }
  Result<Inserted> insert(const BuildFacts &Facts, SessionTables &Rows,
                          bool Replaces) override;

private:
  FileStore(std::string Path, DatabasePointer Database)
      : Path(std::move(Path)), Database(std::move(Database)),
        Opened(DatabaseState::find(this->Path)) {}
  Result<int64_t> pragma(const char *Name) const;
  /// The version; 0: of one that has never had a table. Requires: a
  /// transaction, so that all that it looks at is of one moment.
  Result<size_t> checkedVersion() const;
  Result<void> checkSchema(size_t Version) const;
  Result<void> migrate();
  /// Takes out the builds for which \p Condition, ours and nobody else's,
  /// holds; returns how many. Requires: a transaction.
  Result<uint64_t> removeBuilds(const std::string &Condition);
  Result<uint64_t> insertBuild(const BuildFacts &Facts);
  /// An error if another program has changed under a reader what it read.
  Result<void> checkUnchanged() const;
  /// What SQLite says, or that the file takes too much work.
  Error readFailure(const Error &E) const;
  Error tooMuchWork() const;

  std::string Path;
  DatabasePointer Database;
  DatabaseState Opened; ///< what was there then
};

} // namespace instantrace
