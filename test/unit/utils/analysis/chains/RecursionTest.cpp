/// \file
/// Recursion: depth, and whether N steps need N specializations or N * N.
#include "utils/analysis/chains/Recursion.h"
#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

const uint64_t Begin = beginOf(EventKind::TemplateInstantiation);

/// Names f<0>, f<1>, ... of f<$>; the events are added later.
class RecursionBuilder {
public:
  explicit RecursionBuilder(uint32_t Count, bool HasGrowingNames = false) {
    auto *Names = B.packet()->mutable_dictionary();
    Names->set_first_id(1);
    Names->add_entry()->set_marked_name("f<$>");
    auto *Entities = B.packet()->mutable_entities();
    Entities->set_first_id(1);
    for (uint32_t I = 0; I != Count; ++I) {
      std::string Arguments = std::to_string(I);
      if (HasGrowingNames)
        for (uint32_t J = 0; J != I; ++J)
          Arguments += ", int";
      Names->add_entry()->set_marked_name("f<" + Arguments + ">");
      Entities->add_name(I == 0 ? 2 : 1);
      Entities->add_template_set(I == 0 ? 1 : 0);
      Entities->add_declared_at(0);
      Entities->add_kind(proto::ENTITY_CLASS);
    }
    Events = B.packet()->mutable_events();
    Events->set_first_entity(1);
    Events->set_first_location(1);
  }
  void begin(uint64_t Entity) { add({Begin, 1, Entity, 0}); }
  void end() { add({endWith(8), 1}); }
  RecursionReport find() {
    T = read(B.bytes());
    TraceFilter Everything = *TraceFilter::make({});
    return findRecursion(T, Everything);
  }

  Trace T;

private:
  void add(std::initializer_list<uint64_t> Record) {
    for (uint64_t Field : Record)
      Events->add_record(Field);
  }
  TraceBuilder B;
  proto::EventBatch *Events;
};

TEST(RecursionTest, StepsThatNeedOneEachAreLinear) {
  RecursionBuilder B(20);
  for (int I = 0; I != 20; ++I)
    B.begin(1);
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
  RecursionBuilder B(20, true);
  for (int I = 0; I != 20; ++I)
    B.begin(1);
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
  RecursionBuilder B(55);
  for (int Step = 0; Step != 10; ++Step) {
    B.begin(1);
    for (int Leaf = Step + 1; Leaf != 10; ++Leaf) {
      B.begin(1);
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
  RecursionBuilder B(Steps * Times);
  for (int Time = 0; Time != Times; ++Time) {
    for (int I = 0; I != Steps; ++I)
      B.begin(1);
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
  RecursionBuilder B(3);
  B.begin(1);
  B.begin(1);
  B.end();
  B.end();
  B.begin(1);
  B.begin(2); // of itself
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
  uint64_t Late = requestedOf(EventKind::TemplateInstantiation);
  B.events({Begin, 0, 1, 0, endWith(8), 1, //
            Late,  0, 1, 0, 1,          endWith(8), 1,
            Late,  0, 1, 0, 1,          endWith(8), 1});
  Trace T = read(B.bytes());
  TraceFilter Everything = *TraceFilter::make({});
  RecursionReport Report = findRecursion(T, Everything);
  ASSERT_EQ(Report.Recursions.size(), 1u);
  EXPECT_EQ(Report.Recursions[0].Depth, 3u);
  ASSERT_EQ(Report.Chains.size(), 1u);
  EXPECT_EQ(Report.Chains[0].Depth, 1u);
}

} // namespace
