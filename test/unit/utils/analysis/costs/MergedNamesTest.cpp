/// \file
/// MergedNames: a name of many traces in one dictionary.
#include "utils/analysis/costs/MergedCosts.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

Trace traceWith(const std::vector<std::string> &Names) {
  Trace T;
  Sequence &S = T.Sequences.emplace_back();
  for (const std::string &Name : Names)
    S.Names.add(Name, {});
  return T;
}

RowName nameOf(uint32_t Entry) {
  RowName Name;
  Name.Name.Entry = {Entry};
  return Name;
}

std::string textOf(const RowName &Name, const MergedNames &In) {
  return Name.text(In.trace(), {}, 100);
}

TEST(MergedNames, ThatTheDictionaryOfATraceLacksAreNoneOfAnother) {
  const Trace First = traceWith({"a", "b", "c"}), Second = traceWith({"c"});
  MergedNames Names;
  Names.enterTrace(First);
  const RowName C = Names.add(nameOf(3)), A = Names.add(nameOf(1));
  Names.enterTrace(Second);
  EXPECT_EQ(textOf(Names.add(nameOf(1)), Names), "c");
  EXPECT_EQ(textOf(Names.add(nameOf(2)), Names), "");
  EXPECT_EQ(textOf(C, Names), "c");
  EXPECT_EQ(textOf(A, Names), "a");
}

} // namespace
