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

std::string failureOf(const std::string &Text) {
  Result<NamePattern> Pattern = NamePattern::make(Text);
  return Pattern ? "" : Pattern.error().Message;
}

TEST(NamePatternTest, DepthAndLengthHaveLimits) {
  const std::string Deep(15000, '(');
  EXPECT_EQ(
      failureOf(Deep + Deep),
      "'" + Deep.substr(0, 80) +
          "\u2026' is not a regular expression: parentheses are too deeply "
          "nested, at byte 251");
  EXPECT_EQ(failureOf(Deep + std::string(15000, ')')), failureOf(Deep + Deep));
  EXPECT_EQ(failureOf(std::string(100000, 'a')),
            "'" + std::string(80, 'a') +
                "\u2026' is not a regular expression: pattern string is longer "
                "than the limit set by the application, at byte 0");
  for (const char *Pattern :
       {"((x{1,200}){1,200}){1,200}", "(a|b|c){300}{300}{9}", "(?R)(", "\\"})
    EXPECT_NE(failureOf(Pattern), "") << Pattern;
  for (const char *Pattern :
       {"a{1000}", "x{200}y{200}z{200}", "[{1000}]{1000}", "\\{1000\\}{1000}",
        "(a{100}){100}", "((((a+)+)+)+)+b"})
    EXPECT_EQ(failureOf(Pattern), "") << Pattern;
}

// It would take longer than the age of the machine, or all of its memory.
TEST(NamePatternTest, AMatchHasLimits) {
  const std::string Name = std::string(100000, 'a') + "bc";
  for (const char *Text : {"(a*)*(a*)*b$", "(*NO_JIT)(a*)*(a*)*b$"}) {
    Result<NamePattern> Pattern = NamePattern::make(Text);
    ASSERT_TRUE(Pattern) << Text;
    EXPECT_THROW(Pattern->matches(Name), PatternLimitError) << Text;
    EXPECT_TRUE(Pattern->matches("aab")) << Text; // the next one has its own
  }
}

TEST(NamePatternTest, ALongNameIsNoLimit) {
  const std::string Name(1 << 20, 'a');
  EXPECT_TRUE(matches("^(a|b)*$", Name));
  EXPECT_FALSE(matches("^(?:a|b)*c$", Name));
  EXPECT_FALSE(matches("a.*b.*c", Name));
}

TEST(NamePatternTest, NamesAreBytesWhateverThePatternSays) {
  EXPECT_NE(failureOf("(*UTF)a"), "");
  EXPECT_TRUE(matches("^..$", "\xC3\xA9"));
  EXPECT_TRUE(matches("\\d(?=x)|\\<b", "a<b"));
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
  EXPECT_EQ(Pattern.error().Message, "'(' is not a regular expression: missing "
                                     "closing parenthesis, at byte 1");
}

// Each `*` takes one more byte at a time, and none starts the others again.
TEST(NamePatternTest, ManyStarsOverALongNameEnd) {
  std::string Stars = "glob:";
  for (int I = 0; I != 50; ++I)
    Stars += "*a";
  EXPECT_FALSE(matches(Stars + "b", std::string(1 << 16, 'a')));
}

} // namespace
