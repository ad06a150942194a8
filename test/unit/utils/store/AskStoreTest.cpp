#include "utils/store/AskStore.h"
#include "utils/store/Question.h"
#include "utils/store/StoreFiles.h"
#include "utils/store/UnitIdentity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace instantrace;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Question, EachFileIsOne) {
  ASSERT_GE(StoreQuestionFiles.size(), 8u);
  for (const StoreFile &File : StoreQuestionFiles) {
    Result<Question> Q = parseQuestion(File.Name, File.Text);
    ASSERT_TRUE(Q) << Q.error().Message;
    EXPECT_EQ(Q->HasSteps, !Q->DetailSql.empty());
    for (const std::string &Needed : Q->Needs)
      EXPECT_TRUE(Q->takes(Needed)) << Q->Name;
  }
  EXPECT_EQ(storeQuestions().size(), StoreQuestionFiles.size());
}

TEST(Question, AnotherKeyIsAnError) {
  Result<Question> Q = parseQuestion("x", "-- text: a\n-- colour: red\nSELECT");
  ASSERT_FALSE(Q);
  EXPECT_THAT(Q.error().Message, HasSubstr("found -- colour: red, expected"));
  EXPECT_FALSE(parseQuestion("x", "-- text: a\n"));
}

TEST(AskStore, MomentsAreDatesOrSoLongAgo) {
  constexpr uint64_t Day = 86400ull * 1'000'000'000;
  EXPECT_EQ(*parseMoment("1970-01-02", 0), Day);
  EXPECT_EQ(*parseMoment("1970-01-02T01:00", 0), Day + Day / 24);
  EXPECT_EQ(*parseMoment("1970-01-02T00:00:01Z", 0), Day + 1'000'000'000);
  EXPECT_EQ(*parseMoment("2d", 10 * Day), 8 * Day);
  EXPECT_EQ(*parseMoment("12h", 10 * Day), 9 * Day + Day / 2);
  EXPECT_EQ(*parseMoment("99999d", Day), 0u);
  for (const char *Wrong :
       {"", "d", "1", "1x", "-1d", "99999999999999999999d", "999999d",
        "1969-01-01", "1970-01-02x", "9999999-01-01", "18446744073709551615d"})
    EXPECT_FALSE(parseMoment(Wrong, 0)) << Wrong;
}

TEST(UnitIdentity, PathsAreFromTheRootOn) {
  EXPECT_EQ(pathBelow("/src", "", "/src/a/./b.h"), "a/b.h");
  EXPECT_EQ(pathBelow("/src", "/src/build", "../a.h"), "a.h");
  EXPECT_EQ(pathBelow("/src", "", "/srcs/a.h"), "/srcs/a.h");
  EXPECT_EQ(pathBelow("", "/src", "a.h"), "/src/a.h");
  EXPECT_EQ(pathBelow("/", "", "/a.h"), "/a.h");
  EXPECT_EQ(pathBelow("/src", "", "/src"), "/src");
  EXPECT_EQ(pathBelow("/src", "/src", ""), "");
}

TEST(UnitIdentity, OptionsChooseTheLanguage) {
  TraceSession S;
  S.LanguageStandard = "c++20";
  S.Argv = {"clang",
            "-cc1",
            "-D",
            "VERSION=\"1 2\"",
            "-DNDEBUG",
            "-UX",
            "-fno-rtti",
            "-fplugin=/x",
            "-fdebug-prefix-map=/a=/b",
            "-I",
            "/usr",
            "-o",
            "a.o",
            "a.cpp",
            "-std=c++20",
            "-O2",
            "-O2",
            "-D"};
  EXPECT_THAT(languageOptions(S),
              ElementsAre("-D", "-DNDEBUG", "-DVERSION", "-O2", "-UX",
                          "-fno-rtti", "-std=c++20", "level ",
                          "standard c++20"));
}
