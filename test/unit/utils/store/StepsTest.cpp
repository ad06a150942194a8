#include "utils/store/Steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

using namespace instantrace;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

/// Builds of one speed, then of another, with a standard deviation.
std::vector<double> series(size_t Before, size_t After, double Low, double High,
                           double Deviation, unsigned Seed) {
  std::mt19937 Random(Seed);
  std::normal_distribution<double> Noise(0, Deviation);
  std::vector<double> Values;
  for (size_t I = 0; I != Before + After; ++I)
    Values.push_back((I < Before ? Low : High) + Noise(Random));
  return Values;
}

} // namespace

TEST(Steps, EachChangeOfACountIsOne) {
  Steps S = findSteps({10, 10, 12, 12, 11}, /*AreCounts=*/true);
  ASSERT_THAT(S.Found, SizeIs(2));
  EXPECT_EQ(S.Found[0].End, 2u);
  EXPECT_EQ(S.Found[0].Before, 10);
  EXPECT_EQ(S.Found[0].After, 12);
  EXPECT_EQ(S.Found[1].End, 4u);
  EXPECT_EQ(S.Noise, 0);
}

TEST(Steps, OfFewTimesNothingIsKnown) {
  EXPECT_FALSE(findSteps({}, false).IsNoiseKnown);
  EXPECT_FALSE(findSteps({1, 2, 30}, false).IsNoiseKnown);
  EXPECT_THAT(findSteps({1, 2, 30}, false).Found, IsEmpty());
  EXPECT_THAT(findSteps({}, true).Found, IsEmpty());
  EXPECT_THAT(findSteps({7}, true).Found, IsEmpty());
}

TEST(Steps, TimesWithoutNoiseHaveTheirStep) {
  Steps S = findSteps({5, 5, 5, 8, 8}, false);
  ASSERT_THAT(S.Found, SizeIs(1));
  EXPECT_EQ(S.Found[0].End, 3u);
  EXPECT_EQ(S.Found[0].BuildsBefore, 3u);
  EXPECT_EQ(S.Found[0].BuildsAfter, 2u);
}

// Noise of 3 %, a step of 20 %: found where it is, in nearly all series; where
// there is none, hardly any is found.
TEST(Steps, AStepIsFoundInNoiseAndNoiseIsNone) {
  unsigned Right = 0, Wrong = 0;
  for (unsigned Seed = 0; Seed != 200; ++Seed) {
    Steps With = findSteps(series(15, 15, 100, 120, 3, Seed), false);
    Right += With.Found.size() == 1 && With.Found[0].End == 15;
    Wrong += !findSteps(series(30, 0, 100, 100, 3, Seed), false).Found.empty();
  }
  EXPECT_GE(Right, 180u);
  EXPECT_LE(Wrong, 10u);
}

TEST(Steps, NoiseIsThatOfASingleBuild) {
  Steps S = findSteps(series(200, 200, 100, 150, 4, 1), false);
  EXPECT_NEAR(S.Noise, 4, 1);
}
