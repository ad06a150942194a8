/// \file
/// The trace's tables in a database, which reads them where they are.
///
/// Flow: TraceModel -> TraceTables -> [VirtualTable] -> SQLite
#pragma once

#include "utils/query/TraceModel.h"

#include <sqlite3.h>

namespace instantrace {

/// Makes the tables known to a database, each as Prefix and its name. The model
/// must outlive it. Returns SQLite's code.
int addTraceTables(sqlite3 *Database, TraceModel &Model, const char *Prefix);

} // namespace instantrace
