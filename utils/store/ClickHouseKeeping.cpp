#include "utils/store/ClickHouseKeeping.h"

#include "utils/input/SystemClock.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <charconv>

using namespace instantrace;

namespace {

constexpr uint64_t DayNs = 86400ull * 1'000'000'000;
/// Rows outlive their build by that, for questions that were begun and clocks
/// that differ.
constexpr uint64_t SlackDays = 7;
constexpr const char *TablesWithTtl[] = {
    "build_versions", "uploads",     "missing",     "compiles",
    "costs",          "build_costs", "group_costs", "group_builds"};

/// Whether it has TTL: from 19.6 on.
bool hasTtl(const std::string &Version) {
  uint64_t Major = 0, Minor = 0;
  const char *End = Version.data() + Version.size();
  auto [Dot, Failed] = std::from_chars(Version.data(), End, Major);
  if (Failed != std::errc() || Dot == End)
    return false;
  std::from_chars(Dot + 1, End, Minor);
  return Major > 19 || (Major == 19 && Minor >= 6);
}

Result<uint64_t> daysNow(Server &Of) {
  Result<std::optional<int64_t>> Days =
      Of.number("SELECT toInt64(argMax(days, at_ns)) FROM keeping");
  if (!Days)
    return Days.error();
  return static_cast<uint64_t>(Days->value_or(0));
}

} // namespace

std::vector<std::string>
instantrace::keepingStatements(uint64_t Days, const std::string &Database,
                               const std::string &Suffix,
                               const std::string &OnCluster) {
  std::vector<std::string> All;
  for (const char *Table : TablesWithTtl)
    All.push_back("ALTER TABLE " + Database + "." + Table + Suffix + OnCluster +
                  (Days == 0 ? " REMOVE TTL"
                             : " MODIFY TTL begun + INTERVAL " +
                                   std::to_string(Days + SlackDays) + " DAY"));
  return All;
}

Result<std::string> instantrace::keepBuilds(Server &Of, uint64_t Days,
                                            const std::string &Suffix,
                                            const std::string &OnCluster,
                                            bool MayHaveTtl) {
  Result<uint64_t> Since = keptSinceNs(Of);
  if (!Since)
    return Since.error();
  uint64_t Now = realtimeNs();
  uint64_t Floor =
      std::max(*Since, Days == 0 ? 0 : Now - std::min(Now, Days * DayNs));
  RowBlock Row;
  Row.i64(Now).u16(static_cast<uint16_t>(Days)).day(Floor);
  if (Result<void> Kept = Of.insert("keeping (at_ns, days, since)", Row); !Kept)
    return Kept.error();
  std::string Said = Days == 0 ? "builds are kept for ever"
                               : "builds are kept for " + counted(Days, "day");
  Result<ServerRows> Version =
      Of.rows("SELECT version() AS version", /*IsOfDatabase=*/false);
  if (!Version)
    return Version.error();
  std::string Name =
      Version->empty() ? "" : Version->front().front().value_or("");
  if (!MayHaveTtl || !hasTtl(Name))
    return Said +
           (Days == 0
                ? ""
                : "; rows of older ones stay until instantrace store prune" +
                      (MayHaveTtl ? ", since version " + Name +
                                        " of the server has no TTL"
                                  : std::string()));
  // Of two who say it at once, both end with what is kept.
  for (uint64_t Told = Days;;) {
    for (const std::string &Each :
         keepingStatements(Told, Of.address().Database, Suffix, OnCluster))
      if (Result<void> Done = Of.run(Each); !Done)
        return Done.error();
    Result<uint64_t> Meant = daysNow(Of);
    if (!Meant)
      return Meant.error();
    if (*Meant == Told)
      break;
    Told = *Meant;
  }
  return Said + (Days == 0 ? ""
                           : "; the server takes out rows of older ones " +
                                 std::to_string(SlackDays) + " days later");
}

Result<uint64_t> instantrace::keptSinceNs(Server &Of) {
  Result<std::optional<int64_t>> Day =
      Of.number("SELECT toInt64(toUInt16(day)) FROM kept_since");
  if (!Day)
    return Day.error();
  return static_cast<uint64_t>(Day->value_or(0)) * DayNs;
}
