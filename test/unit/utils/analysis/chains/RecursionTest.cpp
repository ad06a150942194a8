/// \file
/// Recursion: depth, and whether N steps need N specializations or N * N.
#include "utils/analysis/chains/Recursion.h"

#include "test/unit/support/TraceBuilder.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// \p T has the names of the report from then on.
RecursionReport find(Trace &T) {
  RecursionSink Sink(T, *TraceFilter::make({}));
  feedAll(T, Sink);
  MergedNames Names;
  Names.enterTrace(T);
  MergedRecursion Merged;
  Merged.add(Sink.take(), T, Names);
  RecursionReport Report = Merged.take(Names.trace());
  T = Names.trace();
  return Report;
}

/// Names f<0>, f<1>, ... of f<$>; the events are added later, one each ns.
class RecursionBuilder {
public:
  explicit RecursionBuilder(bool HasGrowingNames = false)
      : HasGrowingNames(HasGrowingNames) {}

  /// Of the next specialization, or of the last one again.
  void begin(bool IsNew = true) {
    Count += IsNew;
    std::string Name = "f<" + std::to_string(Count - 1);
    for (uint32_t I = 1; HasGrowingNames && I < Count; ++I)
      Name += ", int";
    Name += ">";
    if (IsNew)
      B.entity(Name, "f<$>");
    B.begin(EventKind::TemplateInstantiation, ++TimeNs, Name);
  }
  void end() { B.end(++TimeNs, WithDefinition); }
  RecursionReport find() {
    T = read(B.bytes());
    return ::find(T);
  }

  Trace T;

private:
  TraceBuilder B;
  const bool HasGrowingNames;
  uint32_t Count = 0;
  uint64_t TimeNs = 0;
};

TEST(RecursionTest, StepsThatNeedOneEachAreLinear) {
  RecursionBuilder B;
  for (int I = 0; I != 20; ++I)
    B.begin();
  for (int I = 0; I != 20; ++I)
    B.end();
  RecursionReport Report = B.find();
  ASSERT_EQ(Report.Recursions.size(), 1u);
  const RecursionRow &Row = Report.Recursions[0];
  EXPECT_EQ(Row.Template.text(B.T, {}, 100), "f<$>");
  EXPECT_EQ(Row.Innermost.text(B.T, {}, 100), "f<19>");
  EXPECT_EQ(Row.Depth, 20u);
  EXPECT_EQ(Row.Specializations, 20u);
  EXPECT_EQ(Row.Recursions, 1u);
  EXPECT_EQ(Row.Total, 20u);
  EXPECT_EQ(Row.SelfNs, 40u - 1u) << "all but what precedes the first";
  EXPECT_EQ(Row.growth(), RecursionGrowth::Linear);
  EXPECT_FALSE(Row.hasGrowingNames());
  ASSERT_EQ(Report.Chains.size(), 1u);
  EXPECT_EQ(Report.Chains[0].Depth, 20u);
  EXPECT_EQ(Report.Chains[0].Frequency, 20u);
}

TEST(RecursionTest, ArgumentsThatGrowShowInTheNames) {
  RecursionBuilder B(/*HasGrowingNames=*/true);
  for (int I = 0; I != 20; ++I)
    B.begin();
  for (int I = 0; I != 20; ++I)
    B.end();
  RecursionReport Report = B.find();
  ASSERT_EQ(Report.Recursions.size(), 1u);
  EXPECT_EQ(Report.Recursions[0].growth(), RecursionGrowth::Linear);
  EXPECT_TRUE(Report.Recursions[0].hasGrowingNames());
  EXPECT_EQ(Report.Recursions[0].ShortestBytes, 4u);
  EXPECT_EQ(Report.Recursions[0].LongestBytes, 5u + 19 * 5);
}

// Of each step, as many leaves as steps are left: 10 steps, 55 in all.
TEST(RecursionTest, ATriangleIsQuadratic) {
  RecursionBuilder B;
  for (int Step = 0; Step != 10; ++Step) {
    B.begin();
    for (int Leaf = Step + 1; Leaf != 10; ++Leaf) {
      B.begin();
      B.end();
    }
  }
  for (int Step = 0; Step != 10; ++Step)
    B.end();
  RecursionReport Report = B.find();
  ASSERT_EQ(Report.Recursions.size(), 1u);
  EXPECT_EQ(Report.Recursions[0].Depth, 10u);
  EXPECT_EQ(Report.Recursions[0].Specializations, 55u);
  EXPECT_EQ(Report.Recursions[0].growth(), RecursionGrowth::Quadratic);
  EXPECT_FALSE(Report.Recursions[0].isRepeated());
}

TEST(RecursionTest, ManyLongLinearOnesAreQuadraticTogether) {
  constexpr int Steps = 32, Times = 8;
  RecursionBuilder B;
  for (int Time = 0; Time != Times; ++Time) {
    for (int I = 0; I != Steps; ++I)
      B.begin();
    for (int I = 0; I != Steps; ++I)
      B.end();
  }
  RecursionReport Report = B.find();
  ASSERT_EQ(Report.Recursions.size(), 1u);
  EXPECT_EQ(Report.Recursions[0].Recursions, uint64_t(Times));
  EXPECT_EQ(Report.Recursions[0].Specializations, uint64_t(Steps));
  EXPECT_TRUE(Report.Recursions[0].isRepeated());
  EXPECT_EQ(Report.Recursions[0].growth(), RecursionGrowth::Quadratic);
}

TEST(RecursionTest, FewStepsHaveNoShapeAndOneIsNoRecursion) {
  RecursionBuilder B;
  B.begin();
  B.begin();
  B.end();
  B.end();
  B.begin();
  B.begin(/*IsNew=*/false); // of itself
  B.end();
  B.end();
  RecursionReport Report = B.find();
  ASSERT_EQ(Report.Recursions.size(), 1u);
  EXPECT_EQ(Report.Recursions[0].Recursions, 1u);
  EXPECT_EQ(Report.Recursions[0].growth(), RecursionGrowth::Short);
}

// f<0> asks for the body of f<1>, which runs later, as do the others.
TEST(RecursionTest, LateBodiesAreSteps) {
  TraceBuilder B;
  B.names({"f<0>", "f<1>", "f<2>", "f<$>"});
  B.entities({{1, 4}, {2, 4}, {3, 4}});
  B.begin(EventKind::TemplateInstantiation, 0, "f<0>")
      .end(1, WithDefinition)
      .beginLate(EventKind::TemplateInstantiation, 1, "f<1>", "f<0>")
      .end(2, WithDefinition)
      .beginLate(EventKind::TemplateInstantiation, 2, "f<2>", "f<1>")
      .end(3, WithDefinition);
  Trace T = read(B.bytes());
  RecursionReport Report = find(T);
  ASSERT_EQ(Report.Recursions.size(), 1u);
  EXPECT_EQ(Report.Recursions[0].Depth, 3u);
  ASSERT_EQ(Report.Chains.size(), 1u);
  EXPECT_EQ(Report.Chains[0].Depth, 1u);
}

// The body of f<1> is asked for inside of what f<0> asks for, and that ends.
TEST(RecursionTest, WhatIsAroundARequesterIsOnTheWay) {
  TraceBuilder B;
  B.names({"f<0>", "f<1>", "f<$>", "g<0>", "g<$>"});
  B.entities({{1, 3}, {2, 3}, {4, 5}});
  B.begin(EventKind::TemplateInstantiation, 0, "f<0>")
      .begin(EventKind::TemplateInstantiation, 1, "g<0>")
      .end(2, WithDefinition)
      .end(3, WithDefinition)
      .beginLate(EventKind::TemplateInstantiation, 4, "f<1>", "g<0>")
      .end(5, WithDefinition);
  Trace T = read(B.bytes());
  RecursionReport Report = find(T);
  ASSERT_EQ(Report.Recursions.size(), 1u);
  EXPECT_EQ(Report.Recursions[0].Depth, 2u);
  EXPECT_EQ(Report.Recursions[0].Specializations, 2u);
}

} // namespace
