/// \file
/// Looks after a store on a server: whether it is sound, and what may go.
///
/// Flow:   Server -> [checkServer, pruneServer] -> faults, counts
/// Errors: of the server
#pragma once

#include "utils/clickhouse/Server.h"
#include "utils/store/Store.h"

#include <functional>
#include <optional>
#include <string>

namespace instantrace {

/// Of a question for one number.
Result<uint64_t> countFrom(Server &Db, const std::string &Sql);

/// Takes builds out of all answers. \p Which: a table of them, which may have a
/// condition: "stored_builds WHERE ...".
Result<void> hideBuilds(Server &Db, const std::string &Which);

/// \p Statement: puts what is asked about in place of {{chosen}}.
Result<Store::Checked>
checkServer(Server &Db,
            const std::function<Result<std::string>(std::string)> &Statement);

/// The builds are gone from answers at once; their rows as soon as the server
/// has written its parts anew, for which it waits. With them go the rows of
/// uploads that have not ended for a day. Of a cluster that is not replicated,
/// rows go from the shard of this server alone.
/// \p BeforeNs 0: only what the store keeps no longer. \p KeepDays: how long
/// that is from now on.
Result<Store::Pruned> pruneServer(Server &Db, const StoreLocation &Location,
                                  uint64_t BeforeNs,
                                  std::optional<uint64_t> KeepDays);

} // namespace instantrace
