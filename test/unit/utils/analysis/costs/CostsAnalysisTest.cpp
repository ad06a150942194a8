/// \file
/// Costs: times add up, recursion and late bodies are charged by the rules.
#include "test/unit/support/TraceBuilder.h"
#include "utils/analysis/costs/Costs.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace instantrace;
using namespace instantrace::test;

namespace {

const uint64_t BeginFrontend = beginOf(EventKind::Frontend);
const uint64_t BeginInstantiation = beginOf(EventKind::TemplateInstantiation);
const uint64_t BeginProfiling = beginOf(EventKind::Profiling);

std::map<std::string, CostRow> rows(const Trace &T, CostKey By) {
  std::map<std::string, CostRow> ByName;
  uint64_t SelfNs = 0;
  CostTable Table = costs(T, By);
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
TraceBuilder twoOfOne(std::initializer_list<uint64_t> Records) {
  TraceBuilder B;
  B.names({"f<int>", "f<char>", "f<$>"});
  B.entities({{1, 3}, {2, 3}});
  B.events(Records);
  return B;
}

TEST(CostsAnalysisTest, SelfIsWithoutWhatIsInside) {
  Trace T = read(twoOfOne({BeginFrontend,      0,  0,  0, //
                           BeginInstantiation, 10, 1,  0, //
                           BeginInstantiation, 3,  1,  0, //
                           endWith(1),         20, 64,    //
                           endWith(1),         5,  36,    //
                           endWith(0),         2})
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
  Trace T = read(twoOfOne({BeginFrontend, 0, 0, 0,       //
                           BeginInstantiation, 10, 1, 0, //
                           BeginInstantiation, 3, 1, 0,  //
                           endWith(0), 20, endWith(0), 5, endWith(0), 2})
                     .bytes());
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows["f<$>"].SelfNs, 28u);
  EXPECT_EQ(Rows["f<$>"].InclusiveNs, 28u);
  EXPECT_EQ(Rows["f<$>"].Count, 2u);
  EXPECT_EQ(Rows["f<$>"].Kind, "TemplateInstantiation");
}

// Clang announces a specialization up to three times.
TEST(CostsAnalysisTest, SpecializationCountsOnce) {
  Trace T = read(twoOfOne({BeginFrontend,      0, 0, 0,                //
                           BeginInstantiation, 1, 1, 0, endWith(0), 1, //
                           BeginInstantiation, 1, 2, 0, endWith(8), 1, //
                           BeginInstantiation, 1, 1, 0, endWith(0), 1, //
                           BeginInstantiation, 1, 2, 0, endWith(0), 1, //
                           endWith(0),         1})
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
  Trace T = read(twoOfOne({BeginFrontend,
                           0,
                           0,
                           0, //
                           BeginInstantiation,
                           1,
                           1,
                           0,
                           endWith(8),
                           4, //
                           beginOf(EventKind::PendingInstantiations),
                           1,
                           0,
                           0, //
                           requestedOf(EventKind::TemplateInstantiation),
                           1,
                           1,
                           0,
                           2, //
                           endWith(8),
                           30,
                           endWith(0),
                           1,
                           endWith(0),
                           1})
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
  Trace T = read(twoOfOne({BeginFrontend, 0, 0, 0,      //
                           BeginInstantiation, 1, 1, 0, //
                           endWith(4), 30, 7, 12,       //
                           endWith(4), 1, 1, 1000})     // more than there is
                     .bytes());
  auto Rows = rows(T, CostKey::Specialization);
  EXPECT_EQ(Rows["f<int>"].SelfNs, 18u);
  EXPECT_EQ(Rows["f<int>"].Elided, 7u);
  EXPECT_EQ(Rows["(elided)"].SelfNs, 14u);
  EXPECT_EQ(Rows["(elided)"].Count, 8u);
  EXPECT_EQ(Rows["(frontend)"].SelfNs, 0u);
}

TEST(CostsAnalysisTest, MemoizedHitsMakeRowsOfTheirOwn) {
  TraceBuilder B = twoOfOne({BeginFrontend, 0, 0, 0,                     //
                             instantOf(EventKind::Memoization), 1, 1, 0, //
                             endWith(0), 1});
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
  TraceBuilder A = twoOfOne({BeginInstantiation, 0, 1, 0, endWith(8), 5});
  TraceBuilder B;
  B.names({"other", "f<int>", "f<$>"});
  B.entities({{2, 3}});
  B.events({BeginInstantiation, 0, 1, 0, endWith(8), 6});
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
  B.events({BeginFrontend,
            0,
            0,
            0, //
            beginOf(EventKind::FileInclusion),
            1,
            1,
            1, //
            BeginInstantiation,
            2,
            1,
            2,
            endWith(2),
            4,
            9, //
            endWith(0),
            8, //
            BeginInstantiation,
            16,
            2,
            0,
            endWith(0),
            32,
            endWith(0),
            64});
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
                     .events({BeginInstantiation, 0, 1, 0, endWith(0), 5,
                              BeginInstantiation, 0, 0, 0, endWith(0), 7})
                     .bytes());
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows["(unresolved)"].SelfNs, 5u);
  EXPECT_EQ(Rows["(unnamed)"].SelfNs, 7u);
}

TEST(CostsAnalysisTest, TiesAreInTheOrderOfNames) {
  TraceBuilder B;
  B.names({"c", "a", "b"});
  B.entities({{1, 1}, {2, 2}, {3, 3}});
  B.events({BeginInstantiation, 0, 1, 0, endWith(0), 5, //
            BeginInstantiation, 0, 1, 0, endWith(0), 5, //
            BeginInstantiation, 0, 1, 0, endWith(0), 6});
  Trace T = read(B.bytes());
  CostTable Table = costs(T, CostKey::Template);
  auto Order = [&](CostOrder By) {
    std::string Names;
    sortCosts(Table, T, By, 0);
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
  Trace T = read(twoOfOne({BeginFrontend,      0,  0,          0, //
                           BeginInstantiation, 10, 1,          0, //
                           BeginInstantiation, 3,  1,          0, //
                           BeginProfiling,     1,  0,          0, //
                           BeginProfiling,     1,  0,          0, //
                           endWith(0),         4,  endWith(0), 5, //
                           endWith(0),         20, endWith(0), 7, //
                           BeginProfiling,     2,  0,          0, //
                           endWith(0),         30, endWith(0), 8})
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
  Trace T = read(twoOfOne({BeginInstantiation, 0,  1,          0, //
                           BeginProfiling,     1,  0,          0, //
                           endWith(0),         2,                 //
                           BeginInstantiation, 4,  1,          0, //
                           BeginProfiling,     8,  0,          0, //
                           endWith(0),         16,                //
                           endWith(0),         32, endWith(0), 64})
                     .bytes());
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows["f<$>"].SelfNs, 109u);
  EXPECT_EQ(Rows["f<$>"].InclusiveNs, 109u);
  EXPECT_EQ(Rows["(profiling)"].InclusiveNs, 18u);
}

TEST(CostsAnalysisTest, ProfilingIsNotRequestedByWhoAskedForALateBody) {
  Trace T = read(
      twoOfOne({BeginInstantiation, 0, 1, 0, endWith(8), 4,                //
                requestedOf(EventKind::TemplateInstantiation), 1, 1, 0, 1, //
                BeginProfiling, 2, 0, 0,                                   //
                endWith(0), 30, endWith(8), 8})
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
    auto *Batch = B.packet()->mutable_events();
    Batch->set_first_entity(1);
    Batch->set_first_location(1);
    std::vector<int> NameOf = {0}; // by entity: every interval has a new one
    int Depth = 0;
    for (int I = 0; I != 200 || Depth != 0; I += I != 200) {
      if (I != 200 && (Depth == 0 || Random() % 2)) {
        int Name = 1 + Random() % 3;
        Entities->add_name(Name - NameOf.back());
        Entities->add_template_set(Name - NameOf.back());
        Entities->add_declared_at(0);
        Entities->add_kind(proto::ENTITY_CLASS);
        NameOf.push_back(Name);
        for (uint64_t V : {Name == 3 ? BeginProfiling : BeginInstantiation,
                           uint64_t(Random() % 9), uint64_t(1), uint64_t(0)})
          Batch->add_record(V);
        ++Depth;
      } else {
        Batch->add_record(endWith(0));
        Batch->add_record(Random() % 9);
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
