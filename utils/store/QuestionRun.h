/// \file
/// How a store is asked one question: the steps of `ask`, and what they share.
///
/// Flow:   options (QuestionOptions.cpp) -> builds that they name
///         (NamedBuilds.cpp) -> rows -> steps in them (QuestionSteps.cpp)
///         -> Answer
/// Errors: those of AskStore.h, the only file that others include
#pragma once

#include "utils/analysis/costs/Budget.h"
#include "utils/store/AskStore.h"
#include "utils/store/Steps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// What chooses builds, of which {{chosen}} is made.
inline constexpr const char *FilterNames[] = {"since", "until", "branch",
                                              "machine", "clang"};

std::string listOf(const auto &Words) {
  std::string Text;
  for (const auto &Word : Words)
    Text.append(Text.empty() ? "" : ", ").append(Word);
  return Text;
}

/// How the text of --base or --head may be meant.
struct BuildWay {
  std::string Condition;    ///< of SQL
  bool NamesBranch = false; ///< so that --branch is about other builds
  bool NamesBuild = false;  ///< whatever the options choose
};

class QuestionRun {
public:
  QuestionRun(Store &Db, const Question &Asked, const AskOptions &Options);

  Result<Answer> ask();

private:
  // QuestionOptions.cpp
  Result<void> checkOptions();
  Result<void> readBounds();
  void setBound(const Bound &B);
  // NamedBuilds.cpp
  Result<void> setRange();
  Result<std::string> commitOf(const std::string &Text);
  Result<int64_t> buildOf(const std::string &Option);
  Result<std::optional<int64_t>> latestOf(const BuildWay &Way);
  // QuestionRun.cpp
  Result<std::optional<int64_t>> firstNumber(const std::string &Sql,
                                             const SqlValues &With);
  Result<void> read(const std::string &Sql, AnswerTable &Into);
  void cutSeries(AnswerTable &Table);
  Result<void> readBudget();
  Result<void> readMissing();
  Result<void> noteAbsentName();
  Result<void> needColumns(const AnswerTable &Table,
                           std::initializer_list<const char *> Names) const;
  void nameUnits(AnswerTable &Table) const;
  // QuestionSteps.cpp
  Result<void> noteMachines();
  Result<void> noteUnequalUnits();
  Result<void> addSteps();
  Result<void> addDetail(const AnswerTable &Series, const Step &S);
  /// Empty: the question has none.
  std::string_view metric() const;
  bool isTime() const;

  Store &Db;
  const Question &Asked;
  const AskOptions &Options;
  uint64_t NowNs;
  SqlValues Values; ///< of parameters
  std::vector<Bound> Bounds;
  bool HasBudgetFile = false;
  const Bound *Budget = nullptr; ///< the one that is asked about
  Answer A;
};

} // namespace instantrace
