/// \file
/// SQLite's side of TraceTables: cursors over sequences and rows.
///
/// Flow: SQLite -> [methods here] -> TraceTable::Column
#include "utils/query/TraceTables.h"

#include <algorithm>
#include <new>
#include <string>

using namespace instantrace;

namespace {

/// What idxNum says: which of the first two columns the query has given.
enum Given : int { GivenSequence = 1, GivenId = 2 };

struct Module {
  const TraceTable *Table;
  TraceModel *Model;
};

struct VirtualTable : sqlite3_vtab {
  explicit VirtualTable(const Module &Of) : sqlite3_vtab{}, Of(Of) {}
  Module Of;
};

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(const Module &Of) : sqlite3_vtab_cursor{}, Of(Of) {}

  uint64_t rowCount() const { return Of.Table->RowCount(*Of.Model, Sequence); }
  /// Leaves the rows of sequences that have no more of them.
  void settle() {
    while (Sequence < LastSequence && Row >= std::min(LastRow, rowCount())) {
      ++Sequence;
      Row = FirstRow;
    }
  }

  Module Of;
  size_t Sequence = 0, LastSequence = 0; // one past it
  uint64_t Row = 0, FirstRow = 0, LastRow = 0;
};

int connect(sqlite3 *Database, void *Client, int, const char *const *,
            sqlite3_vtab **Table, char **Message) {
  const Module &Of = *static_cast<Module *>(Client);
  std::string Schema = std::string("CREATE TABLE x(") + Of.Table->Columns + ")";
  int Code = sqlite3_declare_vtab(Database, Schema.c_str());
  if (Code != SQLITE_OK) {
    *Message = sqlite3_mprintf("%s", sqlite3_errmsg(Database));
    return Code;
  }
  *Table = new (std::nothrow) VirtualTable(Of);
  return *Table ? SQLITE_OK : SQLITE_NOMEM;
}

int disconnect(sqlite3_vtab *Table) {
  delete static_cast<VirtualTable *>(Table);
  return SQLITE_OK;
}

int bestIndex(sqlite3_vtab *Table, sqlite3_index_info *Info) {
  const Module &Of = static_cast<VirtualTable *>(Table)->Of;
  int Argument = 0;
  // The arguments of filter() come in this order.
  for (int Column : {0, 1}) {
    if (Column == 1 && !Of.Table->HasIds)
      continue;
    for (int I = 0; I != Info->nConstraint; ++I) {
      const auto &Constraint = Info->aConstraint[I];
      if (Constraint.iColumn != Column || !Constraint.usable ||
          Constraint.op != SQLITE_INDEX_CONSTRAINT_EQ)
        continue;
      // Not `omit`: SQLite checks again, so 2.5 is not taken for 2.
      Info->aConstraintUsage[I].argvIndex = ++Argument;
      Info->idxNum |= Column == 0 ? GivenSequence : GivenId;
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

int open(sqlite3_vtab *Table, sqlite3_vtab_cursor **To) {
  *To = new (std::nothrow) Cursor(static_cast<VirtualTable *>(Table)->Of);
  return *To ? SQLITE_OK : SQLITE_NOMEM;
}

int close(sqlite3_vtab_cursor *At) {
  delete static_cast<Cursor *>(At);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor *At, int Given, const char *, int,
           sqlite3_value **Values) {
  Cursor &C = *static_cast<Cursor *>(At);
  C.Sequence = 0;
  C.LastSequence = C.Of.Model->sequenceCount();
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

int next(sqlite3_vtab_cursor *At) {
  Cursor &C = *static_cast<Cursor *>(At);
  ++C.Row;
  C.settle();
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor *At) {
  Cursor &C = *static_cast<Cursor *>(At);
  return C.Sequence >= C.LastSequence;
}

int column(sqlite3_vtab_cursor *At, sqlite3_context *To, int Column) {
  Cursor &C = *static_cast<Cursor *>(At);
  if (Column == 0)
    sqlite3_result_int64(To, static_cast<sqlite3_int64>(C.Sequence) + 1);
  else if (Column == 1 && C.Of.Table->HasIds)
    sqlite3_result_int64(To, static_cast<sqlite3_int64>(C.Row) + 1);
  else
    C.Of.Table->Column(To, *C.Of.Model, C.Sequence, C.Row, Column);
  return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor *At, sqlite3_int64 *To) {
  Cursor &C = *static_cast<Cursor *>(At);
  *To = static_cast<sqlite3_int64>(uint64_t(C.Sequence) << 40 | C.Row);
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

int instantrace::addTraceTables(sqlite3 *Database, TraceModel &M,
                                const char *Prefix) {
  for (const TraceTable *Table = TraceTables; Table->Name; ++Table) {
    auto *Of = new Module{Table, &M};
    int Code = sqlite3_create_module_v2(
        Database, (std::string(Prefix) + Table->Name).c_str(), &Methods, Of,
        [](void *Client) { delete static_cast<Module *>(Client); });
    if (Code != SQLITE_OK)
      return Code;
  }
  return SQLITE_OK;
}
