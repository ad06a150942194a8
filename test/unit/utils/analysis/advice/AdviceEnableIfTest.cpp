/// \file
/// Advice about conditions of overloads: many tries, few definitions.
#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

struct OverloadsAre {
  int Tries = 32;
  int Definitions = 0;
  const char *Condition = "std::enable_if_t";
  bool IsSystem = false;
};

/// Each try: 1 ns of its own, 2 of a default argument, 3 of a prior one with
/// 4 of the condition and 50 of a trait inside.
Trace overloads(const OverloadsAre &Are) {
  AdviceBuilder B;
  B.inclusion("fn.h", 0, Are.IsSystem);
  uint32_t Fn = B.entity("fn", "", proto::ENTITY_FUNCTION_TEMPLATE, "fn.h", 3);
  uint32_t P =
      B.entity("unnamed parameter of fn", "", proto::ENTITY_TEMPLATE_PARAMETER);
  uint32_t If = B.entity(Are.Condition, "", proto::ENTITY_ALIAS);
  uint32_t Trait = B.entity("is<int>", "is<$>", proto::ENTITY_CLASS);
  B.begin(EventKind::Frontend);
  for (int I = 0; I != Are.Tries; ++I) {
    B.begin(EventKind::DeducedTemplateArgumentSubstitution, Fn);
    B.leaf(EventKind::DefaultTemplateArgumentInstantiation, P, 2);
    B.begin(EventKind::PriorTemplateArgumentSubstitution, P);
    B.leaf(EventKind::TypeAliasTemplateInstantiation, If, 4);
    B.definition(Trait, 50);
    B.end(3);
    B.end(1);
  }
  for (int I = 0; I != Are.Definitions; ++I)
    B.definition(
        B.entity("fn<" + std::to_string(I) + ">", "fn", proto::ENTITY_FUNCTION),
        5);
  B.end(0);
  return read(B.bytes());
}

TEST(AdviceEnableIfTest, HalfOfTheStepsOfConditionsIsSaved) {
  Trace T = overloads({});
  Advised Report = advise(T, AdviceKind::EnableIf);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Subject.text(Report.Names, {}, 100), "fn");
  EXPECT_EQ(S.Place, "fn.h:3");
  EXPECT_EQ(S.Saves.EstimateNs, 32u * 9 / 2) << "without the trait";
  EXPECT_EQ(evidence(S, "tries"), 32u);
  EXPECT_EQ(evidence(S, "default arguments"), 64u);
  EXPECT_EQ(evidence(S, "enable_if"), 32u);
}

TEST(AdviceEnableIfTest, ItFiresFromThirtyTwoTriesOn) {
  EXPECT_TRUE(
      advise(overloads({31}), AdviceKind::EnableIf).Suggestions.empty());
}

TEST(AdviceEnableIfTest, FourTriesPerDefinitionAreMany) {
  EXPECT_EQ(advise(overloads({32, 8}), AdviceKind::EnableIf).Suggestions.size(),
            1u);
  EXPECT_TRUE(
      advise(overloads({32, 9}), AdviceKind::EnableIf).Suggestions.empty());
}

TEST(AdviceEnableIfTest, ItIsTheNameThatTellsACondition) {
  for (const char *Name : {"boost::enable_if_c", "void_t", "n::_Require"})
    EXPECT_EQ(advise(overloads({32, 0, Name}), AdviceKind::EnableIf)
                  .Suggestions.size(),
              1u)
        << Name;
  for (const char *Name : {"enable_iff", "my::avoid_t", "decay_t"})
    EXPECT_TRUE(advise(overloads({32, 0, Name}), AdviceKind::EnableIf)
                    .Suggestions.empty())
        << Name;
}

TEST(AdviceEnableIfTest, OverloadsOfSystemHeadersCannotChange) {
  OverloadsAre Are;
  Are.IsSystem = true;
  EXPECT_TRUE(advise(overloads(Are), AdviceKind::EnableIf).Suggestions.empty());
}

} // namespace
