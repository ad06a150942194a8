#include "utils/render/NumberText.h"
#include "utils/store/QuestionRun.h"
#include "utils/store/StoreFiles.h"

#include <algorithm>
#include <cmath>

using namespace instantrace;

bool QuestionRun::isTime() const {
  return metric() == "time" || metric() == "self";
}

Result<void> QuestionRun::addDetail(const AnswerTable &Series, const Step &S) {
  size_t Build = Series.column("build");
  Values["before"] =
      static_cast<int64_t>(realOf(Series.Rows[S.End - 1][Build]));
  Values["after"] = static_cast<int64_t>(realOf(Series.Rows[S.End][Build]));
  AnswerTable Detail;
  Detail.Title = "what changed in build " +
                 std::to_string(std::get<int64_t>(Values["after"]));
  INSTANTRACE_TRY(read(Db.sqlOf(Asked, true), Detail));
  if (!Detail.Rows.empty())
    A.Details.push_back(std::move(Detail));
  return {};
}

/// Builds in between are of the head's kind of machine; the base is what was
/// asked for.
Result<void> QuestionRun::noteMachines() {
  INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Other,
                         firstNumber(storeStatement("machine"), Values));
  if (Other.value_or(0) != 0)
    A.Notes.emplace_back("the base was built on another kind of machine than "
                         "the head: their times are not comparable");
  return {};
}

/// A source that several targets have is one unit of several compiles, of which
/// a build of a part has fewer.
Result<void> QuestionRun::noteUnequalUnits() {
  SqlValues OfAll = Values;
  for (const char *Name : FilterNames)
    OfAll.erase(Name);
  INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Unequal,
                         firstNumber(storeStatement("unequal"), OfAll));
  if (auto Count = static_cast<uint64_t>(Unequal.value_or(0)))
    A.Notes.push_back(counted(Count, "unit") +
                      " compiled more often in the base or in the head than in "
                      "the other: left out");
  return {};
}

/// Builds without some of the units, or with more compiles of one, are no
/// points of the series.
Result<void> QuestionRun::addSteps() {
  AnswerTable &Rows = A.Rows;
  INSTANTRACE_TRY(needColumns(Rows, {"build", "commit_id", "author", "units",
                                     "common_units", "value"}));
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
  INSTANTRACE_TRY(noteUnequalUnits());
  if (Rows.Rows.size() < 2)
    A.Notes.emplace_back("fewer than two builds can be compared");
  if (isTime())
    INSTANTRACE_TRY(noteMachines());
  size_t ValueAt = Rows.column("value");
  std::vector<double> Series;
  for (const auto &Row : Rows.Rows)
    Series.push_back(realOf(Row[ValueAt]));
  Steps S = findSteps(Series, !isTime() && metric() != "memory");
  if (!S.IsNoiseKnown && Series.size() > 1)
    A.Notes.push_back("a step of times or memory takes " +
                      std::to_string(LeastTimes) +
                      " builds at least, since these vary by themselves; "
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
    const auto &Row = Rows.Rows[Each.End];
    Found.Rows.push_back(
        {Row[Rows.column("build")], Row[Rows.column("commit_id")],
         Row[Rows.column("author")], whole(Each.Before), whole(Each.After),
         whole(Each.After - Each.Before), whole(S.Noise),
         AnswerCell(static_cast<int64_t>(Each.BuildsBefore)),
         AnswerCell(static_cast<int64_t>(Each.BuildsAfter))});
  }
  A.Details.push_back(std::move(Found));
  // What the largest one up consists of; where all go down, the largest down.
  bool GoesUp =
      std::any_of(S.Found.begin(), S.Found.end(),
                  [](const Step &One) { return One.After > One.Before; });
  auto size = [GoesUp](const Step &One) {
    return GoesUp ? One.After - One.Before : One.Before - One.After;
  };
  auto Largest = std::max_element(
      S.Found.begin(), S.Found.end(),
      [&](const Step &L, const Step &R) { return size(L) < size(R); });
  return Largest == S.Found.end() ? Result<void>() : addDetail(Rows, *Largest);
}
