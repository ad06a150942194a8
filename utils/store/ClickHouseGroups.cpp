#include "utils/store/ClickHouseGroups.h"

#include "runtime/base/Hash.h"
#include "utils/clickhouse/SqlText.h"
#include "utils/input/SystemClock.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <unistd.h>

using namespace instantrace;

namespace {

/// Of those that are a week old all branches are one: most have few builds.
constexpr const char *Ungrouped =
    "SELECT arrayStringConcat(groupArray(concat(toString(build_key), ' ', "
    "toString(toUInt16(begun)))), ',') AS keys FROM (SELECT build_key, begun, "
    "if(begun < toDate(intDiv(toUInt32(now()), 86400) - 7), '', branch) AS of, "
    "machine, clang FROM builds WHERE build_key GLOBAL NOT IN (SELECT "
    "build_key FROM group_builds) ORDER BY begun_ns, id) AS b GROUP BY "
    "toYYYYMM(begun), of, machine, clang HAVING count() >= ";

struct Group {
  uint64_t Key = 0;
  uint64_t Day = UINT64_MAX; ///< of its earliest build, since 1970
  std::vector<uint64_t> Builds;
};

std::string keyList(const std::vector<uint64_t> &Keys) {
  std::string List;
  for (uint64_t Key : Keys)
    List.append(List.empty() ? "" : ",").append(std::to_string(Key));
  return List;
}

uint64_t numberOf(const std::string &Text) {
  uint64_t Value = 0;
  std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Value;
}

/// What counts of costs: whether all rows are there.
Result<ServerRows> sumsOf(Server &Of, const std::string &Where) {
  return Of.rows("SELECT sum(units), sum(count), sum(self_ns) FROM " + Where);
}

Result<bool> isReplicated(Server &Of) {
  INSTANTRACE_TRY_ASSIGN(
      ServerRows Rows,
      Of.rows("SELECT count() FROM system.tables WHERE database = " +
                  sqlText(Of.address().Database) +
                  " AND name LIKE 'group%' AND engine LIKE 'Replicated%'",
              /*IsOfDatabase=*/false));
  return !Rows.empty() && Rows.front().front() != "0";
}

/// The costs first: a group is one by its rows in group_builds.
Result<void> makeGroup(Server &Of, const Group &G) {
  std::string Key = std::to_string(G.Key);
  std::string Builds =
      "build_costs WHERE build_key IN (" + keyList(G.Builds) + ")";
  INSTANTRACE_TRY(Of.run(
      "INSERT INTO group_costs (group_key, begun, made, kind, name, "
      "builds, units, count, memoized, self_ns, inclusive_ns, ast_bytes, "
      "optimize_ns, generate_ns, object_bytes) SELECT toUInt64(" +
      Key + "), toDate(" + std::to_string(G.Day) +
      "), now(), kind, name, toInt64(uniqExact(build_key)), sum(units), "
      "sum(count), sum(memoized), sum(self_ns), sum(inclusive_ns), "
      "sum(ast_bytes), sum(optimize_ns), sum(generate_ns), "
      "sum(object_bytes) FROM " +
      Builds + " GROUP BY kind, name"));
  INSTANTRACE_TRY_ASSIGN(ServerRows Sent, sumsOf(Of, Builds));
  INSTANTRACE_TRY_ASSIGN(ServerRows There,
                         sumsOf(Of, "group_costs WHERE group_key = " + Key));
  if (Sent != There)
    return Of.failure("found other sums of a group than of its builds, "
                      "expected the same");
  RowBlock Rows;
  for (uint64_t Build : G.Builds)
    Rows.u64(G.Key)
        .u64(Build)
        .day(G.Day * 86400 * 1'000'000'000)
        .u32(static_cast<uint32_t>(G.Builds.size()));
  return Of.insert("group_builds (group_key, build_key, begun, members)", Rows);
}

} // namespace

Result<void> instantrace::groupBuilds(Server &Of) {
  INSTANTRACE_TRY_ASSIGN(bool Replicated, isReplicated(Of));
  if (Replicated)
    return {};
  INSTANTRACE_TRY_ASSIGN(ServerRows Kinds,
                         Of.rows(Ungrouped + std::to_string(GroupBuilds)));
  for (const auto &Row : Kinds) {
    Group G;
    std::istringstream Keys(Row.front().value_or(""));
    for (std::string Each; std::getline(Keys, Each, ',');) {
      size_t Space = Each.find(' ');
      if (Space == Each.npos)
        return Of.failure("found '" + Each + "', expected a build and its day");
      G.Builds.push_back(numberOf(Each));
      // When that one is no longer kept, the group counts no more.
      G.Day = std::min(G.Day, numberOf(Each.substr(Space + 1)));
      if (G.Builds.size() != GroupBuilds)
        continue;
      uint64_t Parts[] = {G.Builds.front(), realtimeNs(),
                          static_cast<uint64_t>(::getpid())};
      G.Key = hashBytes({reinterpret_cast<const char *>(Parts), sizeof Parts});
      INSTANTRACE_TRY(makeGroup(Of, G));
      G = {};
    }
  }
  return {};
}

Result<std::string> instantrace::groupSet(Server &Of,
                                          const std::string &Whole) {
  INSTANTRACE_TRY_ASSIGN(bool Replicated, isReplicated(Of));
  ServerRows Found;
  if (!Replicated) {
    INSTANTRACE_TRY_ASSIGN(ServerRows Rows, Of.rows(Whole));
    Found = std::move(Rows);
  }
  // As many as a question may have four times in the 256 KiB that a server
  // reads of it unless it is told otherwise, which not every user may do.
  constexpr size_t MostBytes = 40'000;
  // One text, since a server bounds how many literals a statement has. No key
  // is 0.
  std::string Keys = "0";
  for (const auto &Row : Found)
    if (Keys.size() < MostBytes)
      Keys += "," + Row.front().value_or("0");
  return "(SELECT toUInt64(arrayJoin(splitByChar(',', " + sqlText(Keys) +
         "))))";
}
