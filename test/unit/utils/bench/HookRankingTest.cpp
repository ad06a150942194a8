/// \file
/// Ranking: the first sets of two traces, and their order up to ties of 1 %.
#include "utils/bench/hooks/Ranking.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

struct Row {
  const char *Name;
  uint64_t CallbackNs, ObserverNs;
};

std::vector<PairedSet> sets(std::initializer_list<Row> Rows) {
  std::vector<PairedSet> Sets;
  for (const Row &R : Rows) {
    PairedSet &Set = Sets.emplace_back();
    Set.Key = Dictionary::keyOf(R.Name);
    Set.Name = R.Name;
    Set.Total.Callback.InclusiveNs = R.CallbackNs;
    Set.Total.Observer.InclusiveNs = R.ObserverNs;
  }
  return Sets;
}

TEST(HookRankingTest, EqualOrderHasNoViolation) {
  auto Sets = sets({{"c", 10, 9}, {"a", 1000, 900}, {"b", 500, 450}});
  Ranking R = ranking(Sets, Measure::Inclusive, 20);
  EXPECT_EQ(R.Compared, 3u);
  EXPECT_EQ(R.share(), 1);
  EXPECT_EQ(R.Violations, 0u);
}

size_t violations(std::initializer_list<Row> Rows) {
  return ranking(sets(Rows), Measure::Inclusive, 20).Violations;
}

TEST(HookRankingTest, OnePercentIsATie) {
  EXPECT_EQ(violations({{"a", 1000000, 1}, {"b", 990000, 2}}), 0u);
  EXPECT_EQ(violations({{"a", 1000000, 1}, {"b", 989999, 2}}), 2u);
}

TEST(HookRankingTest, MicrosecondIsATie) {
  EXPECT_EQ(violations({{"a", 2000, 1}, {"b", 1000, 2}}), 0u);
  EXPECT_EQ(violations({{"a", 2000, 1}, {"b", 999, 2}}), 2u);
}

TEST(HookRankingTest, SetAtAWrongPlaceMovesThoseBetween) {
  auto Sets = sets({{"a", 10000, 10}, {"b", 8000, 8000}, {"c", 6000, 6000}});
  Ranking R = ranking(Sets, Measure::Inclusive, 3);
  EXPECT_EQ(R.Shared, 3u);
  EXPECT_EQ(R.Violations, 3u);
}

TEST(HookRankingTest, SetThatIsOutOfTheFirstIsNotShared) {
  auto Sets = sets({{"a", 10000, 10000}, {"b", 8000, 0}, {"c", 6000, 6000}});
  Ranking R = ranking(Sets, Measure::Inclusive, 2);
  EXPECT_EQ(R.Compared, 2u);
  EXPECT_EQ(R.share(), 0.5);
  EXPECT_EQ(R.Violations, 1u);
}

TEST(HookRankingTest, NothingToCompareAgrees) {
  EXPECT_EQ(ranking({}, Measure::Self, 20).share(), 1);
  EXPECT_EQ(ranking({}, Measure::Self, 20).Violations, 0u);
}

TEST(HookRankingTest, WorstSetsDifferMost) {
  auto Sets = sets({{"a", 1000, 990}, {"b", 5, 80}, {"c", 60, 40}});
  auto Worst = worstSets(Sets, Measure::Inclusive, 2);
  ASSERT_EQ(Worst.size(), 2u);
  EXPECT_EQ(Worst[0]->Name, "b");
  EXPECT_EQ(Worst[1]->Name, "c");
}

} // namespace
