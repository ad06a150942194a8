#include "utils/store/ClickHouseUpload.h"

#include "runtime/base/Hash.h"
#include "utils/clickhouse/Retry.h"
#include "utils/clickhouse/SqlText.h"
#include "utils/sqlite/Statement.h"
#include "utils/store/ClickHousePruning.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <random>
#include <tuple>
#include <unistd.h>
#include <unordered_set>

using namespace instantrace;

namespace {

/// Of one INSERT, before it is compressed. It has fewer rows than the server
/// divides into blocks of their own.
constexpr size_t InsertBytes = 8 << 20;
constexpr size_t MostKeys = 10'000'000; // of texts that a server has

/// What no two names, or units, have in common.
uint64_t mixed(std::initializer_list<uint64_t> Parts) {
  return hashBytes({reinterpret_cast<const char *>(Parts.begin()),
                    Parts.size() * sizeof(uint64_t)});
}

uint64_t nameKey(const Statement &Row, int First) {
  return mixed({std::bit_cast<uint64_t>(Row.number(First)),
                std::bit_cast<uint64_t>(Row.number(First + 1)),
                std::bit_cast<uint64_t>(Row.number(First + 2))});
}

uint64_t unitKey(const Statement &Row, int First) {
  std::string All;
  for (int I = 0; I != 3; ++I) {
    std::string Part = Row.text(First + I);
    All += std::to_string(Part.size()) + ":" + Part;
  }
  return hashBytes(All);
}

uint64_t u64Of(const Statement &Row, int Column) {
  return static_cast<uint64_t>(Row.number(Column));
}

/// Runs \p Each for every row of \p Sql.
Result<void> forEachRow(sqlite3 *Database, const std::string &Sql,
                        auto &&Each) {
  INSTANTRACE_TRY_ASSIGN(Statement Rows, Statement::prepare(Database, Sql));
  while (true) {
    INSTANTRACE_TRY_ASSIGN(bool Row, Rows.step());
    if (!Row)
      return {};
    INSTANTRACE_TRY(Each(Rows));
  }
}

/// Rows on their way into one table.
class TableUpload {
public:
  TableUpload(Server &Db, std::string Into) : Db(Db), Into(std::move(Into)) {}

  RowBlock &row() { return Block; }
  /// Behind each row.
  Result<void> end() {
    return Block.sizeBytes() < InsertBytes ? Result<void>() : finish();
  }
  /// What is refused is sent again by itself, so that a server that has much to
  /// do gets a large session block by block. Should it be there in part after
  /// all, the rows are too many in the end, and the upload begins anew.
  Result<void> finish() {
    if (Block.isEmpty())
      return {};
    Result<void> Sent = Db.insert(Into, Block);
    for (uint32_t Attempt = 0;
         !Sent && Db.wasRefused() && Attempt + 1 < Db.access().Attempts;
         ++Attempt) {
      waitBefore(Attempt);
      Sent = Db.insert(Into, Block);
    }
    Block.clear();
    return Sent;
  }

private:
  Server &Db;
  std::string Into;
  RowBlock Block;
};

/// How many other builds have that number.
std::string othersWith(uint64_t Number, const std::string &Session) {
  return "SELECT count() FROM builds WHERE id = " + std::to_string(Number) +
         " AND session != " + sqlText(Session);
}

class Upload {
public:
  Upload(Server &Db, sqlite3 *Staging, const BuildFacts &Facts,
         const SessionTables &Rows, uint64_t Key)
      : Db(Db), Staging(Staging), Facts(Facts), Rows(Rows), Key(Key) {}

  /// Everything but the row that makes it count.
  Result<void> sendRows();
  /// \p Version: of its session until now. \p Number: what it counts as
  /// already, or 0. Says what it counts as.
  Result<uint64_t> makeVisible(uint64_t Version, uint64_t Number);
  /// Whether prune took out rows of one that lasted for more than a day.
  Result<void> checkKept();

private:
  Result<void> sendBegin();
  Result<void> sendCompiles();
  Result<void> sendCosts();
  Result<void> sendMissing();
  Result<void> sendNames();
  Result<void> sendUnits();
  Result<void> check();
  Result<std::unordered_set<uint64_t>> keysOf(const std::string &Sql);
  Result<void> expect(const std::string &Sql, const std::string &OfStaging);
  Result<void> sendBuild(uint64_t Version, uint64_t Number);

  std::string ofKey() const {
    return " WHERE build_key = " + std::to_string(Key);
  }

  Server &Db;
  sqlite3 *Staging;
  const BuildFacts &Facts;
  const SessionTables &Rows;
  uint64_t Key;
};

Result<void> Upload::sendBegin() {
  // By the server's clock, as the day is after which prune takes it for one
  // that did not end.
  return Db.run("INSERT INTO uploads (build_key, session, begun, at) SELECT "
                "toUInt64(" +
                std::to_string(Key) + "), " + sqlText(Facts.Session) +
                ", toDate(" + std::to_string(RowBlock::dayOf(Facts.BegunNs)) +
                "), now()");
}

Result<void> Upload::sendCompiles() {
  TableUpload Table(
      Db, "compiles (build_key, begun, compile, unit, trace, complete, "
          "wall_ns, count, memoized, self_ns, ast_bytes, object_bytes, "
          "peak_rss_bytes)");
  INSTANTRACE_TRY(forEachRow(
      Staging,
      "SELECT id, path, target, options, trace, complete, wall_ns, count, "
      "memoized, self_ns, ast_bytes, object_bytes, peak_rss_bytes FROM "
      "temp.new_compiles ORDER BY id",
      [&](const Statement &Row) {
        RowBlock &Into = Table.row();
        Into.u64(Key).day(Facts.BegunNs);
        Into.u32(static_cast<uint32_t>(Row.number(0))).u64(unitKey(Row, 1));
        Into.text(Row.text(4)).u8(static_cast<uint8_t>(Row.number(5)));
        for (int I = 6; I != 13; ++I)
          Into.i64(u64Of(Row, I));
        return Table.end();
      }));
  return Table.finish();
}

/// Two headers may have one path from the root on, so rows are added up.
constexpr const char *StagedCosts =
    "SELECT c.compile, c.kind, n.hash, n.size_bytes, n.fixed, sum(c.count) AS "
    "count, sum(c.memoized) AS memoized, sum(c.self_ns) AS self_ns, "
    "sum(c.inclusive_ns) AS inclusive_ns, sum(c.ast_bytes) AS ast_bytes, "
    "sum(c.optimize_ns) AS optimize_ns, sum(c.generate_ns) AS generate_ns, "
    "sum(c.object_bytes) AS object_bytes FROM temp.new_costs AS c JOIN "
    "temp.new_names AS n ON n.id = c.name GROUP BY c.compile, c.kind, c.name";

Result<void> Upload::sendCosts() {
  TableUpload Table(Db, "cost_rows (build_key, begun, kind, name, compile, "
                        "count, memoized, self_ns, inclusive_ns, ast_bytes, "
                        "optimize_ns, generate_ns, object_bytes)");
  INSTANTRACE_TRY(forEachRow(Staging, StagedCosts, [&](const Statement &Row) {
    RowBlock &Into = Table.row();
    Into.u64(Key).day(Facts.BegunNs);
    Into.u8(static_cast<uint8_t>(Row.number(1))).u64(nameKey(Row, 2));
    Into.u32(static_cast<uint32_t>(Row.number(0)));
    for (int I = 5; I != 13; ++I)
      Into.i64(u64Of(Row, I));
    return Table.end();
  }));
  return Table.finish();
}

Result<void> Upload::sendMissing() {
  TableUpload Table(Db, "missing (build_key, begun, kind, count, text)");
  for (const MissingPart &Part : Rows.missing()) {
    Table.row().u64(Key).day(Facts.BegunNs).text(Part.Kind);
    Table.row().i64(Part.Count).text(Part.Text);
    INSTANTRACE_TRY(Table.end());
  }
  return Table.finish();
}

Result<std::unordered_set<uint64_t>> Upload::keysOf(const std::string &Sql) {
  INSTANTRACE_TRY_ASSIGN(std::string Reply, Db.ask(Sql));
  INSTANTRACE_TRY_ASSIGN_AS(Db.failure, TabRows Found, TabRows::read(Reply));
  INSTANTRACE_TRY_AS(Db.failure, Found.checkSize(MostKeys));
  std::unordered_set<uint64_t> Keys;
  std::vector<std::optional<std::string>> Cells;
  while (true) {
    INSTANTRACE_TRY_ASSIGN_AS(Db.failure, bool More, Found.next(Cells));
    if (!More)
      return Keys;
    uint64_t Value = 0;
    if (Cells[0])
      std::from_chars(Cells[0]->data(), Cells[0]->data() + Cells[0]->size(),
                      Value);
    Keys.insert(Value);
  }
}

Result<void> Upload::sendNames() {
  // By the rows that are there: nothing has to be sent to ask.
  INSTANTRACE_TRY_ASSIGN(
      std::unordered_set<uint64_t> There,
      keysOf(
          "SELECT DISTINCT name FROM names WHERE name GLOBAL IN (SELECT name "
          "FROM build_costs" +
          ofKey() + ")"));
  TableUpload Table(Db, "names (name, hash, size_bytes, fixed, text)");
  INSTANTRACE_TRY(forEachRow(
      Staging, "SELECT hash, size_bytes, fixed, text FROM temp.new_names",
      [&](const Statement &Row) -> Result<void> {
        uint64_t Name = nameKey(Row, 0);
        if (There.contains(Name))
          return {};
        RowBlock &Into = Table.row();
        Into.u64(Name).u64(u64Of(Row, 0)).u64(u64Of(Row, 1));
        Into.u8(static_cast<uint8_t>(Row.number(2))).text(Row.text(3));
        return Table.end();
      }));
  return Table.finish();
}

Result<void> Upload::sendUnits() {
  INSTANTRACE_TRY_ASSIGN(
      std::unordered_set<uint64_t> There,
      keysOf(
          "SELECT DISTINCT unit FROM units WHERE unit GLOBAL IN (SELECT unit "
          "FROM compiles" +
          ofKey() + ")"));
  TableUpload Table(Db, "units (unit, path, target, options)");
  INSTANTRACE_TRY(forEachRow(
      Staging, "SELECT DISTINCT path, target, options FROM temp.new_compiles",
      [&](const Statement &Row) -> Result<void> {
        uint64_t Unit = unitKey(Row, 0);
        if (There.contains(Unit))
          return {};
        Table.row().u64(Unit).text(Row.text(0)).text(Row.text(1));
        Table.row().text(Row.text(2));
        return Table.end();
      }));
  return Table.finish();
}

/// Whether the server says of the rows what SQLite does.
Result<void> Upload::expect(const std::string &Sql,
                            const std::string &OfStaging) {
  INSTANTRACE_TRY_ASSIGN(ServerRows Found, Db.rows(Sql));
  std::string There, Sent;
  for (const auto &Row : Found)
    for (const std::optional<std::string> &Cell : Row)
      There += " " + Cell.value_or("0");
  INSTANTRACE_TRY(
      forEachRow(Staging, OfStaging, [&](const Statement &Row) -> Result<void> {
        for (int I = 0; I != Row.columns(); ++I)
          Sent += " " + std::to_string(Row.number(I));
        return {};
      }));
  if (There == Sent)
    return {};
  Db.setTransient(); // what was sent came twice, or in part
  return makeError(Db.place(), "rows with" + There,
                   "those that were sent, with" + Sent);
}

Result<void> Upload::check() {
  std::string Staged = std::string("(") + StagedCosts + ")";
  for (const auto &[Sql, OfStaging] :
       {std::pair<std::string, std::string>(
            "SELECT count(), sum(count), sum(wall_ns) FROM compiles",
            "SELECT count(*), sum(count), sum(wall_ns) FROM temp.new_compiles"),
        {"SELECT count(), sum(count), sum(self_ns) FROM costs",
         "SELECT count(*), sum(count), sum(self_ns) FROM " + Staged +
             " WHERE kind < 4"},
        {"SELECT sum(units), sum(count), sum(self_ns) FROM build_costs",
         "SELECT count(*), sum(count), sum(self_ns) FROM " + Staged},
        {"SELECT count(), sum(count) FROM missing",
         "SELECT " + std::to_string(Rows.missing().size()) + ", " +
             std::to_string(Rows.missingCount())}})
    INSTANTRACE_TRY(expect(Sql + ofKey(), OfStaging));
  for (auto [Table, Column, OfStaging] :
       {std::tuple("names", "name", "SELECT count(*) FROM temp.new_names"),
        {"units", "unit",
         "SELECT count(*) FROM (SELECT DISTINCT path, target, options FROM "
         "temp.new_compiles)"}}) {
    std::string Name =
        Table == std::string("names") ? "build_costs" : "compiles";
    INSTANTRACE_TRY(expect(std::string("SELECT uniqExact(") + Column +
                               ") FROM " + Table + " WHERE " + Column +
                               " GLOBAL IN (SELECT " + Column + " FROM " +
                               Name + ofKey() + ")",
                           OfStaging));
  }
  return {};
}

Result<void> Upload::sendRows() {
  for (auto Step : {&Upload::sendBegin, &Upload::sendCompiles,
                    &Upload::sendCosts, &Upload::sendMissing,
                    &Upload::sendNames, &Upload::sendUnits, &Upload::check})
    INSTANTRACE_TRY((this->*Step)());
  return {};
}

Result<void> Upload::sendBuild(uint64_t Version, uint64_t Number) {
  TableUpload Table(
      Db, std::string("build_versions (session, version, removed, id, "
                      "build_key, begun, ") +
              BuildFacts::Columns + ")");
  RowBlock &Into = Table.row();
  Into.text(Facts.Session).u64(Version).u8(0).i64(Number).u64(Key);
  Into.day(Facts.BegunNs);
  Facts.forEachColumn([&](std::string_view Text) { Into.text(Text); },
                      [&](uint64_t Value) { Into.i64(Value); });
  return Table.finish();
}

/// Its number is the next one. Whoever then sees another build with it takes
/// one that is further on, so that of two who add at once at least one does.
Result<uint64_t> Upload::makeVisible(uint64_t Version, uint64_t Number) {
  constexpr int MostNumbers = 8;
  std::minstd_rand Random(static_cast<uint32_t>(Key));
  for (int Turn = 0; Turn != MostNumbers; ++Turn) {
    if (Turn != 0 || Number == 0) {
      INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Last,
                             Db.number("SELECT max(id) FROM build_versions"));
      Number = static_cast<uint64_t>(Last.value_or(0)) + 1 +
               (Turn == 0 ? 0 : Random() % 4);
      INSTANTRACE_TRY(sendBuild(++Version, Number));
    }
    INSTANTRACE_TRY_ASSIGN(uint64_t Others,
                           countFrom(Db, othersWith(Number, Facts.Session)));
    if (Others == 0)
      return Number;
  }
  Db.setTransient();
  return makeError(Db.place(),
                   "another build of each number that this one took, " +
                       std::to_string(MostNumbers) + " times",
                   "a number of its own; add it again");
}

/// What it takes out of `uploads` it took out of all else.
Result<void> Upload::checkKept() {
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Uploads, countFrom(Db, "SELECT count() FROM uploads" + ofKey()));
  if (Uploads != 0)
    return {};
  INSTANTRACE_TRY(hideBuilds(Db, /*BeforeNs=*/0, Key));
  Db.setTransient();
  return makeError(Db.place(), "rows that prune took out as they were sent",
                   "all of them; add it again");
}

struct Version {
  uint64_t Number = 0; ///< 0: there has been none
  uint64_t Key = 0;    ///< of the build
  std::optional<Store::KnownBuild> Build;
};

Result<Version> versionOf(Server &Db, const std::string &Session) {
  INSTANTRACE_TRY_ASSIGN(
      ServerRows Found,
      Db.rows("SELECT version, removed, id, content, build_key FROM "
              "build_versions WHERE session = " +
              sqlText(Session) + " ORDER BY version DESC LIMIT 1"));
  Version V;
  if (Found.empty())
    return V;
  auto numberOf = [&](size_t Column) {
    uint64_t Value = 0;
    const std::string &Text = Found.front()[Column].value_or("");
    std::from_chars(Text.data(), Text.data() + Text.size(), Value);
    return Value;
  };
  if (Found.front().size() != 5)
    return makeError(Db.place(), "another row", "a version");
  V.Number = numberOf(0);
  V.Key = numberOf(4);
  if (numberOf(1) == 0)
    V.Build = Store::KnownBuild{numberOf(2), Found.front()[3].value_or("")};
  return V;
}

/// \p Outcome: what the last attempt that sent anything was, if there was one.
Result<Store::Inserted>
uploadOnce(Server &Db, sqlite3 *Staging, const BuildFacts &Facts,
           const SessionTables &Rows, bool Replaces, uint32_t Attempt,
           std::optional<Store::Inserted::OutcomeKind> &Outcome) {
  using Inserted = Store::Inserted;
  // After a failure, too: the last thing that was sent may have arrived.
  INSTANTRACE_TRY_ASSIGN(Version Before, versionOf(Db, Facts.Session));
  auto end = [&](Upload U, uint64_t OldNumber,
                 Inserted::OutcomeKind Outcome) -> Result<Inserted> {
    INSTANTRACE_TRY_ASSIGN(uint64_t Number,
                           U.makeVisible(Before.Number, OldNumber));
    INSTANTRACE_TRY(U.checkKept());
    return Inserted{.Outcome = Outcome, .Build = Number};
  };
  // It may have been ended before it knew its number to be its own.
  if (Before.Build && Before.Build->Content == Facts.Content)
    return end(Upload(Db, Staging, Facts, Rows, Before.Key),
               Before.Build->Build, Outcome.value_or(Inserted::AlreadyThere));
  if (Before.Build && !Replaces)
    return Inserted{.Outcome = Inserted::IsOther, .Build = Before.Build->Build};
  uint64_t Key = mixed({hashBytes(Facts.Session), hashBytes(Facts.Content),
                        hashBytes(Facts.Host), realtimeNs(),
                        static_cast<uint64_t>(::getpid()), uint64_t(Attempt)});
  if (Before.Build || Outcome != Inserted::Replaced)
    Outcome = Before.Build ? Inserted::Replaced : Inserted::Added;
  Upload Own(Db, Staging, Facts, Rows, Key);
  INSTANTRACE_TRY(Own.sendRows());
  return end(std::move(Own), 0, *Outcome);
}

} // namespace

Result<std::optional<Store::KnownBuild>>
instantrace::knownBuild(Server &Db, const std::string &Session) {
  using Known = std::optional<Store::KnownBuild>;
  return retried(Db, [&](uint32_t) -> Result<Known> {
    INSTANTRACE_TRY_ASSIGN(Version Found, versionOf(Db, Session));
    if (!Found.Build)
      return Known();
    INSTANTRACE_TRY_ASSIGN(
        uint64_t Others,
        countFrom(Db, othersWith(Found.Build->Build, Session)));
    return Others == 0 ? Found.Build : Known();
  });
}

Result<Store::Inserted> instantrace::uploadBuild(Server &Db, sqlite3 *Staging,
                                                 const BuildFacts &Facts,
                                                 const SessionTables &Rows,
                                                 bool Replaces) {
  std::optional<Store::Inserted::OutcomeKind> Outcome;
  return retried(Db, [&](uint32_t Attempt) {
    return uploadOnce(Db, Staging, Facts, Rows, Replaces, Attempt, Outcome);
  });
}
