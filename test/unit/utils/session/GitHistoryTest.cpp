/// \file
/// What git log prints, as readGitHistory() asks for it; hostile ones, too.
#include "utils/session/GitHistory.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace std::string_literals;

namespace {

using Names = std::vector<std::string>;

std::string commit(const std::string &Head, const std::string &Changes) {
  return "\0"s + Head + "\0"s + (Changes.empty() ? "" : "\n" + Changes);
}

GitHistory parsed(const std::string &Log, GitHistory Into = {}) {
  Result<void> Parsed = parseGitLog(Log, Into);
  EXPECT_TRUE(Parsed) << (Parsed ? "" : Parsed.error().Message);
  return Into;
}

TEST(GitHistoryTest, NamesAreBytes) {
  GitHistory H = parsed(commit("200 aa", "M\0a b.h\0A\0\nM\0"s) +
                        commit("190 aa bb", "") + commit("180 aa", "D\0a\0"s));
  EXPECT_EQ(H.Commits, (std::vector<Names>{{"\nM", "a b.h"}, {}, {"a"}}));
  EXPECT_EQ(H.BeginSeconds, 0u) << "as it was asked for";
  EXPECT_TRUE(parsed("").Commits.empty());
}

TEST(GitHistoryTest, ARenamedFileHasItsCommitsBefore) {
  GitHistory H = parsed(
      commit("9 p", "M\0new\0"s) + commit("8 p", "R100\0old\0new\0"s) +
      commit("7 p", "M\0old\0"s) + commit("6 p", "R090\0oldest\0old\0"s) +
      commit("5", "A\0oldest\0"s));
  for (const Names &Files : H.Commits)
    EXPECT_EQ(Files, Names{"new"});
  EXPECT_EQ(H.BeginSeconds, 5u) << "that of the first commit of all";
}

TEST(GitHistoryTest, ANameThatIsUsedAgainIsNoEarlierOne) {
  GitHistory Tracked;
  Tracked.Tracked = {"old", "new"};
  GitHistory H =
      parsed(commit("9 p", "M\0old\0"s) + commit("8 p", "R100\0old\0new\0"s) +
                 commit("7 p", "M\0old\0"s),
             Tracked);
  EXPECT_EQ(H.Commits, (std::vector<Names>{{"old"}, {"new"}, {"new"}}));
}

TEST(GitHistoryTest, ABranchMayGoOnWithTheNameBefore) {
  GitHistory Tracked;
  Tracked.Tracked = {"new"};
  GitHistory H = parsed(
      commit("9 p", "M\0old\0"s) + commit("8 p", "R100\0old\0new\0"s), Tracked);
  EXPECT_EQ(H.Commits, (std::vector<Names>{{"new"}, {"new"}}));
  // Two names that became each other, and are both gone.
  parsed(commit("9 p", "R100\0a\0b\0"s) + commit("8 p", "R100\0b\0a\0"s));
}

TEST(GitHistoryTest, TheEndOfAShallowCloneIsNoTouch) {
  GitHistory Shallow;
  Shallow.IsShallow = true;
  GitHistory H =
      parsed(commit("9 p", "M\0a\0"s) + commit("8", "A\0a\0A\0b\0"s), Shallow);
  EXPECT_EQ(H.Commits, (std::vector<Names>{{"a"}, {}}));
}

TEST(GitHistoryTest, OfWhatIsCutTheLastCommitIsLeftOut) {
  const std::string First = commit("9 p", "M\0a\0"s),
                    Second = commit("8 p", "M\0a\0M\0b\0"s);
  for (size_t Length = 0; Length != Second.size(); ++Length) {
    GitHistory Cut;
    Cut.IsCut = true;
    GitHistory H = parsed(
        First + commit("8 p", "M\0b\0"s) + Second.substr(0, Length), Cut);
    EXPECT_LE(H.Commits.size(), 2u) << Length;
    EXPECT_GE(H.Commits.size(), 1u) << Length;
    EXPECT_EQ(H.Commits[0], Names{"a"}) << Length;
    EXPECT_GE(H.BeginSeconds, 8u) << Length;
  }
}

TEST(GitHistoryTest, SomethingElseIsAnError) {
  for (const std::string &Log :
       {"words"s, "words\0"s, "\0words\0"s, "\0"s + "99999999999999999999\0"s,
        commit("9", "M\0a\0"s) + "rest"}) {
    GitHistory Into;
    EXPECT_FALSE(parseGitLog(Log, Into)) << Log;
  }
}

} // namespace
