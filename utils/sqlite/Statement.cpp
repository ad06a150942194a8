#include "utils/sqlite/Statement.h"

#include <algorithm>

using namespace instantrace;

Result<Statement> Statement::prepare(sqlite3 *Database,
                                     const std::string &Sql) {
  sqlite3_stmt *Prepared = nullptr;
  if (sqlite3_prepare_v2(Database, Sql.c_str(), -1, &Prepared, nullptr) !=
      SQLITE_OK)
    return Error{databaseMessage(Database)};
  return Statement(StatementPointer(Prepared));
}

Statement &Statement::bind(int Parameter, uint64_t Value) {
  sqlite3_bind_int64(
      Handle.get(), Parameter,
      static_cast<sqlite3_int64>(std::min<uint64_t>(Value, INT64_MAX)));
  return *this;
}

Statement &Statement::bind(int Parameter, std::string_view Text) {
  sqlite3_bind_text64(Handle.get(), Parameter, Text.data() ? Text.data() : "",
                      Text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Error Statement::failure() const {
  return {databaseMessage(sqlite3_db_handle(Handle.get()))};
}

Result<bool> Statement::step() {
  int Code = sqlite3_step(Handle.get());
  if (Code != SQLITE_ROW && Code != SQLITE_DONE)
    return failure();
  return Code == SQLITE_ROW;
}

Result<void> Statement::run() {
  Result<bool> More = true;
  while (More && *More)
    More = step();
  reset();
  if (!More)
    return More.error();
  return {};
}

std::string Statement::text(int Column) const {
  auto *Bytes =
      static_cast<const char *>(sqlite3_column_blob(Handle.get(), Column));
  return {Bytes ? Bytes : "",
          static_cast<size_t>(sqlite3_column_bytes(Handle.get(), Column))};
}

std::string Statement::columnName(int Column) const {
  const char *Name = sqlite3_column_name(Handle.get(), Column);
  return Name ? Name : "";
}
