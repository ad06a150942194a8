/// \file
/// Numbers, JSON strings and printable text.
#include "runtime/base/PrintableText.h"
#include "utils/render/CostText.h"
#include "utils/render/JsonText.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

std::string json(std::string_view Text) {
  std::string Out;
  appendJsonString(Out, Text);
  return Out;
}

TEST(RenderToolTest, TimesHaveThreeDigits) {
  EXPECT_EQ(timeText(0), "0 ns");
  EXPECT_EQ(timeText(999), "999 ns");
  EXPECT_EQ(timeText(1000), "1.00 \xc2\xb5s");
  EXPECT_EQ(timeText(12345), "12.3 \xc2\xb5s");
  EXPECT_EQ(timeText(999999), "1.00 ms");
  EXPECT_EQ(timeText(123456789), "123 ms");
  EXPECT_EQ(timeText(98765432100), "98.8 s");
  EXPECT_EQ(sizeText(1500000), "1.50 MB");
}

TEST(RenderToolTest, JsonStringsAreValidUtf8) {
  EXPECT_EQ(json("a\"b\\c\n\t\x01"), R"("a\"b\\c\n\t\u0001")");
  EXPECT_EQ(json("\xc3\xa9\xe2\x80\xa6\xf0\x9f\x98\x80"),
            "\"\xc3\xa9\xe2\x80\xa6\xf0\x9f\x98\x80\"");
  const std::string Bad = "\xef\xbf\xbd";
  EXPECT_EQ(json("a\xff"), "\"a" + Bad + "\"");
  EXPECT_EQ(json("\xc3"), "\"" + Bad + "\"");                     // cut
  EXPECT_EQ(json("\xc0\x80"), "\"" + Bad + Bad + "\"");           // overlong
  EXPECT_EQ(json("\xed\xa0\x80"), "\"" + Bad + Bad + Bad + "\""); // surrogate
}

TEST(RenderToolTest, ControlCharactersAreVisible) {
  std::string Out;
  appendPrintable(Out, "a\x1b[2Jb\n\x7f\xc3\xa9");
  EXPECT_EQ(Out, "a\\x1b[2Jb\\x0a\\x7f\xc3\xa9");
}

} // namespace
