/// \file
/// Savings: what goes for certain, what may be needed by something else.
#include "utils/analysis/advice/Savings.h"

#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

constexpr EventKind Deduced = EventKind::DeducedTemplateArgumentSubstitution;

/// Without the first interval and what is at its place only.
Saving savingOfFirst(AdviceBuilder &B) {
  Trace T = read(B.bytes());
  CompileFacts C(T.Sequences[0]);
  std::vector<uint32_t> RootOf(C.S->Intervals.size(), NoRoot);
  RootOf[0] = 0;
  return savings(C, RootOf, 1)[0];
}

TEST(SavingsTest, AClassWithASingleHitGoesWithWhoAsked) {
  AdviceBuilder B;
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS);
  B.begin(Deduced);
  B.definition(X, 5);
  B.end(3, 1);
  B.leaf(Deduced, 0, 100);
  B.hits(X, 1);
  Saving S = savingOfFirst(B);
  EXPECT_EQ(S.LeastNs, 8u);
  EXPECT_EQ(S.EstimateNs, 8u);
  EXPECT_EQ(S.MostNs, 8u);
}

TEST(SavingsTest, WithoutHitsNoClassGoesForCertain) {
  AdviceBuilder B;
  B.mode(proto::MEMOIZATION_OFF);
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS);
  B.begin(Deduced);
  B.definition(X, 5);
  B.end(3);
  Saving S = savingOfFirst(B);
  EXPECT_EQ(S.LeastNs, 3u);
  EXPECT_EQ(S.MostNs, 8u);
}

// Four hits of which two happened inside: half of the 10 ns.
TEST(SavingsTest, AClassWithMoreHitsGoesByTheShareOfHitsInside) {
  AdviceBuilder B;
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS);
  B.begin(Deduced);
  B.definition(X, 10);
  B.end(3, 2);
  B.hits(X, 4);
  Saving S = savingOfFirst(B);
  EXPECT_EQ(S.LeastNs, 3u);
  EXPECT_EQ(S.EstimateNs, 8u);
  EXPECT_EQ(S.MostNs, 13u);
}

TEST(SavingsTest, WhatIsInADoubtfulClassIsDoubtful) {
  AdviceBuilder B;
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS);
  uint32_t Y = B.entity("Y<int>", "Y<$>", proto::ENTITY_CLASS);
  B.begin(Deduced);
  B.begin(EventKind::TemplateInstantiation, X);
  B.definition(Y, 4); // of a single hit, but X may be elsewhere
  B.endDefinition(10);
  B.end(1);
  B.hits(X, 2);
  B.hits(Y, 1);
  Saving S = savingOfFirst(B);
  EXPECT_EQ(S.LeastNs, 1u);
  EXPECT_EQ(S.EstimateNs, 1u) << "no hit was inside";
  EXPECT_EQ(S.MostNs, 15u);
}

TEST(SavingsTest, ALateBodyGoesWithWhoAskedUnlessOthersCall) {
  AdviceBuilder B;
  uint32_t F = B.entity("f<int>", "f<$>", proto::ENTITY_FUNCTION);
  uint32_t First = B.begin(Deduced);
  B.end(1);
  B.beginLate(F, First);
  B.leaf(Deduced, 0, 6);
  B.endDefinition(20);
  Saving S = savingOfFirst(B);
  EXPECT_EQ(S.LeastNs, 1u);
  EXPECT_EQ(S.MostNs, 27u);
}

TEST(SavingsTest, AnotherThingInsideCountsForItself) {
  AdviceBuilder B;
  B.begin(Deduced);
  B.begin(Deduced);
  B.leaf(Deduced, 0, 4);
  B.end(2);
  B.end(1);
  Trace T = read(B.bytes());
  CompileFacts C(T.Sequences[0]);
  std::vector<Saving> S = savings(C, {0, 1, NoRoot}, 2);
  EXPECT_EQ(S[0].MostNs, 1u);
  EXPECT_EQ(S[1].MostNs, 6u);
}

TEST(SavingsTest, OwnWorkOfTheProfilerIsNoSaving) {
  AdviceBuilder B;
  B.begin(Deduced);
  B.leaf(EventKind::Profiling, 0, 50);
  B.end(2);
  EXPECT_EQ(savingOfFirst(B).MostNs, 2u);
}

} // namespace
