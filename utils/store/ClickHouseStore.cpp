#include "utils/store/ClickHouseStore.h"

#include "utils/clickhouse/Retry.h"
#include "utils/clickhouse/Server.h"
#include "utils/store/ClickHousePruning.h"
#include "utils/store/ClickHouseSchema.h"
#include "utils/store/ClickHouseUpload.h"
#include "utils/store/Question.h"
#include "utils/store/StoreFiles.h"

#include <algorithm>
#include <charconv>
#include <map>

using namespace instantrace;

namespace {

/// The server's name of the names that a bound is about.
constexpr const char *BudgetTable = "budget_names";

/// The builds that an answer is about, as a table: of those up to a number the
/// ones that fulfil the conditions, of which only those that have a value are.
std::string chosenBuilds(const SqlValues &Values, int64_t LastBuild) {
  std::string Sql =
      "(SELECT id, build_key, begun_ns, commit_id, branch, author, "
      "machine, units FROM builds WHERE id <= " +
      std::to_string(LastBuild);
  for (auto [Name, Condition] :
       {std::pair{"since", " AND begun_ns >= :since"},
        {"until", " AND begun_ns < :until"},
        {"branch", " AND branch = :branch"},
        {"machine", " AND (machine = :machine OR host = :machine)"},
        {"clang", " AND position(clang, :clang) > 0"}})
    if (Values.contains(Name))
      Sql += Condition;
  return Sql + ")";
}

/// Without a name, what only a name needs: a server analyses it, whatever its
/// conditions are, which takes old ones longer than the rest.
void leaveOutNamed(std::string &Sql) {
  constexpr std::string_view Begin = "-- named\n", End = "-- end named\n";
  size_t Offset = Sql.find(Begin);
  if (Offset != Sql.npos)
    Sql.erase(Offset, Sql.find(End, Offset) + End.size() - Offset);
}

Result<AnswerCell> answerCell(TabRows::CellKind Kind,
                              std::optional<std::string> &Text) {
  if (!Text)
    return AnswerCell();
  if (Kind == TabRows::CellKind::Text)
    return AnswerCell(std::move(*Text));
  const char *Begin = Text->data(), *End = Begin + Text->size();
  int64_t Whole = 0;
  if (auto [Rest, Failed] = std::from_chars(Begin, End, Whole);
      Failed == std::errc() && Rest == End)
    return AnswerCell(Whole);
  // A key of 64 bits, which is no number to be rounded.
  if (Kind == TabRows::CellKind::Whole &&
      Text->find_first_not_of("0123456789") == Text->npos)
    return AnswerCell(std::move(*Text));
  if (Kind == TabRows::CellKind::Whole && (*Text == "true" || *Text == "false"))
    return AnswerCell(int64_t(*Text == "true"));
  double Real = 0;
  if (auto [Rest, Failed] = std::from_chars(Begin, End, Real);
      Failed == std::errc() && Rest == End)
    return AnswerCell(Real);
  return makeError("", "'" + Text->substr(0, 40) + "'", "a number");
}

/// Keys of which some are no number of 63 bits are texts, all of them.
void makeKeysAlike(AnswerTable &Table) {
  for (size_t I = 0; I != Table.Columns.size(); ++I)
    if (std::any_of(Table.Rows.begin(), Table.Rows.end(), [I](const auto &Row) {
          return std::holds_alternative<std::string>(Row[I]);
        }))
      for (std::vector<AnswerCell> &Row : Table.Rows)
        if (const auto *Whole = std::get_if<int64_t>(&Row[I]))
          Row[I] = std::to_string(*Whole);
}

Result<void> readAnswer(std::string_view Reply, AnswerTable &Into) {
  INSTANTRACE_TRY_ASSIGN(TabRows Rows, TabRows::read(Reply));
  INSTANTRACE_TRY(Rows.checkSize());
  Into.Columns = Rows.columns();
  INSTANTRACE_TRY(Rows.forEach([&](TabRows::Row &Cells) -> Result<void> {
    std::vector<AnswerCell> &Row = Into.Rows.emplace_back();
    for (size_t I = 0; I != Cells.size(); ++I) {
      INSTANTRACE_TRY_ASSIGN(AnswerCell Cell,
                             answerCell(Rows.kinds()[I], Cells[I]));
      Row.push_back(std::move(Cell));
    }
    return {};
  }));
  makeKeysAlike(Into);
  return {};
}

class ClickHouseStore final : public Store {
public:
  ClickHouseStore(Server S, ClickHouseSchema Schema, DatabasePointer Staging,
                  StoreLocation Location)
      : S(std::move(S)), Schema(std::move(Schema)), Staging(std::move(Staging)),
        Location(std::move(Location)) {}

  Result<void> open(bool IsToWrite);

  std::string place() const override { return S.place(); }
  Result<void> beginAnswer() override;
  Result<bool> endAnswer() override;
  const std::string &sqlOf(const Question &Q, bool IsDetail) const override {
    return IsDetail ? Q.ClickHouseDetailSql : Q.ClickHouseSql;
  }
  Result<void> read(const std::string &Sql, const SqlValues &Values,
                    const Bound *Budget, AnswerTable &Into) override;
  Result<int> select(const std::string &Sql, RowFormat Format,
                     Output &Out) override;
  Result<Checked> check() override {
    return wholeAnswer(*this, [&] {
      return checkServer(
          S, [&](std::string Sql) { return statement(std::move(Sql), {}); });
    });
  }
  Result<Pruned> prune(uint64_t BeforeNs,
                       std::optional<uint64_t> KeepDays) override {
    INSTANTRACE_TRY_ASSIGN(TableEngines Found, tables());
    INSTANTRACE_TRY(checkCluster(Found));
    return pruneServer(S, Schema, BeforeNs, KeepDays);
  }
  Result<uint64_t> keptSinceNs() override {
    return retried(S, [&](uint32_t) { return instantrace::keptSinceNs(S); });
  }
  Result<std::optional<KnownBuild>> known(const std::string &Session) override {
    return knownBuild(S, Session);
  }
  Result<SessionTables> stage() override {
    return SessionTables::make(Staging.get(), SessionTables::Staged::All);
  }
  Result<Inserted> insert(const BuildFacts &Facts, SessionTables &,
                          bool Replaces) override {
    return uploadBuild(S, Staging.get(), Facts, Replaces);
  }

private:
  /// By name.
  using TableEngines = std::map<std::string, std::string>;
  Result<TableEngines> tables();
  Result<std::optional<size_t>> version(const TableEngines &Found);
  Result<std::string> state();
  Result<void> checkCluster(const TableEngines &Found) const;
  Result<void> migrate();
  Result<void> checkOthers(const TableEngines &Found) const;
  Result<std::string> statement(std::string Sql, const SqlValues &Values) const;
  Result<void> matchNames(const Bound &Budget, const SqlValues &Values,
                          RowBlock &Into);

  Server S;
  ClickHouseSchema Schema;
  DatabasePointer Staging;
  StoreLocation Location;
  bool IsOverShards = false; ///< tables are Distributed
  /// Of an answer: the greatest number of a build when it was begun, and what
  /// was there up to that.
  int64_t LastBuild = INT64_MAX;
  std::string BegunState;
};

Result<ClickHouseStore::TableEngines> ClickHouseStore::tables() {
  INSTANTRACE_TRY_ASSIGN(
      ServerRows Rows,
      S.rows("SELECT name, engine FROM system.tables WHERE database = " +
                 sqlText(S.address().Database),
             /*IsOfDatabase=*/false));
  TableEngines Found;
  for (const auto &Row : Rows) {
    if (Row.size() != 2)
      return failure(makeError(
          "", "a row of " + std::to_string(Row.size()) + " cells", "two"));
    Found[Row[0].value_or("")] = Row[1].value_or("");
  }
  return Found;
}

/// Nothing: there is no store.
Result<std::optional<size_t>>
ClickHouseStore::version(const TableEngines &Found) {
  if (!Found.contains("schema_version"))
    return std::optional<size_t>();
  IsOverShards = std::any_of(Found.begin(), Found.end(), [](const auto &Each) {
    return Each.second == "Distributed";
  });
  // Another one that brings the store up to date drops the view and makes it:
  // 18.16 cannot replace one.
  Result<std::optional<int64_t>> Version = retried(S, [&](uint32_t) {
    return S.number("SELECT version FROM schema_version");
  });
  if (!Version)
    return Version.error();
  auto Newest = static_cast<int64_t>(ClickHouseSchema::newestVersion());
  int64_t Number = Version->value_or(0);
  if (Number < 1 || Number > Newest)
    return makeError(S.place(), "a store of version " + std::to_string(Number),
                     "one up to " + std::to_string(Newest) +
                         ", which this tool knows");
  return std::optional<size_t>(static_cast<size_t>(Number));
}

/// A database is ours alone, so that no table of somebody else is taken for one
/// of these. Ours may be there already: making them was interrupted.
Result<void> ClickHouseStore::checkOthers(const TableEngines &Found) const {
  std::vector<std::string> Ours = Schema.names();
  for (const auto &[Name, Engine] : Found)
    if (std::find(Ours.begin(), Ours.end(), Name) == Ours.end() &&
        !Name.starts_with('.'))
      return makeError(S.place(), "a database of something else",
                       "an empty one, or a store that instantrace store add "
                       "made");
  return {};
}

/// What changes tables must know where they are.
Result<void> ClickHouseStore::checkCluster(const TableEngines &Found) const {
  auto engine = [&](const char *Table) {
    auto It = Found.find(Table);
    return It == Found.end() ? std::string() : It->second;
  };
  std::string Asked = engine("compiles"), Kept = engine("compiles_local");
  bool IsOfCluster = Asked == "Distributed";
  if (!Asked.empty() && IsOfCluster != !Location.Cluster.empty())
    return usageError(makeError(
        place(), IsOfCluster ? "a store of a cluster" : "a store of one server",
        IsOfCluster ? "its --cluster NAME" : "no --cluster"));
  bool IsReplicated = Kept.starts_with("Replicated");
  if (!Kept.empty() && IsReplicated != Location.IsReplicated)
    return usageError(
        makeError(place(),
                  IsReplicated ? "a store of a cluster with replicas"
                               : "a store of a cluster without replicas",
                  IsReplicated ? "no --unreplicated" : "--unreplicated"));
  return {};
}

Result<void> ClickHouseStore::migrate() {
  INSTANTRACE_TRY_ASSIGN(TableEngines Found, tables());
  INSTANTRACE_TRY_ASSIGN(std::optional<size_t> Version, version(Found));
  size_t Newest = ClickHouseSchema::newestVersion();
  size_t Begin = Version.value_or(0);
  // It may have been interrupted. Statements on what is there change nothing.
  std::vector<std::string> Ours = Schema.names();
  if (Begin == Newest &&
      std::any_of(Ours.begin(), Ours.end(),
                  [&](const auto &Name) { return !Found.contains(Name); }))
    Begin = 0;
  if (Begin == Newest)
    return {};
  INSTANTRACE_TRY(checkCluster(Found));
  if (Begin == 0)
    INSTANTRACE_TRY(S.run(Schema.databaseStatement(), /*IsOfDatabase=*/false));
  for (const std::string &Statement : Schema.statementsFrom(Begin))
    INSTANTRACE_TRY(S.run(Statement));
  return {};
}

Result<void> ClickHouseStore::open(bool IsToWrite) {
  INSTANTRACE_TRY(S.settle(!IsToWrite));
  INSTANTRACE_TRY_ASSIGN(TableEngines Found, tables());
  INSTANTRACE_TRY_ASSIGN(std::optional<size_t> Version, version(Found));
  if (!Version && !IsToWrite)
    return Error{S.place() +
                 ": there is no store; instantrace store add "
                 "SESSION --to=" +
                 S.place() + " makes one"};
  size_t Newest = ClickHouseSchema::newestVersion();
  if (!IsToWrite && Version != Newest)
    return makeError(S.place(),
                     "a store of version " + std::to_string(*Version),
                     "version " + std::to_string(Newest) +
                         ", to which the next instantrace store add brings it");
  if (!IsToWrite)
    return {};
  if (!Version)
    INSTANTRACE_TRY(checkOthers(Found));
  // Others may do the same at once: what that makes fail is done again.
  return retried(S, [&](uint32_t) { return migrate(); });
}

/// Of the builds up to the last one: equal if and only if none was added, taken
/// out or replaced in between. A key never comes back, a version only grows,
/// and a number is the greatest and one; who takes one that somebody else has
/// just taken takes another one, greater by then, with the next version.
///
/// The last one is found in the request that says of the versions what is
/// there: of two, one build may be replaced in between, be behind the last one
/// from then on, and never be missed.
Result<std::string> ClickHouseStore::state() {
  std::string State;
  for (const std::string &Each : clickHouseStatements("state")) {
    INSTANTRACE_TRY_ASSIGN(std::string Sql,
                           bindValues(Each, {{"last", LastBuild}}));
    INSTANTRACE_TRY_ASSIGN(ServerRows Rows, S.rows(Sql));
    for (const TabRows::Row &Row : Rows)
      for (const std::optional<std::string> &Cell : Row)
        State += Cell.value_or("0") + " ";
    if (LastBuild == INT64_MAX)
      std::from_chars(State.data(), State.data() + State.size(), LastBuild);
  }
  return State;
}

Result<void> ClickHouseStore::beginAnswer() {
  LastBuild = INT64_MAX;
  INSTANTRACE_TRY_ASSIGN(BegunState, state());
  return {};
}

Result<bool> ClickHouseStore::endAnswer() {
  INSTANTRACE_TRY_ASSIGN(std::string State, state());
  return State == BegunState;
}

Result<std::string> ClickHouseStore::statement(std::string Sql,
                                               const SqlValues &Values) const {
  if (auto HasName = Values.find("has_name");
      HasName != Values.end() && HasName->second == SqlValue(int64_t(0)))
    leaveOutNamed(Sql);
  replaceAll(Sql, "{{chosen}}", chosenBuilds(Values, LastBuild));
  replaceAll(Sql, "{{in}}", "GLOBAL IN");
  replaceAll(Sql, "{{build_key}}", "build_key");
  // A set that is made for all shards finds no rows by the key of a table: on
  // one server, of two builds as many would be read as of all.
  if (!IsOverShards)
    for (auto [Global, Plain] :
         {std::pair{"GLOBAL IN", "IN"}, {"GLOBAL NOT IN", "NOT IN"}})
      replaceAll(Sql, Global, Plain);
  SqlValues Bound = Values;
  // Without a limit, as -1 is in a file.
  if (auto Rows = Bound.find("rows");
      Rows != Bound.end() && Rows->second == SqlValue(int64_t(-1)))
    Rows->second = int64_t(INT64_MAX);
  Result<std::string> Whole = bindValues(Sql, Bound);
  return Whole ? Whole : failure(Whole.error());
}

/// Patterns are PCRE2's, which the server has not, so names are matched here.
Result<void> ClickHouseStore::matchNames(const Bound &Budget,
                                         const SqlValues &Values,
                                         RowBlock &Into) {
  INSTANTRACE_TRY_ASSIGN(
      std::string Sql,
      statement(
          "SELECT name, any(text) AS text FROM names WHERE fixed = 0 AND name "
          "GLOBAL IN (SELECT name FROM build_costs WHERE kind = 1 AND "
          "build_key "
          "GLOBAL IN (SELECT build_key FROM {{chosen}} AS c)) GROUP BY name",
          Values));
  INSTANTRACE_TRY_ASSIGN(std::string Reply, S.ask(Sql));
  INSTANTRACE_TRY_ASSIGN_AS(failure, TabRows Rows, TabRows::read(Reply));
  INSTANTRACE_TRY_AS(
      failure, Rows.forEach([&](const TabRows::Row &Cells) -> Result<void> {
        if (Cells.size() != 2 || !Cells[1])
          return makeError("", "another row", "a name with its text");
        if (Budget.Pattern->matches(*Cells[1]))
          Into.u64(TabRows::wholeNumber(Cells[0]));
        return {};
      }));
  return {};
}

Result<void> ClickHouseStore::read(const std::string &Sql,
                                   const SqlValues &Values, const Bound *Budget,
                                   AnswerTable &Into) {
  std::string Asked = Sql;
  std::optional<Server::GivenTable> Given;
  if (Budget && Asked.find("{{in_budget}}") != Asked.npos) {
    std::string Condition =
        "name GLOBAL NOT IN (SELECT name FROM names WHERE fixed = 1)";
    if (Budget->Metric == BoundMetric::Time) {
      Condition = "name GLOBAL NOT IN (SELECT name FROM names WHERE fixed = 1 "
                  "AND text = '(profiling)')";
    } else if (Budget->Pattern) {
      Given = Server::GivenTable{BudgetTable, "name UInt64", {}};
      INSTANTRACE_TRY(matchNames(*Budget, Values, Given->Rows));
      Condition = std::string("name GLOBAL IN ") + BudgetTable;
    }
    replaceAll(Asked, "{{in_budget}}", Condition);
  }
  INSTANTRACE_TRY_ASSIGN(std::string Whole,
                         statement(std::move(Asked), Values));
  INSTANTRACE_TRY_ASSIGN(std::string Reply,
                         S.ask(Whole, Given ? &*Given : nullptr));
  INSTANTRACE_TRY_AS(failure, readAnswer(Reply, Into));
  return {};
}

/// Rows are shown as those of a file are.
Result<int> ClickHouseStore::select(const std::string &Sql, RowFormat Format,
                                    Output &Out) {
  std::string Alone = Sql;
  while (!Alone.empty() &&
         (Alone.back() == ';' || Alone.back() == ' ' || Alone.back() == '\n'))
    Alone.pop_back();
  AnswerTable Rows;
  INSTANTRACE_TRY_ASSIGN(std::string Reply, S.ask(Alone));
  INSTANTRACE_TRY_AS(failure, readAnswer(Reply, Rows));
  if (Rows.Columns.empty())
    return failure(makeError("", "a statement without rows", "a SELECT"));
  std::unique_ptr<RowWriter> Writer = makeRowWriter(Format, Rows.Columns, Out);
  for (const std::vector<AnswerCell> &Cells : Rows.Rows)
    Writer->row(Cells);
  Writer->finish();
  Out.append(Format == RowFormat::Json ? "\n" : "");
  return Out.finish();
}

} // namespace

Result<std::unique_ptr<Store>>
instantrace::openClickHouseStore(const StoreLocation &Location,
                                 bool IsToWrite) {
  INSTANTRACE_TRY_ASSIGN(ServerAddress Address,
                         parseServerAddress(Location.Place));
  INSTANTRACE_TRY_ASSIGN(ClickHouseSchema Schema,
                         ClickHouseSchema::make(Address.Database,
                                                Location.Cluster,
                                                Location.IsReplicated));
  INSTANTRACE_TRY_ASSIGN(ServerAccess Access, accessOfEnvironment());
  INSTANTRACE_TRY_ASSIGN(Server S, Server::open(Address, Access));
  // A file of its own that nobody sees, which takes no memory.
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Staging, openPrivateDatabase());
  auto Made = std::make_unique<ClickHouseStore>(std::move(S), std::move(Schema),
                                                std::move(Staging), Location);
  INSTANTRACE_TRY(Made->open(IsToWrite));
  return std::unique_ptr<Store>(std::move(Made));
}
