/// \file
/// How many compiles fit into memory at once.
#include "utils/analysis/overview/Overview.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

TEST(OverviewTest, TheLargestUnitsFitIntoMemory) {
  OverviewSums Sums;
  Sums.PeaksBytes = {100, 300, 200};
  EXPECT_EQ(Sums.parallelUnits(600), 3u);
  EXPECT_EQ(Sums.parallelUnits(599), 2u);
  EXPECT_EQ(Sums.parallelUnits(499), 1u);
  EXPECT_EQ(Sums.parallelUnits(299), 0u);
}

TEST(OverviewTest, OfTwoBuildsTheLargestUnitIsKept) {
  OverviewSums Sums, Larger, Unknown;
  Sums.PeaksBytes = {100};
  Sums.Largest = {"a.cpp", "/w", 100};
  Larger.PeaksBytes = {200};
  Larger.Largest = {"b.cpp", "/w", 200};
  Sums.add(Larger);
  Sums.add(Unknown);
  EXPECT_EQ(Sums.Largest.Input, "b.cpp");
  EXPECT_EQ(Sums.parallelUnits(300), 2u);
}

} // namespace
