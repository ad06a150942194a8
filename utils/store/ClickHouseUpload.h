/// \file
/// Puts one build into a store on a server, as a whole or not at all.
///
/// Flow:   SessionTables -> statements/upload.sql -> [ClickHouseUpload]
///         -> RowBlock -> Server
/// Memory: a block of rows, and the keys of the names that the server has
///
/// Each upload has a key of its own, which all of its rows have. When they are
/// sent, the server counts and sums them, and only if these are the numbers
/// that were sent it gets the row of `builds` that makes them count. So no
/// failure on the way, whatever the server made of it, leaves a build that is
/// there in part or twice: the next upload begins again, under another key.
/// Those that failed are in `uploads`, by which `store prune` finds their rows.
///
/// When it counts it is asked whether another build has its number. So that is
/// asked of one that is there already, too: its adding may have been ended
/// before.
#pragma once

#include "utils/clickhouse/Server.h"
#include "utils/store/Store.h"

namespace instantrace {

// Both try again, later each time, as long as what failed may pass.

/// Nothing, too, of one that has a number of another, since its adding was
/// ended before. uploadBuild() gives it one of its own.
Result<std::optional<Store::KnownBuild>> knownBuild(Server &Db,
                                                    const std::string &Session);

Result<Store::Inserted> uploadBuild(Server &Db, sqlite3 *Staging,
                                    const BuildFacts &Facts, bool Replaces);

} // namespace instantrace
