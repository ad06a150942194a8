/// \file
/// What LLVM does for functions: charged to their templates and places, with
/// nothing lost and nothing twice.
#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/SampleTraces.h"
#include "utils/analysis/costs/Costs.h"

#include <gtest/gtest.h>

#include <map>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::map<std::string, CostRow> rowsOf(const Trace &T, const CostTable &Table) {
  std::map<std::string, CostRow> ByName;
  uint64_t SelfNs = 0, PartsNs = 0;
  for (const CostRow &Row : Table.Rows) {
    ByName[Row.Name.text(T, {}, 1000)] = Row;
    SelfNs += Row.SelfNs;
    EXPECT_LE(Row.backend().OptimizeNs + Row.backend().GenerateNs, Row.SelfNs);
    PartsNs +=
        Row.frontendNs() + Row.backend().OptimizeNs + Row.backend().GenerateNs;
  }
  EXPECT_EQ(SelfNs, Table.TotalNs);
  EXPECT_EQ(PartsNs, Table.TotalNs);
  return ByName;
}

std::map<std::string, CostRow> rows(const Trace &T, CostKey Key) {
  return rowsOf(T, costs(T, Key));
}

std::map<std::string, CostRow> rows(const Trace &T, CostKey Key,
                                    const FilterSpec &Spec) {
  TraceFilter Filter = *TraceFilter::make(Spec);
  return rowsOf(T, costs(T, Key, Filter));
}

TEST(BackendCosts, FunctionsCostTheirTemplate) {
  Trace T = read(optimizedTrace().bytes());
  auto Rows = rows(T, CostKey::Template);
  const CostRow &Get = Rows.at("Box<$>::get");
  EXPECT_EQ(Get.SelfNs, 21u + 18u);
  EXPECT_EQ(Get.frontendNs(), 21u);
  EXPECT_EQ(Get.backend().OptimizeNs, 18u);
  EXPECT_EQ(Get.backend().GenerateNs, 0u);
  EXPECT_EQ(Get.Count, 1u); // one specialization, whatever LLVM does with it
  EXPECT_EQ(Get.Kind, "TemplateInstantiation");
  EXPECT_EQ(Get.backend().Given, 2u);
  EXPECT_EQ(Get.backend().Emitted, 1u);
  EXPECT_EQ(Get.backend().InlinedAway, 1u);
  EXPECT_EQ(Get.backend().IrInstructions, 50u);
  EXPECT_EQ(Get.backend().MachineInstructions, 30u);
  EXPECT_EQ(Get.backend().ObjectBytes, 120u);
  const CostRow &Main = Rows.at("main");
  EXPECT_EQ(Main.SelfNs, 9u);
  EXPECT_EQ(Main.backend().GenerateNs, 9u);
  EXPECT_EQ(Main.backend().InlinedAway, 0u);
}

TEST(BackendCosts, WhatIsNoFunctionsHasRowsOfItsOwn) {
  Trace T = read(optimizedTrace().bytes());
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows.at("(IR generation)").SelfNs, 10u);
  EXPECT_EQ(Rows.at("(IR generation)").frontendNs(), 10u);
  EXPECT_EQ(Rows.at("(module passes)").backend().OptimizeNs, 2u);
  EXPECT_EQ(Rows.at("(machine code)").backend().GenerateNs, 4u);
  EXPECT_EQ(Rows.at("(object writing)").backend().GenerateNs, 6u);
  EXPECT_EQ(Rows.at("(code generation)").SelfNs, 0u);
  EXPECT_EQ(Rows.at("(code generation)").InclusiveNs, 49u);
}

TEST(BackendCosts, IrGenerationIsSharedOutApart) {
  Trace T = read(optimizedTrace().bytes());
  CostTable Table = costs(T, CostKey::Template);
  EXPECT_TRUE(Table.HasBackend);
  EXPECT_EQ(Table.IrGenerationNs, 10u);
  EXPECT_EQ(Table.CodeBytes, 240u);
  auto Rows = rows(T, CostKey::Template);
  EXPECT_EQ(Rows.at("Box<$>::get").backend().IrGenerationEstimateNs +
                Rows.at("main").backend().IrGenerationEstimateNs,
            10u);
  EXPECT_EQ(Rows.at("main").backend().IrGenerationEstimateNs, 2u); // 10 of 60
}

TEST(BackendCosts, ByPlaceItIsWhereTheFunctionWasInstantiated) {
  Trace T = read(optimizedTrace().bytes());
  auto Rows = rows(T, CostKey::Line);
  EXPECT_EQ(Rows.at("a.cpp:5").SelfNs, 39u);
  EXPECT_EQ(Rows.at("a.cpp:5").backend().OptimizeNs, 18u);
  EXPECT_EQ(Rows.at("a.cpp:5").backend().ObjectBytes, 120u);
  EXPECT_EQ(Rows.at("(other functions)").backend().GenerateNs, 9u);
  EXPECT_EQ(rows(T, CostKey::File).at("a.cpp").backend().OptimizeNs, 18u);
  EXPECT_EQ(rows(T, CostKey::Kind).at("MachineCode").backend().ObjectBytes,
            200u);
}

TEST(BackendCosts, ByFunctionOtherWorkIsOneRow) {
  TraceBuilder B = optimizedTrace();
  Trace T = read(B.bytes());
  auto Rows = rows(T, CostKey::Function);
  EXPECT_EQ(Rows.at("Box<int>::get").SelfNs, 39u);
  EXPECT_FALSE(Rows.contains("(no function)"));
  T = read(boxTrace().bytes());
  CostTable Table = costs(T, CostKey::Function);
  EXPECT_FALSE(Table.HasBackend);
  EXPECT_EQ(rows(T, CostKey::Function).at("(no function)").Count, 1u);
}

TEST(BackendCosts, WhatIsNotKnownIsNotInlinedAway) {
  for (const char *Backend : {"", "passes: no remark", "off"}) {
    TraceBuilder B = optimizedTrace();
    B.Trace.mutable_packet(B.Trace.packet_size() - 1)
        ->mutable_footer()
        ->set_backend(Backend);
    Trace T = read(B.bytes());
    EXPECT_EQ(costs(T, CostKey::Template).UnknownEmission, 1u);
    EXPECT_EQ(
        rows(T, CostKey::Template).at("Box<$>::get").backend().InlinedAway, 0u);
    EXPECT_EQ(rows(T, CostKey::Template).at("Box<$>::get").backend().Given, 2u);
  }
}

TEST(BackendCosts, WhoPaysMayBeUnknownWhereEmissionIsNot) {
  TraceBuilder B = optimizedTrace();
  B.Trace.mutable_packet(B.Trace.packet_size() - 1)
      ->mutable_footer()
      ->set_backend("functions: no time for the names of 3");
  Trace T = read(B.bytes());
  EXPECT_EQ(costs(T, CostKey::Template).UnknownEmission, 0u);
  EXPECT_EQ(rows(T, CostKey::Template).at("Box<$>::get").backend().InlinedAway,
            1u);
}

TEST(BackendCosts, FiltersKnowWhereAFunctionIs) {
  Trace T = read(optimizedTrace().bytes());
  FilterSpec Spec;
  Spec.In = {"a.cpp"};
  auto Rows = rows(T, CostKey::Template, Spec);
  EXPECT_EQ(Rows.at("Box<$>::get").backend().OptimizeNs, 18u);
  EXPECT_EQ(Rows.at("(filtered)").backend().GenerateNs, 9u + 4u + 6u);
  EXPECT_EQ(Rows.at("Box<$>::get").backend().ObjectBytes, 120u);
  Spec.In = {"b.cpp"};
  EXPECT_EQ(rows(T, CostKey::Template, Spec).at("(filtered)").backend().Given,
            3u);
  Spec = {};
  Spec.NoPhases = true;
  Rows = rows(T, CostKey::Template, Spec);
  EXPECT_EQ(Rows.at("main").backend().GenerateNs, 9u);
  EXPECT_FALSE(Rows.contains("(module passes)"));
  Spec = {};
  Spec.Match = {"^main$"};
  Rows = rows(T, CostKey::Template, Spec);
  EXPECT_EQ(Rows.at("main").backend().ObjectBytes, 80u);
  EXPECT_EQ(Rows.at("(filtered)").backend().ObjectBytes, 120u);
}

// Short leaves and our own work are somewhere in the code generation.
TEST(BackendCosts, PartsOfCodeGenerationAreNoMoreThanItsSelfTime) {
  for (uint64_t ElidedNs : {0, 3, 8, 100}) {
    TraceBuilder B;
    B.begin(EventKind::CodeGeneration, 0)
        .begin(EventKind::Profiling, 2)
        .end(3)
        .begin(EventKind::OptimizeModule, 5)
        .end(6)
        .begin(EventKind::MachineCode, 7)
        .end(8)
        .begin(EventKind::Profiling, 9)
        .end(11)
        .end(15, {.Elided = 1, .ElidedNs = ElidedNs});
    Trace T = read(B.bytes());
    auto Rows = rows(T, CostKey::Template);
    // 4 before, 1 between, 5 after.
    uint64_t Left = 10 - std::min<uint64_t>(10, ElidedNs);
    EXPECT_EQ(Rows["(IR generation)"].SelfNs + Rows["(object writing)"].SelfNs +
                  Rows["(code generation)"].SelfNs,
              Left);
    EXPECT_EQ(Rows["(object writing)"].SelfNs, std::min<uint64_t>(5, Left));
    EXPECT_EQ(Rows["(code generation)"].SelfNs, ElidedNs == 0 ? 1u : 0u);
  }
}

// The first definition is what made the function; if there is none, the first
// instantiation at all. What LLVM did before that has no place.
TEST(BackendCosts, HomesAreDefinitions) {
  TraceBuilder B;
  B.names({"f<int>", "f<$>"});
  B.entities({{1, 2, proto::ENTITY_FUNCTION}});
  B.begin(EventKind::OptimizeFunction, 0, EntityId{1})
      .end(1)
      .begin(EventKind::TemplateInstantiation, 1, EntityId{1}, "a.cpp:1:1")
      .end(2)
      .begin(EventKind::TemplateInstantiation, 2, EntityId{1}, "a.cpp:2:1")
      .end(3, WithDefinition)
      .begin(EventKind::TemplateInstantiation, 3, EntityId{1}, "a.cpp:3:1")
      .end(4, WithDefinition)
      .begin(EventKind::MachineCode, 4, EntityId{1})
      .end(9);
  Trace T = read(B.bytes());
  auto Rows = rows(T, CostKey::Line);
  EXPECT_EQ(Rows.at("a.cpp:2").backend().GenerateNs, 5u);
  EXPECT_EQ(Rows.at("(other functions)").backend().OptimizeNs, 1u);
}

} // namespace
