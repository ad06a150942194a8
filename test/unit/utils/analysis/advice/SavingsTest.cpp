/// \file
/// Savings: what goes for certain, what may be needed by something else.
#include "utils/analysis/advice/Savings.h"

#include "test/unit/support/AdviceBuilder.h"
#include "utils/analysis/advice/FunctionCosts.h"

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
  return savings(C, FunctionCosts(C), RootOf, 1)[0].Saves;
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

TEST(SavingsTest, OurOwnWorkIsNoneOfTheCompile) {
  AdviceBuilder B;
  B.begin(Deduced);
  B.leaf(EventKind::Profiling, 0, 100);
  B.end(8);
  const Trace T = read(B.bytes());
  EXPECT_EQ(CompileFacts(T.Sequences[0]).TotalNs, 8u);
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

// Two functions of 100 and 200 ns, in a code generation of 450 ns, which is
// half as much more. The second was asked for by the first.
TEST(SavingsTest, WithABodyGoesWhatLlvmDoesForTheFunction) {
  AdviceBuilder B;
  uint32_t F = B.entity("f<int>", "f<$>", proto::ENTITY_FUNCTION);
  uint32_t G = B.entity("g<int>", "g<$>", proto::ENTITY_FUNCTION);
  uint32_t H = B.entity("h<int>", "h<$>", proto::ENTITY_FUNCTION);
  uint32_t First = B.begin(EventKind::TemplateInstantiation, F);
  B.endDefinition(1);
  B.beginLate(G, First);
  B.endDefinition(20);
  B.begin(EventKind::TemplateInstantiation, H);
  B.endDefinition(7);
  B.begin(EventKind::CodeGeneration);
  B.leaf(EventKind::OptimizeFunction, F, 60);
  B.leaf(EventKind::MachineCode, F, 40);
  B.leaf(EventKind::OptimizeFunction, G, 200);
  B.leaf(EventKind::OptimizeFunction, H, 60);
  B.end(180);
  for (uint32_t Entity : {F, G, H})
    B.function(Entity);
  Trace T = read(B.bytes());
  CompileFacts C(T.Sequences[0]);
  std::vector<uint32_t> RootOf(C.S->Intervals.size(), NoRoot);
  RootOf[0] = 0;
  RootSaving S = savings(C, FunctionCosts(C), RootOf, 1)[0];
  EXPECT_EQ(S.Functions, 2u);
  EXPECT_EQ(S.Backend.LeastNs, 100u) << "g may be called by others";
  EXPECT_EQ(S.Backend.EstimateNs, 450u);
  EXPECT_EQ(S.Backend.MostNs, 450u);
  EXPECT_EQ(S.Saves.LeastNs, 101u);
  EXPECT_EQ(S.Saves.EstimateNs, 471u);
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
  std::vector<RootSaving> S = savings(C, FunctionCosts(C), {0, 1, NoRoot}, 2);
  EXPECT_EQ(S[0].Saves.MostNs, 1u);
  EXPECT_EQ(S[1].Saves.MostNs, 6u);
}

TEST(SavingsTest, OwnWorkOfTheProfilerIsNoSaving) {
  AdviceBuilder B;
  B.begin(Deduced);
  B.leaf(EventKind::Profiling, 0, 50);
  B.end(2);
  EXPECT_EQ(savingOfFirst(B).MostNs, 2u);
}

} // namespace
