#include "utils/store/AskStore.h"

#include "utils/render/NumberText.h"
#include "utils/store/QuestionRun.h"
#include "utils/store/StoreFiles.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

std::string moreText(const std::vector<AnswerCell> &Row) {
  if (Row.size() < 3)
    return "something that cannot be read";
  const auto *Kind = std::get_if<std::string>(&Row[0]);
  const auto *Count = std::get_if<int64_t>(&Row[1]);
  const auto *Builds = std::get_if<int64_t>(&Row[2]);
  if (!Kind || !Count || !Builds)
    return "something that cannot be read";
  return *Kind + ": " + groupedText(static_cast<uint64_t>(*Count)) + " in " +
         counted(static_cast<uint64_t>(*Builds), "build");
}

} // namespace

QuestionRun::QuestionRun(Store &Db, const Question &Asked,
                         const AskOptions &Options)
    : Db(Db), Asked(Asked), Options(Options), NowNs(realtimeNs()) {}

std::string_view QuestionRun::metric() const {
  auto Found = Values.find("metric");
  const auto *Metric = Found == Values.end()
                           ? nullptr
                           : std::get_if<std::string>(&Found->second);
  return Metric ? std::string_view(*Metric) : std::string_view();
}

/// What the rows of one metric are in is in the names of their columns.
void QuestionRun::nameUnits(AnswerTable &Table) const {
  const std::string_view Metric = metric();
  if (Metric.empty() || Metric == "count" || Metric == "memoized")
    return;
  const bool IsBytes =
      Metric == "ast" || Metric == "bytes" || Metric == "memory";
  const std::string Unit = IsBytes ? "_bytes" : "_ns";
  for (std::string &Column : Table.Columns)
    if (Column == "value_change")
      Column = "value" + Unit + "_change";
    else if (Column == "value" || Column == "before" || Column == "after" ||
             Column == "change" || Column == "noise")
      Column += Unit;
}

Result<void> QuestionRun::read(const std::string &Sql, AnswerTable &Into) {
  return Db.read(Sql, Values, Budget, Into);
}

/// What is on a server may be anything, also what has our tables' names.
Result<void>
QuestionRun::needColumns(const AnswerTable &Table,
                         std::initializer_list<const char *> Names) const {
  for (const char *Name : Names)
    if (Table.column(Name) == AnswerTable::npos)
      return this->Db.failure(makeError("", "columns " + listOf(Table.Columns),
                                        std::string("one named ") + Name));
  return {};
}

Result<std::optional<int64_t>> QuestionRun::firstNumber(const std::string &Sql,
                                                        const SqlValues &With) {
  AnswerTable Found;
  INSTANTRACE_TRY(Db.read(Sql, With, nullptr, Found));
  if (Found.Rows.empty() || Found.Rows[0].empty() ||
      !std::holds_alternative<int64_t>(Found.Rows[0][0]))
    return std::optional<int64_t>();
  return std::optional<int64_t>(std::get<int64_t>(Found.Rows[0][0]));
}

Result<void> QuestionRun::readMissing() {
  AnswerTable Found;
  INSTANTRACE_TRY(read(storeStatement("missing"), Found));
  for (const auto &Row : Found.Rows)
    A.Missing.push_back(moreText(Row));
  INSTANTRACE_TRY_ASSIGN(
      std::optional<int64_t> Builds,
      firstNumber("SELECT count(*) AS builds FROM {{chosen}} AS c", Values));
  A.Builds = static_cast<uint64_t>(Builds.value_or(0));
  return {};
}

/// Of a series, those that one asks about: the latest. The question has all,
/// since current servers find no column of a view that is cut so and joined.
void QuestionRun::cutSeries(AnswerTable &Table) {
  if (auto Most = std::get<int64_t>(Values["rows"]);
      Asked.DrawsLine && !Asked.HasSteps && Most > 0 &&
      Table.Rows.size() > static_cast<size_t>(Most))
    Table.Rows.erase(Table.Rows.begin(), Table.Rows.end() - Most);
}

/// Nothing but zeros may be a name that is meant in another way.
Result<void> QuestionRun::noteAbsentName() {
  auto Name = Options.find("name");
  if (Name == Options.end() || Asked.HasSteps || A.Rows.Rows.empty())
    return {};
  INSTANTRACE_TRY(needColumns(A.Rows, {"units"}));
  size_t Units = A.Rows.column("units");
  if (std::all_of(A.Rows.Rows.begin(), A.Rows.Rows.end(), [&](const auto &Row) {
        return Row[Units] == AnswerCell(int64_t(0));
      }))
    A.Notes.push_back("no build has " + Name->second +
                      "; names are those of store ask hottest with the same "
                      "--by: sum<$> is a template, sum<3> a specialization");
  return {};
}

/// Of a file of bounds: how many of them a build exceeds, and each by itself.
Result<void> QuestionRun::readBudget() {
  constexpr const char *Counted = "exceeded";
  AnswerTable &All = A.Rows;
  // By begin and number, as the rows of each bound are.
  std::map<std::pair<AnswerCell, AnswerCell>, std::vector<AnswerCell>> Caught;
  for (const Bound &B : Bounds) {
    setBound(B);
    AnswerTable &Rows = A.Details.emplace_back();
    Rows.Title = B.Text;
    INSTANTRACE_TRY(read(Db.sqlOf(Asked, false), Rows));
    INSTANTRACE_TRY(needColumns(Rows, {"build", "begun_ns", "value"}));
    All.Columns = Rows.Columns;
    size_t Build = Rows.column("build"), BeginCount = Rows.column("begun_ns"),
           Value = Rows.column("value");
    for (const std::vector<AnswerCell> &Row : Rows.Rows) {
      std::vector<AnswerCell> &Into = Caught[{Row[BeginCount], Row[Build]}];
      int64_t Before = Into.empty() ? 0 : std::get<int64_t>(Into[Value]);
      Into = Row;
      Into[Value] = Before + 1;
    }
    nameUnits(Rows);
    cutSeries(Rows);
  }
  All.Columns[All.column("value")] = Counted;
  A.Asked.DrawnColumn = Counted;
  for (auto &[Order, Row] : Caught)
    All.Rows.push_back(std::move(Row));
  return {};
}

Result<Answer> QuestionRun::ask() {
  A.Asked = Asked;
  A.Options.assign(Options.begin(), Options.end());
  INSTANTRACE_TRY(checkOptions());
  INSTANTRACE_TRY(readBounds());
  INSTANTRACE_TRY(setRange());
  INSTANTRACE_TRY(HasBudgetFile ? readBudget()
                                : read(Db.sqlOf(Asked, false), A.Rows));
  INSTANTRACE_TRY(noteAbsentName());
  cutSeries(A.Rows);
  INSTANTRACE_TRY(readMissing());
  if (Asked.HasSteps) {
    INSTANTRACE_TRY(addSteps());
    for (AnswerTable &Detail : A.Details)
      nameUnits(Detail);
  }
  nameUnits(A.Rows);
  if (A.Rows.column(A.Asked.DrawnColumn) == AnswerTable::npos)
    A.Asked.DrawnColumn = A.Rows.column("value_ns") == AnswerTable::npos
                              ? "value_bytes"
                              : "value_ns";
  return std::move(A);
}

double instantrace::realOf(const AnswerCell &Cell) {
  if (const auto *Number = std::get_if<int64_t>(&Cell))
    return static_cast<double>(*Number);
  const auto *Real = std::get_if<double>(&Cell);
  return Real ? *Real : 0;
}

size_t AnswerTable::column(const std::string &Name) const {
  auto It = std::find(Columns.begin(), Columns.end(), Name);
  return It == Columns.end() ? npos : static_cast<size_t>(It - Columns.begin());
}

Result<Answer> instantrace::ask(Store &Db, const Question &Asked,
                                const AskOptions &Options) {
  return wholeAnswer(Db, [&] { return QuestionRun(Db, Asked, Options).ask(); });
}

Result<AnswerTable> instantrace::listBuilds(Store &Db) {
  AnswerTable Builds;
  INSTANTRACE_TRY(Db.read(storeStatement("list"), {}, nullptr, Builds));
  return Builds;
}
