/// \file
/// inclusiveAstBytes: bytes of nested intervals add up towards the root.
#include "utils/analysis/view/AstBytes.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

TEST(AstBytesTest, AnIntervalHasTheBytesOfAllInsideIt) {
  Sequence S;
  S.Intervals.resize(4); // 0 has 1 and 3, 1 has 2
  for (uint32_t I = 0; I != 4; ++I)
    S.Intervals[I].AstBytes = uint64_t(1) << I;
  S.Intervals[1].Parent = IntervalId{0};
  S.Intervals[2].Parent = IntervalId{1};
  S.Intervals[3].Parent = IntervalId{0};
  EXPECT_EQ(inclusiveAstBytes(S), (std::vector<uint64_t>{15, 6, 4, 8}));
}

TEST(AstBytesTest, RootsAreApart) {
  Sequence S;
  EXPECT_TRUE(inclusiveAstBytes(S).empty());
  S.Intervals.resize(2);
  S.Intervals[0].AstBytes = 3;
  S.Intervals[1].AstBytes = 5;
  EXPECT_EQ(inclusiveAstBytes(S), (std::vector<uint64_t>{3, 5}));
}

} // namespace
