#include "test/unit/support/OpenedIndex.h"

#include <gmock/gmock.h>

#include <random>
#include <thread>

using namespace instantrace;
using namespace instantrace::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

// Several blocks of ranges, and of sums.
TEST(Index, AnswersAcrossBlocks) {
  SampleCompile C;
  for (uint64_t I = 0; I != 20000; ++I) {
    C.begin(I * 10, {.AstBytes = 3});
    C.begin(I * 10 + 2, {.AstBytes = I});
    C.end(I * 10 + 5);
    C.end(I * 10 + 7);
  }
  Opened X(indexBytes({C}));
  ASSERT_TRUE(X.verify()) << X.fault();
  for (uint32_t I = 0; I < 20000; I += 7) {
    uint64_t Ns = uint64_t(I) * 10;
    EXPECT_THAT(stackAt(X, Ns), ElementsAre(2 * I));
    EXPECT_THAT(stackAt(X, Ns + 4), ElementsAre(2 * I + 1, 2 * I));
    EXPECT_THAT(stackAt(X, Ns + 5), ElementsAre(2 * I));
    EXPECT_THAT(stackAt(X, Ns + 7), IsEmpty());
  }
  uint64_t Ns = 0;
  EXPECT_TRUE(X.selfNs(2, 40000, Ns));
  EXPECT_EQ(Ns, uint64_t(19999) * 7);
}

// Of a block that has nothing but ends, the depth of a record says how many.
TEST(Index, EndsThatFillBlocksAreCounted) {
  constexpr uint32_t Deep = 1000;
  SampleCompile Before, C;
  for (uint64_t I = 0; I != 3; ++I) {
    Before.begin(I);
    Before.end(I);
  }
  for (uint32_t I = 0; I != Deep; ++I)
    C.begin(I);
  for (uint32_t I = 0; I != Deep; ++I)
    C.end(Deep + I);
  C.begin(2 * Deep);
  C.end(2 * Deep + 1);
  Opened X(indexBytes({Before, C}));
  ASSERT_TRUE(X.verify()) << X.fault();
  std::vector<uint32_t> Ids;
  for (uint32_t I = 0; I != Deep; ++I) {
    ASSERT_TRUE(X.stackAt(1, Deep + I, Ids)) << X.fault();
    ASSERT_EQ(Ids.size(), Deep - 1 - I);
    ASSERT_EQ(Ids.empty() ? test::None : Ids.front(),
              Ids.empty() ? test::None : 3 + Deep - 2 - I);
  }
  ASSERT_TRUE(X.stackAt(1, 2 * Deep, Ids)) << X.fault();
  EXPECT_THAT(Ids, ElementsAre(3 + Deep));
}

// Begins and ends at one time, more than a block has.
TEST(Index, OfManyAtOneTimeTheLastOneCounts) {
  SampleCompile C;
  for (int Round = 0; Round != 2; ++Round) {
    for (int I = 0; I != 300; ++I)
      C.begin(5);
    for (int I = 0; I != 300 && Round == 0; ++I)
      C.end(5);
  }
  for (int I = 0; I != 300; ++I)
    C.end(9);
  Opened X(indexBytes({C}));
  ASSERT_TRUE(X.verify()) << X.fault();
  EXPECT_THAT(stackAt(X, 4), IsEmpty());
  ASSERT_EQ(stackAt(X, 5).size(), 300u);
  EXPECT_EQ(stackAt(X, 8).front(), 599u);
  EXPECT_THAT(stackAt(X, 9), IsEmpty());
}

/// Begins that are close together here and far apart there, some levels deep.
SampleCompile unevenCompile(uint32_t Count) {
  std::mt19937 Random(4);
  SampleCompile C;
  uint64_t Ns = 0;
  for (uint32_t I = 0; I != Count; ++I) {
    Ns += I % 5000 == 0 ? uint64_t(1) << 36
                        : 1 + Random() % (I < Count / 2 ? 3 : 900);
    while (!C.Open.empty() && Random() % 16 >= 16 - C.Open.size())
      C.end(++Ns);
    C.begin(Ns);
  }
  while (!C.Open.empty())
    C.end(++Ns);
  return C;
}

/// At the begin of each interval, beside the intervals around it.
void expectStacks(const InstantiationIndex &X, const SampleCompile &C) {
  std::vector<uint32_t> Ids, Wanted;
  for (uint32_t Id = 0; Id != C.Intervals.size(); ++Id) {
    ASSERT_TRUE(X.stackAt(0, C.Intervals[Id].BeginNs, Ids)) << X.fault();
    Wanted.clear();
    for (uint32_t Index = Id; Index != test::None;
         Index = C.Intervals[Index].Parent)
      Wanted.push_back(Index);
    ASSERT_EQ(Ids, Wanted) << Id;
  }
}

TEST(Index, StacksAreFoundWhereTimesAreUneven) {
  const SampleCompile C = unevenCompile(30000);
  expectStacks(Opened(indexBytes({C})), C);
}

TEST(Index, SeveralThreadsMayAskAtOnce) {
  const SampleCompile C = unevenCompile(12000);
  Opened X(indexBytes({C}));
  std::vector<std::thread> Asking;
  for (int I = 0; I != 4; ++I)
    Asking.emplace_back([&] { expectStacks(X, C); });
  for (std::thread &T : Asking)
    T.join();
}

//===----------------------------------------------------------------------===//
// What SymCache had wrong once
//===----------------------------------------------------------------------===//

TEST(Index, GapBetweenSiblingsIsTheParents) {
  SampleCompile C;
  C.begin(0);
  C.begin(10);
  C.end(20);
  C.begin(30);
  C.end(40);
  C.end(50);
  Opened X(indexBytes({C}));
  EXPECT_THAT(stackAt(X, 19), ElementsAre(1, 0));
  EXPECT_THAT(stackAt(X, 20), ElementsAre(0));
  EXPECT_THAT(stackAt(X, 30), ElementsAre(2, 0));
  EXPECT_THAT(stackAt(X, 49), ElementsAre(0));
  EXPECT_THAT(stackAt(X, 50), IsEmpty());
}

TEST(Index, HolesAreNobodys) {
  SampleCompile C;
  C.begin(10);
  C.end(20);
  C.begin(30);
  C.end(40);
  Opened X(indexBytes({C}));
  for (uint64_t Hole : {uint64_t(0), uint64_t(9), uint64_t(20), uint64_t(29),
                        uint64_t(40), UINT64_MAX})
    EXPECT_THAT(stackAt(X, Hole), IsEmpty()) << Hole;
  EXPECT_THAT(stackAt(X, 10), ElementsAre(0));
  EXPECT_THAT(stackAt(X, 39), ElementsAre(1));
}

TEST(Index, ChildMayTakeAllOfItsParent) {
  SampleCompile C;
  C.begin(5);
  C.begin(5);
  C.end(9);
  C.end(9);
  Opened X(indexBytes({C}));
  EXPECT_THAT(stackAt(X, 5), ElementsAre(1, 0));
  InstantiationIndex::Record R;
  ASSERT_TRUE(X.record(0, R));
  EXPECT_EQ(R.SelfNs, 0u);
}

TEST(Index, RecordWithoutTimeIsThereButNeverInnermost) {
  SampleCompile C;
  C.begin(0);
  C.begin(4);
  C.end(4);
  C.begin(4);
  C.end(6);
  C.end(6);
  Opened X(indexBytes({C}));
  EXPECT_THAT(stackAt(X, 4), ElementsAre(2, 0));
  InstantiationIndex::Record R;
  ASSERT_TRUE(X.record(1, R));
  EXPECT_EQ(R.BeginNs, 4u);
  EXPECT_EQ(R.EndNs, 4u);
}

TEST(Index, NestsAHundredThousandDeep) {
  constexpr uint32_t Deep = 100000;
  SampleCompile C;
  for (uint32_t I = 0; I != Deep; ++I)
    C.begin(I);
  for (uint32_t I = 0; I != Deep; ++I)
    C.end(Deep + I);
  Opened X(indexBytes({C}));
  ASSERT_TRUE(X.verify()) << X.fault();
  EXPECT_EQ(stackAt(X, Deep).size(), Deep - 1);
  InstantiationIndex::Record R;
  ASSERT_TRUE(X.record(Deep - 1, R));
  EXPECT_EQ(R.Depth, Deep - 1);
  std::vector<uint32_t> Ids;
  uint64_t Ns = 0;
  ASSERT_TRUE(X.stackAfter(0, Deep + 9, Ids, Ns));
  EXPECT_EQ(Ids.size(), Deep - 10);
}

TEST(Index, BytesMayBeginAnywhere) {
  SampleCompile C;
  C.begin(1, {.Entity = 1, .Location = 1});
  C.end(2);
  std::string Bytes = indexBytes({C});
  std::string Expected = answers(Opened(Bytes));
  for (size_t Shift = 1; Shift != 8; ++Shift) {
    std::string Shifted(Shift, 'x');
    Shifted += Bytes;
    InstantiationIndex X;
    std::string Why;
    ASSERT_TRUE(InstantiationIndex::fromBytes(
        std::string_view(Shifted).substr(Shift), "x", X, Why));
    EXPECT_EQ(answers(X), Expected);
  }
}

TEST(Index, OneEntityInSeveralCompilesIsOne) {
  SampleCompile C;
  C.begin(1, {.Entity = 1, .Location = 1});
  C.end(2);
  Opened X(indexBytes({C, C, C}));
  std::vector<uint32_t> Ids;
  ASSERT_TRUE(X.entitiesNamed("A<int>", Ids));
  ASSERT_EQ(Ids.size(), 1u);
  std::vector<uint32_t> Records;
  ASSERT_TRUE(X.recordsOf(Ids[0], Records));
  EXPECT_THAT(Records, ElementsAre(0, 1, 2));
  EXPECT_EQ(X.fileCount(), 2u);
}

} // namespace
