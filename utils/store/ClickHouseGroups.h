/// \file
/// Sums over many builds on a server, so that a question about all of them
/// reads a row for dozens.
///
/// Flow:   build_costs -> [groupBuilds] -> group_costs, group_builds -> hottest
/// Errors: of the server; what was made until then counts nowhere
///
/// A group counts where all of its builds do: questions/clickhouse/hottest.sql.
/// So whatever happens to one of them, or to two who make groups at once, an
/// answer is what it is without groups, and only takes longer.
#ifndef INSTANTRACE_UTILS_STORE_CLICKHOUSEGROUPS_H
#define INSTANTRACE_UTILS_STORE_CLICKHOUSEGROUPS_H

#include "utils/clickhouse/Server.h"

#include <cstdint>

namespace instantrace {

/// So many builds make a group; whoever adds one whose number is a multiple of
/// that calls groupBuilds().
inline constexpr uint64_t GroupBuilds = 32;

/// Of builds that are in none, as many as there are of one kind.
Result<void> groupBuilds(Server &Of);

} // namespace instantrace

#endif
