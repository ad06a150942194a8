/// \file
/// The trace as tables of SQLite that read it where it is.
///
/// Flow:   TraceModel -> [TraceTables] -> SQLite
/// Layout: docs/use/query.md has the columns; the schemas are what it shows
/// Source: SQLite, "The Virtual Table Mechanism Of SQLite"
///
/// Every table begins with `sequence`, from 1 in the order of the inputs, and
/// all but `sequences` have `id` next; a query that says which it wants gets
/// them without a search.
#ifndef INSTANTRACE_UTILS_QUERY_TRACETABLES_H
#define INSTANTRACE_UTILS_QUERY_TRACETABLES_H

#include "utils/query/TraceModel.h"

#include <sqlite3.h>

namespace instantrace {

struct TraceTable {
  const char *Name;
  const char *Columns; ///< as in CREATE TABLE
  bool HasIds;
  /// Rows of a sequence have the numbers 0 to this.
  uint64_t (*RowCount)(TraceModel &M, size_t Sequence);
  /// Column 0 and, with HasIds, column 1 are never asked for.
  void (*Column)(sqlite3_context *To, TraceModel &M, size_t Sequence,
                 uint64_t Row, int Column);
};

/// All there are, ended by one without a name.
extern const TraceTable TraceTables[];

/// Makes the tables known to a database, each as Prefix and its name. The model
/// must outlive it. Returns SQLite's code.
int addTraceTables(sqlite3 *Database, TraceModel &M, const char *Prefix);

} // namespace instantrace

#endif
