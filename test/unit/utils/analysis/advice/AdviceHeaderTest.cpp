/// \file
/// Advice about headers that have things instantiated which nobody else needs.
#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

struct HeaderForm {
  int Classes = 4;
  uint64_t HitsEach = 1;
  bool IsSystem = false;
  bool IsMainFile = false;
  bool IsUsed = false; ///< a.cpp instantiates a template of h.h
  std::vector<std::string> Argv = {};
};

/// h.h, included from a.cpp:3, has so many classes instantiated, of 10 ns each,
/// and calls f<int>, whose body comes late and takes 7 ns.
Trace header(const HeaderForm &Form) {
  AdviceBuilder B;
  B.argv(Form.Argv);
  B.inclusion("a.cpp", 0, false);
  B.inclusion("h.h", 1, Form.IsSystem);
  uint32_t Main = B.entity("a.cpp", "", proto::ENTITY_FILE);
  uint32_t H = B.entity("h.h", "", proto::ENTITY_FILE);
  uint32_t F = B.entity("f<int>", "f<$>", proto::ENTITY_FUNCTION);
  uint32_t InMain = B.location("a.cpp", 3), InHeader = B.location("h.h", 8);
  B.begin(EventKind::Frontend);
  B.begin(EventKind::FileInclusion, Main);
  uint32_t File =
      B.begin(EventKind::FileInclusion, H, Form.IsMainFile ? 0 : InMain);
  for (int I = 0; I != Form.Classes; ++I) {
    uint32_t X =
        B.entity("X<" + std::to_string(I) + ">", "X<$>", proto::ENTITY_CLASS);
    B.definition(X, 10, InHeader);
    B.hits(X, Form.HitsEach);
  }
  B.end(100);
  if (Form.IsUsed)
    B.definition(B.entity("Y<int>", "Y<$>", proto::ENTITY_CLASS, "h.h", 2), 5,
                 InMain);
  B.end(0);
  B.beginLate(F, File, InHeader);
  B.endDefinition(7);
  B.end(0);
  return read(B.bytes());
}

TEST(AdviceHeaderTest, WhatNobodyElseAsksForIsSaved) {
  Trace T = header({});
  Advised Report = advise(T, AdviceKind::UnneededHeader);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Subject.text(Report.Names, {}, 100), "h.h");
  EXPECT_EQ(S.Place, "a.cpp:3");
  EXPECT_EQ(S.Saves.LeastNs, 40u);
  EXPECT_EQ(S.Saves.EstimateNs, 40u) << "without the parsing";
  EXPECT_EQ(S.Saves.MostNs, 47u) << "a function may be called elsewhere";
  EXPECT_EQ(evidence(S, "instantiations that the header"), 5u);
}

TEST(AdviceHeaderTest, FourThingsAreWorthASuggestion) {
  EXPECT_EQ(advise(header({3}), AdviceKind::UnneededHeader).Suggestions.size(),
            1u)
      << "three classes and a function";
  EXPECT_TRUE(
      advise(header({2}), AdviceKind::UnneededHeader).Suggestions.empty());
}

TEST(AdviceHeaderTest, WhatOthersAskForAgainIsNoReason) {
  EXPECT_TRUE(
      advise(header({4, 2}), AdviceKind::UnneededHeader).Suggestions.empty());
}

TEST(AdviceHeaderTest, AMainFileIsNoHeader) {
  HeaderForm Form;
  Form.IsMainFile = true;
  EXPECT_TRUE(
      advise(header(Form), AdviceKind::UnneededHeader).Suggestions.empty());
}

/// sys.h includes h.h; both are system headers.
TEST(AdviceHeaderTest, ASystemHeaderIsNamedAsTheProgramIncludesIt) {
  AdviceBuilder B;
  B.inclusion("a.cpp", 0, false);
  B.inclusion("sys.h", 1, true);
  B.inclusion("h.h", 2, true);
  uint32_t Main = B.entity("a.cpp", "", proto::ENTITY_FILE);
  uint32_t System = B.entity("sys.h", "", proto::ENTITY_FILE);
  uint32_t H = B.entity("h.h", "", proto::ENTITY_FILE);
  uint32_t InMain = B.location("a.cpp", 3), InSystem = B.location("sys.h", 5);
  uint32_t InHeader = B.location("h.h", 8);
  B.begin(EventKind::Frontend);
  B.begin(EventKind::FileInclusion, Main);
  B.begin(EventKind::FileInclusion, System, InMain);
  B.begin(EventKind::FileInclusion, H, InSystem);
  for (int I = 0; I != 4; ++I) {
    uint32_t X =
        B.entity("X<" + std::to_string(I) + ">", "X<$>", proto::ENTITY_CLASS);
    B.definition(X, 10, InHeader);
    B.hits(X, 1);
  }
  B.end(100);
  B.end(0);
  B.end(0);
  B.end(0);
  Trace T = read(B.bytes());
  Advised Report = advise(T, AdviceKind::UnneededHeader);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Subject.text(Report.Names, {}, 100), "sys.h");
  EXPECT_EQ(Report.Suggestions[0].Place, "a.cpp:3");
}

TEST(AdviceHeaderTest, OnlyTheIncludeOfASystemHeaderCanChange) {
  HeaderForm Form;
  Form.IsSystem = true;
  Advised Report = advise(header(Form), AdviceKind::UnneededHeader);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_TRUE(Report.Suggestions[0].Action.starts_with("Include it only"));
  EXPECT_TRUE(Report.Suggestions[0].Snippet.empty());
}

TEST(AdviceHeaderTest, ASystemHeaderThatIsUsedIsNeeded) {
  HeaderForm Form;
  Form.IsUsed = true;
  EXPECT_EQ(advise(header(Form), AdviceKind::UnneededHeader).Suggestions.size(),
            1u)
      << "what it defines can move";
  Form.IsSystem = true;
  EXPECT_TRUE(
      advise(header(Form), AdviceKind::UnneededHeader).Suggestions.empty());
}

TEST(AdviceHeaderTest, WhatOtherCompilesReadIsNoEvidence) {
  using Words = std::vector<std::string>;
  for (const Words &Argv :
       {Words{"clang++", "-x", "c++-header", "a.cpp"},
        Words{"clang++", "-xc++-user-header", "a.cpp"},
        Words{"clang", "-cc1", "-emit-pch", "-x", "c++", "a.cpp"},
        Words{"clang++", "-x", "c++-module", "-c", "a.cpp"},
        Words{"clang++", "-fmodule-output=a.pcm", "-c", "a.cpp"}}) {
    HeaderForm Form;
    Form.Argv = Argv;
    EXPECT_TRUE(
        advise(header(Form), AdviceKind::UnneededHeader).Suggestions.empty())
        << testing::PrintToString(Argv);
  }
  HeaderForm Form;
  Form.Argv = {"clang++", "-x", "c++", "-c", "a.cpp"};
  EXPECT_EQ(advise(header(Form), AdviceKind::UnneededHeader).Suggestions.size(),
            1u);
}

} // namespace
