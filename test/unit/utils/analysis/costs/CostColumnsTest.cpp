#include "utils/analysis/costs/CostColumns.h"

#include <gtest/gtest.h>

#include <set>

using namespace instantrace;

namespace {

/// Each number is another one.
CostRow numberedRow() {
  CostRow Row;
  uint64_t Next = 1000;
#define INSTANTRACE_ROW_NUMBER(Id, Member, ...) Row.Member = ++Next;
#define INSTANTRACE_BACKEND_NUMBER(Id, Member, ...)                            \
  Row.Backend.edit().Member = ++Next;
#include "utils/analysis/costs/CostColumns.def"
  return Row;
}

TEST(CostColumnsTest, TheSameRowOfTwoCompilesAddsEachNumber) {
  const CostRow One = numberedRow();
  CostRow Sum = One;
  Sum.addNumbers(One);
  for (const CostColumn &C : CostColumns)
    EXPECT_EQ(C.Value(Sum), 2 * C.Value(One)) << C.Word;
}

TEST(CostColumnsTest, DifferentRowsAddWhatTheyDoNotShare) {
  const CostRow One = numberedRow();
  CostRow Sum;
  Sum.addApart(One);
  for (const CostColumn &C : CostColumns)
    EXPECT_EQ(C.Value(Sum),
              C.Adds == CostAdds::OverRows ? C.Value(One) : uint64_t(0))
        << C.Word;
}

TEST(CostColumnsTest, OrdersFindTheirColumnsAndNamesAreDistinct) {
  std::set<std::string_view> Words, Fields;
  for (const CostColumn &C : CostColumns) {
    EXPECT_EQ(costColumn(C.Order), &C);
    EXPECT_TRUE(Words.insert(C.Word).second) << C.Word;
    EXPECT_TRUE(Fields.insert(C.Json).second) << C.Json;
    EXPECT_FALSE(C.Help.empty()) << C.Word;
  }
  EXPECT_EQ(costColumn(CostOrder::Name), nullptr);
}

} // namespace
