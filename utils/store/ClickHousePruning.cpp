#include "utils/store/ClickHousePruning.h"

#include "utils/clickhouse/SqlText.h"
#include "utils/render/NumberText.h"
#include "utils/store/AnswerText.h"
#include "utils/store/StoreFiles.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace instantrace;

namespace {

constexpr uint64_t DayNs = 86400ull * 1'000'000'000;
/// Rows outlive their build by that, for questions that were begun and clocks
/// that differ.
constexpr uint64_t SlackDays = 7;
/// Ten years. More is as good as for ever, which is 0.
constexpr uint64_t MostKeptDays = 3650;
/// Of numbers in one statement: a server reads 256 KiB.
constexpr size_t ChunkKeys = 10'000;

Result<std::vector<std::string>> firstColumn(Server &Db,
                                             const std::string &Sql) {
  INSTANTRACE_TRY_ASSIGN(ServerRows Rows, Db.rows(Sql));
  std::vector<std::string> All;
  for (auto &Row : Rows)
    All.push_back(std::move(Row.front()).value_or(""));
  return All;
}

/// What is taken out by age is gone for all, so both clocks are asked.
Result<void> checkClocks(Server &Db) {
  INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Now,
                         Db.number("SELECT toInt64(toUInt32(now()))"));
  constexpr int64_t NsPerSecond = 1'000'000'000;
  int64_t Theirs = Now.value_or(0) * NsPerSecond;
  auto Ours = static_cast<int64_t>(realtimeNs());
  int64_t ApartNs = Theirs > Ours ? Theirs - Ours : Ours - Theirs;
  if (ApartNs <= static_cast<int64_t>(DayNs))
    return {};
  return Db.failure("found " + cellText("begun_ns", Theirs) +
                    " (UTC) by the server's clock and " +
                    cellText("begun_ns", Ours) +
                    " by this machine's, expected less than a day between "
                    "them");
}

/// Returns what to say of it: what was said last, where another one said
/// something else meanwhile.
Result<std::string> keepBuilds(Server &Db, const ClickHouseSchema &Schema,
                               uint64_t Days) {
  INSTANTRACE_TRY_ASSIGN(
      std::string Keep,
      bindValues(clickHouseStatement("keep"), {{"days", Days}}));
  INSTANTRACE_TRY(Db.run(Keep));
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Version,
      countFrom(Db, "SELECT toInt64(splitByChar('.', version())[1]) * 100 + "
                    "toInt64(splitByChar('.', version())[2])"));
  const bool HasTtl = Version >= 1906;
  const std::string Last = "SELECT toInt64(argMax(days, at_ns)) FROM keeping";
  INSTANTRACE_TRY_ASSIGN(uint64_t Meant, countFrom(Db, Last));
  do { // both of two who say it at once end with what is kept
    Days = Meant;
    if (HasTtl)
      for (const std::string &Each : ttlStatements(Schema, Days))
        INSTANTRACE_TRY(Db.run(Each));
    INSTANTRACE_TRY_ASSIGN(Meant, countFrom(Db, Last));
  } while (Meant != Days);
  if (Days == 0)
    return std::string("builds are kept for ever");
  return "builds are kept for " + counted(Days, "day") +
         (HasTtl ? "; the server takes out rows of older ones " +
                       std::to_string(SlackDays) + " days later"
                 : "; rows of older ones stay until instantrace store prune, "
                   "since this version of the server has no TTL");
}

Result<void> removeRows(Server &Db, const ClickHouseSchema &Schema,
                        const std::vector<std::string> &Keys) {
  for (size_t Begin = 0; Begin < Keys.size(); Begin += ChunkKeys) {
    std::string List;
    for (size_t I = Begin; I != std::min(Keys.size(), Begin + ChunkKeys); ++I)
      List.append(List.empty() ? "" : ",").append(Keys[I]);
    for (std::string &Sql : clickHouseStatements("remove")) {
      replaceAll(Sql, "{{keys}}", List);
      INSTANTRACE_TRY(Db.run(Schema.expanded(Sql)));
    }
  }
  return {};
}

/// The server does them when it can, and keeps them when it is stopped.
Result<void> awaitMutations(Server &Db) {
  constexpr std::chrono::milliseconds Between(100);
  auto Until = std::chrono::steady_clock::now() +
               std::chrono::seconds(Db.access().SilenceS);
  while (std::chrono::steady_clock::now() < Until) {
    INSTANTRACE_TRY_ASSIGN(
        uint64_t Left,
        countFrom(Db,
                  "SELECT count() FROM system.mutations WHERE is_done = 0 AND "
                  "database = " +
                      sqlText(Db.address().Database)));
    if (Left == 0)
      return {};
    std::this_thread::sleep_for(Between);
  }
  return {};
}

} // namespace

Result<uint64_t> instantrace::countFrom(Server &Db, const std::string &Sql) {
  INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Count, Db.number(Sql));
  return static_cast<uint64_t>(Count.value_or(0));
}

Result<void> instantrace::hideBuilds(Server &Db, uint64_t BeforeNs,
                                     uint64_t Key) {
  INSTANTRACE_TRY_ASSIGN(std::string Sql,
                         bindValues(clickHouseStatement("hide"),
                                    {{"before", BeforeNs}, {"key", Key}}));
  return Db.run(Sql);
}

Result<Store::Checked> instantrace::checkServer(
    Server &Db,
    const std::function<Result<std::string>(std::string)> &Statement) {
  Store::Checked Found;
  for (auto [Name, Into] :
       {std::pair{"checks", &Found.Faults}, {"notes", &Found.Notes}})
    for (std::string &Sql : clickHouseStatements(Name)) {
      INSTANTRACE_TRY_ASSIGN(std::string Whole, Statement(std::move(Sql)));
      INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Lines,
                             firstColumn(Db, Whole));
      Into->insert(Into->end(), Lines.begin(), Lines.end());
    }
  return Found;
}

std::vector<std::string>
instantrace::ttlStatements(const ClickHouseSchema &Schema, uint64_t Days) {
  std::vector<std::string> All = clickHouseStatements("ttl");
  for (std::string &Sql : All) {
    replaceAll(
        Sql, ":days",
        std::to_string(Days == 0 ? RowBlock::LastDay : Days + SlackDays));
    Sql = Schema.expanded(Sql);
  }
  return All;
}

Result<uint64_t> instantrace::keptSinceNs(Server &Db) {
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Day,
      countFrom(Db, "SELECT toInt64(toUInt16(day)) FROM kept_since"));
  if (Day != 0)
    INSTANTRACE_TRY(checkClocks(Db));
  return Day * DayNs;
}

Result<Store::Pruned>
instantrace::pruneServer(Server &Db, const ClickHouseSchema &Schema,
                         uint64_t BeforeNs, std::optional<uint64_t> KeepDays) {
  if (KeepDays && *KeepDays > MostKeptDays)
    return usageError(makeError("--keep", counted(*KeepDays, "day"),
                                "at most " + std::to_string(MostKeptDays) +
                                    ", or 0 for ever"));
  // A moment such as 90d is by our clock, and what is kept by the server's.
  INSTANTRACE_TRY(checkClocks(Db));
  Store::Pruned Done;
  if (KeepDays) {
    INSTANTRACE_TRY_ASSIGN(std::string Said, keepBuilds(Db, Schema, *KeepDays));
    Done.Notes.push_back(Said);
  }
  INSTANTRACE_TRY_ASSIGN(uint64_t Since, keptSinceNs(Db));
  uint64_t Before = std::min<uint64_t>(std::max(BeforeNs, Since), INT64_MAX);
  if (Before == 0 && !KeepDays)
    return usageError(makeError("store prune", "no --before",
                                "one, such as --before=90d, or --keep"));
  INSTANTRACE_TRY_ASSIGN(
      Done.Builds,
      countFrom(Db, "SELECT count() FROM stored_builds WHERE begun_ns < " +
                        std::to_string(Before)));
  INSTANTRACE_TRY(hideBuilds(Db, Before, /*Key=*/0));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Keys,
                         firstColumn(Db, clickHouseStatement("unused")));
  INSTANTRACE_TRY(removeRows(Db, Schema, Keys));
  INSTANTRACE_TRY(awaitMutations(Db));
  if (Schema.isOfOneShard())
    Done.Notes.emplace_back("rows are taken out of this server alone; say the "
                            "same of each other shard");
  return Done;
}
