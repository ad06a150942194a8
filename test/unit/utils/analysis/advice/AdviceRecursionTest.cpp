/// \file
/// Advice about recursion: from 16 steps on, all steps are saved.
#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// f<0> inside f<1> inside ..., each of 10 ns; the innermost needs Leaf<int>,
/// of 100 ns, for which others ask as well.
Trace recursion(uint32_t Steps, bool HasPacks = false,
                const std::string &Template = "f", bool IsSystem = false) {
  AdviceBuilder B;
  B.inclusion("f.h", 0, IsSystem);
  uint32_t Leaf = B.entity("Leaf<int>", "Leaf<$>", proto::ENTITY_CLASS);
  for (uint32_t I = 0; I != Steps; ++I) {
    std::string Name = Template + "<" + std::to_string(I);
    for (uint32_t J = 0; HasPacks && J != I; ++J)
      Name += ", int";
    uint32_t Step =
        B.entity(Name + ">", Template + "<$>", proto::ENTITY_CLASS, "f.h", 7);
    B.begin(EventKind::TemplateInstantiation, Step);
    B.hits(Step, 1);
  }
  B.definition(Leaf, 100);
  for (uint32_t I = 0; I != Steps; ++I)
    B.endDefinition(10, 1);
  B.hits(Leaf, 3);
  return read(B.bytes());
}

TEST(AdviceRecursionTest, ItFiresFromSixteenStepsOn) {
  EXPECT_TRUE(advise(recursion(15), AdviceKind::Recursion).Suggestions.empty());
  Advised Report = advise(recursion(16), AdviceKind::Recursion);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
}

TEST(AdviceRecursionTest, StepsAreSavedAndElementsAreNot) {
  Trace T = recursion(20);
  Advised Report = advise(T, AdviceKind::Recursion);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Subject.text(Report.Names, {}, 100), "f<$>");
  EXPECT_EQ(S.Place, "f.h:7");
  EXPECT_EQ(S.Saves.LeastNs, 200u);
  EXPECT_EQ(S.Saves.EstimateNs, 200u);
  EXPECT_EQ(S.Saves.MostNs, 300u);
  EXPECT_EQ(evidence(S, "steps inside"), 20u);
  EXPECT_EQ(Report.TotalNs, 300u);
  EXPECT_NE(S.Snippet.find("constexpr int value"), std::string::npos);
}

TEST(AdviceRecursionTest, DetailsOfASystemHeaderAreNotForItsUsers) {
  auto Count = [](const std::string &Template, bool IsSystem) {
    return advise(recursion(20, false, Template, IsSystem),
                  AdviceKind::Recursion)
        .Suggestions.size();
  };
  EXPECT_EQ(Count("lib::detail::f", true), 0u);
  EXPECT_EQ(Count("std::_Tuple_impl", true), 0u);
  EXPECT_EQ(Count("lib::f", true), 1u);
  EXPECT_EQ(Count("app::detail::f", false), 1u);
}

TEST(AdviceRecursionTest, NamesThatGrowAreAPack) {
  Trace T = recursion(20, true);
  Advised Report = advise(T, AdviceKind::Recursion);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_NE(Report.Suggestions[0].Snippet.find("__type_pack_element"),
            std::string::npos);
}

TEST(AdviceRecursionTest, NestedTemplatesThatDifferAreNoRecursion) {
  AdviceBuilder B;
  for (int I = 0; I != 20; ++I) {
    std::string Name(1, static_cast<char>('a' + I));
    B.begin(EventKind::TemplateInstantiation,
            B.entity(Name + "<int>", Name + "<$>", proto::ENTITY_CLASS));
  }
  for (int I = 0; I != 20; ++I)
    B.endDefinition(10);
  EXPECT_TRUE(
      advise(read(B.bytes()), AdviceKind::Recursion).Suggestions.empty());
}

TEST(AdviceRecursionTest, EqualSavingsAreInTheOrderOfTheirNames) {
  AdviceBuilder B;
  for (const char *Name : {"g", "f", "h"}) {
    for (int I = 0; I != 16; ++I)
      B.begin(EventKind::TemplateInstantiation,
              B.entity(Name + ("<" + std::to_string(I) + ">"),
                       std::string(Name) + "<$>", proto::ENTITY_CLASS));
    for (int I = 0; I != 16; ++I)
      B.endDefinition(10);
  }
  Trace T = read(B.bytes());
  Advised Report = advise(T, AdviceKind::Recursion);
  ASSERT_EQ(Report.Suggestions.size(), 3u);
  EXPECT_EQ(Report.Suggestions[0].Subject.text(Report.Names, {}, 100), "f<$>");
  EXPECT_EQ(Report.Suggestions[1].Subject.text(Report.Names, {}, 100), "g<$>");
  EXPECT_EQ(Report.Suggestions[2].Subject.text(Report.Names, {}, 100), "h<$>");
}

TEST(AdviceRecursionTest, AFilterSelectsTheSteps) {
  Trace T = recursion(20);
  FilterSpec Filters;
  Filters.Exclude = {"^f<"};
  TraceFilter Filter = *TraceFilter::make(Filters);
  EXPECT_TRUE(findAdvice(T, Filter, {}).Suggestions.empty());
}

// 200 of 300 ns are 66.7 %.
TEST(AdviceRecursionTest, WhatSavesLessThanWantedIsCounted) {
  Trace T = recursion(20);
  TraceFilter Everything = *TraceFilter::make({});
  AdviceSpec Spec;
  Spec.MinPermille = 666;
  EXPECT_EQ(findAdvice(T, Everything, Spec).Suggestions.size(), 1u);
  Spec.MinPermille = 667;
  Advised Report = findAdvice(T, Everything, Spec);
  EXPECT_TRUE(Report.Suggestions.empty());
  EXPECT_EQ(Report.Smaller, 1u);
}

} // namespace
