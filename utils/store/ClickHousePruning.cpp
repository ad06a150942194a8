#include "utils/store/ClickHousePruning.h"

#include "utils/clickhouse/SqlText.h"
#include "utils/render/NumberText.h"
#include "utils/store/ClickHouseKeeping.h"
#include "utils/store/StoreFiles.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace instantrace;

namespace {

/// How long an upload may go on before it is taken for one that will not end.
constexpr const char *Forgotten = "at < now() - 86400";
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

constexpr const char *OpenUploads =
    "build_key GLOBAL NOT IN (SELECT build_key FROM stored_builds)";
/// Of builds that were taken out; their rows may be on a shard that prunes by
/// itself. A key never comes back.
constexpr const char *PrunedUploads =
    "build_key GLOBAL IN (SELECT build_key FROM build_versions WHERE removed = "
    "1)";

class Pruning {
public:
  Pruning(Server &Db, std::string Suffix, std::string OnCluster,
          std::string Before)
      : Db(Db), Suffix(std::move(Suffix)), OnCluster(std::move(OnCluster)),
        Before(std::move(Before)),
        Old("stored_builds WHERE begun_ns < " + this->Before) {}

  Result<Store::Pruned> prune();

private:
  Result<void> alter(const std::string &Table, const std::string &What);
  Result<void> removeKeys(const std::vector<const char *> &Tables,
                          const char *Column,
                          const std::vector<std::string> &Keys);
  Result<void> awaitMutations();
  Result<std::vector<std::string>> oldMonths();
  Result<void> hideOld();
  Result<std::vector<std::string>> uploads();
  Result<uint64_t> removeOrphans(const char *Table, const char *Column,
                                 const char *Users);

  Server &Db;
  std::string Suffix, OnCluster, Before, Old;
  std::vector<std::string> Uploads; ///< before it was asked what nobody uses
  bool WasAdded = false;            ///< another one since then
};

/// With tables of a build, of which each row has its key.
const std::vector<const char *> TablesOfBuilds = {
    "costs", "build_costs", "compiles", "missing", "uploads"};

Result<void> Pruning::alter(const std::string &Table, const std::string &What) {
  return Db.run("ALTER TABLE " + Db.address().Database + "." + Table + Suffix +
                OnCluster + " " + What);
}

Result<void> Pruning::removeKeys(const std::vector<const char *> &Tables,
                                 const char *Column,
                                 const std::vector<std::string> &Keys) {
  for (size_t Begin = 0; Begin < Keys.size(); Begin += ChunkKeys) {
    std::string List;
    for (size_t I = Begin; I != std::min(Keys.size(), Begin + ChunkKeys); ++I)
      List.append(List.empty() ? "" : ",").append(Keys[I]);
    for (const char *Table : Tables)
      INSTANTRACE_TRY(alter(Table, std::string("DELETE WHERE ") + Column +
                                       " IN (" + List + ")"));
  }
  return {};
}

/// From here on they are in no answer.
Result<void> Pruning::hideOld() { return hideBuilds(Db, Old); }

/// Months of which every build goes: a partition is dropped at once. In that of
/// the last day are also those of all days behind it.
Result<std::vector<std::string>> Pruning::oldMonths() {
  return firstColumn(
      Db,
      "SELECT toYYYYMM(begun) AS month FROM stored_builds WHERE begun_ns < " +
          Before + " AND month < toYYYYMM(toDateTime(intDiv(" + Before +
          ", 1000000000), 'UTC')) AND month < toYYYYMM(toDate(" +
          std::to_string(RowBlock::LastDay) +
          ")) AND toYYYYMM(begun) GLOBAL NOT IN (SELECT "
          "toYYYYMM(begun) FROM uploads WHERE " +
          OpenUploads + ") GROUP BY month ORDER BY month");
}

/// The server does them when it can, and keeps them when it is stopped.
Result<void> Pruning::awaitMutations() {
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

/// In order.
Result<std::vector<std::string>> Pruning::uploads() {
  Result<std::vector<std::string>> Keys =
      firstColumn(Db, "SELECT build_key FROM uploads");
  if (Keys)
    std::sort(Keys->begin(), Keys->end());
  return Keys;
}

/// What no build has any more. How many these are is counted of all shards. An
/// upload that began since then may have found some of it there, and need not
/// send that: its end looks only for what is being deleted by then.
Result<uint64_t> Pruning::removeOrphans(const char *Table, const char *Column,
                                        const char *Users) {
  INSTANTRACE_TRY_ASSIGN(
      std::vector<std::string> Keys,
      firstColumn(
          Db, std::string("SELECT ") + Column + " AS key FROM " + Table +
                  " WHERE key GLOBAL NOT IN (SELECT " + Column + " FROM " +
                  Users +
                  " WHERE build_key GLOBAL IN (SELECT build_key FROM builds)) "
                  "GROUP BY key"));
  uint64_t Removed = 0;
  while (!Keys.empty()) {
    INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Now, uploads());
    WasAdded |=
        !std::includes(Uploads.begin(), Uploads.end(), Now.begin(), Now.end());
    if (WasAdded)
      break;
    auto First =
        Keys.end() - static_cast<ptrdiff_t>(std::min(Keys.size(), ChunkKeys));
    INSTANTRACE_TRY(removeKeys({Table}, Column, {First, Keys.end()}));
    Removed += static_cast<uint64_t>(Keys.end() - First);
    Keys.erase(First, Keys.end());
  }
  return Removed;
}

Result<Store::Pruned> Pruning::prune() {
  Store::Pruned Done;
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Keys,
                         firstColumn(Db, "SELECT build_key FROM " + Old));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Months, oldMonths());
  // Uploads without a build, too, and what was pruned by way of another shard.
  INSTANTRACE_TRY_ASSIGN(
      std::vector<std::string> Open,
      firstColumn(Db,
                  std::string("SELECT DISTINCT build_key FROM uploads WHERE ") +
                      OpenUploads + " AND (" + Forgotten + " OR " +
                      PrunedUploads + ")"));
  Done.Builds = Keys.size();
  if (!Keys.empty())
    INSTANTRACE_TRY(hideOld());
  for (const std::string &Month : Months)
    for (const char *Table : TablesOfBuilds)
      INSTANTRACE_TRY(alter(Table, "DROP PARTITION " + Month));
  // One of such a month that was being added has lost its rows: hidden here,
  // or by itself, since `uploads` went behind them.
  if (!Months.empty())
    INSTANTRACE_TRY(hideOld());
  Keys.insert(Keys.end(), Open.begin(), Open.end());
  INSTANTRACE_TRY(removeKeys(TablesOfBuilds, "build_key", Keys));
  INSTANTRACE_TRY(awaitMutations());
  INSTANTRACE_TRY_ASSIGN(Uploads, uploads());
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Running,
      countFrom(Db, std::string("SELECT count() FROM uploads WHERE ") +
                        OpenUploads + " AND NOT (" + Forgotten + " OR " +
                        PrunedUploads + ")"));
  if (Running != 0) {
    Done.Notes.emplace_back("names and units stay, since an upload of the last "
                            "day has not ended, which may need them");
    return Done;
  }
  INSTANTRACE_TRY_ASSIGN(uint64_t Names,
                         removeOrphans("names", "name", "build_costs"));
  INSTANTRACE_TRY_ASSIGN(uint64_t Units,
                         removeOrphans("units", "unit", "compiles"));
  Done.Names = Names;
  Done.Units = Units;
  if (WasAdded)
    Done.Notes.emplace_back("some names and units stay, since an upload began "
                            "meanwhile, which may need them");
  INSTANTRACE_TRY(awaitMutations());
  return Done;
}

} // namespace

Result<uint64_t> instantrace::countFrom(Server &Db, const std::string &Sql) {
  INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Count, Db.number(Sql));
  return static_cast<uint64_t>(Count.value_or(0));
}

Result<void> instantrace::hideBuilds(Server &Db, const std::string &Which) {
  return Db.run("INSERT INTO build_versions (session, version, removed, id, "
                "build_key, begun, begun_ns) SELECT session, version + 1, 1, "
                "id, build_key, begun, begun_ns FROM " +
                Which);
}

Result<Store::Checked> instantrace::checkServer(
    Server &Db,
    const std::function<Result<std::string>(std::string)> &Statement) {
  Store::Checked Found;
  for (std::string &Sql : splitStatements(ClickHouseChecks.front().Text)) {
    INSTANTRACE_TRY_ASSIGN(std::string Whole, Statement(std::move(Sql)));
    INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Lines,
                           firstColumn(Db, Whole));
    Found.Faults.insert(Found.Faults.end(), Lines.begin(), Lines.end());
  }
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Open,
      countFrom(Db, std::string("SELECT count() FROM uploads WHERE ") +
                        OpenUploads + " AND NOT (" + PrunedUploads + ")"));
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Pruned,
      countFrom(Db, std::string("SELECT count() FROM uploads WHERE ") +
                        OpenUploads + " AND " + PrunedUploads));
  if (Open != 0)
    Found.Notes.push_back(std::to_string(Open) +
                          " uploads have not ended or were replaced, which no "
                          "answer has; a day later, instantrace store prune "
                          "takes them out");
  if (Pruned != 0)
    Found.Notes.push_back(std::to_string(Pruned) +
                          " pruned builds have rows left, which no answer has; "
                          "instantrace store prune takes them out, of a "
                          "cluster without replicas on each of its shards");
  return Found;
}

Result<Store::Pruned>
instantrace::pruneServer(Server &Db, const StoreLocation &Location,
                         uint64_t BeforeNs, std::optional<uint64_t> KeepDays) {
  std::string Suffix = Location.Cluster.empty() ? "" : "_local";
  std::string OnCluster = Location.IsReplicated && !Location.Cluster.empty()
                              ? " ON CLUSTER " + Location.Cluster
                              : "";
  std::vector<std::string> Notes;
  if (KeepDays && *KeepDays > MostKeptDays)
    return usageError(makeError("--keep", counted(*KeepDays, "day"),
                                "at most " + std::to_string(MostKeptDays) +
                                    ", or 0 for ever"));
  // A moment such as 90d is by our clock, and what is kept by the server's.
  INSTANTRACE_TRY(serverNowNs(Db));
  if (KeepDays) {
    INSTANTRACE_TRY_ASSIGN(std::string Said,
                           keepBuilds(Db, *KeepDays, Suffix, OnCluster,
                                      /*MayHaveTtl=*/Location.IsReplicated ||
                                          Location.Cluster.empty()));
    Notes.push_back(Said);
  }
  INSTANTRACE_TRY_ASSIGN(uint64_t Since, keptSinceNs(Db));
  uint64_t Before = std::min<uint64_t>(std::max(BeforeNs, Since), INT64_MAX);
  if (Before == 0 && !KeepDays)
    return usageError(makeError("store prune", "no --before",
                                "one, such as --before=90d, or --keep"));
  INSTANTRACE_TRY_ASSIGN(
      Store::Pruned Done,
      Pruning(Db, Suffix, OnCluster, std::to_string(Before)).prune());
  if (!Location.IsReplicated)
    Notes.emplace_back("rows are taken out of this server alone; say the "
                       "same of each other shard");
  Done.Notes.insert(Done.Notes.end(), Notes.begin(), Notes.end());
  return Done;
}
