#include "utils/trial/EditedSources.h"

#include "utils/analysis/advice/PrecompileSnippet.h"
#include "utils/session/SessionFolder.h"
#include "utils/trial/ScratchCommand.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

std::string diffOf(const std::string &Text,
                   const std::vector<SourceEdit> &Edits) {
  Result<PrivateFolder> Folder = PrivateFolder::makeTemporary();
  EXPECT_TRUE(Folder);
  EXPECT_TRUE(writeFile(Folder->path() + "/a.cpp", Text));
  EditedSources Sources;
  Result<void> Added = Sources.add(Edits, Folder->path());
  return Added ? Sources.unifiedDiff(Folder->path())
               : Added.error().Message.substr(Folder->path().size());
}

TEST(EditedSources, ReplacesALineByOneOrNoneOrMore) {
  EXPECT_EQ(diffOf("1\n2\n3\n4\n#include <all>\n6\n7\n8\n9\n",
                   {{"a.cpp", 5, "#include <x>\n#include <y>\n"}}),
            "--- a/a.cpp\n+++ b/a.cpp\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n"
            "-#include <all>\n+#include <x>\n+#include <y>\n 6\n 7\n 8\n");
  EXPECT_EQ(diffOf("#include <all>\n", {{"a.cpp", 1, ""}}),
            "--- a/a.cpp\n+++ b/a.cpp\n@@ -1,1 +0,0 @@\n-#include <all>\n");
}

TEST(EditedSources, JoinsChangesThatAreNearAndCountsOnBehindThem) {
  std::string Text = "#include <a>\n2\n#include <b>\n";
  for (int I = 4; I != 20; ++I)
    Text += std::to_string(I) + "\n";
  Text += "#include <c>";
  EXPECT_EQ(diffOf(Text, {{"a.cpp", 1, ""},
                          {"a.cpp", 3, "#include <x>\n", /*KeepsLine=*/true},
                          {"a.cpp", 0, "end\n"}}),
            "--- a/a.cpp\n+++ b/a.cpp\n@@ -1,6 +1,6 @@\n-#include <a>\n 2\n"
            "-#include <b>\n+#include <x>\n+#include <b>\n 4\n 5\n 6\n"
            "@@ -18,3 +18,4 @@\n 18\n 19\n-#include <c>\n"
            "\\ No newline at end of file\n+#include <c>\n+end\n");
}

TEST(EditedSources, AddsLinesOfCMakeWhereTheCallIs) {
  CMakeCall Call;
  Call.File = "a.cmake";
  Call.EndLineNo = 2;
  Call.Function = "make";
  EXPECT_EQ(cmakePlace(Call),
            "# before line 2 of a.cmake, the end of make()\n");
  SourceEdit Edit = cmakeEdit(Call, "if(X)\nendif()");
  EXPECT_EQ(Edit.Path, "/a.cmake");
  Edit.Path = "a.cpp";
  EXPECT_EQ(diffOf("function(make)\nendfunction()\n", {Edit}),
            "--- a/a.cpp\n+++ b/a.cpp\n@@ -1,2 +1,4 @@\n function(make)\n"
            "-endfunction()\n+  if(X)\n+  endif()\n+endfunction()\n");
  Call.EndLineNo = 0;
  Edit = cmakeEdit(Call, "if(X)\nendif()");
  Edit.Path = "a.cpp";
  EXPECT_EQ(diffOf("1\n", {Edit}),
            "--- a/a.cpp\n+++ b/a.cpp\n@@ -1,1 +1,3 @@\n 1\n"
            "+if(X)\n+endif()\n");
}

TEST(EditedSources, RefusesALineThatIsNoInclude) {
  EXPECT_EQ(diffOf("int x;\n", {{"a.cpp", 1, ""}}),
            "/a.cpp:1 has no #include, as it had when it was compiled");
  EXPECT_EQ(diffOf("#include <a>\n", {{"a.cpp", 2, ""}}),
            "/a.cpp:2 has no #include, as it had when it was compiled");
  EXPECT_EQ(diffOf("", {{"b.cpp", 1, ""}}),
            "/b.cpp: no such file or directory");
}

TEST(ScratchCommand, KnowsHowClangIsCalled) {
  for (const char *Name : {"clang", "clang++", "clang-22", "clang++-14",
                           "x86_64-linux-gnu-clang++", "clang-19.1"})
    EXPECT_TRUE(isClangDriver(Name)) << Name;
  for (const char *Name : {"", "clang-", "clang-format", "clang-cl", "g++",
                           "clangd", "myclang", "clang++x", "rm"})
    EXPECT_FALSE(isClangDriver(Name)) << Name;
}

} // namespace
