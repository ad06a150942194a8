/// \file
/// The rows of a query as a table, as JSON or as CSV.
///
/// Flow: SQLite statement -> [RowWriter] -> Output
#pragma once

#include "utils/query/Query.h"

#include <memory>
#include <sqlite3.h>

namespace instantrace {

class RowWriter {
public:
  virtual ~RowWriter() = default;
  /// The row that the statement is at.
  virtual void row() = 0;
  /// Call once, behind the last row.
  virtual void finish() = 0;
};

/// Statement and Out must outlive it.
std::unique_ptr<RowWriter> makeRowWriter(RowFormat Format,
                                         sqlite3_stmt &Statement, Output &Out);

} // namespace instantrace
