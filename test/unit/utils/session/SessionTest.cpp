// What a build is given in its environment, and what is read from GCC's
// and Clang's arguments and ccache's log.
#include "utils/session/BuildEnvironment.h"
#include "utils/session/CacheLog.h"
#include "utils/session/ClangStart.h"
#include "utils/session/ForeignCompiles.h"
#include "utils/session/SessionFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

using namespace instantrace;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

constexpr const char *Override = "# ^--a ^-fplugin=/p/x.so ^--b";

BuildSettings settings() { return {Override, "/s", "/p/c", "/p/log", false}; }

TEST(SessionTest, EditsOfTheUserComeFirstAndDecideWhetherClangTells) {
  EXPECT_EQ(joinedOverride("", Override), Override);
  EXPECT_EQ(joinedOverride("# O2", Override),
            "# O2 ^--a ^-fplugin=/p/x.so ^--b");
  EXPECT_EQ(joinedOverride("+-g", Override), "+-g ^--a ^-fplugin=/p/x.so ^--b");
}

TEST(SessionTest, EachVariableIsThereOnce) {
  std::vector<std::string> Build = buildEnvironment(
      {"A=1", "CCC_OVERRIDE_OPTIONS=# O2", "INSTANTRACE_OUTPUT=elsewhere",
       "INSTANTRACE_OUTPUT_OF_MINE=1", "INSTANTRACE_DISABLE=1"},
      settings());
  EXPECT_THAT(
      Build,
      ElementsAre("A=1", "INSTANTRACE_OUTPUT_OF_MINE=1",
                  "CCC_OVERRIDE_OPTIONS=# O2 ^--a ^-fplugin=/p/x.so ^--b",
                  "INSTANTRACE_OUTPUT=/s/", "INSTANTRACE_COLLECTOR=/p/c",
                  "CCACHE_STATSLOG=/p/log"));
}

TEST(SessionTest, TheCacheLogOfTheUserStays) {
  std::vector<std::string> Build =
      buildEnvironment({"CCACHE_STATSLOG=mine"}, settings());
  EXPECT_THAT(Build, Contains("CCACHE_STATSLOG=mine"));
  EXPECT_THAT(Build, Not(Contains("CCACHE_STATSLOG=/p/log")));
  EXPECT_EQ(variableOf(Build, "CCACHE_STATSLOG"), "mine");
  EXPECT_EQ(variableOf(Build, "CCACHE"), "");
}

TEST(SessionTest, CachesAreIgnoredWhenAskedFor) {
  BuildSettings Settings = settings();
  EXPECT_THAT(buildEnvironment({}, Settings),
              Not(Contains(StartsWith("CCACHE_RECACHE="))));
  Settings.IgnoresCaches = true;
  EXPECT_THAT(buildEnvironment({"CCACHE_RECACHE=0"}, Settings),
              Contains("CCACHE_RECACHE=1"));
  EXPECT_THAT(buildEnvironment({}, Settings), Contains("SCCACHE_RECACHE=1"));
}

TEST(SessionTest, TheSourceOfAGccCompileIsFound) {
  EXPECT_EQ(gccSource({"cc1plus", "-quiet", "-imultiarch", "x86_64-linux-gnu",
                       "-D_GNU_SOURCE", "src/a.cpp", "-quiet", "-dumpbase",
                       "a.cpp", "-o", "x.s"}),
            "src/a.cpp");
  EXPECT_EQ(gccSource({"cc1", "-include", "b.c", "-", "-dumpbase", "-"}), "-");
  EXPECT_EQ(gccSource({"cc1plus", "-E", "a.cpp"}), "");
  EXPECT_EQ(gccSource({"cc1plus"}), "");
}

TEST(SessionTest, TheProgramOfClangIsKnown) {
  for (const char *Name : {"clang", "clang-22", "clang-3.8"})
    EXPECT_TRUE(isClangProgram(Name)) << Name;
  for (const char *Name : {"clang-", "clang-tidy", "clangd", "clang-cl.exe",
                           "clang-format-19", "gcc", ""})
    EXPECT_FALSE(isClangProgram(Name)) << Name;
}

TEST(SessionTest, TheSourcesOfAClangAreFound) {
  EXPECT_THAT(clangSources({"clang", "-c", "a.cpp", "-o", "x.cpp", "b.cc"}),
              ElementsAre("a.cpp", "b.cc"));
  EXPECT_THAT(clangSources({"/x/clang++-22", "-include", "b.cpp", "c.c"}),
              ElementsAre("c.c"));
  EXPECT_THAT(clangSources({"/c++/clang", "c.c", "a.o", "-lm"}), ElementsAre());
  EXPECT_THAT(clangSources({"clang", "-xc++", "c.c", "-"}),
              ElementsAre("c.c", "-"));
  EXPECT_THAT(
      clangSources({"clang", "-x", "c", "a.cpp", "-x", "none", "b.cpp"}),
      ElementsAre("b.cpp"));
  EXPECT_THAT(clangSources({"clang", "-x", "c++-header", "a.h"}),
              ElementsAre("a.h"));
  EXPECT_THAT(clangSources({"clang-cl", "/c", "/Foa.obj", "--", "/d/a.cpp"}),
              ElementsAre("/d/a.cpp"));
  EXPECT_THAT(clangSources({"clang", "-cc1", "-main-file-name", "a.cpp",
                            "-emit-obj", "-o", "a.o", "-x", "c++", "d/a.cpp"}),
              ElementsAre("d/a.cpp"));
}

TEST(SessionTest, WhatIsNoCompileHasNoSource) {
  for (const char *Option :
       {"-E", "-M", "-MM", "-###", "--analyze", "/P", "-print-file-name=x"})
    EXPECT_THAT(clangSources({"clang++", Option, "a.cpp"}), ElementsAre());
  EXPECT_THAT(clangSources({"clang++", "a.o", "-o", "a"}), ElementsAre());
  EXPECT_THAT(clangSources({"clang", "-cc1as", "a.ii"}), ElementsAre());
  EXPECT_THAT(clangSources({"clang++", "-MD", "-c", "a.cpp"}),
              ElementsAre("a.cpp"));
  EXPECT_THAT(clangSources({}), ElementsAre());
}

TEST(SessionTest, AClangHasThePluginOrAReasonWhyNot) {
  const std::string Loads = "CCC_OVERRIDE_OPTIONS=# ^/p/libinstantrace.so ^-x";
  const std::string Ours = "INSTANTRACE_COLLECTOR=/p/c";
  EXPECT_EQ(whyWithoutPlugin({"clang++"}, {Ours, Loads}), "");
  EXPECT_EQ(whyWithoutPlugin({"clang++", "-fplugin=/q/libinstantrace.so"}, {}),
            "");
  EXPECT_EQ(whyWithoutPlugin({"clang++"}, {}), "Clang (environment cleared)");
  EXPECT_EQ(whyWithoutPlugin({"clang++"}, {Ours, "CCC_OVERRIDE_OPTIONS=+-g"}),
            "Clang (CCC_OVERRIDE_OPTIONS replaced)");
  EXPECT_EQ(whyWithoutPlugin({"clang++"}, {Ours}),
            "Clang (CCC_OVERRIDE_OPTIONS replaced)");
  EXPECT_EQ(
      whyWithoutPlugin({"clang++"}, {Ours, Loads, "INSTANTRACE_DISABLE=1"}),
      "Clang (INSTANTRACE_DISABLE set)");
  EXPECT_EQ(
      whyWithoutPlugin({"clang++"}, {Ours, Loads, "INSTANTRACE_DISABLE=0"}),
      "");
  EXPECT_THAT(whyWithoutPlugin({"clang++"}, {}),
              StartsWith(std::string(ClangWithout)));
}

class CacheLogTest : public testing::Test {
protected:
  CacheUse read(const std::string &Text, uint64_t Begin = 0) {
    std::string Path = testing::TempDir() + "instantrace-cache-log";
    std::ofstream(Path, std::ios::binary) << Text;
    CacheUse Use = readCacheLog(Path, Begin);
    std::remove(Path.c_str());
    return Use;
  }
};

TEST_F(CacheLogTest, HitsOfBothKindsCountAndMissesDoNot) {
  CacheUse Use = read("# a.cpp\ndirect_cache_hit\nlocal_storage_hit\n"
                      "# b.cpp\ncache_miss\n# c d.cpp\n"
                      "preprocessed_cache_hit\n");
  EXPECT_EQ(Use.Runs, 3u);
  EXPECT_EQ(Use.Hits, 2u);
  EXPECT_THAT(Use.HitSources, ElementsAre("a.cpp", "c d.cpp"));
}

TEST_F(CacheLogTest, WhatWasThereBeforeIsNotOfThisBuild) {
  EXPECT_EQ(read("# a\ndirect_cache_hit\n# b\ncache_miss\n", 21).Hits, 0u);
  EXPECT_EQ(read("# a\ndirect_cache_hit\n", 1000).Runs, 0u);
  EXPECT_EQ(readCacheLog("/nonexistent/log", 0).Runs, 0u);
}

TEST_F(CacheLogTest, SourcesAreBounded) {
  std::string Text;
  for (unsigned I = 0; I != 1000; ++I)
    Text += "# a\ndirect_cache_hit\n";
  CacheUse Use = read(Text);
  EXPECT_EQ(Use.Hits, 1000u);
  EXPECT_EQ(Use.HitSources.size(), CacheUse::MostSources);
}

TEST(SessionTest, WhatIsNotKnownBeforeTheEndIsNotSaid) {
  SessionFacts Facts;
  Facts.Command = {"make", "a\"b"};
  EXPECT_THAT(sessionJson(Facts), HasSubstr(R"("command":["make","a\"b"])"));
  EXPECT_THAT(sessionJson(Facts), HasSubstr(R"("state":"running")"));
  EXPECT_THAT(sessionJson(Facts), Not(HasSubstr("exit_code")));
  EXPECT_THAT(sessionJson(Facts), Not(HasSubstr("\"git\"")));
  Facts.State = SessionFacts::StateKind::Ended;
  Facts.ExitCode = 7;
  Facts.Foreign["GCC"] = {2, 0, {"a.c"}};
  EXPECT_THAT(sessionJson(Facts), HasSubstr(R"("exit_code":7)"));
  EXPECT_THAT(
      sessionJson(Facts),
      HasSubstr(R"("GCC":{"count":2,"unattributed":0,"sources":["a.c"]})"));
}

TEST(SessionTest, WhatGitDoesNotSayIsNotSaid) {
  SessionFacts Facts;
  Facts.Revision.Commit = "c0ffee";
  EXPECT_THAT(sessionJson(Facts), HasSubstr(R"("commit":"c0ffee")"));
  EXPECT_THAT(sessionJson(Facts), Not(HasSubstr("modified")));
  Facts.Revision.IsModified = false;
  EXPECT_THAT(sessionJson(Facts), HasSubstr(R"("modified":false)"));
}

} // namespace
