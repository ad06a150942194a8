#include "utils/store/QuestionRun.h"
#include "utils/store/StoreFiles.h"

#include <algorithm>
#include <charconv>
#include <iterator>

using namespace instantrace;

/// The commit that \p Text is, or that alone begins with it; empty: there is
/// none. Errors: several begin with it.
Result<std::string> QuestionRun::commitOf(const std::string &Text) {
  constexpr size_t LeastCommit = 4, MostNamed = 5;
  if (Text.size() < LeastCommit)
    return std::string();
  // One row more says that there are others.
  Values["most"] = int64_t(MostNamed + 1);
  AnswerTable Found;
  INSTANTRACE_TRY(read(storeStatement("commits"), Found));
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
  return makeError(Db.place(),
                   "several commits that begin with " + Text + ": " +
                       listOf(Commits) + (HasMore ? " and others" : ""),
                   "more of one");
}

/// The latest that is meant so and that the options choose.
Result<std::optional<int64_t>> QuestionRun::latestOf(const BuildWay &Way) {
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
Result<int64_t> QuestionRun::buildOf(const std::string &Option) {
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
    INSTANTRACE_TRY_ASSIGN(std::string Commit, commitOf(Text));
    if (!Commit.empty()) {
      Values["commit"] = Commit;
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
    INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Id, latestOf(Way));
    if (Id)
      return *Id;
    if (!Way.NamesBuild)
      continue;
    INSTANTRACE_TRY_ASSIGN(
        Id, firstNumber("SELECT id FROM builds WHERE " + Way.Condition +
                            " ORDER BY begun_ns DESC, id DESC LIMIT 1",
                        Values));
    if (!Id)
      continue;
    A.Notes.push_back("the " + Option + ", build #" + std::to_string(*Id) +
                      ", is none that the options choose");
    return *Id;
  }
  bool HasFilters =
      std::any_of(std::begin(FilterNames), std::end(FilterNames),
                  [&](const char *Name) { return Values.contains(Name); });
  return makeError(Db.place(),
                   "no build of " + Text +
                       (HasFilters ? " that the options choose" : ""),
                   "a commit, a branch, a moment, or #BUILD of instantrace "
                   "store list");
}

/// Without --head the latest chosen build, without --base the earliest chosen
/// one of its branch; of times, on its kind of machine.
Result<void> QuestionRun::setRange() {
  if (!Asked.takes("base"))
    return {};
  for (const char *Option : {"head", "base"}) {
    if (Options.contains(Option)) {
      INSTANTRACE_TRY_ASSIGN(Values[Option], buildOf(Option));
      continue;
    }
    INSTANTRACE_TRY_ASSIGN(std::optional<int64_t> Build,
                           firstNumber(storeStatement(Option), Values));
    if (!Build && Option == std::string_view("base"))
      return makeError(Db.place(),
                       "no build that the options choose on the head's branch "
                       "and, of times, its kind of machine, up to the head",
                       "one, or --base");
    if (!Build)
      return makeError(Db.place(), "no build that the options choose", "one");
    Values[Option] = *Build;
  }
  return {};
}
