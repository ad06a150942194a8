/// \file
/// Costs: times add up, recursion and late bodies are charged by the rules.
#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/TraceBuilder.h"
#include "utils/analysis/costs/Costs.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::map<std::string, CostRow> rows(const Trace &T, CostKey Key) {
  std::map<std::string, CostRow> ByName;
  uint64_t SelfNs = 0;
  CostTable Table = costs(T, Key);
  for (const CostRow &Row : Table.Rows) {
    std::string Name = Row.Name.text(T, {}, 1000);
    EXPECT_EQ(ByName.count(Name), 0u) << Name;
    ByName[Name] = Row;
    SelfNs += Row.SelfNs;
  }
  EXPECT_EQ(SelfNs, Table.TotalNs);
  return ByName;
}

/// Entities 1: f<int>, 2: f<char>, both of f<$>.
TraceBuilder twoOfOne() {
  TraceBuilder B;
  B.names({"f<int>", "f<char>", "f<$>"});
  B.entities({{1, 3}, {2, 3}});
  return B;
}

TEST(CostsAnalysisTest, SelfIsWithoutWhatIsInside) {
  Trace T = read(twoOfOne()
                     .begin(EventKind::Frontend, 0)
                     .begin(EventKind::TemplateInstantiation, 10, "f<int>")
                     .begin(EventKind::TemplateInstantiation, 13, "f<char>")
                     .end(33, {.AstBytes = 64})
                     .end(38, {.AstBytes = 36})
                     .end(40)
                     .bytes());
  auto Rows = rows(T, CostKey::Specialization);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 8u);
  EXPECT_EQ(Rows["f<int>"].InclusiveNs, 28u);
  EXPECT_EQ(Rows["f<int>"].AstBytes, 36u);
  EXPECT_EQ(Rows["f<char>"].SelfNs, 20u);
  EXPECT_EQ(Rows["(frontend)"].SelfNs, 12u);
  EXPECT_EQ(Rows["(frontend)"].InclusiveNs, 40u);
}

TEST(CostsAnalysisTest, RecursionOfOneTemplateCountsOnceInInclusive) {
  Trace T = read(twoOfOne()
                     .begin(EventKind::Frontend, 0)
                     .begin(EventKind::TemplateInstantiation, 10, "f<int>")
                     .begin(EventKind::TemplateInstantiation, 13, "f<char>")
                     .end(33)
                     .end(38)
                     .end(40)
                     .bytes());
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows["f<$>"].SelfNs, 28u);
  EXPECT_EQ(Rows["f<$>"].InclusiveNs, 28u);
  EXPECT_EQ(Rows["f<$>"].Count, 2u);
  EXPECT_EQ(Rows["f<$>"].Kind, "TemplateInstantiation");
}

// Clang announces a specialization up to three times.
TEST(CostsAnalysisTest, SpecializationCountsOnce) {
  Trace T = read(twoOfOne()
                     .begin(EventKind::Frontend, 0)
                     .begin(EventKind::TemplateInstantiation, 1, "f<int>")
                     .end(2)
                     .begin(EventKind::TemplateInstantiation, 3, "f<int>")
                     .end(4, WithDefinition)
                     .begin(EventKind::TemplateInstantiation, 5, "f<char>")
                     .end(6)
                     .begin(EventKind::TemplateInstantiation, 7, "f<char>")
                     .end(8)
                     .end(9)
                     .bytes());
  auto Rows = rows(T, CostKey::Specialization);
  EXPECT_EQ(Rows["f<int>"].Count, 1u);
  EXPECT_EQ(Rows["f<int>"].Definitions, 1u);
  EXPECT_EQ(Rows["f<char>"].Count, 1u);
  EXPECT_EQ(Rows["f<char>"].Definitions, 0u);
  EXPECT_EQ(rows(T, CostKey::Template)["f<$>"].Count, 2u);
  EXPECT_EQ(rows(T, CostKey::Kind)["TemplateInstantiation"].Count, 2u);
}

// f<int> queued the body of f<char>, which runs at the end.
TEST(CostsAnalysisTest, LateBodyIsCreditedToWhoAsked) {
  Trace T = read(
      twoOfOne()
          .begin(EventKind::Frontend, 0)
          .begin(EventKind::TemplateInstantiation, 1, "f<int>")
          .end(5, WithDefinition)
          .begin(EventKind::PendingInstantiations, 6)
          .beginLate(EventKind::TemplateInstantiation, 7, "f<char>", "f<int>")
          .end(37, WithDefinition)
          .end(38)
          .end(39)
          .bytes());
  auto Rows = rows(T, CostKey::Specialization);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 4u);
  EXPECT_EQ(Rows["f<int>"].InclusiveNs, 4u);
  EXPECT_EQ(Rows["f<int>"].RequestedNs, 30u);
  EXPECT_EQ(Rows["f<char>"].SelfNs, 30u);
  EXPECT_EQ(Rows["(pending instantiations)"].SelfNs, 2u);
  EXPECT_EQ(Rows["(pending instantiations)"].InclusiveNs, 32u);
}

TEST(CostsAnalysisTest, ElidedLeavesHaveTheirOwnRow) {
  Trace T =
      read(twoOfOne()
               .begin(EventKind::Frontend, 0)
               .begin(EventKind::TemplateInstantiation, 1, "f<int>")
               .end(31, {.Elided = 7, .ElidedNs = 12})
               .end(32, {.Elided = 1, .ElidedNs = 1000}) // more than there is
               .bytes());
  auto Rows = rows(T, CostKey::Specialization);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 18u);
  EXPECT_EQ(Rows["f<int>"].Elided, 7u);
  EXPECT_EQ(Rows["(elided)"].SelfNs, 14u);
  EXPECT_EQ(Rows["(elided)"].Count, 8u);
  EXPECT_EQ(Rows["(frontend)"].SelfNs, 0u);
}

TEST(CostsAnalysisTest, MemoizedHitsMakeRowsOfTheirOwn) {
  TraceBuilder B = twoOfOne()
                       .begin(EventKind::Frontend, 0)
                       .instant(EventKind::Memoization, 1, "f<int>")
                       .end(2);
  auto *Hits = B.packet()->mutable_memoized_hits();
  Hits->add_entity(2);
  Hits->add_hits(5);
  Trace T = read(B.bytes());
  auto Rows = rows(T, CostKey::Specialization);
  EXPECT_EQ(Rows["f<int>"].Memoized, 1u);
  EXPECT_EQ(Rows["f<char>"].Memoized, 5u);
  EXPECT_EQ(Rows["f<char>"].Kind, "Memoization");
  EXPECT_EQ(rows(T, CostKey::Kind)["Memoization"].Memoized, 6u);
}

TEST(CostsAnalysisTest, EqualNamesOfTwoTracesAreOneRow) {
  TraceBuilder A = twoOfOne()
                       .begin(EventKind::TemplateInstantiation, 0, "f<int>")
                       .end(5, WithDefinition);
  TraceBuilder B;
  B.names({"other", "f<int>", "f<$>"});
  B.entities({{2, 3}});
  B.begin(EventKind::TemplateInstantiation, 0, "f<int>").end(6, WithDefinition);
  Trace T = read(A.bytes());
  readTrace(B.bytes(), "y.itrace", T);
  auto Rows = rows(T, CostKey::Specialization);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 11u);
  EXPECT_EQ(Rows["f<int>"].Count, 2u);
}

TEST(CostsAnalysisTest, FilesAreThoseOfThePointOfInstantiation) {
  TraceBuilder B;
  B.names({"a.cpp", "a.h", "f<int>"});
  auto *L = B.packet()->mutable_locations();
  L->set_first_id(1);
  L->add_file(1);
  L->add_line(1);
  L->add_column(1);
  B.entities({{2, 2, proto::ENTITY_FILE}, {3, 3}});
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::FileInclusion, 1, "a.h", "a.cpp:1:1")
      .begin(EventKind::TemplateInstantiation, 3, "f<int>", "a.cpp:1:1")
      .end(7, {.Memoized = 9})
      .end(15)
      .begin(EventKind::TemplateInstantiation, 31, "f<int>")
      .end(63)
      .end(127);
  Trace T = read(B.bytes());
  auto Rows = rows(T, CostKey::File);
  EXPECT_EQ(Rows["a.h"].SelfNs, 10u);
  EXPECT_EQ(Rows["a.cpp"].SelfNs, 4u);
  EXPECT_EQ(Rows["a.cpp"].Memoized, 9u);
  EXPECT_EQ(Rows["(no file)"].SelfNs, 32u);
  EXPECT_EQ(Rows["(frontend)"].SelfNs, 81u);
  EXPECT_EQ(rows(T, CostKey::Template)["(file inclusion)"].SelfNs, 10u);
}

TEST(CostsAnalysisTest, UnresolvedNamesStillCount) {
  Trace T = read(TraceBuilder()
                     .begin(EventKind::TemplateInstantiation, 0, EntityId{1})
                     .end(5)
                     .begin(EventKind::TemplateInstantiation, 5)
                     .end(12)
                     .bytes());
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows["(unresolved)"].SelfNs, 5u);
  EXPECT_EQ(Rows["(unnamed)"].SelfNs, 7u);
}

TEST(CostsAnalysisTest, TiesAreInTheOrderOfNames) {
  TraceBuilder B;
  B.names({"c", "a", "b"});
  B.entities({{1, 1}, {2, 2}, {3, 3}});
  B.begin(EventKind::TemplateInstantiation, 0, "c")
      .end(5)
      .begin(EventKind::TemplateInstantiation, 5, "a")
      .end(10)
      .begin(EventKind::TemplateInstantiation, 10, "b")
      .end(16);
  Trace T = read(B.bytes());
  CostTable Table = costs(T, CostKey::Template);
  auto Order = [&](CostOrder Key) {
    std::string Names;
    sortCosts(Table, T, Key, 0);
    for (const CostRow &Row : Table.Rows)
      Names += Row.Name.text(T, {}, 9);
    return Names;
  };
  EXPECT_EQ(Order(CostOrder::Self), "bac");
  EXPECT_EQ(Order(CostOrder::Count), "abc");
  EXPECT_EQ(Order(CostOrder::Name), "abc");
}

// Names are built while the compiler instantiates: f<int> > (profiling).
TEST(CostsAnalysisTest, ProfilingIsInNoInclusiveTimeButItsOwn) {
  Trace T = read(twoOfOne()
                     .begin(EventKind::Frontend, 0)
                     .begin(EventKind::TemplateInstantiation, 10, "f<int>")
                     .begin(EventKind::TemplateInstantiation, 13, "f<char>")
                     .begin(EventKind::Profiling, 14)
                     .begin(EventKind::Profiling, 15)
                     .end(19)
                     .end(24)
                     .end(44)
                     .end(51)
                     .begin(EventKind::Profiling, 53)
                     .end(83)
                     .end(91)
                     .bytes());
  auto Rows = rows(T, CostKey::Specialization); // checks the sum of self times
  EXPECT_EQ(Rows["f<char>"].SelfNs, 21u);
  EXPECT_EQ(Rows["f<char>"].InclusiveNs, 21u);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 10u);
  EXPECT_EQ(Rows["f<int>"].InclusiveNs, 31u);
  EXPECT_EQ(Rows["(frontend)"].SelfNs, 20u);
  EXPECT_EQ(Rows["(frontend)"].InclusiveNs, 51u);
  EXPECT_EQ(Rows["(profiling)"].SelfNs, 40u);
  EXPECT_EQ(Rows["(profiling)"].InclusiveNs, 40u);
  EXPECT_EQ(rows(T, CostKey::Kind)["TemplateInstantiation"].InclusiveNs, 31u);
  EXPECT_EQ(rows(T, CostKey::File)["(no file)"].InclusiveNs, 31u);
  EXPECT_EQ(costs(T, CostKey::Kind).TotalNs, 91u);
}

TEST(CostsAnalysisTest, ProfilingIsTakenOffOnceFromRecursion) {
  Trace T = read(twoOfOne()
                     .begin(EventKind::TemplateInstantiation, 0, "f<int>")
                     .begin(EventKind::Profiling, 1)
                     .end(3)
                     .begin(EventKind::TemplateInstantiation, 7, "f<char>")
                     .begin(EventKind::Profiling, 15)
                     .end(31)
                     .end(63)
                     .end(127)
                     .bytes());
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows["f<$>"].SelfNs, 109u);
  EXPECT_EQ(Rows["f<$>"].InclusiveNs, 109u);
  EXPECT_EQ(Rows["(profiling)"].InclusiveNs, 18u);
}

TEST(CostsAnalysisTest, ProfilingIsNotRequestedByWhoAskedForALateBody) {
  Trace T = read(
      twoOfOne()
          .begin(EventKind::TemplateInstantiation, 0, "f<int>")
          .end(4, WithDefinition)
          .beginLate(EventKind::TemplateInstantiation, 5, "f<char>", "f<int>")
          .begin(EventKind::Profiling, 7)
          .end(37)
          .end(45, WithDefinition)
          .bytes());
  EXPECT_EQ(rows(T, CostKey::Specialization)["f<int>"].RequestedNs, 10u);
}

// The definition of inclusive and self, computed the slow way.
TEST(CostsAnalysisTest, RandomTreesAgreeWithTheDefinition) {
  std::mt19937 Random(7);
  for (int Round = 0; Round != 50; ++Round) {
    TraceBuilder B;
    B.names({"n0", "n1", "n2"});
    auto *Entities = B.packet()->mutable_entities();
    Entities->set_first_id(1);
    std::vector<int> NameOf = {0}; // by entity: every interval has a new one
    int Depth = 0;
    uint64_t TimeNs = 0;
    for (int I = 0; I != 200 || Depth != 0; I += I != 200) {
      if (I != 200 && (Depth == 0 || Random() % 2)) {
        int Name = 1 + static_cast<int>(Random() % 3);
        Entities->add_name(Name - NameOf.back());
        Entities->add_template_set(Name - NameOf.back());
        Entities->add_declared_at(0);
        Entities->add_kind(proto::ENTITY_CLASS);
        NameOf.push_back(Name);
        B.begin(Name == 3 ? EventKind::Profiling
                          : EventKind::TemplateInstantiation,
                TimeNs += Random() % 9,
                EntityId{static_cast<uint32_t>(NameOf.size() - 1)});
        ++Depth;
      } else {
        B.end(TimeNs += Random() % 9);
        --Depth;
      }
    }
    Trace T = read(B.bytes());
    ASSERT_EQ(T.Files[0].Issues.size(), 0u) << issues(T);
    const Sequence &S = T.Sequences[0];
    auto Name = [&](const Interval &I) { return NameOf[I.Entity.Value]; };
    constexpr int Profiling = 3;
    auto IsOutermost = [&](const Interval &I) {
      IntervalId P = I.Parent;
      while (P && Name(S.Intervals[P.Value]) != Name(I))
        P = S.Intervals[P.Value].Parent;
      return !P;
    };
    uint64_t InclusiveNs[4] = {};
    for (const Interval &I : S.Intervals) {
      if (IsOutermost(I))
        InclusiveNs[Name(I)] += I.durationNs();
      if (Name(I) != Profiling)
        continue;
      // It comes off all around it; what is around an outer one has lost it.
      for (IntervalId P = I.Parent; P; P = S.Intervals[P.Value].Parent) {
        const Interval &Around = S.Intervals[P.Value];
        if (Name(Around) == Profiling)
          break;
        if (IsOutermost(Around))
          InclusiveNs[Name(Around)] -= I.durationNs();
      }
    }
    auto Rows = rows(T, CostKey::Template); // checks the sum of self times
    EXPECT_EQ(Rows["n0"].InclusiveNs, InclusiveNs[1]);
    EXPECT_EQ(Rows["n1"].InclusiveNs, InclusiveNs[2]);
    EXPECT_EQ(Rows["(profiling)"].InclusiveNs, InclusiveNs[Profiling]);
  }
}

} // namespace
