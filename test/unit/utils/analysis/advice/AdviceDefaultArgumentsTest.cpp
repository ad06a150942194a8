/// \file
/// Advice about default arguments: from eight times on, outside candidates.
#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

constexpr EventKind OfTemplate =
    EventKind::DefaultTemplateArgumentInstantiation;
constexpr EventKind OfFunction =
    EventKind::DefaultFunctionArgumentInstantiation;

/// So many times the default of one parameter: 3 ns each, and 10 ns for a class
/// that it alone needs; of a template's, 1 more to check it.
Trace defaults(int Times, EventKind Kind, bool InCandidate = false,
               bool InSystem = false) {
  AdviceBuilder B;
  B.inclusion("a.cpp", 0, InSystem);
  uint32_t P = B.entity("Traits of Set", "", proto::ENTITY_TEMPLATE_PARAMETER,
                        "set.h", 5);
  uint32_t Index = B.location("a.cpp", 9);
  B.begin(EventKind::Frontend);
  if (InCandidate)
    B.begin(EventKind::DeducedTemplateArgumentSubstitution);
  for (int I = 0; I != Times; ++I) {
    uint32_t X = B.entity("Traits<" + std::to_string(I) + ">", "Traits<$>",
                          proto::ENTITY_CLASS);
    B.begin(Kind, P, Index);
    B.definition(X, 10);
    B.end(3, 1);
    if (Kind == OfTemplate)
      B.leaf(EventKind::DefaultTemplateArgumentChecking, P, 1, Index);
    B.hits(X, 1);
  }
  if (InCandidate)
    B.end(0);
  B.end(0);
  return read(B.bytes());
}

TEST(AdviceDefaultArgumentsTest, ItFiresFromEightTimesOn) {
  EXPECT_TRUE(advise(defaults(7, OfTemplate), AdviceKind::DefaultArguments)
                  .Suggestions.empty());
  Trace T = defaults(8, OfTemplate);
  Advised Report = advise(T, AdviceKind::DefaultArguments);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Subject.text(Report.Names, {}, 100), "Traits of Set");
  EXPECT_EQ(S.Place, "set.h:5");
  EXPECT_EQ(S.Saves.LeastNs, uint64_t(8) * 14);
  EXPECT_EQ(S.Saves.EstimateNs, uint64_t(8) * 14);
  EXPECT_EQ(evidence(S, "times that"), 8u);
}

TEST(AdviceDefaultArgumentsTest, ConditionsOfCandidatesAreNotMeant) {
  EXPECT_TRUE(
      advise(defaults(20, OfTemplate, true), AdviceKind::DefaultArguments)
          .Suggestions.empty());
}

TEST(AdviceDefaultArgumentsTest, AFunctionsDefaultIsMeantAnywhere) {
  Advised Report =
      advise(defaults(8, OfFunction, true), AdviceKind::DefaultArguments);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_TRUE(Report.Suggestions[0].Snippet.starts_with("void f("));
}

TEST(AdviceDefaultArgumentsTest, WhatASystemHeaderAsksForCannotChange) {
  EXPECT_TRUE(advise(defaults(20, OfTemplate, false, true),
                     AdviceKind::DefaultArguments)
                  .Suggestions.empty());
}

} // namespace
