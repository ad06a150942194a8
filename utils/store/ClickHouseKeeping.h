/// \file
/// How long a store on a server keeps builds.
///
/// Flow:   --keep -> [keepBuilds] -> keeping, TTL of each table
/// Errors: of the server; clocks that are a day apart
///
/// A build that is older is in no answer, by the view `builds`, from the first
/// minute of the day on: as a whole, whatever rows of it there still are. Those
/// the server takes out a week later, if it has TTL, and otherwise pruning.
#pragma once

#include "utils/clickhouse/Server.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

/// Ten years. More is as good as for ever, which is 0.
inline constexpr uint64_t MostKeptDays = 3650;

/// What a server from 19.6 on is told; \p Days 0: for ever, which is until
/// 2104. \p Suffix and \p OnCluster: of the tables that have rows.
std::vector<std::string> keepingStatements(uint64_t Days,
                                           const std::string &Database,
                                           const std::string &Suffix,
                                           const std::string &OnCluster);

/// Returns what to say of it: what was said last, where another one said
/// something else meanwhile. \p Days: MostKeptDays at most. \p MayHaveTtl:
/// false where tables of other servers cannot be told.
Result<std::string> keepBuilds(Server &Db, uint64_t Days,
                               const std::string &Suffix,
                               const std::string &OnCluster, bool MayHaveTtl);

/// In nanoseconds since 1970, by the server's clock: what is taken out by age
/// is gone for all. Errors, as well: it is more than a day from ours, so that
/// one of both is wrong.
Result<uint64_t> serverNowNs(Server &Db);

/// In nanoseconds since 1970: what began before then is not kept.
Result<uint64_t> keptSinceNs(Server &Db);

} // namespace instantrace
