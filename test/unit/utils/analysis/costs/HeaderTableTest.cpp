/// \file
/// What each header costs a build.
#include "utils/analysis/costs/HeaderTable.h"

#include "test/unit/support/HeaderUnits.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// As the command has them: each trace by itself, then all together.
struct Headers {
  explicit Headers(const std::vector<std::string> &Units,
                   const std::string &Detailed = {})
      : Sums(sumsOf(Units, Detailed)), Table(Sums, Detailed) {
    Table.sort(HeaderOrder::Name, 0);
  }

  static HeaderSums sumsOf(const std::vector<std::string> &Units,
                           const std::string &Detailed) {
    HeaderSums Sums;
    for (const std::string &Bytes : Units) {
      Trace T = read(Bytes);
      HeaderSink Sink(T, Detailed, *TraceFilter::make({}));
      feedAll(T, Sink);
      Sums.add(Sink.Sums);
    }
    return Sums;
  }
  const HeaderSums::File &at(size_t Row) const { return *Table.Rows[Row].File; }

  HeaderSums Sums;
  HeaderTable Table;
};

/// a.h takes 10 ns and includes b.h, of 100; the second unit has b.h another
/// time, from c.h.
std::vector<std::string> twoUnits() {
  return {
      unitOf(1, {"x.cpp", 1, {{"a.h", 10, {{"b.h", 100, {}, 4}}, 2}}}),
      unitOf(2,
             {"y.cpp", 1, {{"a.h", 20, {{"b.h", 200, {}, 4}}, 2}, {"c.h", 5}}}),
      unitOf(3, {"z.cpp", 1, {{"c.h", 5, {{"b.h", 400, {}, 6}}}}})};
}

TEST(HeaderTableTest, OwnTextAndWhatIsIncludedAddUp) {
  Headers Found(twoUnits());
  ASSERT_EQ(Found.Table.Rows.size(), 3u) << "main files are none";
  const HeaderSums::File &A = Found.at(0), &B = Found.at(1);
  EXPECT_EQ(A.Path, "a.h");
  EXPECT_EQ(A.InclusiveNs, 330u);
  EXPECT_EQ(A.OwnNs, 30u);
  EXPECT_EQ(A.IncludedNs, 300u);
  EXPECT_EQ(A.Readings.Units, 2u);
  EXPECT_EQ(A.Readings.Count, 2u);
  EXPECT_EQ(B.InclusiveNs, 700u);
  EXPECT_EQ(Found.Sums.compiles().size(), 3u);
  EXPECT_EQ(Found.Sums.totalNs(), 3 * 10000u + 3 + 330 + 5 + 405);
  EXPECT_EQ(Found.Sums.readNs(), 3u + 330 + 5 + 405);
}

TEST(HeaderTableTest, WhatIsReadInAnotherWayIsNotItsAlone) {
  Headers Found(twoUnits());
  // In y.cpp c.h would have had b.h as well, as z.cpp shows.
  EXPECT_EQ(Found.Table.Rows[0].AloneNs, 110u + 20);
  EXPECT_EQ(Found.Table.Rows[2].AloneNs, 5u + 405);
}

TEST(HeaderTableTest, IncludersHaveTheirLines) {
  Headers Found(twoUnits());
  std::vector<HeaderDetail> Includers =
      Found.Table.includers(Found.Table.Rows[1]);
  ASSERT_EQ(Includers.size(), 2u);
  EXPECT_EQ(Includers[0].text(), "c.h:6");
  EXPECT_EQ(Includers[0].Sums.InclusiveNs, 400u);
  EXPECT_EQ(Includers[1].text(), "a.h:4");
  EXPECT_EQ(Includers[1].Sums.Units, 2u);
  std::vector<HeaderDetail> Included =
      Found.Table.includes(Found.Table.Rows[0]);
  ASSERT_EQ(Included.size(), 1u);
  EXPECT_EQ(Included[0].text(), "b.h");
  EXPECT_EQ(Included[0].Sums.InclusiveNs, 300u);
}

TEST(HeaderTableTest, AFileInsideItselfCountsOnce) {
  Headers Found({unitOf(1, {"x.cpp", 1, {{"a.h", 10, {{"a.h", 100}}}}})});
  ASSERT_EQ(Found.Table.Rows.size(), 1u);
  EXPECT_EQ(Found.at(0).InclusiveNs, 110u);
  EXPECT_EQ(Found.at(0).Readings.Count, 2u);
  EXPECT_EQ(Found.Table.Rows[0].AloneNs, 110u);
}

TEST(HeaderTableTest, ACycleOfIncludesCountsEachFileOnce) {
  Headers Found({unitOf(
      1, {"x.cpp", 1, {{"a.h", 10, {{"b.h", 100, {{"a.h", 1000}}}}}}})});
  ASSERT_EQ(Found.Table.Rows.size(), 2u);
  EXPECT_EQ(Found.at(0).InclusiveNs, 1110u);
  EXPECT_EQ(Found.at(0).OwnNs, 1010u);
  EXPECT_EQ(Found.at(0).IncludedNs, 1100u);
  EXPECT_EQ(Found.at(1).InclusiveNs, 1100u);
  EXPECT_EQ(Found.Table.Rows[0].AloneNs, 1110u);
  EXPECT_EQ(Found.Table.Rows[1].AloneNs, 100u);
}

TEST(HeaderTableTest, WhatTheTextAsksForIsItsOwnWithLateBodies) {
  AdviceBuilder B;
  B.inclusion("a.cpp", 0, false);
  B.inclusion("a.h", 1, false);
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS);
  uint32_t F = B.entity("f<int>", "f<$>", proto::ENTITY_FUNCTION);
  uint32_t Main = B.entity("a.cpp", "", proto::ENTITY_FILE);
  uint32_t Header = B.entity("a.h", "", proto::ENTITY_FILE);
  uint32_t InMain = B.location("a.cpp", 3), InHeader = B.location("a.h", 8);
  B.begin(EventKind::Frontend);
  B.begin(EventKind::FileInclusion, Main);
  uint32_t File = B.begin(EventKind::FileInclusion, Header, InMain);
  B.definition(X, 7, InHeader);
  B.end(10);
  B.end(1);
  B.beginLate(F, File, InHeader);
  B.endDefinition(30);
  B.end(0);
  Headers Found({B.bytes()}, "a.h");
  ASSERT_EQ(Found.Table.Rows.size(), 1u);
  EXPECT_EQ(Found.at(0).OwnNs, 10u);
  EXPECT_EQ(Found.at(0).InclusiveNs, 17u);
  EXPECT_EQ(Found.at(0).InstantiatedNs, 37u);
  std::vector<HeaderDetail> Templates =
      Found.Table.templates(Found.Table.Rows[0]);
  ASSERT_EQ(Templates.size(), 2u);
  EXPECT_EQ(Templates[0].text(), "f<$>");
  EXPECT_EQ(Templates[0].Sums.InclusiveNs, 30u);
}

} // namespace
