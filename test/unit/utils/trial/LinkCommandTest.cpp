// A link of the build writes into the scratch folder alone, and runs, loads and
// writes nothing else, whatever a file of the build has.
#include "utils/trial/LinkCommand.h"
#include "utils/trial/TrialProcess.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

using namespace instantrace;

namespace {

using Words = std::vector<std::string>;

/// What runs behind the program, or why nothing does.
std::string linked(const std::string &Options) {
  const std::filesystem::path Folder = testing::TempDir();
  const std::filesystem::path Clang = Folder / "clang++"; // is not run
  std::ofstream(Clang) << "x";
  std::filesystem::permissions(Clang, std::filesystem::perms::owner_all);
  Result<std::vector<LinkCommand>> Links = readLinkCommands(
      ": && /bin/sh -c x && ./clang++ u.o " + Options + " -o app && rm x",
      Folder.string(), {(Folder / "u.o").string()});
  if (!Links || Links->size() != 1)
    return "no command";
  Result<Words> Made = scratchLink(Links->front(), "/scratch/app",
                                   {{(Folder / "u.o").string(), "/s/u.o"}});
  if (!Made)
    return Made.error().Message;
  std::string Text;
  for (size_t I = 1; I < Made->size(); ++I)
    Text += (I == 1 ? "" : " ") + (*Made)[I];
  return Text;
}

TEST(LinkCommand, SplitsWhatNeedsNoShell) {
  EXPECT_EQ(splitShellCommand(": && a 'b c'\"d\\\"\" \\$x '' && :"),
            (std::vector<Words>{{":"}, {"a", "b cd\"", "$x", ""}, {":"}}));
  for (const char *Text :
       {"a; b", "a | b", "a > b", "a & b", "a $(b)", "a `b`", "a \"$b\"", "a *",
        "a b?", "a [b]", "a #b", "a ~/b", "a 'b", "a \"b", "a \\"})
    EXPECT_FALSE(splitShellCommand(Text)) << Text;
}

TEST(LinkCommand, NeedsAnObjectThatIsRead) {
  for (const char *Text :
       {"clang++ -c u.cpp -o u.o", "clang++ x.o -o app", "[", "[{}]", "[1]",
        "[{\"command\": 1}]", "clang++ u.o; x", ""}) {
    Result<std::vector<LinkCommand>> Links =
        readLinkCommands(Text, "/build", {"/build/u.o"});
    EXPECT_TRUE(!Links || Links->empty()) << Text;
  }
  Result<std::vector<LinkCommand>> Links = readLinkCommands(
      R"([{"command": "clang++ ./u.o -o app"}])", "/build", {"/build/u.o"});
  ASSERT_TRUE(Links);
  ASSERT_EQ(Links->size(), 1U);
  EXPECT_EQ(Links->front().Objects.at(1), "/build/u.o");
}

TEST(LinkCommand, RefusesWhatMayWriteOrRun) {
  for (const char *Options : {"-B/evil",
                              "--sysroot=/evil",
                              "-isysroot /evil",
                              "-fuse-ld=/evil/ld",
                              "--gcc-toolchain=/evil",
                              "-Wl,-plugin,evil.so",
                              "-Wl,-o,evil",
                              "-Wl,-Map,evil",
                              "-Xlinker -plugin",
                              "-Xlinker @evil",
                              "-T evil",
                              "-fplugin=evil.so",
                              "-specs=evil",
                              "-Wl,-rpath",
                              "-Wl,-rpath,-o",
                              "-c",
                              "-E",
                              "-x c++",
                              "--target=x86_64-linux-gnu",
                              "-mllvm -x",
                              "-Wl,--dependency-file,evil",
                              "-save-temps=/evil/x -wrapper",
                              "-Wl,--out-implib=evil",
                              "--config=evil"})
    EXPECT_EQ(linked(Options).rfind("the option ", 0), 0U) << linked(Options);
  EXPECT_EQ(linked("@evil"), "its options are in a file, @evil");
  EXPECT_EQ(linked("evil.cpp"), "it links evil.cpp, which is no object");
}

TEST(LinkCommand, KeepsWhatLinksAndReplacesOutputs) {
  EXPECT_EQ(linked("-O2 -Wl,-rpath,/x:/y,--as-needed -pthread -la -L /b c.a "
                   "-Xlinker --dependency-file=evil -fuse-ld=lld -shared "
                   "-fplugin=/x/libinstantrace.so -MF evil"),
            "/s/u.o -O2 -Xlinker -rpath -Xlinker /x:/y -Xlinker --as-needed "
            "-pthread -la -L /b c.a -fuse-ld=lld -shared -o /scratch/app");
}

TEST(TrialProcess, EndsWhatIsLate) {
  TrialProcess Process;
  Result<ProcessEnd> End =
      Process.run({"/bin/sh", "-c", "sleep 1000 & wait"}, {}, "/",
                  testing::TempDir() + "/messages", {1, 0, 0});
  ASSERT_TRUE(End);
  EXPECT_TRUE(End->IsLate);
  EXPECT_EQ(End->ExitCode, 128 + 9);
}

} // namespace
