/// \file
/// Columns that are larger than what of them is in memory.
#include "runtime/index/SpillColumn.h"

#include <gtest/gtest.h>

#include <cerrno>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace instantrace;

namespace {

std::string folder() { return std::filesystem::temp_directory_path().string(); }

} // namespace

TEST(SpillColumn, RowsThatWereLetGoComeBack) {
  index::SpillColumn<uint64_t> Column;
  Column.setFolder(folder());
  std::vector<uint64_t> Expected;
  std::mt19937_64 Random(3);
  constexpr uint64_t Rows = 1500000; // 12 MB
  for (uint64_t At = 0; At != Rows; ++At) {
    Expected.push_back(Random());
    ASSERT_TRUE(Column.push(Expected.back()));
    // One from before is changed, as the record of an interval that ends.
    if (At % 100 == 0) {
      uint64_t Before = Random() % Expected.size();
      Column[Before] = Expected[Before] = Random();
    }
  }
  Column.startAgain();
  for (uint64_t At = 0; At != Rows; ++At) {
    ASSERT_EQ(Column[At], Expected[At]) << At;
    Column[At] = ++Expected[At];
    Column.letGo(At);
  }
  Column.letGo(Rows);
  for (uint64_t At = 0; At != Rows; ++At)
    ASSERT_EQ(Column[At], Expected[At]) << At;
}

TEST(SpillColumn, NewRowsAreZerosHoweverMany) {
  index::SpillColumn<uint32_t> Column;
  Column.setFolder(folder());
  ASSERT_TRUE(Column.resize(3000000));
  Column[2999999] = 7;
  Column.letGo(2000000);
  EXPECT_EQ(Column[1000000], 0u);
  EXPECT_EQ(Column[2999999], 7u);
  ASSERT_TRUE(Column.push(8));
  EXPECT_EQ(Column.size(), 3000001u);
  EXPECT_EQ(Column.back(), 8u);
}

TEST(SpillColumn, FolderThatIsNotThereIsAnError) {
  index::SpillColumn<uint64_t> Column;
  Column.setFolder("/nonexistent");
  EXPECT_TRUE(Column.resize(1000)); // in memory
  EXPECT_FALSE(Column.resize(10000000));
  EXPECT_EQ(Column.error(), ENOENT);
  EXPECT_EQ(Column.size(), 1000u);
}
