/// \file
/// Names shortened to a width.
#include "utils/render/NameElision.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace instantrace;

namespace {

const std::string E = "\xe2\x80\xa6"; // …

TEST(NameElisionToolTest, WhatFitsStays) {
  EXPECT_EQ(elideName("std::vector<int>", 16), "std::vector<int>");
  EXPECT_EQ(columnsOf("\xc3\xa9" + E), 2u);
}

TEST(NameElisionToolTest, DeepestArgumentsGoFirst) {
  const char *Name = "std::vector<std::pair<int, long>>::push_back";
  EXPECT_EQ(elideName(Name, 43),
            "std::vector<std::pair<" + E + ">>::push_back");
  EXPECT_EQ(elideName(Name, 34), "std::vector<" + E + ">::push_back");
}

TEST(NameElisionToolTest, BeginGoesLast) {
  const char *Name = "std::vector<std::pair<int, long>>::push_back";
  EXPECT_EQ(elideName(Name, 20), E + "::push_back");
  EXPECT_EQ(elideName("averylongname", 5), E + "name");
  EXPECT_EQ(elideName("averylongname", 1), E);
  EXPECT_EQ(elideName("averylongname", 0), E);
}

TEST(NameElisionToolTest, OperatorsAreNoBrackets) {
  EXPECT_EQ(elideName("operator<<std::char_traits<char>>", 20),
            "operator<<" + E + ">");
  EXPECT_EQ(elideName("operator<<<std::char_traits<char>>", 20),
            "operator<<<" + E + ">");
  EXPECT_EQ(elideName("std::operator<=><int, int, long>", 22),
            "std::operator<=><" + E + ">");
  EXPECT_EQ(elideName("Ptr<Object>::operator-><X>", 24),
            "Ptr<" + E + ">::operator-><" + E + ">");
  EXPECT_EQ(elideName("my_operator<Argument>", 15), "my_operator<" + E + ">");
}

TEST(NameElisionToolTest, LiteralsAndComparisonsAreNoBrackets) {
  EXPECT_EQ(elideName("Char<'<'>::Inner<Argument>", 20),
            "Char<" + E + ">::Inner<" + E + ">");
  EXPECT_EQ(elideName("Text<\"a\\\"<b\">::Inner", 16),
            "Text<" + E + ">::Inner");
  EXPECT_EQ(elideName("If<(Size > 4)>::Then<Argument>", 20),
            "If<" + E + ">::Then<" + E + ">");
  EXPECT_EQ(elideName("A<B<C> >::Member<Argument>", 20),
            "A<" + E + ">::Member<" + E + ">");
}

// A text that the dictionary cut has groups without an end.
TEST(NameElisionToolTest, UnbalancedNamesAreFine) {
  EXPECT_EQ(elideName("std::vector<std::pair<int, lo" + E, 20),
            "std::vector<" + E);
  EXPECT_EQ(elideName("a>>>>>>>>>>", 4), E + ">>>");
  EXPECT_EQ(elideName("'''''''''''", 4), E + "'''");
}

TEST(NameElisionToolTest, EveryWidthIsKept) {
  const std::string Name =
      "boost::fusion::vector<std::map<int, std::less<>>, A<B<C<D<E>>>>>::at<3>";
  for (size_t Columns = 1; Columns != 90; ++Columns)
    EXPECT_LE(columnsOf(elideName(Name, Columns)), Columns);
}

} // namespace
