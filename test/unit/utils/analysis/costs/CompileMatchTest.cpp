/// \file
/// Which compiles of two builds are compared with each other.
#include "utils/analysis/costs/CompileMatch.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

struct Compile {
  std::string Folder, Input;
  std::string Object = {}, Target = {};
};

Trace build(std::initializer_list<Compile> Compiles) {
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

TEST(CompileMatchTest, OfEqualNamesTheLongerCommonEndDecides) {
  EXPECT_EQ(match(build({{"/old/lib", "main.cpp"}, {"/old/app", "main.cpp"}}),
                  build({{"/new/app", "main.cpp"}, {"/new/lib", "main.cpp"}})),
            "0=1 1=0 | |");
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

TEST(CompileMatchTest, WithoutASessionThereIsNoPartner) {
  Trace Old = build({{"/w", "a.cpp"}}), New = build({{"/w", "a.cpp"}});
  Old.Sequences.emplace_back();
  New.Sequences.emplace_back();
  EXPECT_EQ(match(Old, New), "0=0 | -1 | +1");
}

TEST(CompileMatchTest, WhatIsNotKeptIsGone) {
  Trace T = build({{"/w", "a.cpp"}, {"/w", "b.cpp"}, {"/w", "c.cpp"}});
  keepCompiles(T, {0, 2});
  ASSERT_EQ(T.Sequences.size(), 2u);
  EXPECT_EQ(inputPath(T.Sequences[1]), "/w/c.cpp");
}

} // namespace
