// A folder of any size costs a limited look: nearer folders come first, and it
// is said that there are more.
#include "utils/cli/NewestTrace.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

class NewestTraces : public testing::Test {
protected:
  NewestTraces() {
    std::string Name = (fs::temp_directory_path() / "itr-XXXXXX").string();
    EXPECT_NE(::mkdtemp(Name.data()), nullptr);
    Folder = Name;
  }
  ~NewestTraces() override {
    std::error_code Failed;
    fs::remove_all(Folder, Failed);
  }

  void add(const std::string &Name, int Hour) {
    fs::path Path = fs::path(Folder) / Name;
    fs::create_directories(Path.parent_path());
    std::ofstream(Path) << "x";
    fs::last_write_time(Path, fs::file_time_type::clock::now() -
                                  std::chrono::hours(100 - Hour));
  }

  std::string Folder;
};

} // namespace

TEST_F(NewestTraces, LooksAtAllIfThereAreFewer) {
  add("a.itrace", 1);
  add("far/away/b.itrace", 2);
  NewestTrace Found = newestTraceBelow(Folder, 5); // two folders, two traces
  EXPECT_EQ(Found.Path, Folder + "/far/away/b.itrace");
  EXPECT_EQ(Found.Entries, 4U);
  EXPECT_TRUE(Found.IsComplete);
}

TEST_F(NewestTraces, StopsAtTheLimitWithWhatIsNearest) {
  add("a.itrace", 1);
  add("far/away/b.itrace", 2);
  NewestTrace Found = newestTraceBelow(Folder, 3);
  EXPECT_EQ(Found.Path, Folder + "/a.itrace");
  EXPECT_EQ(Found.Entries, 3U);
  EXPECT_FALSE(Found.IsComplete);
}

TEST_F(NewestTraces, FindsNothingInManyOtherFiles) {
  for (int I = 0; I != 20; ++I)
    add(std::to_string(I) + ".o", I);
  add("far/b.itrace", 2);
  NewestTrace Found = newestTraceBelow(Folder, 10);
  EXPECT_EQ(Found.Path, "");
  EXPECT_FALSE(Found.IsComplete);
}
