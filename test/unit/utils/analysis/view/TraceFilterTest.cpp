/// \file
/// TraceFilter: what is selected, and that the rest is not forgotten.
#include "utils/analysis/view/TraceFilter.h"

#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/TraceBuilder.h"
#include "utils/analysis/costs/Costs.h"

#include <gtest/gtest.h>

#include <map>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// f<int> with g<int> inside, 100 and 30 ns; 20 ns of constraints; f<char> 5
/// ns.
Trace workTrace() {
  TraceBuilder B;
  B.names({"n::f<int>", "n::f<char>", "n::f<$>", "g<int>", "g<$>"});
  B.entities({{1, 3, proto::ENTITY_FUNCTION},
              {4, 5, proto::ENTITY_FUNCTION},
              {2, 3, proto::ENTITY_FUNCTION}});
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::TemplateInstantiation, 1, "n::f<int>")
      .begin(EventKind::TemplateInstantiation, 11, "g<int>")
      .end(41, WithDefinition)
      .begin(EventKind::ConstraintsCheck, 46, "n::f<char>")
      .end(66)
      .end(101, WithDefinition)
      .begin(EventKind::TemplateInstantiation, 103, "n::f<char>")
      .end(108, WithDefinition)
      .end(110);
  auto *Hits = B.packet()->mutable_memoized_hits();
  for (uint32_t Entity : {1, 2}) {
    Hits->add_entity(Entity);
    Hits->add_hits(uint64_t(Entity) * 10);
  }
  return read(B.bytes());
}

std::map<std::string, CostRow> rows(const Trace &T, const FilterSpec &Spec) {
  std::map<std::string, CostRow> ByName;
  TraceFilter Filter = *TraceFilter::make(Spec);
  for (const CostRow &Row : costs(T, CostKey::Specialization, Filter).Rows)
    ByName[Row.Name.text(T, {}, 1000)] = Row;
  return ByName;
}

// A trace of a newer version may have kinds that are none here.
TEST(TraceFilterTest, AKindWithoutNameIsNoOtherKind) {
  constexpr auto Known = EventKind::TemplateInstantiation;
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  constexpr auto Newer = static_cast<EventKind>(64 + unsigned(Known));
  TraceBuilder B;
  B.names({"f<int>", "g<int>", "f<$>"});
  B.entities({{1, 3}, {2, 3}});
  B.begin(Known, 0, "f<int>").end(10).begin(Newer, 10, "g<int>").end(40);
  Trace T = read(B.bytes());
  ASSERT_EQ(T.Sequences.front().Intervals.size(), 2u) << issues(T);
  FilterSpec Spec;
  Spec.Kinds = {"TemplateInstantiation"};
  auto Rows = rows(T, Spec);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 10u);
  EXPECT_EQ(Rows["(filtered)"].SelfNs, 30u);
  EXPECT_EQ(rows(T, {})["g<int>"].SelfNs, 30u);
}

TEST(TraceFilterTest, MatchSelectsNamesAndTheRestIsOneRow) {
  FilterSpec Spec;
  Spec.Match = {"^n::"};
  auto Rows = rows(workTrace(), Spec);
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows["n::f<int>"].SelfNs, 50u);
  EXPECT_EQ(Rows["n::f<int>"].InclusiveNs, 100u);
  EXPECT_EQ(Rows["n::f<int>"].Memoized, 10u);
  EXPECT_EQ(Rows["n::f<char>"].SelfNs, 25u);
  EXPECT_EQ(Rows["(filtered)"].SelfNs, 110u - 75u);
  EXPECT_EQ(Rows["(filtered)"].InclusiveNs, 110u);
  EXPECT_EQ(Rows["(filtered)"].Memoized, 20u);
}

TEST(TraceFilterTest, OneOfSeveralMatchesIsEnoughAndOneExcludeToo) {
  FilterSpec Spec;
  Spec.Match = {"int", "glob:n::f<char>"};
  Spec.Exclude = {"^g", "nothing"};
  auto Rows = rows(workTrace(), Spec);
  EXPECT_EQ(Rows.count("g<int>"), 0u);
  EXPECT_EQ(Rows.count("n::f<int>"), 1u);
  EXPECT_EQ(Rows.count("n::f<char>"), 1u);
}

TEST(TraceFilterTest, KindMayBeAGroup) {
  FilterSpec Spec;
  Spec.Kinds = {"constraint"};
  auto Rows = rows(workTrace(), Spec);
  EXPECT_EQ(Rows["n::f<char>"].SelfNs, 20u);
  EXPECT_EQ(Rows["n::f<char>"].Memoized, 0u);
  EXPECT_EQ(Rows["(filtered)"].SelfNs, 90u);
  EXPECT_EQ(Rows["(filtered)"].Memoized, 30u);
}

TEST(TraceFilterTest, MinTimeIsFromBeginToEnd) {
  FilterSpec Spec;
  Spec.MinTimeNs = 30;
  auto Rows = rows(workTrace(), Spec);
  EXPECT_EQ(Rows["g<int>"].SelfNs, 30u);
  EXPECT_EQ(Rows["n::f<int>"].SelfNs, 50u);
  EXPECT_EQ(Rows["(filtered)"].SelfNs, 25u);
}

TEST(TraceFilterTest, LevelSaysWhatNamesAreCompared) {
  FilterSpec Spec;
  Spec.Match = {"^n$"};
  EXPECT_EQ(rows(workTrace(), Spec).size(), 1u);
  Spec.Level = EntityLevel::Namespace;
  EXPECT_EQ(rows(workTrace(), Spec)["(filtered)"].SelfNs, 35u);
  Spec.Match = {"glob:n::f<$>"};
  Spec.Level = EntityLevel::Template;
  EXPECT_EQ(rows(workTrace(), Spec)["(filtered)"].SelfNs, 35u);
}

TEST(TraceFilterTest, WhatIsInAFileIsWhatItAsksFor) {
  TraceBuilder B;
  B.names({"/usr/include/./c++/12/vector", "src/a.cpp", "f<int>", "g<int>"});
  addLocations(B, 1, {{2, 5}, {1, 9}});
  B.entities({{1, 1, proto::ENTITY_FILE}, {3, 3}, {4, 4}});
  addInclusions(B, 1, {{2, 0, 0, false}, {1, 1, 3, true}});
  B.begin(EventKind::FileInclusion, 0, "/usr/include/./c++/12/vector",
          "src/a.cpp:5:3")
      .begin(EventKind::TemplateInstantiation, 0, "f<int>",
             "/usr/include/./c++/12/vector:9:3")
      .end(10)
      .begin(EventKind::TemplateInstantiation, 10, "g<int>", "src/a.cpp:5:3")
      .end(30)
      .end(70);
  Trace T = read(B.bytes());
  FilterSpec Spec;
  Spec.In = {"include/c++"};
  auto Rows = rows(T, Spec);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 10u);
  EXPECT_EQ(Rows["(file inclusion)"].SelfNs, 40u) << "of the included file";
  EXPECT_EQ(Rows["(filtered)"].SelfNs, 20u);
  Spec.In = {"./src//a.cpp", "nowhere"};
  EXPECT_EQ(rows(T, Spec)["(filtered)"].SelfNs, 50u);
  Spec.In.clear();
  Spec.NoSystem = true;
  EXPECT_EQ(rows(T, Spec)["g<int>"].SelfNs, 20u);
  EXPECT_EQ(rows(T, Spec)["(filtered)"].SelfNs, 50u);
}

TEST(TraceFilterTest, NamesOfAnotherSequenceAreNotThoseOfThis) {
  TraceBuilder A(1), B(2);
  A.names({"f<int>"}).entities({{1, 1}});
  A.begin(EventKind::TemplateInstantiation, 0, "f<int>").end(7, WithDefinition);
  B.names({"g<int>"}).entities({{1, 1}});
  B.begin(EventKind::TemplateInstantiation, 0, "g<int>").end(9, WithDefinition);
  Trace T = read(A.bytes() + B.bytes());
  FilterSpec Spec;
  Spec.Match = {"^g"};
  auto Rows = rows(T, Spec);
  EXPECT_EQ(Rows["g<int>"].SelfNs, 9u);
  EXPECT_EQ(Rows["(filtered)"].SelfNs, 7u);
}

} // namespace
