/// \file
/// How long a store on a server keeps builds.
///
/// Flow:   --keep -> [keepBuilds] -> keeping, TTL of each table
/// Errors: of the server
///
/// A build that is older is in no answer, by the view `builds`, from the first
/// minute of the day on: as a whole, whatever rows of it there still are. Those
/// the server takes out a week later, if it has TTL, and otherwise pruning.
#ifndef INSTANTRACE_UTILS_STORE_CLICKHOUSEKEEPING_H
#define INSTANTRACE_UTILS_STORE_CLICKHOUSEKEEPING_H

#include "utils/clickhouse/Server.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

/// What a server from 19.6 on is told; \p Days 0: for ever. \p Suffix and
/// \p OnCluster: of the tables that have rows.
std::vector<std::string> keepingStatements(uint64_t Days,
                                           const std::string &Database,
                                           const std::string &Suffix,
                                           const std::string &OnCluster);

/// Returns what to say of it. \p MayHaveTtl: false where tables of other
/// servers cannot be told.
Result<std::string> keepBuilds(Server &Of, uint64_t Days,
                               const std::string &Suffix,
                               const std::string &OnCluster, bool MayHaveTtl);

/// In nanoseconds since 1970: what began before then is not kept.
Result<uint64_t> keptSinceNs(Server &Of);

} // namespace instantrace

#endif
