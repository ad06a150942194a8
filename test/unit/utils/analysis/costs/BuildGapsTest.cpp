/// \file
/// When nothing of a build was compiled.
#include "utils/analysis/costs/BuildGaps.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

TEST(BuildGapsTest, TimeBeforeBetweenAndAfterCompiles) {
  std::vector<BuildGap> Gaps =
      buildGaps({{40, 50}, {10, 20}, {15, 18}}, {}, {5, 100});
  ASSERT_EQ(Gaps.size(), 3u);
  EXPECT_EQ(Gaps[0].Times.BeginNs, 50u);
  EXPECT_EQ(Gaps[0].Times.EndNs, 100u);
  EXPECT_TRUE(Gaps[0].IsLast);
  EXPECT_EQ(Gaps[1].Times.durationNs(), 20u);
  EXPECT_FALSE(Gaps[1].IsFirst || Gaps[1].IsLast);
  EXPECT_TRUE(Gaps[2].IsFirst);
  EXPECT_EQ(Gaps[2].Times.durationNs(), 5u);
}

TEST(BuildGapsTest, ALinkIsInAGapWithWhatIsInsideOfIt) {
  std::vector<BuildGap> Gaps = buildGaps(
      {{0, 10}, {30, 40}},
      {{"short", {12, 13}}, {"app", {8, 25}}, {"wrong", {20, 5}}}, {0, 40});
  ASSERT_EQ(Gaps.size(), 1u);
  ASSERT_EQ(Gaps[0].Links.size(), 2u);
  EXPECT_EQ(Gaps[0].Links[0].Link, 1u);
  EXPECT_EQ(Gaps[0].Links[0].Ns, 15u);
  EXPECT_EQ(Gaps[0].Links[1].Ns, 1u);
}

TEST(BuildGapsTest, WhatCompilesAllTheTimeHasNone) {
  EXPECT_TRUE(buildGaps({{0, 10}, {5, 20}}, {}, {3, 15}).empty());
}

} // namespace
