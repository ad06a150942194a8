#include "utils/store/FileStore.h"

#include "utils/analysis/costs/Budget.h"
#include "utils/query/Select.h"
#include "utils/render/NumberText.h"
#include "utils/sqlite/Transaction.h"
#include "utils/sqlite/WorkLimit.h"
#include "utils/store/StoreFiles.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <sys/stat.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// PRAGMA application_id: "ITst".
constexpr int64_t ApplicationId = 0x49547374;
/// Questions read stores from this version on as they are.
constexpr size_t OldestAsked = 1;

/// type, name, tbl_name, sql
using SchemaRow = std::array<std::string, 4>;

Result<std::set<SchemaRow>> schemaRows(sqlite3 *Database) {
  INSTANTRACE_TRY_ASSIGN(
      Statement S,
      Statement::prepare(
          Database, "SELECT type, name, tbl_name, sql FROM sqlite_schema"));
  std::set<SchemaRow> Rows;
  while (true) {
    INSTANTRACE_TRY_ASSIGN(bool More, S.step());
    if (!More)
      return Rows;
    Rows.insert({S.text(0), S.text(1), S.text(2), S.text(3)});
  }
}

/// in_budget(name, fixed): whether a bound is about the row.
void isInBudget(sqlite3_context *Context, int, sqlite3_value **Arguments) {
  const auto &B = *static_cast<const Bound *>(sqlite3_user_data(Context));
  auto *Text = reinterpret_cast<const char *>(sqlite3_value_text(Arguments[0]));
  bool IsFixed = sqlite3_value_int(Arguments[1]) != 0;
  std::string_view Name = Text ? Text : "";
  try { // nothing is thrown through SQLite
    bool Is = B.Metric == BoundMetric::Time
                  ? Name != "(profiling)" || !IsFixed
                  : !IsFixed && (!B.Pattern || B.Pattern->matches(Name));
    sqlite3_result_int(Context, Is);
  } catch (const PatternLimitError &E) {
    sqlite3_result_error(Context, E.what(), -1);
  } catch (const std::bad_alloc &) {
    sqlite3_result_error_nomem(Context);
  }
}

/// A row of an answer is about a row of the file, which has that many bytes at
/// least.
constexpr uint64_t LeastRowBytes = 8;

/// False: there are more than \p MostRows.
Result<bool> readRows(Statement &S, uint64_t MostRows, AnswerTable &Into) {
  for (int I = 0; I != S.columns(); ++I)
    Into.Columns.push_back(S.columnName(I));
  while (true) {
    INSTANTRACE_TRY_ASSIGN(bool Row, S.step());
    if (!Row)
      return true;
    if (Into.Rows.size() >= MostRows)
      return false;
    std::vector<AnswerCell> &Cells = Into.Rows.emplace_back();
    for (int I = 0; I != S.columns(); ++I)
      Cells.push_back(rowCell(*S.get(), I));
  }
}

/// For what both stores are asked with one text.
std::string withTables(std::string Sql) {
  replaceAll(Sql, "{{chosen}}", storeStatement("chosen"));
  replaceAll(Sql, "{{in}}", "IN");
  replaceAll(Sql, "{{build_key}}", "build");
  return Sql;
}

} // namespace

Error FileStore::readFailure(const Error &E) const {
  if (sqlite3_errcode(Database.get()) != SQLITE_INTERRUPT)
    return failure(E);
  return tooMuchWork();
}

Error FileStore::tooMuchWork() const {
  return makeError(Path, "more work than a store of its size can need",
                   "a sound store; this one is damaged or was forged");
}

Result<int64_t> FileStore::pragma(const char *Name) const {
  INSTANTRACE_TRY_ASSIGN_AS(
      readFailure, Statement Asked,
      Statement::prepare(Database.get(), std::string("PRAGMA ") + Name));
  INSTANTRACE_TRY_ASSIGN_AS(readFailure, bool Row, Asked.step());
  return Row ? Asked.number(0) : 0;
}

Result<void> FileStore::checkSchema(size_t Version) const {
  INSTANTRACE_TRY_ASSIGN_AS(failure, DatabasePointer Ours,
                            openPrivateDatabase());
  for (size_t I = 0; I != Version; ++I)
    INSTANTRACE_TRY_AS(
        failure, execute(Ours.get(), std::string(StoreMigrations[I].Text)));
  INSTANTRACE_TRY_ASSIGN_AS(failure, std::set<SchemaRow> Expected,
                            schemaRows(Ours.get()));
  INSTANTRACE_TRY_ASSIGN_AS(readFailure, std::set<SchemaRow> Found,
                            schemaRows(Database.get()));
  for (const SchemaRow &Row : Found)
    if (!Expected.contains(Row))
      return makeError(Path, "a " + Row[0] + " " + Row[1] + " that is not ours",
                       "nothing but what instantrace store schema shows");
  for (const SchemaRow &Row : Expected)
    if (!Found.contains(Row))
      return makeError(Path, "no " + Row[0] + " " + Row[1],
                       "all that instantrace store schema shows");
  return {};
}

Result<size_t> FileStore::checkedVersion() const {
  INSTANTRACE_TRY_ASSIGN(int64_t Id, pragma("application_id"));
  INSTANTRACE_TRY_ASSIGN(int64_t Version, pragma("user_version"));
  // Of one that has never had a table.
  INSTANTRACE_TRY_ASSIGN(int64_t Schema, pragma("schema_version"));
  if (Schema == 0 && Id == 0)
    return 0;
  if (Id != ApplicationId)
    return makeError(Path, "a database of something else",
                     "a store that instantrace store add made");
  auto Newest = static_cast<int64_t>(StoreMigrations.size());
  if (Version < 1 || Version > Newest)
    return makeError(Path, "a store of version " + std::to_string(Version),
                     "one up to " + std::to_string(Newest) +
                         ", which this tool knows");
  INSTANTRACE_TRY(checkSchema(static_cast<size_t>(Version)));
  return static_cast<size_t>(Version);
}

Result<void> FileStore::migrate() {
  INSTANTRACE_TRY_AS(failure, useLog(Database.get()));
  INSTANTRACE_TRY_AS(failure,
                     execute(Database.get(), "PRAGMA synchronous=NORMAL"));
  INSTANTRACE_TRY_ASSIGN_AS(failure, Transaction Work,
                            Transaction::begin(Database.get()));
  // Asked now that nobody else can write.
  INSTANTRACE_TRY_ASSIGN(size_t Version, checkedVersion());
  size_t Done = Version;
  if (Done == StoreMigrations.size())
    return {};
  std::string Sql = "PRAGMA application_id=" + std::to_string(ApplicationId);
  for (; Done != StoreMigrations.size(); ++Done)
    Sql.append(";\n").append(StoreMigrations[Done].Text);
  Sql += ";\nPRAGMA user_version=" + std::to_string(Done);
  INSTANTRACE_TRY_AS(failure, execute(Database.get(), Sql));
  INSTANTRACE_TRY_AS(failure, Work.commit());
  return {};
}

Result<FileStore> FileStore::openForWriting(const std::string &Path) {
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Database, openDatabaseToWrite(Path));
  FileStore Store(Path, std::move(Database));
  {
    // It may be somebody else's, and then nothing of it is changed.
    WorkLimit Limit(Store.Database.get(), Store.Opened.SizeBytes);
    INSTANTRACE_TRY_ASSIGN_AS(Store.failure, Transaction Look,
                              Transaction::beginOwn(Store.Database.get()));
    INSTANTRACE_TRY(Store.checkedVersion());
  }
  INSTANTRACE_TRY(Store.migrate());
  return Store;
}

Result<FileStore> FileStore::openForReading(const std::string &Path) {
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) != 0 && errno == ENOENT)
    return Error{Path +
                 ": there is no store; instantrace store add SESSION makes "
                 "one, --to=FILE names another"};
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Database, openDatabaseToRead(Path));
  FileStore Store(Path, std::move(Database));
  WorkLimit Limit(Store.Database.get(), Store.Opened.SizeBytes);
  // An answer is of several questions, and of one state of the file.
  INSTANTRACE_TRY_AS(Store.readFailure, execute(Store.Database.get(),
                                                "PRAGMA query_only=ON; BEGIN"));
  INSTANTRACE_TRY_ASSIGN(size_t Version, Store.checkedVersion());
  if (Version == 0)
    return Error{Path +
                 ": there is no store in this empty file; instantrace "
                 "store add SESSION --to=" +
                 Path + " makes one"};
  if (Version < OldestAsked)
    return makeError(Path, "a store of version " + std::to_string(Version),
                     "one of " + std::to_string(OldestAsked) +
                         " or later; instantrace store add brings it up to "
                         "date");
  // From here on nobody changes it, who writes as we do.
  Store.Opened = DatabaseState::find(Path);
  return Store;
}

Result<void> FileStore::checkUnchanged() const {
  if (Opened.isKeptBy(DatabaseState::find(Path)))
    return {};
  return makeError(Path, "changes by another program while it was read",
                   "none but those of instantrace; ask again");
}

Result<Store::Checked> FileStore::check() {
  WorkLimit Limit(Database.get(), Opened.SizeBytes + Opened.LogBytes);
  Checked C;
  std::vector<std::string> &Found = C.Faults;
  auto ask = [&](const std::string &Sql) -> Result<void> {
    INSTANTRACE_TRY_ASSIGN_AS(readFailure, Statement Asked,
                              Statement::prepare(Database.get(), Sql));
    while (true) {
      INSTANTRACE_TRY_ASSIGN_AS(readFailure, bool Row, Asked.step());
      if (!Row)
        return {};
      Found.push_back(Asked.text(0));
    }
  };
  INSTANTRACE_TRY(ask("SELECT integrity_check FROM "
                      "pragma_integrity_check WHERE integrity_check "
                      "<> 'ok'"));
  if (!Found.empty())
    return C; // nothing else that is asked would mean anything
  INSTANTRACE_TRY(
      ask("SELECT 'a row of ' || \"table\" || ' is about one of ' || "
          "parent || ' that is not there' FROM pragma_foreign_key_check"));
  for (const std::string &Sql :
       splitStatements(fileText(StoreStatements, "checks")))
    INSTANTRACE_TRY(ask(Sql));
  INSTANTRACE_TRY(checkUnchanged());
  return C;
}

Result<void> FileStore::read(const std::string &Sql, const SqlValues &Values,
                             const Bound *Budget, AnswerTable &Into) {
  WorkLimit Limit(Database.get(), Opened.SizeBytes + Opened.LogBytes);
  if (Budget && sqlite3_create_function(Database.get(), "in_budget", 2,
                                        SQLITE_UTF8 | SQLITE_DETERMINISTIC |
                                            SQLITE_DIRECTONLY,
                                        const_cast<Bound *>(Budget), isInBudget,
                                        nullptr, nullptr) != SQLITE_OK)
    return failure({databaseMessage(Database.get())});
  INSTANTRACE_TRY_ASSIGN_AS(
      readFailure, Statement S,
      Statement::prepare(Database.get(), withTables(Sql)));
  for (const auto &[Name, Given] : Values) {
    int Parameter = S.parameter(":" + Name);
    if (Parameter == 0)
      continue;
    if (const auto *Text = std::get_if<std::string>(&Given))
      S.bind(Parameter, *Text);
    else if (const auto *Number = std::get_if<int64_t>(&Given))
      sqlite3_bind_int64(S.get(), Parameter, *Number);
    else if (const auto *Real = std::get_if<double>(&Given))
      sqlite3_bind_double(S.get(), Parameter, *Real);
  }
  INSTANTRACE_TRY_ASSIGN_AS(
      readFailure, bool Done,
      readRows(S, 1 + (Opened.SizeBytes + Opened.LogBytes) / LeastRowBytes,
               Into));
  if (!Done)
    return tooMuchWork();
  return checkUnchanged();
}

Result<int> FileStore::select(const std::string &Sql, RowFormat Format,
                              Output &Out) {
  allowOnlyReading(Database.get());
  Result<int> Done = runSelect(Database.get(), Sql, Format, Out);
  if (Result<void> Whole = checkUnchanged(); Done && !Whole)
    return Whole.error();
  return Done;
}

Result<std::optional<Store::KnownBuild>>
FileStore::known(const std::string &Session) {
  INSTANTRACE_TRY_ASSIGN_AS(
      failure, Statement Asked,
      Statement::prepare(Database.get(),
                         "SELECT id, content FROM builds WHERE session = ?"));
  INSTANTRACE_TRY_ASSIGN_AS(failure, bool Row, Asked.bind(1, Session).step());
  if (!Row)
    return std::optional<KnownBuild>();
  return std::optional<KnownBuild>(
      KnownBuild{static_cast<uint64_t>(Asked.number(0)), Asked.text(1)});
}

Result<uint64_t> FileStore::insertBuild(const BuildFacts &Facts) {
  INSTANTRACE_TRY_ASSIGN_AS(
      failure, Statement Row,
      Statement::prepare(
          Database.get(),
          std::string("INSERT INTO builds(session, ") + BuildFacts::Columns +
              ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  int Index = 1;
  Row.bind(1, Facts.Session);
  Facts.forEachColumn([&](std::string_view Text) { Row.bind(++Index, Text); },
                      [&](uint64_t Value) { Row.bind(++Index, Value); });
  INSTANTRACE_TRY_AS(failure, Row.run());
  return static_cast<uint64_t>(sqlite3_last_insert_rowid(Database.get()));
}

Result<Store::Inserted> FileStore::insert(const BuildFacts &Facts,
                                          SessionTables &Rows, bool Replaces) {
  INSTANTRACE_TRY_ASSIGN_AS(failure, Transaction Work,
                            Transaction::begin(Database.get()));
  // Another process may have added it meanwhile.
  INSTANTRACE_TRY_ASSIGN(std::optional<KnownBuild> Before,
                         known(Facts.Session));
  if (Before && Before->Content == Facts.Content)
    return Inserted{Inserted::AlreadyThere, Before->Build};
  if (Before && !Replaces)
    return Inserted{Inserted::IsOther, Before->Build};
  if (Before)
    INSTANTRACE_TRY(removeBuilds("id = " + std::to_string(Before->Build)));
  INSTANTRACE_TRY_ASSIGN(uint64_t Build, insertBuild(Facts));
  INSTANTRACE_TRY_AS(failure, Rows.insertInto(Build));
  INSTANTRACE_TRY_AS(failure, Work.commit());
  return Inserted{Before ? Inserted::Replaced : Inserted::Added, Build};
}

Result<uint64_t> FileStore::removeBuilds(const std::string &Condition) {
  std::string Sql(fileText(StoreStatements, "remove"));
  replaceAll(Sql, "{{condition}}", Condition);
  INSTANTRACE_TRY_AS(failure, execute(Database.get(), Sql));
  return static_cast<uint64_t>(sqlite3_changes64(Database.get()));
}

Result<Store::Pruned> FileStore::prune(uint64_t BeforeNs,
                                       std::optional<uint64_t> KeepDays) {
  if (KeepDays)
    return usageError(makeError("--keep", "a file, " + Path,
                                "a server; of a file, prune --before=180d now "
                                "and then"));
  if (BeforeNs == 0)
    return usageError(
        makeError("store prune", "no --before", "one, such as --before=90d"));
  INSTANTRACE_TRY_ASSIGN_AS(failure, Transaction Work,
                            Transaction::begin(Database.get()));
  Pruned Done;
  INSTANTRACE_TRY_ASSIGN(
      Done.Builds,
      removeBuilds("begun_ns < " +
                   std::to_string(std::min<uint64_t>(BeforeNs, INT64_MAX))));
  auto removeFrom = [&](const char *Orphans) -> Result<uint64_t> {
    INSTANTRACE_TRY_AS(failure, execute(Database.get(),
                                        std::string("DELETE FROM ") + Orphans));
    return static_cast<uint64_t>(sqlite3_changes64(Database.get()));
  };
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Units,
      removeFrom("units WHERE id NOT IN (SELECT unit FROM compiles)"));
  // Each name of a compile is one of its build.
  INSTANTRACE_TRY_ASSIGN(
      uint64_t Names,
      removeFrom("names WHERE id NOT IN (SELECT name FROM build_costs)"));
  Done.Rest = ", and " + counted(Units, "unit") + " and " +
              counted(Names, "name") + " that no other build has";
  INSTANTRACE_TRY_AS(failure, Work.commit());
  // The file shrinks by what is free; that it cannot now is no failure.
  sqlite3_exec(Database.get(), "PRAGMA incremental_vacuum", nullptr, nullptr,
               nullptr);
  return Done;
}
