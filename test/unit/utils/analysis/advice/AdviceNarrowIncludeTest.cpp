/// \file
/// Advice about headers that only include others, of which few are needed.
#include "test/unit/support/HeaderUnits.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

const std::string All = "/usr/include/u/all.h", A = "/usr/include/u/a.h",
                  B = "/usr/include/u/b.h", C = "/usr/include/u/c.h";

/// all.h takes 10 ns itself, a.h 100 and b.h 1000.
ReadFile whole() { return {All, 10, {{A, 100}, {B, 1000}}, 3}; }

/// x.cpp includes all.h in line 3, and asks for something of a.h.
std::string unit(uint32_t Id, const std::string &Path = "x.cpp") {
  return unitOf(Id, {Path, 50, {whole()}}, {{"A<int>", A, Path}});
}

Advised narrow(const std::string &Bytes, SourceReader Sources = {}) {
  return advise(read(Bytes), AdviceKind::NarrowInclude, std::move(Sources));
}

const std::string Including = "#include <u/all.h>\n";

TEST(AdviceNarrowIncludeTest, PartsOfWhichNothingIsUsedAreSaved) {
  Advised Report =
      narrow(unit(1), sourcesOf({{"x.cpp", Including + "A<int> V;"},
                                 {A, "template <class T> struct A {};"},
                                 {B, "struct B {};"}}));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Place, "x.cpp:3");
  EXPECT_EQ(S.Saves.LeastNs, 0u) << "what is not seen may need them";
  EXPECT_EQ(S.Saves.EstimateNs, 1010u) << "all.h itself and b.h";
  EXPECT_EQ(S.Saves.MostNs, 1010u);
  EXPECT_EQ(S.Snippet, "// x.cpp\n#include <u/a.h>");
  EXPECT_EQ(evidence(S, "compiles include it"), 1u);
  EXPECT_EQ(evidence(S, "compiles can do with"), 1u);
}

TEST(AdviceNarrowIncludeTest, WithoutSourcesHalfIsExpected) {
  Advised Report = narrow(unit(1));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 505u);
  EXPECT_EQ(Report.Suggestions[0].Saves.MostNs, 1010u);
  EXPECT_TRUE(Report.Suggestions[0].Doubts[0].starts_with("The sources"));
}

TEST(AdviceNarrowIncludeTest, ANameThatIsMentionedNeedsItsPart) {
  std::map<std::string, std::string> Texts = {
      {"x.cpp", Including + "A<int> V; B *W;"},
      {A, "template <class T> struct A {};"},
      {B, "struct B {};"}};
  Advised Report = narrow(unit(1), sourcesOf(Texts));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 10u) << "all.h itself";
  Texts[B] = "typedef int Other;";
  Texts[All] = "#define B int\n";
  EXPECT_TRUE(narrow(unit(1), sourcesOf(Texts)).Suggestions.empty())
      << "all.h itself is needed";
}

TEST(AdviceNarrowIncludeTest, WhatIsReadInAnotherWayIsNotSaved) {
  // In the second compile c.h has b.h; in the first it was there already.
  std::string Others = unitOf(2, {"y.cpp", 0, {{C, 1, {{B, 1000}}}}});
  std::string First = unitOf(1, {"x.cpp", 50, {whole(), {C, 1, {}, 4}}},
                             {{"A<int>", A, "x.cpp"}});
  Advised Report = narrow(First + Others, sourcesOf({{"x.cpp", Including}}));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 10u);
  Advised Sources = narrow(
      First, sourcesOf({{"x.cpp", Including}, {C, "#include <u/b.h>\n"}}));
  ASSERT_EQ(Sources.Suggestions.size(), 1u);
  EXPECT_EQ(Sources.Suggestions[0].Saves.EstimateNs, 10u);
  EXPECT_EQ(Sources.Suggestions[0].Saves.MostNs, 1010u)
      << "by the ways of the trace";
}

TEST(AdviceNarrowIncludeTest, InternalHeadersAreNoParts) {
  for (const char *Folder : {"detail/", "impl/", "bits/", "internal/"})
    EXPECT_TRUE(
        narrow(
            unitOf(1,
                   {"x.cpp",
                    0,
                    {{All,
                      10,
                      {{"/usr/include/u/" + std::string(Folder) + "a.h", 100},
                       {B, 1000}}}}}))
            .Suggestions.empty())
        << Folder;
}

TEST(AdviceNarrowIncludeTest, AHeaderWithTextOfItsOwnIsNoUmbrella) {
  EXPECT_TRUE(
      narrow(unitOf(1, {"x.cpp", 0, {{All, 900, {{A, 100}, {B, 1000}}}}}))
          .Suggestions.empty());
}

TEST(AdviceNarrowIncludeTest, OneSuggestionHasAllThatIncludeIt) {
  std::map<std::string, std::string> Texts = {{A, "struct A {};"}};
  std::string Bytes;
  for (uint32_t Id = 1; Id <= 5; ++Id) {
    std::string Path = "x" + std::to_string(Id) + ".cpp";
    Bytes += unit(Id, Path);
    Texts[Path] = Including;
  }
  Advised Report = narrow(Bytes, sourcesOf(Texts));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 5 * 1010u);
  EXPECT_EQ(Report.Suggestions[0].Snippet,
            "// x1.cpp, x2.cpp, x3.cpp, x4.cpp, x5.cpp\n#include <u/a.h>");
}

// With the program's own umbrella goes a.h, and with that the library's.
TEST(AdviceNarrowIncludeTest, WhatGoesWithALargerUmbrellaIsSavedOnce) {
  Advised Report =
      narrow(unitOf(1,
                    {"x.cpp",
                     50,
                     {{"inc/all.h",
                       10,
                       {{"inc/a.h", 200, {whole()}}, {"inc/b.h", 1000}}}}},
                    {{"Bb<int>", "inc/b.h", "x.cpp"}}),
             sourcesOf({{"x.cpp", "#include \"inc/all.h\"\nBb<int> V;"},
                        {"inc/all.h", "#include \"a.h\"\n#include \"b.h\"\n"},
                        {"inc/a.h", "#pragma once\n" + Including},
                        {"inc/b.h",
                         "#pragma once\ntemplate <class T> struct Bb {};"}}));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Place, "x.cpp:1");
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 10u + 200 + 1110);
  EXPECT_EQ(Report.Suggestions[0].Saves.MostNs, 10u + 200 + 1110);
}

// Each of two umbrellas has b.h, which is needed: one of them has to leave it.
TEST(AdviceNarrowIncludeTest, AnUmbrellaThatIsGoneIsNoOtherWay) {
  const std::string Second = "/usr/include/u/second.h",
                    D = "/usr/include/u/d.h";
  Advised Report = narrow(
      unitOf(1, {"x.cpp", 50, {whole(), {Second, 10, {{C, 1}, {D, 2000}}, 4}}},
             {{"B<int>", B, "x.cpp"}}),
      sourcesOf({{"x.cpp", Including + "#include <u/second.h>\nB<int> V;"},
                 {All, "#include <u/a.h>\n#include <u/b.h>\n"},
                 {Second, "#include <u/b.h>\n#include <u/c.h>\n"
                          "#include <u/d.h>\n"},
                 {B, "template <class T> struct B {};"}}));
  ASSERT_EQ(Report.Suggestions.size(), 2u);
  uint64_t Sum = 0;
  for (const Suggestion &S : Report.Suggestions) {
    Sum += S.Saves.EstimateNs;
    EXPECT_LE(S.Saves.EstimateNs, S.Saves.MostNs) << S.Place;
  }
  EXPECT_EQ(Sum, 10u + 100 + 10 + 1 + 2000) << "all but b.h";
}

TEST(AdviceNarrowIncludeTest, AHeaderOfTheProgramNeedsWhatAnyCompileNeeds) {
  auto Unit = [](uint32_t Id, const Instantiated &I) {
    return unitOf(Id, {"x.cpp", 50, {{"own.h", 5, {whole()}}}}, {I});
  };
  SourceReader Sources =
      sourcesOf({{"own.h", Including}, {"x.cpp", "#include \"own.h\"\n"}});
  Advised One = narrow(Unit(1, {"A<int>", A, "x.cpp"}), Sources);
  ASSERT_EQ(One.Suggestions.size(), 1u);
  EXPECT_EQ(One.Suggestions[0].Place, "own.h:3");
  EXPECT_EQ(One.Suggestions[0].Saves.EstimateNs, 1010u);
  Advised Both =
      narrow(Unit(1, {"A<int>", A, "x.cpp"}) + Unit(2, {"B<int>", B, "x.cpp"}),
             Sources);
  ASSERT_EQ(Both.Suggestions.size(), 1u);
  EXPECT_EQ(Both.Suggestions[0].Saves.EstimateNs, 20u);
}

TEST(AdviceNarrowIncludeTest, WhoPrecompilesAnUmbrellaNeedsAllOfIt) {
  EXPECT_TRUE(narrow(unit(1, "cmake_pch.hxx")).Suggestions.empty());
  EXPECT_TRUE(narrow(unit(1, "m.cppm")).Suggestions.empty());
}

/// own.h includes the umbrella, which one compile has precompiled.
TEST(AdviceNarrowIncludeTest, UsesOfWhatIsPrecompiledAreNotSeen) {
  auto readBy = [](uint32_t Id, const std::string &Path) {
    return unitOf(Id, {Path, 50, {{"own.h", 5, {whole()}}}},
                  {{"A<int>", A, "own.h"}});
  };
  auto precompiled = [](bool HasPch) {
    AdviceBuilder B(2, "y.cpp");
    B.object("y.o", HasPch ? "x.pch" : "");
    B.inclusion("y.cpp", 0, false);
    B.inclusion("own.h", 1, false);
    B.begin(EventKind::FileInclusion,
            B.entity("y.cpp", "", proto::ENTITY_FILE));
    B.leaf(EventKind::FileInclusion, B.entity("own.h", "", proto::ENTITY_FILE),
           5, B.location("y.cpp", 1));
    B.end(50);
    return B.bytes();
  };
  EXPECT_EQ(narrow(readBy(1, "x.cpp") + precompiled(false)).Suggestions.size(),
            1u);
  EXPECT_TRUE(
      narrow(readBy(1, "x.cpp") + precompiled(true)).Suggestions.empty());
}

} // namespace
