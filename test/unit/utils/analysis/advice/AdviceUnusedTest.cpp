/// \file
/// Advice about classes of which each specialization is used once.
#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

struct ClassesAre {
  int Once = 32;
  int Again = 0;
  bool HaveMembers = false;
  bool AreNested = false;
  uint32_t MemoizationMode = proto::MEMOIZATION_COUNT;
  std::string Input = "a.cpp";
};

/// X<0>, X<1>, ... of 10 ns each.
Trace classes(const ClassesAre &Are) {
  AdviceBuilder B(1, Are.Input);
  B.mode(Are.MemoizationMode);
  uint32_t Index = B.location("a.cpp", 4);
  B.begin(EventKind::Frontend);
  B.begin(EventKind::DeducedTemplateArgumentSubstitution);
  for (int I = 0; I != Are.Once + Are.Again; ++I) {
    std::string Name = "X<" + std::to_string(I) + ">";
    uint32_t X = B.entity(Name, "X<$>", proto::ENTITY_CLASS, "x.h", 2);
    B.begin(EventKind::TemplateInstantiation, X, Index);
    if (!Are.AreNested)
      B.endDefinition(10);
    B.hits(X, I < Are.Once ? 1 : 2);
    if (Are.HaveMembers)
      B.definition(
          B.entity(Name + "::value", "X<$>::value", proto::ENTITY_VARIABLE), 1);
  }
  for (int I = 0; Are.AreNested && I != Are.Once; ++I)
    B.endDefinition(10);
  B.end(0);
  B.end(0);
  return read(B.bytes());
}

TEST(AdviceUnusedTest, HalfOfWhatIsUsedOnceIsSaved) {
  Trace T = classes({});
  Advised Report = advise(T, AdviceKind::UnusedInstantiation);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Subject.text(Report.Names, {}, 100), "X<$>");
  EXPECT_EQ(S.Place, "x.h:2");
  EXPECT_EQ(S.Saves.LeastNs, 0u);
  EXPECT_EQ(S.Saves.EstimateNs, 160u);
  EXPECT_EQ(S.Saves.MostNs, 320u);
  EXPECT_EQ(evidence(S, "specializations that are used once"), 32u);
  EXPECT_EQ(evidence(S, "of them while a candidate"), 32u);
  EXPECT_EQ(S.Evidence[0].Place, "a.cpp:4");
}

TEST(AdviceUnusedTest, ItFiresFromThirtyTwoOn) {
  EXPECT_TRUE(advise(classes({31}), AdviceKind::UnusedInstantiation)
                  .Suggestions.empty());
}

TEST(AdviceUnusedTest, NineOfTenAreNearlyAll) {
  EXPECT_EQ(advise(classes({36, 4}), AdviceKind::UnusedInstantiation)
                .Suggestions.size(),
            1u);
  EXPECT_TRUE(advise(classes({35, 5}), AdviceKind::UnusedInstantiation)
                  .Suggestions.empty());
}

TEST(AdviceUnusedTest, AMemberThatIsInstantiatedIsAUse) {
  EXPECT_TRUE(advise(classes({40, 0, true}), AdviceKind::UnusedInstantiation)
                  .Suggestions.empty());
}

TEST(AdviceUnusedTest, StepsOfARecursionAreNotMeant) {
  EXPECT_TRUE(
      advise(classes({33, 0, false, true}), AdviceKind::UnusedInstantiation)
          .Suggestions.empty());
}

TEST(AdviceUnusedTest, HitsThatWereNotRecordedProveNothing) {
  ClassesAre Are;
  Are.MemoizationMode = proto::MEMOIZATION_OFF;
  EXPECT_TRUE(advise(classes(Are), AdviceKind::UnusedInstantiation)
                  .Suggestions.empty());
}

TEST(AdviceUnusedTest, WhatIsPrecompiledOthersMayUse) {
  ClassesAre Are;
  Are.Input = "pch.h";
  EXPECT_TRUE(advise(classes(Are), AdviceKind::UnusedInstantiation)
                  .Suggestions.empty());
}

} // namespace
