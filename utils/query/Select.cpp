#include "utils/query/Select.h"

#include "utils/sqlite/Database.h"

#include <cstring>

using namespace instantrace;

namespace {

/// Only what reads. Reports of SQLite about the tables are pragmas.
int authorize(void *, int Action, const char *First, const char *, const char *,
              const char *) {
  switch (Action) {
  case SQLITE_SELECT:
  case SQLITE_READ:
  case SQLITE_RECURSIVE:
    return SQLITE_OK;
  case SQLITE_FUNCTION:
    return SQLITE_OK; // loading extensions is off, whatever is called
  case SQLITE_PRAGMA:
    return std::strcmp(First, "table_info") == 0 ||
                   std::strcmp(First, "table_list") == 0
               ? SQLITE_OK
               : SQLITE_DENY;
  default:
    return SQLITE_DENY;
  }
}

/// "1:15: MESSAGE": line and column of the place that SQLite means, if it does.
std::string placed(sqlite3 *Database, const std::string &Sql) {
  std::string Message = databaseMessage(Database);
  if (sqlite3_extended_errcode(Database) == SQLITE_AUTH)
    Message += ": only SELECT is possible, since a query changes nothing";
  int Offset = sqlite3_error_offset(Database);
  if (Offset < 0 || static_cast<size_t>(Offset) > Sql.size())
    return "query: " + Message;
  size_t LineNo = 1, ColumnNo = 1;
  for (size_t I = 0; I != static_cast<size_t>(Offset); ++I) {
    ++ColumnNo;
    if (Sql[I] == '\n') {
      ++LineNo;
      ColumnNo = 1;
    }
  }
  return "query:" + std::to_string(LineNo) + ":" + std::to_string(ColumnNo) +
         ": " + Message;
}

} // namespace

RowCell instantrace::rowCell(sqlite3_stmt &S, int Column) {
  switch (sqlite3_column_type(&S, Column)) {
  case SQLITE_NULL:
    return {};
  case SQLITE_INTEGER:
    return int64_t(sqlite3_column_int64(&S, Column));
  case SQLITE_FLOAT:
    return sqlite3_column_double(&S, Column);
  default: // blobs as what text they are
    auto *Bytes = static_cast<const char *>(sqlite3_column_blob(&S, Column));
    return std::string(Bytes ? Bytes : "",
                       static_cast<size_t>(sqlite3_column_bytes(&S, Column)));
  }
}

void instantrace::allowOnlyReading(sqlite3 *Database) {
  sqlite3_set_authorizer(Database, authorize, nullptr);
}

Result<int> instantrace::runSelect(sqlite3 *Database, const std::string &Sql,
                                   RowFormat Format, Output &Out) {
  sqlite3_stmt *Prepared = nullptr;
  const char *Rest = nullptr;
  int Code = sqlite3_prepare_v2(Database, Sql.c_str(), -1, &Prepared, &Rest);
  StatementPointer Statement(Prepared);
  if (Code != SQLITE_OK)
    return Error{placed(Database, Sql)};
  if (!Statement)
    return makeError("query", "no statement", "a SELECT");
  if (std::string_view(Rest).find_first_not_of(" \t\r\n;") !=
      std::string_view::npos)
    return makeError("query", "more after the first statement", "only one");
  std::vector<std::string> Columns;
  for (int I = 0; I != sqlite3_column_count(Prepared); ++I)
    Columns.emplace_back(sqlite3_column_name(Prepared, I));
  std::unique_ptr<RowWriter> Rows = makeRowWriter(Format, Columns, Out);
  std::vector<RowCell> Cells(Columns.size());
  while ((Code = sqlite3_step(Prepared)) == SQLITE_ROW) {
    for (size_t I = 0; I != Cells.size(); ++I)
      Cells[I] = rowCell(*Prepared, static_cast<int>(I));
    Rows->row(Cells);
  }
  Rows->finish();
  Out.append(Format == RowFormat::Json ? "\n" : "");
  if (Code != SQLITE_DONE)
    return Error{"query: " + databaseMessage(Database)};
  return Out.finish();
}
