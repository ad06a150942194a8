/// \file
/// JitRegex: what it answers is what regexec() answers.
#include "utils/analysis/names/JitRegex.h"

#include <gtest/gtest.h>

#include <random>
#include <regex.h>

using namespace instantrace;

namespace {

/// None: it is no expression.
class Posix {
public:
  explicit Posix(const std::string &Text)
      : IsGood(::regcomp(&Is, Text.c_str(), REG_EXTENDED | REG_NOSUB) == 0) {}
  ~Posix() {
    if (IsGood)
      ::regfree(&Is);
  }
  bool matches(const std::string &Name) const {
    return ::regexec(&Is, Name.c_str(), 0, nullptr, 0) == 0;
  }
  regex_t Is{};
  const bool IsGood;
};

std::string perl(const char *Extended) {
  return perlRegexOf(Extended).value_or("none");
}

TEST(JitRegex, TranslatesWhatMeansTheSame) {
  EXPECT_EQ(perl("^std::(vector|list)<"), "^std\\x3a\\x3a(?:vector|list)\\x3c");
  EXPECT_EQ(perl("[0-9]7[^0]>"), "[0-9]7[^0]\\x3e");
  EXPECT_EQ(perl("operator\\(\\)"), "operator\\x28\\x29");
  EXPECT_EQ(perl("[]a-]{2,}.*$"), "[\\x5da\\x2d]{2,}.*$");
  EXPECT_EQ(perl("[[:alpha:]_]+\\\\"), "[[:alpha:]\\x5f]+\\x5c");
}

TEST(JitRegex, LeavesTheRestToOthers) {
  for (const char *Text :
       {"",        "a|",     "(a|)b",   "()",           "a+?",
        "a**",     "*a",     "^*a",     "a{,2}",        "a{2",
        "a{2,1}",  "a{256}", "a^b",     "(^a)",         "a$b",
        "(a$)",    "\\w",    "\\bx",    "\\<x",         "(a)\\1",
        "a)",      "a\\",    "[[.a.]]", "[[=a=]]",      "[[:nothing:]]",
        "[a-c-e]", "[b-a]",  "[--/]",   "[[:digit:]-z]"})
    EXPECT_EQ(perl(Text), "none") << Text;
}

TEST(JitRegex, AnswersAsRegexecDoes) {
  std::mt19937 Random(7);
  const std::string_view Pieces[] = {
      "a",     "b",        "ab",   "<",   ">",    "[ab]",        "[^a]",
      "(a)",   ".",        "*",    "+",   "?",    "{0,2}",       "{2}",
      "\\.",   "$",        "^",    "(b",  ")",    "|",           "[]a]",
      "[a-]",  "[-<b]",    "(a|b", "a*",  "{1,}", "[[:alpha:]]", "\\\\",
      "[^]b]", "\xC3\xA9", "[\\]", "\\+", ",",    "::",          "(ab|a)*"};
  const std::string_view Letters[] = {"a", "a",  "b", "<", ".", "]",
                                      "-", "\n", "+", ",", ":", "\xC3\xA9"};
  int Asked = 0, Found = 0;
  for (int I = 0; I != 60000; ++I) {
    std::string Pattern;
    for (uint32_t N = 1 + Random() % 7; N != 0; --N)
      Pattern += Pieces[Random() % std::size(Pieces)];
    const Posix Other(Pattern);
    if (!Other.IsGood)
      continue;
    const std::unique_ptr<const JitRegex> Fast = JitRegex::make(Pattern);
    if (!Fast)
      continue;
    for (int J = 0; J != 12; ++J) {
      std::string Name;
      for (uint32_t N = Random() % 8; N != 0; --N)
        Name += Letters[Random() % std::size(Letters)];
      const std::optional<bool> Is = Fast->matches(Name);
      if (!Is)
        continue;
      ++Asked;
      Found += *Is;
      ASSERT_EQ(*Is, Other.matches(Name))
          << "'" << Pattern << "' in '" << Name << "'";
    }
  }
  EXPECT_GT(Asked, 50000);
  EXPECT_GT(Found, 10000);
  EXPECT_GT(Asked - Found, 10000);
}

// It would take longer than the age of the machine.
TEST(JitRegex, GivesUpWhereItWouldGoBackAndForth) {
  const std::unique_ptr<const JitRegex> Fast = JitRegex::make("(a*)*(a*)*b$");
  ASSERT_TRUE(Fast);
  EXPECT_EQ(Fast->matches(std::string(2000, 'a') + "bc"), std::nullopt);
}

TEST(JitRegex, HasNoAnswerForANul) {
  const std::unique_ptr<const JitRegex> Fast = JitRegex::make("a.b");
  ASSERT_TRUE(Fast);
  EXPECT_EQ(Fast->matches(std::string_view("a\0b", 3)), std::nullopt);
  EXPECT_EQ(Fast->matches("axb"), true);
  EXPECT_EQ(Fast->matches(""), false);
}

} // namespace
