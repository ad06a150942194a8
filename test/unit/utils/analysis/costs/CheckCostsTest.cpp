/// \file
/// CheckCosts: steps belong to the concept or the candidate they are for.
#include "utils/analysis/costs/CheckCosts.h"

#include "test/unit/support/TraceBuilder.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::map<std::string, CheckRow> rows(std::vector<Trace> Traces,
                                     CheckFamily Family,
                                     const FilterSpec &Spec = {}) {
  MergedNames Names;
  MergedChecks Merged;
  for (Trace &Each : Traces) {
    CheckSink Sink(Each, Family, *TraceFilter::make(Spec));
    feedAll(Each, Sink);
    Names.enterTrace(Each);
    Merged.add(Sink.take(), Names);
  }
  const Trace &T = Names.trace();
  CheckCosts Costs = Merged.take(T);
  std::map<std::string, CheckRow> ByName;
  uint64_t SelfNs = Costs.FilteredNs;
  for (const CheckRow &Row : Costs.Rows) {
    EXPECT_LE(Row.SelfNs, Row.InclusiveNs);
    SelfNs += Row.SelfNs;
    ByName[Row.Owner.text(T, {}, 100)] = Row;
  }
  EXPECT_EQ(SelfNs, Costs.SelfNs);
  return ByName;
}

std::map<std::string, CheckRow> rows(const Trace &T, CheckFamily Family,
                                     const FilterSpec &Spec = {}) {
  return rows(std::vector{T}, Family, Spec);
}

// Clang names the substitution into a concept's expression after the template
// that is constrained, and requirements after nothing.
TEST(CheckCostsTest, StepsBelongToTheInnermostConcept) {
  TraceBuilder B;
  B.names({"f", "Sorted", "Weak", "g<int>", "g<$>"});
  B.entities({{1, 1, proto::ENTITY_FUNCTION_TEMPLATE},
              {2, 2, proto::ENTITY_CONCEPT},
              {4, 5, proto::ENTITY_CLASS},
              {3, 3, proto::ENTITY_CONCEPT}});
  B.begin(EventKind::ConstraintsCheck, 0, "f")
      .begin(EventKind::ConstraintsCheck, 1, "Sorted")
      .begin(EventKind::ConstraintSubstitution, 3, "f")
      .begin(EventKind::RequirementInstantiation, 7)
      .begin(EventKind::TemplateInstantiation, 15, "g<int>")
      .end(115, WithDefinition)
      .end(131)
      .end(132)
      .begin(EventKind::ConstraintsCheck, 132, "Weak")
      .end(164)
      .end(165)
      .end(166);
  Trace T = read(B.bytes());
  auto Rows = rows(T, CheckFamily::Constraints);
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows["f"].SelfNs, 2u);
  EXPECT_EQ(Rows["f"].InclusiveNs, 166u);
  EXPECT_FALSE(Rows["f"].IsConcept);
  EXPECT_EQ(Rows["Sorted"].SelfNs, 32u);
  EXPECT_EQ(Rows["Sorted"].InclusiveNs, 164u);
  EXPECT_TRUE(Rows["Sorted"].IsConcept);
  EXPECT_EQ(Rows["Sorted"].count({EventKind::ConstraintsCheck}), 1u);
  EXPECT_EQ(Rows["Sorted"].count({EventKind::ConstraintSubstitution,
                                  EventKind::RequirementInstantiation}),
            2u);
  EXPECT_EQ(Rows["Weak"].SelfNs, 32u);
}

TEST(CheckCostsTest, ParametersBelongToTheirCandidate) {
  TraceBuilder B;
  B.names({"f", "T of f", "f<int>", "f<$>"});
  B.entities({{1, 1, proto::ENTITY_FUNCTION_TEMPLATE},
              {2, 2, proto::ENTITY_TEMPLATE_PARAMETER},
              {3, 1, proto::ENTITY_FUNCTION}});
  B.begin(EventKind::DeducedTemplateArgumentSubstitution, 0, "f")
      .begin(EventKind::DefaultTemplateArgumentInstantiation, 3, "T of f")
      .end(13)
      .begin(EventKind::PriorTemplateArgumentSubstitution, 13, "T of f")
      .end(33)
      .end(37)
      .begin(EventKind::DeducedTemplateArgumentSubstitution, 37, "f")
      .end(42)
      .begin(EventKind::TemplateInstantiation, 42, "f<int>")
      .end(92, WithDefinition);
  Trace T = read(B.bytes());
  auto Rows = rows(T, CheckFamily::Candidates);
  ASSERT_EQ(Rows.size(), 1u);
  CheckRow &Row = Rows["f"];
  EXPECT_EQ(Row.SelfNs, 42u);
  EXPECT_EQ(Row.InclusiveNs, 42u);
  EXPECT_EQ(Row.count({EventKind::DeducedTemplateArgumentSubstitution}), 2u);
  EXPECT_EQ(Row.count({EventKind::DefaultTemplateArgumentInstantiation}), 1u);
  EXPECT_EQ(Row.Definitions, 1u);
  FilterSpec Spec;
  Spec.Kinds = {"DeducedTemplateArgumentSubstitution"};
  Rows = rows(T, CheckFamily::Candidates, Spec);
  EXPECT_EQ(Rows["f"].SelfNs, 12u);
  EXPECT_EQ(Rows["f"].InclusiveNs, 42u);
}

TEST(CheckCostsTest, ACandidateInACandidateIsCountedOnceEach) {
  TraceBuilder B;
  B.names({"f", "g"});
  B.entities({{1, 1, proto::ENTITY_FUNCTION_TEMPLATE},
              {2, 2, proto::ENTITY_FUNCTION_TEMPLATE}});
  B.begin(EventKind::DeducedTemplateArgumentSubstitution, 0, "f")
      .begin(EventKind::DeducedTemplateArgumentSubstitution, 1, "g")
      .begin(EventKind::DeducedTemplateArgumentSubstitution, 3, "f")
      .end(7)
      .end(15)
      .end(31);
  Trace T = read(B.bytes());
  auto Rows = rows(T, CheckFamily::Candidates);
  EXPECT_EQ(Rows["f"].SelfNs, 21u);
  EXPECT_EQ(Rows["f"].InclusiveNs, 31u);
  EXPECT_EQ(Rows["g"].SelfNs, 10u);
  EXPECT_EQ(Rows["g"].InclusiveNs, 14u);
}

TEST(CheckCostsTest, StepsOfWhatIsNotThereHaveARow) {
  TraceBuilder B;
  B.names({"f"});
  B.entities({{9, 9, proto::ENTITY_CONCEPT}, {0, 0, proto::ENTITY_CONCEPT}});
  B.begin(EventKind::ConstraintsCheck, 0, EntityId{1})
      .end(1)
      .begin(EventKind::ConstraintsCheck, 1, EntityId{2})
      .end(3)
      .begin(EventKind::ConstraintsCheck, 3, EntityId{3})
      .end(7)
      .begin(EventKind::ConstraintsCheck, 7)
      .end(15);
  Trace T = read(B.bytes());
  auto Rows = rows(T, CheckFamily::Constraints);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows["(unresolved)"].SelfNs, 5u);
  EXPECT_EQ(Rows["(unnamed)"].SelfNs, 10u);
  EXPECT_TRUE(rows(T, CheckFamily::Candidates).empty());
}

TEST(CheckCostsTest, DefinitionsAreThoseOfTheTemplateSet) {
  TraceBuilder B;
  B.names({"f", "f<int>", "f<$>", "ff<int>", "ff<$>"});
  B.entities({{1, 1, proto::ENTITY_FUNCTION_TEMPLATE},
              {2, 3, proto::ENTITY_FUNCTION},
              {4, 5, proto::ENTITY_FUNCTION}});
  B.begin(EventKind::DeducedTemplateArgumentSubstitution, 0, "f")
      .end(1)
      .begin(EventKind::TemplateInstantiation, 1, "f<int>")
      .end(2, WithDefinition)
      .begin(EventKind::TemplateInstantiation, 2, "ff<int>")
      .end(3, WithDefinition);
  auto Rows = rows(read(B.bytes()), CheckFamily::Candidates);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows["f"].Definitions, 1u);
  // Also those of a trace in which it is not tried.
  TraceBuilder Other;
  Other.names({"f<char>", "f<$>"});
  Other.entities({{1, 2, proto::ENTITY_FUNCTION}});
  Other.begin(EventKind::TemplateInstantiation, 0, "f<char>")
      .end(1, WithDefinition);
  Rows = rows({read(Other.bytes()), read(B.bytes()), read(B.bytes())},
              CheckFamily::Candidates);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows["f"].Definitions, 3u);
  EXPECT_EQ(Rows["f"].SelfNs, 2u);
}

} // namespace
