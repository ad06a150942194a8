// A folder of any size costs a limited look: nearer folders come first, and it
// is said that there are more.
#include "utils/cli/NewestTrace.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

class NewestTrace : public testing::Test {
protected:
  NewestTrace() {
    std::string Name = (fs::temp_directory_path() / "itr-XXXXXX").string();
    EXPECT_NE(::mkdtemp(Name.data()), nullptr);
    Folder = Name;
  }
  ~NewestTrace() override {
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

TEST_F(NewestTrace, LooksAtAllIfThereAreFewer) {
  add("a.itrace", 1);
  add("far/away/b.itrace", 2);
  NewestTraces Newest =
      newestTracesBelow({Folder}, 5); // two folders, two traces
  EXPECT_EQ(Newest.Found.at(0).Path, Folder + "/far/away/b.itrace");
  EXPECT_EQ(Newest.Entries, 4U);
  EXPECT_TRUE(Newest.IsComplete);
}

TEST_F(NewestTrace, StopsAtTheLimitWithWhatIsNearest) {
  add("a.itrace", 1);
  add("far/away/b.itrace", 2);
  NewestTraces Newest = newestTracesBelow({Folder}, 3);
  EXPECT_EQ(Newest.Found.at(0).Path, Folder + "/a.itrace");
  EXPECT_EQ(Newest.Entries, 3U);
  EXPECT_FALSE(Newest.IsComplete);
}

TEST_F(NewestTrace, HasOneLimitForAllFolders) {
  add("one/far/a.itrace", 3);
  add("two/b.itrace", 2);
  add("three/c.itrace", 1);
  const std::vector<std::string> Tops = {Folder + "/one", Folder + "/two",
                                         Folder + "/three"};
  NewestTraces Newest = newestTracesBelow(Tops, 3);
  EXPECT_EQ(Newest.Found.at(0).Path, Folder + "/two/b.itrace");
  EXPECT_EQ(Newest.Found.size(), 2U);
  EXPECT_FALSE(Newest.IsComplete);
  EXPECT_EQ(newestTracesBelow(Tops).Found.size(), 3U);
}

TEST_F(NewestTrace, FindsNothingInManyOtherFiles) {
  for (int I = 0; I != 20; ++I)
    add(std::to_string(I) + ".o", I);
  add("far/b.itrace", 2);
  NewestTraces Newest = newestTracesBelow({Folder}, 10);
  EXPECT_TRUE(Newest.Found.empty());
  EXPECT_FALSE(Newest.IsComplete);
}

TEST_F(NewestTrace, CountsASessionOnceByItsNewestTrace) {
  add("old.s/session.json", 1);
  add("old.s/a.itrace", 1);
  add("old.s/b.itrace", 4);
  add("new.s/session.json", 2);
  add("new.s/a.itrace", 5);
  add("new.s/b.itrace", 2);
  add("alone.itrace", 3);
  std::vector<std::string> Paths;
  for (const FoundTrace &Each : newestTracesBelow({Folder}).Found)
    Paths.push_back(Each.Path + (Each.IsSession ? " session" : ""));
  EXPECT_EQ(Paths, (std::vector<std::string>{Folder + "/new.s session",
                                             Folder + "/old.s session",
                                             Folder + "/alone.itrace"}));
}
