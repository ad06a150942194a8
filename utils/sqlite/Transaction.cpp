#include "utils/sqlite/Transaction.h"

using namespace instantrace;

Result<Transaction> Transaction::beginBy(sqlite3 *Database, const char *Sql) {
  INSTANTRACE_TRY(execute(Database, Sql));
  return Transaction(Database);
}

Result<Transaction> Transaction::begin(sqlite3 *Database) {
  return beginBy(Database, "BEGIN IMMEDIATE");
}

Result<Transaction> Transaction::beginOwn(sqlite3 *Database) {
  return beginBy(Database, "BEGIN");
}

Result<void> Transaction::commit() {
  INSTANTRACE_TRY(execute(Database, "COMMIT"));
  Database = nullptr;
  return {};
}
