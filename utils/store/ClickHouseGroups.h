/// \file
/// Sums over many builds on a server, so that a question about all of them
/// reads a row for dozens.
///
/// Flow:   build_costs -> [groupBuilds] -> group_costs, group_builds -> hottest
/// Errors: of the server; what was made until then counts nowhere
///
/// A group counts where all of its builds do: WholeGroups. So whatever happens
/// to one of them, or to two who make groups at once, an answer is what it is
/// without groups, and only takes longer. Which groups count is asked once for
/// an answer, whose every part then has the same: a group is there as a whole
/// before it is listed, changes no more, and goes only when one of its builds
/// has gone, which the answer finds.
///
/// Tables that are replicated have none: each copies rows by itself, so that a
/// sum might be made of some of them.
#ifndef INSTANTRACE_UTILS_STORE_CLICKHOUSEGROUPS_H
#define INSTANTRACE_UTILS_STORE_CLICKHOUSEGROUPS_H

#include "utils/clickhouse/Server.h"

#include <cstdint>
#include <string>

namespace instantrace {

/// So many builds make a group; whoever adds one whose number is a multiple of
/// that calls groupBuilds().
inline constexpr uint64_t GroupBuilds = 32;

/// Of builds that are in none, as many as there are of one kind.
Result<void> groupBuilds(Server &Of);

/// A build is in the group of the greatest key of those that have it: no build
/// is in two of these.
inline constexpr const char *WholeGroups =
    "SELECT grp FROM (SELECT build_key, max(group_key) AS grp, argMax(members, "
    "group_key) AS size FROM group_builds GROUP BY build_key) AS g WHERE "
    "build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b) GROUP BY grp, "
    "size HAVING count() = size";
/// The keys that \p Whole, made of WholeGroups, finds now, as a set of SQL: of
/// the first 40,000 bytes of them, which are 60,000 builds at least; of
/// replicated tables an empty one. Those of other groups count by themselves.
Result<std::string> groupSet(Server &Of, const std::string &Whole);

} // namespace instantrace

#endif
