/// \file
/// One SELECT that somebody wrote, over a database that it must not change.
///
/// Flow:   Query, the store -> [runSelect] -> RowWriter -> Output
/// Errors: what SQLite says of the query, with the place in it
#pragma once

#include "runtime/base/Result.h"
#include "utils/query/RowWriter.h"

#include <sqlite3.h>
#include <string>

namespace instantrace {

/// Of the row that the statement is at.
RowCell rowCell(sqlite3_stmt &S, int Column);

/// From now on only what reads is prepared; ATTACH, which could make files, is
/// not.
void allowOnlyReading(sqlite3 *Database);

/// The exit code: 0. Requires: allowOnlyReading().
Result<int> runSelect(sqlite3 *Database, const std::string &Sql,
                      RowFormat Format, Output &Out);

} // namespace instantrace
