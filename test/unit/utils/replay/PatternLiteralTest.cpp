/// \file
/// What rbreak looks for before it matches.
#include "utils/replay/PatternLiteral.h"

#include "utils/analysis/names/NamePattern.h"

#include <gtest/gtest.h>

#include <random>

using namespace instantrace;

namespace {

TEST(PatternLiteral, IsTheLongestTextOutsideOfGroups) {
  EXPECT_EQ(literalOf("vector"), "vector");
  EXPECT_EQ(literalOf("^std::vec.*<int>$"), "std::vec");
  EXPECT_EQ(literalOf("a\\.b[0-9]+long<"), "long<");
  EXPECT_EQ(literalOf("(std::)?map"), "map");
  EXPECT_EQ(literalOf("regex:glob:x"), "glob:x");
  EXPECT_EQ(literalOf("operator\\+\\("), "operator+(");
}

TEST(PatternLiteral, IsNothingWhereNothingIsSure) {
  for (const char *Pattern :
       {"a|b", "glob:vector*", "(abc)", "a*b?c{0,3}d+?", "", "[abc]", "\\w\\b",
        "(?i)abc", "(?x)a b", "a\\Qb|\\E", "(*LF)abc", "\\x41bc", "(?#a)bc",
        "a{(b}c)?"})
    EXPECT_EQ(literalOf(Pattern), "") << Pattern;
}

// Beside the library that matches.
TEST(PatternLiteral, EveryTextThatMatchesHasIt) {
  std::mt19937 Random(5);
  const std::string_view Pieces[] = {
      "a",     "b",     "ab", "<",   "[ab]",  "[^a]", "(a)",
      ".",     "*",     "+",  "?",   "{0,1}", "\\.",  "$",
      "^",     "(b",    ")",  "|",   "[]a]",  "\\b",  "\\<",
      "[\\]]", "[[:x]", "{",  "\\w", "(?i)",  "(?:",  "[a:]b:]"};
  const std::string_view Letters = "aab<.]";
  int Matches = 0;
  for (int I = 0; I != 20000; ++I) {
    std::string Pattern, Text;
    for (uint32_t N = 1 + Random() % 6; N != 0; --N)
      Pattern += Pieces[Random() % std::size(Pieces)];
    Result<NamePattern> Made = NamePattern::make(Pattern);
    if (!Made)
      continue;
    const std::string Literal = literalOf(Pattern);
    for (int J = 0; J != 10; ++J) {
      Text.clear();
      for (uint32_t N = Random() % 6; N != 0; --N)
        Text += Letters[Random() % Letters.size()];
      if (!Made->matches(Text))
        continue;
      ++Matches;
      ASSERT_NE(Text.find(Literal), Text.npos)
          << "'" << Pattern << "' matches '" << Text << "'";
    }
  }
  EXPECT_GT(Matches, 10000);
}

} // namespace
