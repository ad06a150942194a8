// When a line of progress appears, how often it changes, and what it says.
#include "utils/render/ProgressLine.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

constexpr uint64_t Second = 1'000'000'000;

TEST(ProgressLineTest, NothingIsSaidWithinTheFirstSecond) {
  ProgressLine Line("reading", 100, ProgressUnit::Bytes, 5 * Second);
  EXPECT_EQ(Line.at(99, "a.itrace", 6 * Second - 1, 80), "");
  EXPECT_EQ(Line.erase(), "");
  EXPECT_NE(Line.at(99, "a.itrace", 6 * Second, 80), "");
}

TEST(ProgressLineTest, ATextStaysForATenthOfASecond) {
  ProgressLine Line("reading", 100, ProgressUnit::Bytes, 0);
  EXPECT_NE(Line.at(1, "", Second, 80), "");
  EXPECT_EQ(Line.at(2, "", Second + Second / 10 - 1, 80), "");
  EXPECT_NE(Line.at(3, "", Second + Second / 10, 80), "");
}

TEST(ProgressLineTest, ErasingGivesWayToTheNextText) {
  ProgressLine Line("reading", 100, ProgressUnit::Bytes, 0);
  EXPECT_NE(Line.at(1, "", Second, 80), "");
  EXPECT_EQ(Line.erase(), "\r\x1b[K");
  EXPECT_EQ(Line.erase(), "");
  EXPECT_NE(Line.at(2, "", Second + 1, 80), "");
}

TEST(ProgressLineTest, OfAKnownTotalThePartIsABar) {
  ProgressLine Line("reading", 8'000'000, ProgressUnit::Bytes, 0);
  EXPECT_EQ(Line.at(2'000'000, "a.itrace", Second, 80),
            "\r\x1b[Kreading [=====               ]  25 %  a.itrace");
  // A file that grew meanwhile.
  EXPECT_EQ(Line.at(9'000'000, "", 2 * Second, 80),
            "\r\x1b[Kreading [====================] 100 %");
}

TEST(ProgressLineTest, ItemsAreCounted) {
  ProgressLine Line("recovering", 2000, ProgressUnit::Items, 0);
  EXPECT_EQ(Line.at(1500, "", Second, 80),
            "\r\x1b[Krecovering [===============     ]  75 %  1,500 of 2,000");
}

TEST(ProgressLineTest, OfAnUnknownTotalTheAmountIsSaid) {
  ProgressLine Bytes("writing", 0, ProgressUnit::Bytes, 0);
  EXPECT_EQ(Bytes.at(12'300'000, "", Second, 80), "\r\x1b[Kwriting 12.3 MB");
  ProgressLine Items("writing", 0, ProgressUnit::Items, 0);
  EXPECT_EQ(Items.at(12'300, "", Second, 80), "\r\x1b[Kwriting 12,300");
}

TEST(ProgressLineTest, TheLineFitsTheTerminal) {
  ProgressLine Line("reading", 0, ProgressUnit::Bytes, 0);
  EXPECT_EQ(Line.at(5, "a/very/long/folder/unit.itrace", Second, 29),
            "\r\x1b[Kreading 5 B  …/unit.itrace");
  EXPECT_EQ(Line.at(5, "a/very/long/folder/unit.itrace", 2 * Second, 20),
            "\r\x1b[Kreading 5 B");
}

TEST(ProgressLineTest, ANameCannotMoveTheCursor) {
  ProgressLine Line("reading", 0, ProgressUnit::Bytes, 0);
  EXPECT_EQ(Line.at(5, "a\x1b[2J", Second, 80),
            "\r\x1b[Kreading 5 B  a\\x1b[2J");
}

} // namespace
