#include "utils/store/Asking.h"

#include "utils/analysis/costs/Budget.h"
#include "utils/input/SystemClock.h"
#include "utils/render/NumberText.h"
#include "utils/store/Steps.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <iterator>
#include <utility>

using namespace instantrace;

namespace {

constexpr uint64_t SecondNs = 1'000'000'000;
constexpr const char *KindNames[] = {"template", "header", "library",
                                     "specialization"};
constexpr const char *MetricNames[] = {"count", "memoized", "self",
                                       "time",  "ast",      "bytes"};

std::string listOf(const auto &Words) {
  std::string Text;
  for (const auto &Word : Words)
    Text.append(Text.empty() ? "" : ", ").append(Word);
  return Text;
}

Error wrongValue(const std::string &Option, const std::string &Found,
                 const std::string &Expected) {
  return usageError(makeError(optionName(Option), "'" + Found + "'", Expected));
}

const char *metricName(BoundMetric M) {
  switch (M) {
  case BoundMetric::Count:
    return "count";
  case BoundMetric::Memoized:
    return "memoized";
  case BoundMetric::Ast:
    return "ast";
  case BoundMetric::Self:
    return "self";
  case BoundMetric::Time:
    return "time";
  case BoundMetric::Frontend:
    return "frontend";
  case BoundMetric::Optimize:
    return "optimize";
  case BoundMetric::Generate:
    return "generate";
  case BoundMetric::Bytes:
    return "bytes";
  case BoundMetric::Functions:
    break;
  }
  return nullptr;
}

const char *relationText(Comparison C) {
  switch (C) {
  case Comparison::Less:
    return "<";
  case Comparison::LessOrEqual:
    return "<=";
  case Comparison::Greater:
    return ">";
  case Comparison::GreaterOrEqual:
    break;
  }
  return ">=";
}

/// What chooses builds, of which {{chosen}} is made.
constexpr const char *FilterNames[] = {"since", "until", "branch", "machine",
                                       "clang"};

/// How the text of --base or --head may be meant.
struct BuildWay {
  std::string Condition;    ///< of SQL
  bool NamesBranch = false; ///< so that --branch is about other builds
  bool NamesBuild = false;  ///< whatever the options choose
};

class Asker {
public:
  Asker(Store &Of, const Question &Asked, const AskOptions &Options)
      : Of(Of), Asked(Asked), Options(Options), NowNs(realtimeNs()) {}

  Result<Answer> ask();

private:
  Result<void> checkOptions();
  Result<void> setBudget();
  Result<void> setRange();
  Result<std::string> commitOf(const std::string &Text);
  Result<int64_t> buildOf(const std::string &Option);
  Result<std::optional<int64_t>> latestOf(const BuildWay &Way);
  Result<std::optional<int64_t>> firstNumber(const std::string &Sql,
                                             const SqlValues &With);
  Result<void> read(const std::string &Sql, AnswerTable &Into);
  Result<void> readMissing();
  Result<void> noteMachines();
  Result<void> noteUnequalUnits();
  Result<void> addSteps();
  Result<void> addDetail(const AnswerTable &Series, const Step &S);
  bool isTime() const;
  void nameUnits(AnswerTable &Table) const;

  Store &Of;
  const Question &Asked;
  const AskOptions &Options;
  uint64_t NowNs;
  SqlValues Values; ///< of parameters
  std::optional<Bound> Budget;
  Answer A;
};

bool Asker::isTime() const {
  auto At = Values.find("metric");
  const auto *Metric =
      At == Values.end() ? nullptr : std::get_if<std::string>(&At->second);
  return Metric && (*Metric == "time" || *Metric == "self");
}

/// What the rows of one metric are in is in the names of their columns.
void Asker::nameUnits(AnswerTable &Table) const {
  auto At = Values.find("metric");
  const auto *Metric =
      At == Values.end() ? nullptr : std::get_if<std::string>(&At->second);
  if (!Metric || *Metric == "count" || *Metric == "memoized")
    return;
  std::string Unit = *Metric == "ast" || *Metric == "bytes" ? "_bytes" : "_ns";
  for (std::string &Column : Table.Columns)
    if (Column == "value_change")
      Column = "value" + Unit + "_change";
    else if (Column == "value" || Column == "before" || Column == "after" ||
             Column == "change" || Column == "noise")
      Column += Unit;
}

Result<void> Asker::checkOptions() {
  std::vector<std::string> Taken;
  for (const std::string &Option : Asked.Takes)
    Taken.push_back(optionName(Option));
  for (const auto &[Name, Text] : Options)
    if (!Asked.takes(Name))
      return usageError(makeError("store ask " + Asked.Name, optionName(Name),
                                  "options of it: " + listOf(Taken)));
  for (const std::string &Name : Asked.Needs)
    if (!Options.contains(Name))
      return usageError(makeError("store ask " + Asked.Name,
                                  "no " + optionName(Name), "one"));
  auto given = [&](const char *Name) -> const std::string * {
    auto At = Options.find(Name);
    return At == Options.end() ? nullptr : &At->second;
  };
  for (const char *Name : {"branch", "machine", "clang", "name"})
    if (const std::string *Text = given(Name))
      Values[Name] = *Text;
  Values["has_name"] = int64_t(given("name") != nullptr);
  Values.try_emplace("name", std::string());
  for (const char *Name : {"since", "until"})
    if (const std::string *Text = given(Name)) {
      Result<uint64_t> Ns = parseMoment(*Text, NowNs);
      if (!Ns)
        return wrongValue(Name, *Text, Ns.error().Message);
      Values[Name] = static_cast<int64_t>(*Ns);
    }
  std::string By = given("by") ? *given("by") : "template";
  const auto *Kind = std::find(std::begin(KindNames), std::end(KindNames), By);
  if (Kind == std::end(KindNames))
    return wrongValue("by", By, listOf(KindNames));
  Values["by"] = static_cast<int64_t>(Kind - std::begin(KindNames) + 1);
  if (Asked.HasSteps && By == KindNames[3])
    return wrongValue("by", By,
                      "template, header or library, of which each compile has "
                      "its own");
  std::string Metric = given("metric") ? *given("metric") : "count";
  if (std::find(std::begin(MetricNames), std::end(MetricNames), Metric) ==
      std::end(MetricNames))
    return wrongValue("metric", Metric, listOf(MetricNames));
  Values["metric"] = Metric;
  std::string Rows = given("rows") ? *given("rows") : "20";
  uint32_t Count = 0;
  auto [End, Failed] =
      std::from_chars(Rows.data(), Rows.data() + Rows.size(), Count);
  if (Failed != std::errc() || End != Rows.data() + Rows.size())
    return wrongValue("rows", Rows, "a number; 0 for all");
  Values["rows"] = Count == 0 ? int64_t(-1) : int64_t(Count);
  return {};
}

Result<void> Asker::setBudget() {
  auto At = Options.find("budget");
  if (At == Options.end())
    return {};
  Result<Bound> Parsed = parseBound(At->second);
  if (!Parsed)
    return usageError(Parsed.error());
  const char *Metric = metricName(Parsed->Metric);
  if (!Metric || Parsed->IsGrowth || Parsed->IsPercent)
    return wrongValue("budget", At->second,
                      "a bound on a build by itself, and not on functions");
  Budget = std::move(*Parsed);
  Values["metric"] = std::string(Metric);
  Values["relation"] = std::string(relationText(Budget->Relation));
  Values["limit"] = Budget->Limit;
  return {};
}

Result<void> Asker::read(const std::string &Sql, AnswerTable &Into) {
  return Of.read(Sql, Values, Budget ? &*Budget : nullptr, Into);
}

Result<std::optional<int64_t>> Asker::firstNumber(const std::string &Sql,
                                                  const SqlValues &With) {
  AnswerTable Found;
  if (Result<void> Done = Of.read(Sql, With, nullptr, Found); !Done)
    return Done.error();
  if (Found.Rows.empty() || Found.Rows[0].empty() ||
      !std::holds_alternative<int64_t>(Found.Rows[0][0]))
    return std::optional<int64_t>();
  return std::optional<int64_t>(std::get<int64_t>(Found.Rows[0][0]));
}

/// The commit that \p Text is, or that alone begins with it; empty: there is
/// none. Errors: several begin with it.
Result<std::string> Asker::commitOf(const std::string &Text) {
  constexpr size_t LeastCommit = 4, MostNamed = 5;
  if (Text.size() < LeastCommit)
    return std::string();
  // LIKE and GLOB would read a % or * in it. One that is the text itself is the
  // first; one row more says that there are others.
  AnswerTable Found;
  if (Result<void> Done =
          read("SELECT commit_id FROM builds WHERE substr(commit_id, 1, "
               "length(:text)) = :text GROUP BY commit_id ORDER BY commit_id "
               "LIMIT " +
                   std::to_string(MostNamed + 1),
               Found);
      !Done)
    return Done.error();
  std::vector<std::string> Commits;
  for (const auto &Row : Found.Rows)
    if (const auto *Commit =
            Row.empty() ? nullptr : std::get_if<std::string>(&Row.front()))
      Commits.push_back(*Commit);
  if (Commits.empty() || Commits.front() == Text || Commits.size() == 1)
    return Commits.empty() ? std::string() : Commits.front();
  bool HasMore = Commits.size() > MostNamed;
  if (HasMore)
    Commits.pop_back();
  return makeError(Of.place(),
                   "several commits that begin with " + Text + ": " +
                       listOf(Commits) + (HasMore ? " and others" : ""),
                   "more of one");
}

/// The latest that is meant so and that the options choose.
Result<std::optional<int64_t>> Asker::latestOf(const BuildWay &Way) {
  const std::string Sql = "SELECT id FROM {{chosen}} AS c WHERE " +
                          Way.Condition +
                          " ORDER BY begun_ns DESC, id DESC LIMIT 1";
  SqlValues Chosen = Values;
  if (Way.NamesBranch)
    Chosen.erase("branch");
  return firstNumber(Sql, Chosen);
}

/// Of "#12", of a commit or the begin of one, of a branch its latest build, of
/// a moment the latest before it. Errors, as well: the begin of several
/// commits.
Result<int64_t> Asker::buildOf(const std::string &Option) {
  const std::string &Text = Options.find(Option)->second;
  Values["text"] = Text;
  // The latest build of a branch may be the one that is compared with it.
  const std::string Other = Option == "base" ? " AND id <> :head" : "";
  // Of the head's own branch, builds that came later are not compared with it.
  const std::string Earlier =
      Option == "base"
          ? " AND (:text <> (SELECT branch FROM builds WHERE id = :head LIMIT "
            "1) OR begun_ns <= (SELECT begun_ns FROM builds WHERE id = :head "
            "LIMIT 1))"
          : "";
  std::vector<BuildWay> Ways;
  if (Text.starts_with('#')) {
    int64_t Number = 0;
    auto [End, Failed] =
        std::from_chars(Text.data() + 1, Text.data() + Text.size(), Number);
    if (Failed == std::errc() && End == Text.data() + Text.size()) {
      Values["number"] = Number;
      Ways.push_back({.Condition = "id = :number", .NamesBuild = true});
    }
  } else {
    Result<std::string> Commit = commitOf(Text);
    if (!Commit)
      return Commit.error();
    if (!Commit->empty()) {
      Values["commit"] = *Commit;
      Ways.push_back(
          {.Condition = "commit_id = :commit" + Other, .NamesBuild = true});
    }
    Ways.push_back(
        {.Condition = "branch = :text" + Other + Earlier, .NamesBranch = true});
    if (Result<uint64_t> Ns = parseMoment(Text, NowNs)) {
      Values["moment"] = static_cast<int64_t>(*Ns);
      Ways.push_back({.Condition = "begun_ns < :moment" + Other});
    }
  }
  for (const BuildWay &Way : Ways) {
    Result<std::optional<int64_t>> Id = latestOf(Way);
    if (!Id)
      return Id.error();
    if (*Id)
      return **Id;
    if (!Way.NamesBuild)
      continue;
    Id = firstNumber("SELECT id FROM builds WHERE " + Way.Condition +
                         " ORDER BY begun_ns DESC, id DESC LIMIT 1",
                     Values);
    if (!Id)
      return Id.error();
    if (!*Id)
      continue;
    A.Notes.push_back("the " + Option + ", build #" + std::to_string(**Id) +
                      ", is none that the options choose");
    return **Id;
  }
  bool HasFilters =
      std::any_of(std::begin(FilterNames), std::end(FilterNames),
                  [&](const char *Name) { return Values.contains(Name); });
  return makeError(Of.place(),
                   "no build of " + Text +
                       (HasFilters ? " that the options choose" : ""),
                   "a commit, a branch, a moment, or #BUILD of instantrace "
                   "store list");
}

/// Without --head the latest chosen build, without --base the earliest chosen
/// one of its branch; of times, on its kind of machine.
Result<void> Asker::setRange() {
  if (!Asked.takes("base"))
    return {};
  constexpr const char *Last =
      "SELECT id FROM {{chosen}} AS c ORDER BY begun_ns DESC, id DESC LIMIT 1";
  constexpr const char *First =
      "SELECT id FROM {{chosen}} AS c WHERE branch = (SELECT branch FROM "
      "builds WHERE id = :head LIMIT 1) AND (:metric NOT IN ('self', 'time') "
      "OR machine = (SELECT machine FROM builds WHERE id = :head LIMIT 1)) "
      "AND begun_ns <= (SELECT begun_ns FROM builds WHERE id = :head LIMIT 1) "
      "ORDER BY begun_ns, id LIMIT 1";
  for (auto [Option, Default] : {std::pair{"head", Last}, {"base", First}}) {
    if (Options.contains(Option)) {
      Result<int64_t> Build = buildOf(Option);
      if (!Build)
        return Build.error();
      Values[Option] = *Build;
      continue;
    }
    Result<std::optional<int64_t>> Build = firstNumber(Default, Values);
    if (!Build)
      return Build.error();
    if (!*Build && Option == std::string_view("base"))
      return makeError(Of.place(),
                       "no build that the options choose on the head's branch "
                       "and, of times, its kind of machine, up to the head",
                       "one, or --base");
    if (!*Build)
      return makeError(Of.place(), "no build that the options choose", "one");
    Values[Option] = **Build;
  }
  return {};
}

std::string moreText(const std::vector<AnswerCell> &Row) {
  const auto *Kind = std::get_if<std::string>(&Row[0]);
  const auto *Count = std::get_if<int64_t>(&Row[1]);
  const auto *Builds = std::get_if<int64_t>(&Row[2]);
  if (!Kind || !Count || !Builds)
    return "something that cannot be read";
  return *Kind + ": " + groupedText(static_cast<uint64_t>(*Count)) + " in " +
         counted(static_cast<uint64_t>(*Builds), "build");
}

Result<void> Asker::readMissing() {
  AnswerTable Found;
  if (Result<void> Done = read(
          "SELECT kind, sum(count) AS parts, count(DISTINCT {{build_key}}) AS "
          "builds FROM missing WHERE {{build_key}} {{in}} (SELECT build_key "
          "FROM {{chosen}} AS c) GROUP BY kind ORDER BY kind",
          Found);
      !Done)
    return Done;
  for (const auto &Row : Found.Rows)
    A.Missing.push_back(moreText(Row));
  Result<std::optional<int64_t>> Builds =
      firstNumber("SELECT count(*) AS builds FROM {{chosen}} AS c", Values);
  if (!Builds)
    return Builds.error();
  A.Builds = static_cast<uint64_t>(Builds->value_or(0));
  return {};
}

double realOf(const AnswerCell &Cell) {
  if (const auto *Number = std::get_if<int64_t>(&Cell))
    return static_cast<double>(*Number);
  const auto *Real = std::get_if<double>(&Cell);
  return Real ? *Real : 0;
}

Result<void> Asker::addDetail(const AnswerTable &Series, const Step &S) {
  size_t Build = Series.column("build");
  Values["before"] = static_cast<int64_t>(realOf(Series.Rows[S.At - 1][Build]));
  Values["after"] = static_cast<int64_t>(realOf(Series.Rows[S.At][Build]));
  AnswerTable Detail;
  Detail.Title = "what changed in build " +
                 std::to_string(std::get<int64_t>(Values["after"]));
  if (Result<void> Done = read(Of.sqlOf(Asked, true), Detail); !Done)
    return Done;
  if (!Detail.Rows.empty())
    A.Details.push_back(std::move(Detail));
  return {};
}

/// Builds in between are of the head's kind of machine; the base is what was
/// asked for.
Result<void> Asker::noteMachines() {
  Result<std::optional<int64_t>> Other = firstNumber(
      "SELECT count(*) AS others FROM builds WHERE id = :base AND machine <> "
      "(SELECT machine FROM builds WHERE id = :head LIMIT 1)",
      Values);
  if (!Other)
    return Other.error();
  if (Other->value_or(0) != 0)
    A.Notes.emplace_back("the base was built on another kind of machine than "
                         "the head: their times are not comparable");
  return {};
}

/// A source that several targets have is one unit of several compiles, of which
/// a build of a part has fewer.
Result<void> Asker::noteUnequalUnits() {
  SqlValues OfAll = Values;
  for (const char *Name : FilterNames)
    OfAll.erase(Name);
  Result<std::optional<int64_t>> Unequal = firstNumber(
      "SELECT count(*) AS units FROM (SELECT unit FROM (SELECT unit, "
      "{{build_key}}, count(*) AS times FROM compiles WHERE {{build_key}} "
      "{{in}} (SELECT build_key FROM {{chosen}} AS c WHERE id = :base OR id = "
      ":head) GROUP BY unit, {{build_key}}) AS t GROUP BY unit HAVING "
      "min(times) <> max(times)) AS u",
      OfAll);
  if (!Unequal)
    return Unequal.error();
  if (auto Count = static_cast<uint64_t>(Unequal->value_or(0)))
    A.Notes.push_back(counted(Count, "unit") +
                      " compiled more often in the base or in the head than in "
                      "the other: left out");
  return {};
}

/// Builds without some of the units, or with more compiles of one, are no
/// points of the series.
Result<void> Asker::addSteps() {
  AnswerTable &Rows = A.Rows;
  size_t Units = Rows.column("units"), Common = Rows.column("common_units");
  size_t Partial = std::erase_if(Rows.Rows, [&](const auto &Row) {
    return realOf(Row[Units]) < realOf(Row[Common]);
  });
  if (Partial != 0)
    A.Notes.push_back(counted(Partial, "build") +
                      " that did not compile each compared unit as often: left "
                      "out");
  // The base and the head have no unit in common.
  std::erase_if(Rows.Rows,
                [&](const auto &Row) { return realOf(Row[Common]) == 0; });
  if (Result<void> Noted = noteUnequalUnits(); !Noted)
    return Noted;
  if (Rows.Rows.size() < 2)
    A.Notes.emplace_back("fewer than two builds can be compared");
  if (isTime())
    if (Result<void> Noted = noteMachines(); !Noted)
      return Noted;
  size_t ValueAt = Rows.column("value");
  std::vector<double> Series;
  for (const auto &Row : Rows.Rows)
    Series.push_back(realOf(Row[ValueAt]));
  Steps S = findSteps(Series, !isTime());
  if (!S.IsNoiseKnown && Series.size() > 1)
    A.Notes.push_back("a step of times takes " + std::to_string(LeastTimes) +
                      " builds at least, since times vary by themselves; "
                      "counts need two");
  AnswerTable Found;
  Found.Title = "steps";
  Found.Columns = {"build",  "commit_id",     "author",
                   "before", "after",         "change",
                   "noise",  "builds_before", "builds_after"};
  auto whole = [](double Value) {
    return AnswerCell(static_cast<int64_t>(std::llround(Value)));
  };
  for (const Step &Each : S.Found) {
    const auto &Row = Rows.Rows[Each.At];
    Found.Rows.push_back(
        {Row[Rows.column("build")], Row[Rows.column("commit_id")],
         Row[Rows.column("author")], whole(Each.Before), whole(Each.After),
         whole(Each.After - Each.Before), whole(S.Noise),
         AnswerCell(static_cast<int64_t>(Each.BuildsBefore)),
         AnswerCell(static_cast<int64_t>(Each.BuildsAfter))});
  }
  A.Details.push_back(std::move(Found));
  // What the largest one up consists of; where all go down, the largest down.
  bool GoesUp = std::any_of(S.Found.begin(), S.Found.end(), [](const Step &Of) {
    return Of.After > Of.Before;
  });
  auto size = [GoesUp](const Step &Of) {
    return GoesUp ? Of.After - Of.Before : Of.Before - Of.After;
  };
  auto Largest = std::max_element(
      S.Found.begin(), S.Found.end(),
      [&](const Step &L, const Step &R) { return size(L) < size(R); });
  return Largest == S.Found.end() ? Result<void>() : addDetail(Rows, *Largest);
}

Result<Answer> Asker::ask() {
  A.Of = Asked;
  A.Options.assign(Options.begin(), Options.end());
  if (Result<void> Checked = checkOptions(); !Checked)
    return Checked.error();
  if (Result<void> Set = setBudget(); !Set)
    return Set.error();
  if (Result<void> Set = setRange(); !Set)
    return Set.error();
  if (Result<void> Done = read(Of.sqlOf(Asked, false), A.Rows); !Done)
    return Done.error();
  // Of a series, those that one asks about: the latest. The question has all,
  // since current servers find no column of a view that is cut so and joined.
  if (auto Most = std::get<int64_t>(Values["rows"]);
      Asked.DrawsLine && !Asked.HasSteps && Most > 0 &&
      A.Rows.Rows.size() > static_cast<size_t>(Most))
    A.Rows.Rows.erase(A.Rows.Rows.begin(), A.Rows.Rows.end() - Most);
  if (Result<void> Done = readMissing(); !Done)
    return Done.error();
  if (Asked.HasSteps)
    if (Result<void> Done = addSteps(); !Done)
      return Done.error();
  nameUnits(A.Rows);
  for (AnswerTable &Detail : A.Details)
    nameUnits(Detail);
  if (A.Rows.column(A.Of.DrawnColumn) == AnswerTable::npos)
    A.Of.DrawnColumn = A.Rows.column("value_ns") == AnswerTable::npos
                           ? "value_bytes"
                           : "value_ns";
  return std::move(A);
}

/// One number and the letter of a unit.
std::optional<uint64_t> parseAgo(const std::string &Text) {
  uint64_t Count = 0;
  auto [End, Failed] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Count);
  if (Failed != std::errc() || End + 1 != Text.data() + Text.size())
    return std::nullopt;
  uint64_t UnitS = *End == 'd' ? 86400 : *End == 'h' ? 3600 : 60;
  if (*End != 'd' && *End != 'h' && *End != 'm')
    return std::nullopt;
  if (Count > UINT64_MAX / (UnitS * SecondNs))
    return std::nullopt;
  return Count * UnitS * SecondNs;
}

} // namespace

size_t AnswerTable::column(const std::string &Name) const {
  auto At = std::find(Columns.begin(), Columns.end(), Name);
  return At == Columns.end() ? npos : static_cast<size_t>(At - Columns.begin());
}

std::string instantrace::optionName(const std::string &Option) {
  return Option == "rows" ? "-n" : "--" + Option;
}

Result<uint64_t> instantrace::parseMoment(const std::string &Text,
                                          uint64_t NowNs) {
  if (std::optional<uint64_t> Ago = parseAgo(Text))
    return NowNs - std::min(*Ago, NowNs);
  for (const char *Format : {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"})
    for (const char *Zone : {"", "Z"}) {
      std::tm Parts = {};
      std::string Whole = std::string(Format) + Zone;
      const char *End = ::strptime(Text.c_str(), Whole.c_str(), &Parts);
      if (!End || *End != '\0')
        continue;
      int Day = Parts.tm_mday; // of 31 February it would be another
      time_t Seconds = ::timegm(&Parts);
      if (Day == Parts.tm_mday && Seconds >= 0 &&
          static_cast<uint64_t>(Seconds) < INT64_MAX / SecondNs)
        return static_cast<uint64_t>(Seconds) * SecondNs;
    }
  return Error{
      "a date such as 2026-11-24 or 2026-11-24T12:00 (UTC), or so long "
      "ago: 7d, 12h, 30m"};
}

Result<Answer> instantrace::ask(Store &Of, const Question &Asked,
                                const AskOptions &Options) {
  return Asker(Of, Asked, Options).ask();
}

Result<AnswerTable> instantrace::listBuilds(Store &Of) {
  AnswerTable Builds;
  if (Result<void> Done = Of.read(
          "SELECT id AS build, begun_ns, commit_id, branch, author, modified, "
          "host, units, missing, wall_ns, command FROM builds ORDER BY "
          "begun_ns DESC, build DESC",
          {}, nullptr, Builds);
      !Done)
    return Done.error();
  return Builds;
}
