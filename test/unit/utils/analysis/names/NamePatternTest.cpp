/// \file
/// NamePattern: globs are of the whole name, everything else is an expression.
#include "utils/analysis/names/NamePattern.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

bool matches(const std::string &Pattern, std::string_view Name) {
  return NamePattern::make(Pattern)->matches(Name);
}

TEST(NamePatternTest, AnExpressionIsFoundAnywhere) {
  EXPECT_TRUE(matches("vec", "std::vector<int>"));
  EXPECT_TRUE(matches("^std::(vector|list)<", "std::list<int>"));
  EXPECT_FALSE(matches("^vector", "std::vector<int>"));
}

TEST(NamePatternTest, WhatCannotBeMatchedInTimeIsRefused) {
  for (const char *Pattern : {"(a*)*\\1$", "((x{1,200}){1,200}){1,200}",
                              "(a|b|c){300}{300}", "([]x]{400}){400}"})
    EXPECT_FALSE(NamePattern::make(Pattern)) << Pattern;
  for (const char *Pattern :
       {"a{1000}", "x{200}y{200}z{200}", "[{1000}]{1000}", "\\{1000\\}{1000}",
        "(a{100}){100}", "((((a+)+)+)+)+b"})
    EXPECT_TRUE(NamePattern::make(Pattern)) << Pattern;
}

TEST(NamePatternTest, AGlobIsTheWholeName) {
  EXPECT_TRUE(matches("glob:std::vector<*>", "std::vector<int>"));
  EXPECT_FALSE(matches("glob:vector", "std::vector<int>"));
  EXPECT_TRUE(matches("glob:*::f?", "a::b::fx"));
  EXPECT_FALSE(matches("glob:*::f?", "a::b::f"));
  EXPECT_TRUE(matches("glob:", ""));
  EXPECT_TRUE(matches("glob:**", ""));
}

TEST(NamePatternTest, BracketsInAGlobAreText) {
  EXPECT_TRUE(matches("glob:operator[]", "operator[]"));
  EXPECT_FALSE(matches("glob:operator[x]", "operatorx"));
}

TEST(NamePatternTest, ABackslashTakesTheMeaningAway) {
  EXPECT_TRUE(matches("glob:operator\\*", "operator*"));
  EXPECT_FALSE(matches("glob:operator\\*", "operator+"));
  EXPECT_TRUE(matches("glob:a\\?*", "a?b"));
  EXPECT_FALSE(matches("glob:a\\?*", "abb"));
}

TEST(NamePatternTest, APrefixMayBeGivenForAnExpression) {
  EXPECT_TRUE(matches("regex:glob:", "glob:x"));
}

TEST(NamePatternTest, ANulByteEndsNoName) {
  EXPECT_TRUE(matches("b$", std::string_view("a\0b", 3)));
  EXPECT_TRUE(matches("glob:a?b", std::string_view("a\0b", 3)));
}

TEST(NamePatternTest, WhatIsNoExpressionIsAnError) {
  Result<NamePattern> Pattern = NamePattern::make("regex:(");
  ASSERT_FALSE(Pattern);
  EXPECT_EQ(Pattern.error().Message,
            "'(' is not a regular expression: Unmatched ( or \\(");
}

// Each `*` takes one more byte at a time, and none starts the others again.
TEST(NamePatternTest, ManyStarsOverALongNameEnd) {
  std::string Stars = "glob:";
  for (int I = 0; I != 50; ++I)
    Stars += "*a";
  EXPECT_FALSE(matches(Stars + "b", std::string(1 << 16, 'a')));
}

} // namespace
