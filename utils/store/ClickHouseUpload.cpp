#include "utils/store/ClickHouseUpload.h"

#include "runtime/base/Hash.h"
#include "utils/clickhouse/Retry.h"
#include "utils/clickhouse/SqlText.h"
#include "utils/sqlite/Statement.h"
#include "utils/store/ClickHousePruning.h"
#include "utils/store/StoreFiles.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <iterator>
#include <random>
#include <unistd.h>
#include <unordered_set>

using namespace instantrace;

namespace {

/// Of one INSERT, before it is compressed. It has fewer rows than the server
/// divides into blocks of their own.
constexpr size_t InsertBytes = 8 << 20;
constexpr size_t MostKeys = 10'000'000; // of texts that a server has

/// In the order of statements/upload.sql; of the last two the server may have
/// some rows, which statements/clickhouse/known.sql asks.
constexpr const char *Tables[] = {"compiles", "cost_rows", "missing", "names",
                                  "units"};
constexpr size_t FirstOfTexts = 3;

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
  Upload(Server &Db, sqlite3 *Staging, const BuildFacts &Facts, uint64_t Key)
      : Db(Db), Staging(Staging), Facts(Facts), Key(Key) {}

  /// Everything but the row that makes it count.
  Result<void> sendRows();
  /// \p Version: of its session until now. \p Number: what it counts as
  /// already, or 0. Says what it counts as.
  Result<uint64_t> makeVisible(uint64_t Version, uint64_t Number);
  /// Whether prune took out rows of one that lasted for more than a day.
  Result<void> checkKept();

private:
  Result<void> sendTable(const char *Table, const std::string &Sql,
                         const std::unordered_set<uint64_t> &Known);
  Result<void> check();
  Result<std::unordered_set<uint64_t>> keysOf(const std::string &Sql);
  Result<void> expect(const std::string &Sql, const std::string &OfStaging);
  Result<void> sendBuild(uint64_t Version, uint64_t Number);

  Result<std::string> bound(const std::string &Sql) const {
    return bindValues(
        Sql, {{"key", Key},
              {"session", Facts.Session},
              {"day", static_cast<int64_t>(RowBlock::dayOf(Facts.BegunNs))}});
  }

  Server &Db;
  sqlite3 *Staging;
  const BuildFacts &Facts;
  uint64_t Key;
};

/// A column of a row that is sent, by its name in upload.sql.
struct SentColumn {
  std::string Name;
  int Bytes; ///< of a number; 0: a text
};

SentColumn sentColumn(const std::string &Text) {
  size_t Space = Text.find(' ');
  std::string Type = Text.substr(Space + 1);
  int Bytes = 8;
  for (auto [Other, Size] :
       {std::pair{"String", 0}, {"UInt8", 1}, {"Date", 2}, {"UInt32", 4}})
    if (Type == Other)
      Bytes = Size;
  return {Text.substr(0, Space), Bytes};
}

Result<void> Upload::sendTable(const char *Table, const std::string &Sql,
                               const std::unordered_set<uint64_t> &Known) {
  INSTANTRACE_TRY_ASSIGN(Statement Row, Statement::prepare(Staging, Sql));
  sqlite3_bind_int64(Row.get(), Row.parameter(":key"),
                     std::bit_cast<int64_t>(Key));
  Row.bind(Row.parameter(":day"), RowBlock::dayOf(Facts.BegunNs));
  std::vector<SentColumn> Columns;
  std::string Names;
  for (int I = 0; I != Row.columns(); ++I) {
    Columns.push_back(sentColumn(Row.columnName(I)));
    Names.append(I == 0 ? "" : ", ").append(Columns.back().Name);
  }
  TableUpload Rows(Db, std::string(Table) + " (" + Names + ")");
  while (true) {
    INSTANTRACE_TRY_ASSIGN(bool More, Row.step());
    if (!More)
      return Rows.finish();
    if (Known.contains(std::bit_cast<uint64_t>(Row.number(0))))
      continue;
    int Index = -1;
    for (const SentColumn &Column : Columns)
      if (++Index; Column.Bytes == 0)
        Rows.row().text(Row.text(Index));
      else
        Rows.row().number(std::bit_cast<uint64_t>(Row.number(Index)),
                          Column.Bytes);
    INSTANTRACE_TRY(Rows.end());
  }
}

Result<std::unordered_set<uint64_t>> Upload::keysOf(const std::string &Sql) {
  INSTANTRACE_TRY_ASSIGN(std::string Reply, Db.ask(Sql));
  INSTANTRACE_TRY_ASSIGN_AS(Db.failure, TabRows Found, TabRows::read(Reply));
  INSTANTRACE_TRY_AS(Db.failure, Found.checkSize(MostKeys));
  std::unordered_set<uint64_t> Keys;
  INSTANTRACE_TRY_AS(Db.failure, Found.forEach([&](const TabRows::Row &Cells) {
    Keys.insert(TabRows::wholeNumber(Cells[0]));
    return Result<void>();
  }));
  return Keys;
}

/// Whether the server says of the rows what SQLite does.
Result<void> Upload::expect(const std::string &Sql,
                            const std::string &OfStaging) {
  INSTANTRACE_TRY_ASSIGN(ServerRows Found, Db.rows(Sql));
  std::string There, Sent;
  for (const auto &Row : Found)
    for (const std::optional<std::string> &Cell : Row)
      There += " " + Cell.value_or("0");
  INSTANTRACE_TRY_ASSIGN(Statement Staged,
                         Statement::prepare(Staging, OfStaging));
  INSTANTRACE_TRY(Staged.step());
  for (int I = 0; I != Staged.columns(); ++I)
    Sent += " " + std::to_string(Staged.number(I));
  if (There == Sent)
    return {};
  Db.setTransient(); // what was sent came twice, or in part
  return makeError(Db.place(), "rows with" + There,
                   "those that were sent, with" + Sent);
}

Result<void> Upload::check() {
  std::vector<std::string> Sent = clickHouseStatements("sent"),
                           Staged = storeStatements("staged");
  for (size_t I = 0; I != Sent.size(); ++I) {
    INSTANTRACE_TRY_ASSIGN(std::string Sql, bound(Sent[I]));
    INSTANTRACE_TRY(expect(Sql, Staged[I]));
  }
  return {};
}

Result<void> Upload::sendRows() {
  INSTANTRACE_TRY_ASSIGN(std::string Begin,
                         bound(clickHouseStatement("begin")));
  INSTANTRACE_TRY(Db.run(Begin));
  std::vector<std::string> Staged = storeStatements("upload"),
                           Known = clickHouseStatements("known");
  for (size_t I = 0; I != std::size(Tables); ++I) {
    std::unordered_set<uint64_t> There;
    if (I >= FirstOfTexts) {
      INSTANTRACE_TRY_ASSIGN(std::string Sql, bound(Known[I - FirstOfTexts]));
      INSTANTRACE_TRY_ASSIGN(There, keysOf(Sql));
    }
    INSTANTRACE_TRY(sendTable(Tables[I], Staged[I], There));
  }
  return check();
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
      uint64_t Uploads,
      countFrom(Db, "SELECT count() FROM uploads WHERE build_key = " +
                        std::to_string(Key)));
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
  if (Found.front().size() != 5)
    return makeError(Db.place(), "another row", "a version");
  const TabRows::Row &Row = Found.front();
  V.Number = TabRows::wholeNumber(Row[0]);
  V.Key = TabRows::wholeNumber(Row[4]);
  if (Row[1] == "0")
    V.Build =
        Store::KnownBuild{TabRows::wholeNumber(Row[2]), Row[3].value_or("")};
  return V;
}

/// \p Outcome: what the last attempt that sent anything was, if there was one.
Result<Store::Inserted>
uploadOnce(Server &Db, sqlite3 *Staging, const BuildFacts &Facts, bool Replaces,
           uint32_t Attempt,
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
    return end(Upload(Db, Staging, Facts, Before.Key), Before.Build->Build,
               Outcome.value_or(Inserted::AlreadyThere));
  if (Before.Build && !Replaces)
    return Inserted{.Outcome = Inserted::IsOther, .Build = Before.Build->Build};
  uint64_t Key =
      hashBytes(fmt::format("{} {} {} {} {} {}", Facts.Session, Facts.Content,
                            Facts.Host, realtimeNs(), ::getpid(), Attempt));
  if (Before.Build || Outcome != Inserted::Replaced)
    Outcome = Before.Build ? Inserted::Replaced : Inserted::Added;
  Upload Own(Db, Staging, Facts, Key);
  INSTANTRACE_TRY(Own.sendRows());
  return end(Own, 0, *Outcome);
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
                                                 bool Replaces) {
  std::optional<Store::Inserted::OutcomeKind> Outcome;
  return retried(Db, [&](uint32_t Attempt) {
    return uploadOnce(Db, Staging, Facts, Replaces, Attempt, Outcome);
  });
}
