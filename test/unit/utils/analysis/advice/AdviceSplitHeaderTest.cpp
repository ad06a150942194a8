/// \file
/// Advice about what a header of the program includes, and most have no use
/// for.
#include "test/unit/support/HeaderUnits.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

const std::string X = "/usr/include/x";

/// Each includes own.h, which takes 5 ns and includes x, of 500 ns. The last
/// one has something of x instantiated.
std::string units(int Count = 3, const std::string &Ending = ".cpp") {
  std::string Bytes;
  for (int I = 1; I <= Count; ++I) {
    std::string Path = "u" + std::to_string(I) + Ending;
    std::vector<Instantiated> Classes;
    if (I == Count)
      Classes.push_back({"X<int>", X, Path});
    Bytes += unitOf(static_cast<uint32_t>(I),
                    {Path, 50, {{"own.h", 5, {{X, 500, {}, 7}}}}}, Classes);
  }
  return Bytes;
}

using Texts = std::map<std::string, std::string>;

/// What is beside x and the three files.
Texts sources(const std::string &Own) {
  return {{"own.h", "#include <x>\n" + Own},
          {X, "template <class T> struct X {}; int helper();"},
          {"u1.cpp", "#include \"own.h\"\n"},
          {"u2.cpp", "#include \"own.h\"\n"},
          {"u3.cpp", "#include \"own.h\"\nX<int> V;\n"}};
}

Advised forward(const std::string &Bytes, const Texts &Sources) {
  return advise(read(Bytes), AdviceKind::ForwardDeclare, sourcesOf(Sources));
}
Advised split(const std::string &Bytes, const Texts &Sources) {
  return advise(read(Bytes), AdviceKind::SplitHeader, sourcesOf(Sources));
}

TEST(AdviceSplitHeaderTest, ANameBehindAStarNeedsADeclarationAlone) {
  Texts Sources = sources("template <class T> struct X; class Y { X *P; };");
  Advised Report = forward(units(), Sources);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Place, "own.h:7");
  EXPECT_EQ(S.Saves.LeastNs, 0u);
  EXPECT_EQ(S.Saves.EstimateNs, 1000u) << "not of the one that uses it";
  EXPECT_EQ(evidence(S, "compiles read for it alone"), 2u);
  EXPECT_EQ(evidence(S, "compiles read it for that"), 1u);
  EXPECT_TRUE(split(units(), Sources).Suggestions.empty());
}

TEST(AdviceSplitHeaderTest, WhatNeedsADefinitionCanBeApart) {
  Texts Sources = sources("struct Y { X<int> M; }; struct Z {};");
  Sources["u1.cpp"] += "Z V;\n";
  Advised Report = split(units(), Sources);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 1000u);
  EXPECT_EQ(evidence(Report.Suggestions[0], "names of the header"), 1u);
  EXPECT_TRUE(forward(units(), Sources).Suggestions.empty());
}

TEST(AdviceSplitHeaderTest, WhoNeedsWhatNeedsItUsesIt) {
  // W needs Y, which needs X.
  Texts Sources = sources("struct Y { X<int> M; }; struct W : Y {};");
  Sources["u1.cpp"] += "W V;\n";
  EXPECT_TRUE(split(units(), Sources).Suggestions.empty())
      << "one of three is no reason";
  Sources["u2.cpp"] += "Y V;\n";
  EXPECT_TRUE(split(units(), Sources).Suggestions.empty());
}

TEST(AdviceSplitHeaderTest, AMentionedNameIsAUse) {
  Texts Sources = sources("int f();");
  Sources["u2.cpp"] += "int I = helper();\n";
  EXPECT_TRUE(forward(units(), Sources).Suggestions.empty());
}

TEST(AdviceSplitHeaderTest, OneCompileIsTooFew) {
  EXPECT_TRUE(forward(units(2), sources("")).Suggestions.empty());
}

TEST(AdviceSplitHeaderTest, WithoutSourcesHalfIsExpected) {
  Advised Report = forward(units(), {});
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 500u);
  EXPECT_EQ(Report.Suggestions[0].Saves.MostNs, 1000u);
}

TEST(AdviceSplitHeaderTest, WhatIsReadInAnotherWayIsNoBurden) {
  Texts Sources = sources("int f();");
  for (const char *Path : {"u1.cpp", "u2.cpp", "u3.cpp"})
    Sources[Path] += "#include <x>\n";
  EXPECT_TRUE(forward(units(), Sources).Suggestions.empty());
}

TEST(AdviceSplitHeaderTest, AMainFileIsNoHeader) {
  std::string Bytes;
  for (uint32_t Id : {1u, 2u})
    Bytes += unitOf(Id, {"u.cpp", 50, {{X, 500}}});
  EXPECT_TRUE(forward(Bytes, {}).Suggestions.empty());
}

TEST(AdviceSplitHeaderTest, AnInterfaceUsesWhatItReads) {
  Texts Sources = sources("template <class T> struct X; class Y { X *P; };");
  EXPECT_TRUE(forward(units(3, ".cppm"), Sources).Suggestions.empty());
}

} // namespace
