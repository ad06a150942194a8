#include "utils/store/ClickHouseKeeping.h"

#include "utils/clickhouse/SqlText.h"
#include "utils/render/NumberText.h"
#include "utils/store/AnswerText.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <charconv>

using namespace instantrace;

namespace {

constexpr uint64_t DayNs = 86400ull * 1'000'000'000;
/// Rows outlive their build by that, for questions that were begun and clocks
/// that differ.
constexpr uint64_t SlackDays = 7;
constexpr const char *TablesWithTtl[] = {
    "build_versions", "uploads", "missing", "compiles", "costs", "build_costs"};

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

/// For how many days builds are kept, and when that was said.
struct ToldLast {
  uint64_t Days = 0;
  int64_t AtNs = 0;
};

Result<ToldLast> toldLast(Server &Db) {
  INSTANTRACE_TRY_ASSIGN(ServerRows Rows,
                         Db.rows("SELECT toInt64(argMax(days, at_ns)), "
                                 "toInt64(max(at_ns)) FROM keeping"));
  ToldLast Last;
  if (Rows.empty() || Rows.front().size() != 2)
    return Last;
  auto read = [&](size_t I, auto &Into) {
    const std::string Text = Rows.front()[I].value_or("0");
    std::from_chars(Text.data(), Text.data() + Text.size(), Into);
  };
  read(0, Last.Days);
  read(1, Last.AtNs);
  return Last;
}

/// Those that are to be told: for ever is told to whatever has a TTL, which of
/// a cluster is known of this server alone.
Result<std::vector<std::string>> statementsFor(Server &Db, uint64_t Days,
                                               const std::string &Suffix,
                                               const std::string &OnCluster) {
  std::vector<std::string> All =
      keepingStatements(Days, Db.address().Database, Suffix, OnCluster);
  if (Days != 0 || !OnCluster.empty())
    return All;
  INSTANTRACE_TRY_ASSIGN(
      ServerRows Having,
      Db.rows("SELECT name FROM system.tables WHERE database = " +
                  sqlText(Db.address().Database) +
                  " AND position(create_table_query, ' TTL ') > 0",
              /*IsOfDatabase=*/false));
  std::erase_if(All, [&](const std::string &Each) {
    return std::none_of(Having.begin(), Having.end(), [&](const auto &Row) {
      return Each.find("." + Row.front().value_or("") + " ") != Each.npos;
    });
  });
  return All;
}

} // namespace

std::vector<std::string>
instantrace::keepingStatements(uint64_t Days, const std::string &Database,
                               const std::string &Suffix,
                               const std::string &OnCluster) {
  std::vector<std::string> All;
  // For ever, too, is a day: REMOVE TTL is newer than TTL, and fails where
  // there is none.
  std::string Ttl =
      " MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + " +
      std::to_string(Days == 0 ? RowBlock::LastDay : Days + SlackDays) + ", " +
      std::to_string(RowBlock::LastDay) + "))";
  for (const char *Table : TablesWithTtl)
    All.push_back("ALTER TABLE " + Database + "." + Table + Suffix + OnCluster +
                  Ttl);
  return All;
}

Result<std::string> instantrace::keepBuilds(Server &Db, uint64_t Days,
                                            const std::string &Suffix,
                                            const std::string &OnCluster,
                                            bool MayHaveTtl) {
  INSTANTRACE_TRY_ASSIGN(uint64_t Since, keptSinceNs(Db));
  INSTANTRACE_TRY_ASSIGN(uint64_t Now, serverNowNs(Db));
  INSTANTRACE_TRY_ASSIGN(ToldLast Last, toldLast(Db));
  if (Last.AtNs == INT64_MAX)
    return Db.failure("found a row of keeping after which there can be none, "
                      "expected an at_ns below " +
                      std::to_string(INT64_MAX));
  // After all that was said before, whatever clock that had.
  uint64_t Index =
      std::max(Now, static_cast<uint64_t>(std::max<int64_t>(Last.AtNs, 0)) + 1);
  uint64_t Floor =
      std::max(Since, Days == 0 ? 0 : Now - std::min(Now, Days * DayNs));
  RowBlock Row;
  Row.i64(static_cast<int64_t>(Index))
      .u16(static_cast<uint16_t>(Days))
      .day(Floor);
  INSTANTRACE_TRY(Db.insert("keeping (at_ns, days, since)", Row));
  INSTANTRACE_TRY_ASSIGN(
      ServerRows Version,
      Db.rows("SELECT version() AS version", /*IsOfDatabase=*/false));
  std::string Name =
      Version.empty() ? "" : Version.front().front().value_or("");
  bool HasTtl = MayHaveTtl && hasTtl(Name);
  // Of two who say it at once, both end with what is kept, and say that.
  uint64_t EffectiveDays = Days;
  while (true) {
    if (HasTtl) {
      INSTANTRACE_TRY_ASSIGN(
          std::vector<std::string> All,
          statementsFor(Db, EffectiveDays, Suffix, OnCluster));
      for (const std::string &Each : All)
        INSTANTRACE_TRY(Db.run(Each));
    }
    INSTANTRACE_TRY_ASSIGN(ToldLast Meant, toldLast(Db));
    if (Meant.Days == EffectiveDays)
      break;
    EffectiveDays = Meant.Days;
  }
  if (EffectiveDays == 0)
    return std::string("builds are kept for ever");
  return "builds are kept for " + counted(EffectiveDays, "day") +
         (HasTtl ? "; the server takes out rows of older ones " +
                       std::to_string(SlackDays) + " days later"
                 : "; rows of older ones stay until instantrace store prune" +
                       (MayHaveTtl ? ", since version " + Name +
                                         " of the server has no TTL"
                                   : std::string()));
}

Result<uint64_t> instantrace::serverNowNs(Server &Db) {
  INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Now,
                         Db.number("SELECT toInt64(toUInt32(now()))"));
  constexpr int64_t NsPerSecond = 1'000'000'000;
  int64_t Theirs = Now.value_or(0) * NsPerSecond;
  auto Ours = static_cast<int64_t>(realtimeNs());
  int64_t ApartNs = Theirs > Ours ? Theirs - Ours : Ours - Theirs;
  if (ApartNs > static_cast<int64_t>(DayNs))
    return Db.failure(
        "found " + cellText("begun_ns", Theirs) +
        " (UTC) by the server's clock and " + cellText("begun_ns", Ours) +
        " by this machine's, expected less than a day between them");
  return static_cast<uint64_t>(Theirs);
}

Result<uint64_t> instantrace::keptSinceNs(Server &Db) {
  INSTANTRACE_TRY_ASSIGN(
      std::optional<int64_t> Day,
      Db.number("SELECT toInt64(toUInt16(day)) FROM kept_since"));
  return static_cast<uint64_t>(Day.value_or(0)) * DayNs;
}
