/// \file
/// A statement of SQLite: values in, rows out.
///
/// Errors: what SQLite says
#pragma once

#include "runtime/base/Result.h"
#include "utils/sqlite/Database.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

class Statement {
public:
  /// The database must outlive it.
  static Result<Statement> prepare(sqlite3 *Database, const std::string &Sql);

  /// Parameters are numbered from 1; those without a value are NULL. A text is
  /// copied. A number beyond what SQLite has is its largest.
  Statement &bind(int Parameter, uint64_t Value);
  Statement &bind(int Parameter, std::string_view Text);
  /// 0 when the statement has none of that name, such as ":rows".
  int parameter(const std::string &Name) const {
    return sqlite3_bind_parameter_index(Handle.get(), Name.c_str());
  }

  /// Whether there is a row.
  Result<bool> step();
  /// Steps through to the end, and is ready to be bound anew.
  Result<void> run();
  void reset() { sqlite3_reset(Handle.get()); }

  // Of the row that step() came to; columns are numbered from 0.
  int columns() const { return sqlite3_column_count(Handle.get()); }
  int64_t number(int Column) const {
    return sqlite3_column_int64(Handle.get(), Column);
  }
  std::string text(int Column) const;
  std::string columnName(int Column) const;
  sqlite3_stmt *get() const { return Handle.get(); }

private:
  explicit Statement(StatementPointer Handle) : Handle(std::move(Handle)) {}
  Error failure() const;

  StatementPointer Handle;
};

} // namespace instantrace
