/// \file
/// Looks after a store on a server: whether it is sound, how long builds are
/// kept, and what may go.
///
/// Flow:   statements/clickhouse/*.sql -> [checkServer, pruneServer] -> Server
/// Errors: of the server; clocks that are a day apart
///
/// A build that is kept no longer is in no answer, by the view `builds`, from
/// the first minute of the day on: as a whole, whatever rows of it there still
/// are. Those the server takes out a week later, if it has TTL.
#pragma once

#include "utils/clickhouse/Server.h"
#include "utils/store/ClickHouseSchema.h"
#include "utils/store/Store.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// Of a question for one number.
Result<uint64_t> countFrom(Server &Db, const std::string &Sql);

/// Takes builds out of all answers: those that began before \p BeforeNs, since
/// 1970, and that of \p Key.
Result<void> hideBuilds(Server &Db, uint64_t BeforeNs, uint64_t Key);

/// \p Statement: puts what is asked about in place of {{chosen}}.
Result<Store::Checked>
checkServer(Server &Db,
            const std::function<Result<std::string>(std::string)> &Statement);

/// The TTL of each table, for a server from 19.6 on. \p Days 0: for ever.
std::vector<std::string> ttlStatements(const ClickHouseSchema &Schema,
                                       uint64_t Days);

/// In nanoseconds since 1970: what began before then is not kept. Errors, as
/// well: the server's clock, by which that is, and ours are more than a day
/// apart, so that one of both is wrong.
Result<uint64_t> keptSinceNs(Server &Db);

/// The builds are gone from answers at once; their rows as soon as the server
/// has written its parts again, for which it waits. With them go the rows of
/// uploads that have not ended for a day. Names and units stay, which others
/// may be about to use. Of a cluster that is not replicated, rows go from the
/// shard of this server alone.
/// \p BeforeNs 0: only what the store keeps no longer. \p KeepDays: how long
/// that is from now on.
Result<Store::Pruned> pruneServer(Server &Db, const ClickHouseSchema &Schema,
                                  uint64_t BeforeNs,
                                  std::optional<uint64_t> KeepDays);

} // namespace instantrace
