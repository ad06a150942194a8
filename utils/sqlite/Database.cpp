#include "utils/sqlite/Database.h"

using namespace instantrace;

Result<DatabasePointer> instantrace::openDatabase(const std::string &Path) {
  sqlite3 *Opened = nullptr;
  int Code =
      sqlite3_open_v2(Path.c_str(), &Opened,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  DatabasePointer Database(Opened);
  if (Code != SQLITE_OK)
    return Error{Path + ": " +
                 (Opened ? sqlite3_errmsg(Opened) : "out of memory")};
  return Database;
}

Result<void> instantrace::execute(sqlite3 *Database, const std::string &Sql) {
  if (sqlite3_exec(Database, Sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK)
    return Error{sqlite3_errmsg(Database)};
  return {};
}
