/// \file
/// One query over a trace, and where its rows go.
///
/// Flow:   Trace -> TraceTables -> SQLite -> [runQuery] -> text | JSON | CSV
/// Errors: what SQLite says of the query, with the place in it
///
/// The database is empty and in memory; the trace is read where it is. What is
/// no query (and ATTACH, which could make files) is refused before it runs.
#pragma once

#include "runtime/base/Result.h"
#include "utils/query/RowWriter.h"
#include "utils/query/TraceModel.h"

#include <string>

namespace instantrace {

/// The ready views, as CREATE VIEW statements over the tables.
extern const char *const TraceViews;

/// The exit code: 0. An error in the query is an Error.
Result<int> runQuery(TraceModel &M, const std::string &Sql, RowFormat Format,
                     Output &Out);
/// Every table and view with its columns.
Result<int> writeSchema(TraceModel &M, Output &Out);

} // namespace instantrace
