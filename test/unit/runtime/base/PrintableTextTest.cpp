#include "runtime/base/PrintableText.h"
#include "runtime/base/Utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace instantrace;

namespace {

TEST(PrintableText, LeavesWhatPeopleWrite) {
  for (const char *Text :
       {"", "vector<int>::size()", "größe<µs>", "名前", "👍"})
    EXPECT_EQ(printableText(Text), Text);
}

TEST(PrintableText, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printableText("a\x1b[31m\n\t\r\x7f"),
            "a\\x1b[31m\\x0a\\x09\\x0d\\x7f");
  // A C1 control as one byte, and as the character.
  EXPECT_EQ(printableText("\x9b"
                          "31m\xc2\x9b"
                          "31m"),
            "\\x9b31m\\u009b31m");
  EXPECT_EQ(printableText("\xe2\x80\xae"
                          "abc\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c\xe2\x80\xa8"),
            "\\u202eabc\\u2066\\u200f\\u061c\\u2028");
}

TEST(PrintableText, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(printableText("\xc3"), "\\xc3");                     // cut
  EXPECT_EQ(printableText("\xc0\xaf"), "\\xc0\\xaf");            // overlong
  EXPECT_EQ(printableText("\xed\xa0\x80x"), "\\xed\\xa0\\x80x"); // surrogate
  EXPECT_EQ(printableText({"\0", 1}), "\\x00");
}

// GitHub: a line that begins with ::command::, behind blanks as well; of the
// others, and of GitHub before, anywhere in a line.
TEST(PrintableText, EscapesWhatALogTakesForACommand) {
  EXPECT_EQ(printableText("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(printableText("  ::set-env name=a::b"),
            "  \\x3a:set-env name=a::b");
  EXPECT_EQ(printableText("a ##[error]b##vso[x]"),
            "a \\x23#[error]b\\x23#vso[x]");
  EXPECT_EQ(printableText("##teamcity[x]"), "\\x23#teamcity[x]");
  for (const char *Name :
       {"a::error::x", "::operator new", "##", "#[x]", ":::"})
    EXPECT_EQ(printableText(Name), Name);
  std::string Line = "a";
  appendPrintable(Line, "::error::x");
  EXPECT_EQ(Line, "a::error::x");
  Line = "a\n ";
  appendPrintable(Line, "::error::x");
  EXPECT_EQ(Line, "a\n \\x3a:error::x");
}

// The runner trims what .NET calls white space.
TEST(PrintableText, EscapesACommandBehindAnyBlank) {
  std::vector<std::string> Blanks = {
      "\t",           "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xAF",
      "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF", " \xC2\xA0\xE3\x80\x80 "};
  for (char Last = '\x80'; Last <= '\x8A'; ++Last)
    Blanks.push_back(std::string("\xE2\x80") + Last);
  for (const std::string &Blank : Blanks)
    EXPECT_NE(printableText(Blank + "::error::x").find("\\x3a:error::x"),
              std::string::npos)
        << printableText(Blank + "::error::x");
  // A dash is none.
  EXPECT_EQ(printableText("\xE2\x80\x93::error::x"), "\xE2\x80\x93::error::x");
}

TEST(Utf8, IsCutBetweenCharacters) {
  std::string_view Text = "aµ名👍";
  const size_t Begins[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (size_t Limit = 0; Limit != std::size(Begins); ++Limit)
    EXPECT_EQ(utf8PrefixBytes(Text, Limit), Begins[Limit]) << Limit;
}

} // namespace
