/// \file
/// SQLite's side of TraceTables: cursors over sequences and rows.
///
/// Flow:   SQLite -> [methods here] -> TraceColumn::Get
/// Source: SQLite, "The Virtual Table Mechanism Of SQLite"
#include "utils/query/VirtualTable.h"

#include "utils/query/TraceTables.h"

#include <algorithm>
#include <new>
#include <string>

using namespace instantrace;

namespace {

/// Columns that a query which gives them finds without a search.
enum Position : int { SequencePosition = 0, IdPosition = 1 };

/// What idxNum says: which of them the query has given.
enum Given : int { GivenSequence = 1, GivenId = 2 };

struct Module {
  const TraceTable *Table;
  TraceModel *Model;
};

struct VirtualTable : sqlite3_vtab {
  explicit VirtualTable(const Module &M) : sqlite3_vtab{}, M(M) {}
  Module M;
};

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(const Module &M) : sqlite3_vtab_cursor{}, M(M) {}

  uint64_t rowCount() const { return M.Table->RowCount(*M.Model, Sequence); }
  /// Leaves the rows of sequences that have no more of them.
  void settle() {
    while (Sequence < LastSequence && Row >= std::min(LastRow, rowCount())) {
      ++Sequence;
      Row = FirstRow;
    }
  }

  Module M;
  size_t Sequence = 0, LastSequence = 0; // one past it
  uint64_t Row = 0, FirstRow = 0, LastRow = 0;
};

/// CREATE TABLE x("sequence" INT, ...)
std::string declaration(const TraceTable &Table) {
  std::string Sql;
  for (const TraceColumn &Column : Table.Columns)
    Sql.append(Sql.empty() ? "CREATE TABLE x(\"" : ", \"")
        .append(Column.Name)
        .append("\" ")
        .append(Column.Type);
  return Sql + ")";
}

int connect(sqlite3 *Database, void *Client, int, const char *const *,
            sqlite3_vtab **Table, char **Message) {
  const Module &M = *static_cast<Module *>(Client);
  int Code = sqlite3_declare_vtab(Database, declaration(*M.Table).c_str());
  if (Code != SQLITE_OK) {
    *Message = sqlite3_mprintf("%s", sqlite3_errmsg(Database));
    return Code;
  }
  *Table = new (std::nothrow) VirtualTable(M);
  return *Table ? SQLITE_OK : SQLITE_NOMEM;
}

int disconnect(sqlite3_vtab *Table) {
  delete static_cast<VirtualTable *>(Table);
  return SQLITE_OK;
}

int bestIndex(sqlite3_vtab *Table, sqlite3_index_info *Info) {
  const Module &M = static_cast<VirtualTable *>(Table)->M;
  int Argument = 0;
  // The arguments of filter() come in this order.
  for (int Column : {SequencePosition, IdPosition}) {
    if (Column == IdPosition && !M.Table->hasIds())
      continue;
    for (int I = 0; I != Info->nConstraint; ++I) {
      const auto &Constraint = Info->aConstraint[I];
      if (Constraint.iColumn != Column || !Constraint.usable ||
          Constraint.op != SQLITE_INDEX_CONSTRAINT_EQ)
        continue;
      // Not `omit`: SQLite checks again, so 2.5 is not taken for 2.
      Info->aConstraintUsage[I].argvIndex = ++Argument;
      Info->idxNum |= Column == SequencePosition ? GivenSequence : GivenId;
      break;
    }
  }
  double Rows = 1e6;
  if (Info->idxNum & GivenId)
    Rows = Info->idxNum & GivenSequence ? 1 : 10;
  else if (Info->idxNum & GivenSequence)
    Rows = 1e5;
  Info->estimatedCost = Rows;
  Info->estimatedRows = static_cast<sqlite3_int64>(Rows);
  return SQLITE_OK;
}

int open(sqlite3_vtab *Table, sqlite3_vtab_cursor **Opened) {
  *Opened = new (std::nothrow) Cursor(static_cast<VirtualTable *>(Table)->M);
  return *Opened ? SQLITE_OK : SQLITE_NOMEM;
}

int close(sqlite3_vtab_cursor *Opened) {
  delete static_cast<Cursor *>(Opened);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor *Opened, int Given, const char *, int,
           sqlite3_value **Values) {
  Cursor &C = *static_cast<Cursor *>(Opened);
  C.Sequence = 0;
  C.LastSequence = C.M.Model->sequenceCount();
  C.FirstRow = 0;
  C.LastRow = UINT64_MAX;
  if (Given & GivenSequence) {
    sqlite3_int64 No = sqlite3_value_int64(*Values++);
    bool IsThere = No >= 1 && static_cast<uint64_t>(No) <= C.LastSequence;
    C.Sequence = IsThere ? static_cast<size_t>(No) - 1 : C.LastSequence;
    C.LastSequence = IsThere ? C.Sequence + 1 : C.LastSequence;
  }
  if (Given & GivenId) {
    sqlite3_int64 Id = sqlite3_value_int64(*Values);
    if (Id < 1)
      C.Sequence = C.LastSequence;
    C.FirstRow = static_cast<uint64_t>(Id) - 1;
    C.LastRow = static_cast<uint64_t>(Id);
  }
  C.Row = C.FirstRow;
  C.settle();
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor *Opened) {
  Cursor &C = *static_cast<Cursor *>(Opened);
  ++C.Row;
  C.settle();
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor *Opened) {
  Cursor &C = *static_cast<Cursor *>(Opened);
  return C.Sequence >= C.LastSequence;
}

struct CellResult {
  sqlite3_context *Context;

  void operator()(std::monostate) const {}
  void operator()(uint64_t Value) const {
    // SQLite's integers are signed.
    sqlite3_result_int64(Context, static_cast<sqlite3_int64>(
                                      std::min<uint64_t>(Value, INT64_MAX)));
  }
  void operator()(std::string_view Text) const {
    sqlite3_result_text64(Context, Text.data(), Text.size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8);
  }
};

int column(sqlite3_vtab_cursor *Opened, sqlite3_context *Context, int Column) {
  Cursor &C = *static_cast<Cursor *>(Opened);
  const TraceColumn &Asked = C.M.Table->Columns[static_cast<size_t>(Column)];
  std::visit(CellResult{Context}, Asked.Get({*C.M.Model, C.Sequence, C.Row}));
  return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor *Opened, sqlite3_int64 *Into) {
  Cursor &C = *static_cast<Cursor *>(Opened);
  *Into = static_cast<sqlite3_int64>(uint64_t(C.Sequence) << 40 | C.Row);
  return SQLITE_OK;
}

/// Without xCreate a table exists by being known, and cannot be made or
/// dropped.
constexpr sqlite3_module Methods = [] {
  sqlite3_module M{};
  M.xConnect = connect;
  M.xBestIndex = bestIndex;
  M.xDisconnect = disconnect;
  M.xOpen = open;
  M.xClose = close;
  M.xFilter = filter;
  M.xNext = next;
  M.xEof = eof;
  M.xColumn = column;
  M.xRowid = rowid;
  return M;
}();

} // namespace

int instantrace::addTraceTables(sqlite3 *Database, TraceModel &Model,
                                const char *Prefix) {
  for (const TraceTable &Table : traceTables()) {
    auto *M = new Module{&Table, &Model};
    int Code = sqlite3_create_module_v2(
        Database, (Prefix + std::string(Table.Name)).c_str(), &Methods, M,
        [](void *Client) { delete static_cast<Module *>(Client); });
    if (Code != SQLITE_OK)
      return Code;
  }
  return SQLITE_OK;
}
