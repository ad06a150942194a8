/// \file
/// The build on paper: what was measured comes out when nothing changes, and
/// what changes is what a build would do.
#include "utils/analysis/costs/BuildSchedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace instantrace;

namespace {

struct Span {
  uint64_t First = UINT64_MAX, Last = 0, Busy = 0;
};
Span spanOf(const std::vector<CompileTimes> &Compiles) {
  Span S;
  for (const CompileTimes &C : Compiles) {
    S.First = std::min(S.First, C.BeginNs);
    S.Last = std::max(S.Last, C.EndNs);
    S.Busy += C.durationNs();
  }
  return S;
}

/// Looks at each moment.
size_t mostAtOnce(const std::vector<CompileTimes> &Compiles) {
  size_t Most = 0;
  for (const CompileTimes &Times : Compiles)
    Most = std::max(Most,
                    static_cast<size_t>(std::count_if(
                        Compiles.begin(), Compiles.end(), [&](const auto &C) {
                          return C.BeginNs <= Times.BeginNs &&
                                 Times.BeginNs < C.EndNs;
                        })));
  return Most;
}

TEST(BuildSchedule, GivesWhatWasMeasured) {
  for (unsigned Seed = 0; Seed != 500; ++Seed) {
    std::mt19937 Random(Seed);
    std::vector<CompileTimes> Compiles(1 + Random() % 40);
    for (CompileTimes &C : Compiles) {
      C.BeginNs = 1000 + Random() % 200;
      C.EndNs = C.BeginNs + 1 + Random() % (Seed % 2 ? 20 : 150);
    }
    BuildSchedule Schedule(Compiles);
    Span S = spanOf(Compiles);
    ASSERT_EQ(Schedule.wallNs(), S.Last - S.First) << "seed " << Seed;
    EXPECT_EQ(Schedule.busyNs(), S.Busy);
    EXPECT_EQ(Schedule.mostAtOnce(), mostAtOnce(Compiles)) << "seed " << Seed;
    // The path ends with the end, is in order, and does not overlap.
    std::vector<size_t> Path = Schedule.criticalPath();
    ASSERT_FALSE(Path.empty());
    EXPECT_EQ(Compiles[Path.back()].EndNs, S.Last);
    for (size_t I = 1; I < Path.size(); ++I)
      EXPECT_LE(Compiles[Path[I - 1]].EndNs, Compiles[Path[I]].BeginNs);
    // Nothing ends before the first of the path began.
    for (const CompileTimes &C : Compiles)
      EXPECT_GT(C.EndNs, Compiles[Path.front()].BeginNs);
    // Shorter compiles of a build never take it longer than all saved time.
    std::vector<uint64_t> All;
    for (const CompileTimes &C : Compiles)
      All.push_back(C.durationNs());
    EXPECT_LE(Schedule.wallIf(All), S.Last - S.First);
    EXPECT_EQ(Schedule.wallIf(std::vector<uint64_t>(Compiles.size())),
              Schedule.wallNs());
  }
}

TEST(BuildSchedule, OneBehindTheOther) {
  BuildSchedule Schedule({{100, 110}, {110, 140}, {145, 150}});
  EXPECT_EQ(Schedule.mostAtOnce(), 1u);
  EXPECT_EQ(Schedule.idleNs(), 5u);
  EXPECT_EQ(Schedule.criticalPath(), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(Schedule.wallIf({0, 20, 0}), 30u);
  EXPECT_EQ(Schedule.wallIf({100, 100, 100}), 5u) << "what it waited for stays";
}

TEST(BuildSchedule, SavesNothingBesideTheCriticalPath) {
  // Two at once; the long one is beside three short ones.
  BuildSchedule Schedule({{0, 100}, {0, 30}, {30, 60}, {60, 80}});
  EXPECT_EQ(Schedule.criticalPath(), (std::vector<size_t>{0}));
  EXPECT_EQ(Schedule.wallIf({0, 30, 30, 0}), 100u);
  // When it is short, its place is there for the others.
  EXPECT_EQ(Schedule.wallIf({90, 0, 0, 0}), 50u);
  EXPECT_EQ(Schedule.wallIf({50, 0, 0, 0}), 70u);
}

TEST(BuildSchedule, WhoWaitedForSomethingElseStillDoes) {
  // There was room for the last one, which waited for the first to end.
  BuildSchedule Schedule({{0, 50}, {0, 100}, {10, 30}, {55, 120}});
  EXPECT_EQ(Schedule.mostAtOnce(), 3u);
  EXPECT_EQ(Schedule.wallIf({40, 0, 0, 0}), 100u)
      << "it begins at 25, after the third, and ends at 90";
}

TEST(BuildSchedule, TakesWhatTakesNoTime) {
  BuildSchedule Schedule({{7, 7}, {7, 7}, {9, 5}});
  EXPECT_EQ(Schedule.wallNs(), 3u);
  EXPECT_EQ(Schedule.criticalPath().back(), 2u);
}

TEST(BuildSchedule, WhatIsUpToDateIsNotWaitedFor) {
  // Two at once; the third has its place when the second ends, the last began
  // 5 after that while there was room.
  BuildSchedule Schedule({{0, 100}, {0, 30}, {30, 80}, {105, 115}});
  EXPECT_EQ(Schedule.wallIf({}, {true, true, true, true}), Schedule.wallNs());
  EXPECT_EQ(Schedule.wallIf({}, {false, false, true, false}), 50u);
  EXPECT_EQ(Schedule.wallIf({}, {false, true, true, false}), 50u) << "room";
  EXPECT_EQ(Schedule.wallIf({}, {false, false, false, true}), 10u);
  EXPECT_EQ(Schedule.wallIf({}, {true, false, false, true}), 115u);
  EXPECT_EQ(Schedule.wallIf({0, 0, 20, 0}, {false, false, true, false}), 30u);
  EXPECT_EQ(Schedule.wallIf({}, std::vector<bool>(4)), 0u);
}

TEST(BuildSchedule, ATouchIsNoLongerThanTheBuildAndNoShorterThanItMustBe) {
  for (unsigned Seed = 0; Seed != 300; ++Seed) {
    std::mt19937 Random(Seed);
    std::vector<CompileTimes> Compiles(1 + Random() % 30);
    for (CompileTimes &C : Compiles) {
      C.BeginNs = 1000 + Random() % 200;
      C.EndNs = C.BeginNs + 1 + Random() % 60;
    }
    BuildSchedule Schedule(Compiles);
    std::vector<bool> Built, All(Compiles.size(), true);
    uint64_t BusyNs = 0, LongestNs = 0;
    for (const CompileTimes &C : Compiles) {
      Built.push_back(Random() % 3 == 0);
      BusyNs += Built.back() ? C.durationNs() : 0;
      LongestNs = std::max(LongestNs, Built.back() ? C.durationNs() : 0);
    }
    EXPECT_EQ(Schedule.wallIf({}, All), Schedule.wallNs()) << "seed " << Seed;
    const uint64_t WallNs = Schedule.wallIf({}, Built);
    EXPECT_GE(WallNs, LongestNs) << "seed " << Seed;
    EXPECT_GE(WallNs * Schedule.mostAtOnce(), BusyNs) << "seed " << Seed;
    EXPECT_LE(WallNs, Schedule.wallNs() + BusyNs) << "seed " << Seed;
  }
}

} // namespace
