/// \file
/// CheckCosts: steps belong to the concept or the candidate they are for.
#include "utils/analysis/costs/CheckCosts.h"
#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

#include <map>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::map<std::string, CheckRow> rows(const Trace &T, CheckFamily Family,
                                     const FilterSpec &Spec = {}) {
  TraceFilter Filter = *TraceFilter::make(Spec);
  CheckCosts Costs = checkCosts(T, Family, Filter);
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

// Clang names the substitution into a concept's expression after the template
// that is constrained, and requirements after nothing.
TEST(CheckCostsTest, StepsBelongToTheInnermostConcept) {
  TraceBuilder B;
  B.names({"f", "Sorted", "Weak", "g<int>", "g<$>"});
  B.entities({{1, 1, proto::ENTITY_FUNCTION_TEMPLATE},
              {2, 2, proto::ENTITY_CONCEPT},
              {4, 5, proto::ENTITY_CLASS},
              {3, 3, proto::ENTITY_CONCEPT}});
  B.events({beginOf(EventKind::ConstraintsCheck),
            0,
            1,
            0, // f
            beginOf(EventKind::ConstraintsCheck),
            1,
            1,
            0, // Sorted
            beginOf(EventKind::ConstraintSubstitution),
            2,
            4,
            0, // f
            beginOf(EventKind::RequirementInstantiation),
            4,
            0,
            0, //
            beginOf(EventKind::TemplateInstantiation),
            8,
            1,
            0, // g<int>
            endWith(8),
            100,
            endWith(0),
            16,
            endWith(0),
            1, //
            beginOf(EventKind::ConstraintsCheck),
            0,
            1,
            0,
            endWith(0), // Weak
            32,
            endWith(0),
            1,
            endWith(0),
            1});
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
  uint64_t Deduced = beginOf(EventKind::DeducedTemplateArgumentSubstitution);
  B.events({Deduced,
            0,
            1,
            0,                                                        //
            beginOf(EventKind::DefaultTemplateArgumentInstantiation), //
            3,
            1,
            0,
            endWith(0),
            10,                                                    //
            beginOf(EventKind::PriorTemplateArgumentSubstitution), //
            0,
            2,
            0,
            endWith(0),
            20,
            endWith(0),
            4, //
            Deduced,
            0,
            4,
            0,
            endWith(0),
            5, //
            beginOf(EventKind::TemplateInstantiation),
            0,
            1,
            0, //
            endWith(8),
            50});
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
  uint64_t Deduced = beginOf(EventKind::DeducedTemplateArgumentSubstitution);
  B.events({Deduced, 0, 1, 0, Deduced, 1, 1, 0, Deduced, 2, 4, 0, //
            endWith(0), 4, endWith(0), 8, endWith(0), 16});
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
  uint64_t Check = beginOf(EventKind::ConstraintsCheck);
  B.events({Check, 0, 1, 0, endWith(0), 1, Check, 0, 1, 0, endWith(0), 2,
            Check, 0, 1, 0, endWith(0), 4, Check, 0, 0, 0, endWith(0), 8});
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
  uint64_t Begin = beginOf(EventKind::TemplateInstantiation);
  B.events({beginOf(EventKind::DeducedTemplateArgumentSubstitution), 0, 1, 0,
            endWith(0), 1, Begin, 0, 1, 0, endWith(8), 1, Begin, 0, 1, 0,
            endWith(8), 1});
  auto Rows = rows(read(B.bytes()), CheckFamily::Candidates);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows["f"].Definitions, 1u);
}

} // namespace
