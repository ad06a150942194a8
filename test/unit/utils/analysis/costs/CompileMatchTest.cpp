/// \file
/// Which compiles of two builds are compared with each other.
#include "utils/analysis/costs/CompileMatch.h"

#include <gtest/gtest.h>

#include <vector>

using namespace instantrace;

namespace {

struct Compile {
  std::string Folder, Input;
  std::string Object = {}, Target = {};
};

Trace build(const std::vector<Compile> &Compiles) {
  Trace T;
  for (const Compile &C : Compiles) {
    TraceSession &S = T.Sequences.emplace_back().Session.emplace();
    S.WorkingDirectory = C.Folder;
    S.Input = C.Input;
    S.Object = C.Object;
    S.Triple = C.Target;
  }
  return T;
}

/// "0=1 1=0 | -2 | +3"
std::string text(const CompileMatch &M) {
  std::string Text;
  for (const MatchedCompile &P : M.Pairs)
    Text += std::to_string(P.Old) + "=" + std::to_string(P.New) + " ";
  Text += "|";
  for (uint32_t I : M.OnlyOld)
    Text += " -" + std::to_string(I);
  Text += " |";
  for (uint32_t I : M.OnlyNew)
    Text += " +" + std::to_string(I);
  return Text;
}

std::string match(const Trace &Old, const Trace &New) {
  return text(matchCompiles(Old, New));
}

TEST(CompileMatchTest, OneCompileEachIsAPairWhateverItsName) {
  EXPECT_EQ(match(build({{"", "a.cpp"}}), build({{"", "b.cpp"}})), "0=0 | |");
}

TEST(CompileMatchTest, EqualPathsAreAPair) {
  EXPECT_EQ(match(build({{"/w", "a.cpp"}, {"/w", "b.cpp"}, {"/w", "c.cpp"}}),
                  build({{"/w", "b.cpp"}, {"/w", "x.cpp"}, {"/w", "a.cpp"}})),
            "0=2 1=0 | -2 | +1");
}

TEST(CompileMatchTest, PathsThatAreSpelledDifferentlyAreEqual) {
  EXPECT_EQ(match(build({{"/w/build", "../src/a.cpp"}, {"/w", "b.cpp"}}),
                  build({{"/w", "./b.cpp"}, {"/", "w/src/a.cpp"}})),
            "0=1 1=0 | |");
}

TEST(CompileMatchTest, WhatMakesSomethingForTheComparedIsComparedToo) {
  Trace T = build({{"/w", "a.cpp"},
                   {"/w", "all.h", "all.pch"},
                   {"/w/m", "one.cppm", "one.pcm"},
                   {"/w/m", "two.cppm", "two.pcm"},
                   {"/w", "unused.h", "unused.pch"},
                   {"/w", "b.cpp", "b.o"}});
  T.Sequences[0].Session->PchInputs = {"./all.pch"};
  T.Sequences[1].Session->ModuleInputs = {"/w/m/two.pcm"};
  T.Sequences[3].Session->ModuleInputs = {"one.pcm", "two.pcm"}; // itself
  std::vector<uint32_t> Compared = {0}, Only = {1, 2, 3, 4, 5};
  EXPECT_EQ(takePrerequisites(T, Compared, Only),
            (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(Compared, (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(Only, (std::vector<uint32_t>{4, 5}));
}

TEST(CompileMatchTest, OfEqualNamesTheLongerCommonEndDecides) {
  EXPECT_EQ(match(build({{"/old/lib", "main.cpp"}, {"/old/app", "main.cpp"}}),
                  build({{"/new/app", "main.cpp"}, {"/new/lib", "main.cpp"}})),
            "0=1 1=0 | |");
}

// More pairs than are looked at each: a build of many files of one name.
TEST(CompileMatchTest, ManyOfOneNameAreTheSame) {
  constexpr size_t Count = 1100, Step = 7; // Step is no factor of Count
  std::vector<Compile> Olds, News, Sames;
  for (size_t I = 0; I != Count; ++I) {
    const std::string Folder = "/f" + std::to_string(I);
    Olds.push_back({"/old" + Folder, "main.cpp"});
    News.push_back({"/new/f" + std::to_string(I * Step % Count), "main.cpp"});
    Sames.push_back({"/w", "main.cpp", Folder + ".o"});
  }
  const CompileMatch M = matchCompiles(build(Olds), build(News));
  ASSERT_EQ(M.Pairs.size(), Count);
  for (const MatchedCompile &P : M.Pairs)
    ASSERT_EQ(P.Old, P.New * Step % Count);
  // One path: the object decides.
  const std::vector<Compile> Back(Sames.rbegin(), Sames.rend());
  const CompileMatch Other = matchCompiles(build(Sames), build(Back));
  ASSERT_EQ(Other.Pairs.size(), Count);
  for (const MatchedCompile &P : Other.Pairs)
    ASSERT_EQ(P.New, Count - 1 - P.Old);
}

// base and newbase agree in bytes, but are not one folder.
TEST(CompileMatchTest, WholeComponentsAreCompared) {
  CompileMatch M = matchCompiles(
      build({{"/w/base/src", "a.cpp"}, {"/w/base/src", "b.cpp"}}),
      build({{"/w/newbase/src", "a.cpp"}, {"/w/newbase/src", "b.cpp"}}));
  EXPECT_EQ(text(M), "0=0 1=1 | |");
  EXPECT_EQ(M.OldRoot, "/w/base");
  EXPECT_EQ(M.NewRoot, "/w/newbase");
}

TEST(CompileMatchTest, RootsOfOneTreeAreEmpty) {
  CompileMatch M =
      matchCompiles(build({{"/w", "a.cpp"}}), build({{"/w", "a.cpp"}}));
  EXPECT_EQ(M.OldRoot, "");
  EXPECT_EQ(M.NewRoot, "");
}

TEST(CompileMatchTest, SeveralCompilesOfOneFileAreToldApartByObjectAndTarget) {
  EXPECT_EQ(match(build({{"/w", "a.cu", "host.o", "x86_64"},
                         {"/w", "a.cu", "device.o", "nvptx64"},
                         {"/w", "a.cu", "device.o", "amdgcn"}}),
                  build({{"/w", "a.cu", "device.o", "amdgcn"},
                         {"/w", "a.cu", "host.o", "x86_64"},
                         {"/w", "a.cu", "device.o", "nvptx64"}})),
            "0=1 1=2 2=0 | |");
}

TEST(CompileMatchTest, OneSourceOfTwoTargetsIsToldApartByTheObjectsFolders) {
  EXPECT_EQ(match(build({{"/w", "main.cpp", "app.dir/main.cpp.o"},
                         {"/w", "main.cpp", "/b/lib.dir/main.cpp.o"}}),
                  build({{"/w", "main.cpp", "lib.dir/main.cpp.o"},
                         {"/w", "main.cpp", "/c/app.dir/main.cpp.o"}})),
            "0=1 1=0 | |");
}

/// So many hashes from First on.
CompileSketch sketch(uint64_t First, size_t Count) {
  CompileSketch S;
  for (size_t I = 0; I != Count; ++I)
    S.Hashes.push_back(First + I);
  return S;
}

std::string renamed(const Trace &Old, const Trace &New,
                    const std::vector<CompileSketch> &OldSketches,
                    const std::vector<CompileSketch> &NewSketches) {
  CompileMatch M = matchCompiles(Old, New, OldSketches, NewSketches);
  std::string Text = text(M);
  for (const RenamedCompile &R : M.Renamed)
    Text += " " + std::to_string(R.Old) + "=" + std::to_string(R.New) + ":" +
            (R.Shared ? std::to_string(static_cast<int>(100 * *R.Shared + 0.5))
                      : "unknown");
  return Text;
}

TEST(CompileMatchTest, AFileThatWasRenamedIsFoundByWhatItInstantiates) {
  Trace Old = build({{"/w", "a.cpp"}, {"/w", "old.cpp"}, {"/w", "gone.cpp"}});
  Trace New = build({{"/w", "other.cpp"}, {"/w", "new.cpp"}, {"/w", "a.cpp"}});
  std::vector<CompileSketch> Before = {sketch(0, 10), sketch(100, 10),
                                       sketch(500, 10)};
  // Nine of eleven, and none.
  std::vector<CompileSketch> After = {sketch(900, 10), sketch(101, 10),
                                      sketch(0, 10)};
  EXPECT_EQ(renamed(Old, New, Before, After), "0=2 1=1 | -2 | +0 1=1:82");
  EXPECT_EQ(match(Old, New), "0=2 | -1 -2 | +0 +1") << "without sketches";
  // Half of them, which is enough, and less than that.
  After[1] = sketch(100, 20);
  EXPECT_EQ(renamed(Old, New, Before, After), "0=2 1=1 | -2 | +0 1=1:50");
  After[1] = sketch(100, 21);
  EXPECT_EQ(renamed(Old, New, Before, After), "0=2 | -1 -2 | +0 +1");
}

TEST(CompileMatchTest, WhatIsLikeTwoOthersIsLikeNone) {
  Trace Old = build({{"/w", "a.cpp"}, {"/w", "old.cpp"}});
  Trace New = build({{"/w", "a.cpp"}, {"/w", "one.cpp"}, {"/w", "two.cpp"}});
  std::vector<CompileSketch> Before = {sketch(0, 10), sketch(100, 40)};
  // 38 of 42, and 36 of 44: less than a tenth apart.
  EXPECT_EQ(renamed(Old, New, Before,
                    {sketch(0, 10), sketch(102, 40), sketch(104, 40)}),
            "0=0 | -1 | +1 +2");
  // 38 of 42, and 20 of 60.
  EXPECT_EQ(renamed(Old, New, Before,
                    {sketch(0, 10), sketch(102, 40), sketch(120, 40)}),
            "0=0 1=1 | | +2 1=1:90");
}

TEST(CompileMatchTest, AnotherEndingIsAnotherNameOfTheSame) {
  Trace Old = build({{"/w", "a.cpp"}, {"/w", "x.cc"}, {"/w", "y.cc"}});
  Trace New = build({{"/w", "a.cpp"}, {"/v", "x.cpp"}, {"/w", "z.cpp"}});
  EXPECT_EQ(renamed(Old, New, {{}, {}, {}}, {{}, {}, {}}),
            "0=0 1=1 | -2 | +2 1=1:unknown");
  // Of fewer than four specializations on one side nothing is to be expected.
  EXPECT_EQ(
      renamed(Old, New, {{}, sketch(100, 3), {}}, {{}, sketch(200, 100), {}}),
      "0=0 1=1 | -2 | +2 1=1:0");
}

TEST(CompileMatchTest, WhatAFileHasSaysMoreThanWhatItIsCalled) {
  Trace Old = build({{"/w", "a.cpp"}, {"/w", "x.cc"}, {"/w", "y.cc"}});
  Trace New = build({{"/w", "a.cpp"}, {"/w", "x.cpp"}, {"/w", "moved.cpp"}});
  std::vector<CompileSketch> Before = {sketch(0, 10), sketch(100, 10),
                                       sketch(200, 10)};
  EXPECT_EQ(renamed(Old, New, Before,
                    {sketch(0, 10), sketch(300, 10), sketch(100, 10)}),
            "0=0 1=2 | -2 | +1 1=2:100");
  // Two of eighteen would be enough, if there were no other.
  EXPECT_EQ(renamed(Old, New, Before,
                    {sketch(0, 10), sketch(108, 10), sketch(100, 10)}),
            "0=0 1=2 | -2 | +1 1=2:100");
  // One of nineteen, and two of eighteen.
  EXPECT_EQ(renamed(Old, New, Before,
                    {sketch(0, 10), sketch(109, 10), sketch(400, 10)}),
            "0=0 | -1 -2 | +1 +2");
  EXPECT_EQ(renamed(Old, New, Before,
                    {sketch(0, 10), sketch(108, 10), sketch(400, 10)}),
            "0=0 1=1 | -2 | +2 1=1:11");
}

// Of two that are alike, a name's ending tells which, and so the other's.
TEST(CompileMatchTest, WhatANameSaysLeavesOthersLikeOneAlone) {
  EXPECT_EQ(renamed(build({{"/w", "a.cpp"}, {"/w", "x.cc"}, {"/w", "y.cc"}}),
                    build({{"/w", "a.cpp"}, {"/w", "x.cpp"}, {"/w", "z.cpp"}}),
                    {sketch(0, 10), sketch(100, 40), sketch(101, 40)},
                    {sketch(0, 10), sketch(100, 40), sketch(101, 40)}),
            "0=0 1=1 2=2 | | 1=1:100 2=2:100");
}

// Of five compiles with the same headers, what tells them apart counts.
TEST(CompileMatchTest, WhatMostCompilesHaveSaysNothing) {
  Trace Old = build({{"/w", "a"}, {"/w", "b"}, {"/w", "c"}, {"/w", "d"}});
  Trace New = build({{"/w", "a"}, {"/w", "b"}, {"/w", "x"}, {"/w", "y"}});
  auto with = [](uint64_t Own) {
    CompileSketch S = sketch(0, 200);
    CompileSketch More = sketch(Own, 5);
    S.Hashes.insert(S.Hashes.end(), More.Hashes.begin(), More.Hashes.end());
    return S;
  };
  std::vector<CompileSketch> Before = {with(1000), with(2000), with(3000),
                                       with(4000)};
  EXPECT_EQ(renamed(Old, New, Before,
                    {with(1000), with(2000), with(4000), with(3000)}),
            "0=0 1=1 2=3 3=2 | | 2=3:100 3=2:100");
  EXPECT_EQ(renamed(Old, New, Before,
                    {with(1000), with(2000), with(5000), with(6000)}),
            "0=0 1=1 | -2 -3 | +2 +3");
}

TEST(CompileMatchTest, WithoutASessionThereIsNoPartner) {
  Trace Old = build({{"/w", "a.cpp"}}), New = build({{"/w", "a.cpp"}});
  Old.Sequences.emplace_back();
  New.Sequences.emplace_back();
  EXPECT_EQ(match(Old, New), "0=0 | -1 | +1");
}

} // namespace
