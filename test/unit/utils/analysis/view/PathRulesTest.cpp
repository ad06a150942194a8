/// \file
/// PathRules: one spelling per file, folders by components, libraries by rule.
#include "utils/analysis/view/PathRules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

using namespace instantrace;

namespace {

TEST(PathRulesTest, OneHeaderHasOneSpelling) {
  EXPECT_EQ(normalPath("/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/"
                       "c++/12/vector"),
            "/usr/include/c++/12/vector");
  EXPECT_EQ(normalPath("./a//b/./c.h"), "a/b/c.h");
  EXPECT_EQ(normalPath("../a.h"), "../a.h");
  EXPECT_EQ(normalPath("a/"), "a");
  EXPECT_EQ(normalPath(""), "");
}

/// All paths of up to nine bytes of three.
TEST(PathRulesTest, NormalAsInTheStandardLibrary) {
  constexpr std::string_view Bytes = "a./";
  std::vector<std::string> Paths = {""};
  for (size_t Index = 0; Paths[Index].size() < 9; ++Index)
    for (char Byte : Bytes)
      Paths.push_back(Paths[Index] + Byte);
  for (const std::string &Path : Paths) {
    std::string Expected =
        std::filesystem::path(Path).lexically_normal().generic_string();
    while (Expected.size() > 1 && Expected.ends_with('/'))
      Expected.pop_back();
    ASSERT_EQ(normalPath(Path), Expected) << Path;
  }
}

TEST(PathRulesTest, FolderOfAFile) {
  EXPECT_EQ(folderOf("/a/b/c.h"), "/a/b");
  EXPECT_EQ(folderOf("/c.h"), "/");
  EXPECT_EQ(folderOf("c.h"), ".");
}

TEST(PathRulesTest, WithinIsByWholeComponents) {
  EXPECT_TRUE(isWithin("/usr/include/boost/mp11.hpp", "/usr/include"));
  EXPECT_TRUE(isWithin("/usr/include/boost/mp11.hpp", "boost"));
  EXPECT_TRUE(isWithin("/usr/include/boost/mp11.hpp", "boost/mp11.hpp"));
  EXPECT_TRUE(isWithin("/usr/include/boost/mp11.hpp", "mp11.hpp"));
  EXPECT_FALSE(isWithin("/usr/include/boost/mp11.hpp", "boo"));
  EXPECT_FALSE(isWithin("/usr/include/boost/mp11.hpp", "ost"));
  EXPECT_FALSE(isWithin("/usr/include/boost/mp11.hpp", "/boost"));
  EXPECT_FALSE(isWithin("/usr/includes/a.h", "/usr/include"));
  EXPECT_TRUE(isWithin("a.cpp", "."));
  EXPECT_FALSE(isWithin("/a.cpp", "."));
  EXPECT_TRUE(isWithin("/a.cpp", "/"));
  EXPECT_FALSE(isWithin("a.cpp", ""));
}

TEST(PathRulesTest, LibraryIsTheFolderAfterInclude) {
  EXPECT_EQ(libraryOf("/usr/include/boost/mp11/list.hpp"), "boost");
  EXPECT_EQ(libraryOf("/usr/include/eigen3/Eigen/Core"), "eigen3");
  EXPECT_EQ(libraryOf("/usr/include/c++/12/vector"), "c++");
  EXPECT_EQ(libraryOf("/usr/include/x86_64-linux-gnu/c++/12/bits/os.h"), "c++");
  EXPECT_EQ(libraryOf("/usr/include/stdlib.h"), "/usr/include");
  EXPECT_EQ(libraryOf("include/mine/a.h"), "mine");
}

TEST(PathRulesTest, LibraryIsTheFolderAfterThoseOfOthers) {
  EXPECT_EQ(libraryOf("/src/third_party/abseil/absl/hash.h"), "abseil");
  EXPECT_EQ(libraryOf("build/_deps/fmt-src/include/fmt/core.h"), "fmt");
  EXPECT_EQ(libraryOf("/src/include/x/external/json/json.hpp"), "json");
  EXPECT_EQ(libraryOf("/src/external/json.hpp"), "");
}

TEST(PathRulesTest, OtherFilesAreOfNoLibrary) {
  EXPECT_EQ(libraryOf("/src/app/main.cpp"), "");
  EXPECT_EQ(libraryOf("main.cpp"), "");
  EXPECT_EQ(libraryOf("include"), "");
  EXPECT_EQ(libraryOf(""), "");
}

} // namespace
