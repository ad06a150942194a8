/// \file
/// OwnWork: time in which either profiler worked is nobody's in both traces.
#include "test/unit/support/HookTraces.h"
#include "utils/bench/hooks/OwnWork.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

TEST(HookOwnWorkTest, ClockStandsStillInASpan) {
  StoppedClock Clock({{10, 15}});
  EXPECT_EQ(Clock.shownTimeNs(9), 9u);
  EXPECT_EQ(Clock.shownTimeNs(10), 10u);
  EXPECT_EQ(Clock.shownTimeNs(12), 10u);
  EXPECT_EQ(Clock.shownTimeNs(15), 10u);
  EXPECT_EQ(Clock.shownTimeNs(18), 13u);
}

TEST(HookOwnWorkTest, TimeInSeveralSpansIsTakenOnce) {
  // In no order: one inside another, one that overlaps, one that touches.
  StoppedClock Clock({{30, 35}, {12, 13}, {18, 25}, {10, 20}, {25, 26}});
  EXPECT_EQ(Clock.shownTimeNs(11), 10u);
  EXPECT_EQ(Clock.shownTimeNs(26), 10u);
  EXPECT_EQ(Clock.shownTimeNs(30), 14u);
  EXPECT_EQ(Clock.shownTimeNs(40), 19u);
}

TEST(HookOwnWorkTest, ClockWithoutSpansIsTheOther) {
  EXPECT_EQ(StoppedClock({}).shownTimeNs(7), 7u);
}

// The second session starts 100 ns after the first one. In the time of the
// machine, the first works from 1210 to 1220, the second from 1230 to 1260.
TEST(HookOwnWorkTest, WorkOfEitherIsTakenOutOfBoth) {
  SequenceBuilder A(1000), B(1100);
  A.begin(EventKind::Frontend, 0);
  A.begin(EventKind::TemplateInstantiation, 200);
  A.begin(EventKind::Profiling, 210);
  A.end(220).end(300).end(500);
  B.begin(EventKind::Frontend, 0);
  B.begin(EventKind::TemplateInstantiation, 100);
  B.begin(EventKind::Profiling, 130);
  B.end(160).end(200).end(400);
  B.S.Instants.emplace_back().TimeNs = 170;

  removeOwnWork(A.S, B.S);
  EXPECT_EQ(A.S.Intervals[0].durationNs(), 460u);
  EXPECT_EQ(A.S.Intervals[1].BeginNs, 200u);
  EXPECT_EQ(A.S.Intervals[1].durationNs(), 60u);
  EXPECT_EQ(A.S.Intervals[2].durationNs(), 0u);
  EXPECT_EQ(A.S.LastTimeNs, 460u);
  EXPECT_EQ(B.S.Intervals[0].durationNs(), 360u);
  EXPECT_EQ(B.S.Intervals[1].BeginNs, 100u);
  EXPECT_EQ(B.S.Intervals[1].durationNs(), 60u);
  EXPECT_EQ(B.S.Intervals[2].durationNs(), 0u);
  EXPECT_EQ(B.S.Instants[0].TimeNs, 130u);
}

// Times are rounded down to units of each session's own, so an event that
// follows the other's work may seem to lie inside it.
TEST(HookOwnWorkTest, EventInsideTheOthersWorkIsWhereItBegan) {
  SequenceBuilder A(0), B(0);
  A.begin(EventKind::Profiling, 16);
  A.end(32);
  B.leaf(8, 30, B.entity("f<int>", "f<$>"));
  removeOwnWork(A.S, B.S);
  EXPECT_EQ(B.S.Intervals[0].BeginNs, 8u);
  EXPECT_EQ(B.S.Intervals[0].EndNs, 16u);
}

} // namespace
