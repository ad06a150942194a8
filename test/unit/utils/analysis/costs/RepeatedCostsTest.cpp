/// \file
/// What several compiles instantiate again, and where it costs least.
#include "utils/analysis/costs/RepeatedCosts.h"

#include "test/unit/support/AdviceBuilder.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// f<int> takes so long; with Own, a class of the unit's own as well.
std::string unit(uint32_t Id, uint64_t Ns, bool HasOwn = false) {
  AdviceBuilder B(Id, "u" + std::to_string(Id) + ".cpp");
  uint32_t F = B.entity("f<int>", "f<$>", proto::ENTITY_FUNCTION);
  B.begin(EventKind::Frontend);
  B.definition(F, Ns);
  if (HasOwn)
    B.definition(
        B.entity("X<" + std::to_string(Id) + ">", "X<$>", proto::ENTITY_CLASS),
        1000);
  B.end(1);
  return B.bytes();
}

void add(Trace T, RepeatedCosts &Into) {
  constexpr CostKey Keys[] = {CostKey::Specialization};
  InstantiationNesting Nesting;
  CompileCostSink Costs(T, Keys, *TraceFilter::make({}), nullptr, &Nesting);
  feedAll(T, Costs);
  Into.enterTrace(T);
  Into.add(unitCosts(T, 0, Costs.Compiles.front().front(),
                     Nesting.Compiles.front()));
}

TEST(RepeatedCostsTest, AllButTheHomeWhereItCostsLeastIsSaved) {
  RepeatedCosts Costs;
  for (const std::string &Bytes : {unit(1, 50), unit(2, 20, true), unit(3, 30)})
    add(read(Bytes), Costs);
  std::vector<RepeatedRow> Rows = Costs.take(10);
  ASSERT_EQ(Rows.size(), 1u) << "what one unit has is not repeated";
  EXPECT_EQ(Rows[0].Name.text(Costs.names(), {}, 100), "f<int>");
  EXPECT_EQ(Rows[0].Kind, EntityKind::Function);
  EXPECT_EQ(Rows[0].Units, 3u);
  EXPECT_EQ(Rows[0].InclusiveNs, 100u);
  EXPECT_EQ(Rows[0].savedNs(), 80u);
  EXPECT_EQ(Costs.unit(Rows[0].Home), "u2.cpp");
  EXPECT_EQ(Costs.totalNs(), 1103u);
}

} // namespace
