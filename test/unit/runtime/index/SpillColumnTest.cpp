/// \file
/// Columns that are larger than what of them is in memory.
#include "runtime/index/SpillColumn.h"

#include <gtest/gtest.h>

#include <cerrno>

#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace instantrace;

namespace {

std::string folder() { return std::filesystem::temp_directory_path().string(); }

using Column = index::SpillColumn<uint64_t>;

/// Twice what is kept in memory, and half a chunk.
constexpr uint64_t Rows =
    Column::ChunkRows * (2 * index::SpillFile::MostChunks) +
    Column::ChunkRows / 2;

uint64_t rowOf(Column &Of, uint64_t At) {
  std::vector<uint64_t> Scratch;
  const uint64_t *Row = Of.rows(At, 1, Scratch);
  return Row ? *Row : UINT64_MAX;
}

} // namespace

TEST(SpillColumn, RowsThatAreInTheFileComeBack) {
  Column Of;
  Of.setFolder(folder());
  std::vector<uint64_t> Expected;
  std::mt19937_64 Random(3);
  for (uint64_t At = 0; At != Rows; ++At) {
    Expected.push_back(Random());
    ASSERT_TRUE(Of.push(Expected.back()));
    // One from before is changed, as the record of an interval that ends.
    if (At % 100 == 0) {
      uint64_t Before = Random() % Expected.size();
      Expected[Before] = Random();
      ASSERT_TRUE(
          Of.update(Before, [&](uint64_t &Row) { Row = Expected[Before]; }));
    }
  }
  // Others are changed many at a time.
  std::vector<uint64_t> Scratch;
  for (uint64_t At = 0; At + 64 < Rows; At += 4096) {
    uint64_t *Slice = Of.rows(At, 64, Scratch);
    ASSERT_TRUE(Slice);
    for (uint64_t I = 0; I != 64; ++I) {
      ASSERT_EQ(Slice[I], Expected[At + I]) << At + I;
      Slice[I] = ++Expected[At + I];
    }
    ASSERT_TRUE(Of.putBack(At, 64, Slice));
  }
  std::vector<uint64_t> All(Rows);
  ASSERT_TRUE(Of.copy(0, Rows * 8, reinterpret_cast<char *>(All.data())));
  EXPECT_EQ(All, Expected);
  // And some that begin anywhere.
  ASSERT_TRUE(Of.copy(8 * 777, 8 * 100000, reinterpret_cast<char *>(&All[0])));
  EXPECT_EQ(std::memcmp(&All[0], &Expected[777], 8 * 100000), 0);
}

TEST(SpillColumn, NewRowsAreZerosHoweverMany) {
  Column Of;
  Of.setFolder(folder());
  // What was in the memory of others before.
  for (uint64_t At = 0; At != Rows; ++At)
    ASSERT_TRUE(Of.push(UINT64_MAX));
  ASSERT_TRUE(Of.resize(2 * Rows));
  ASSERT_EQ(Of.size(), 2 * Rows);
  EXPECT_EQ(Of.back(), 0u);
  for (uint64_t At = 0; At < 2 * Rows; At += 999)
    ASSERT_EQ(rowOf(Of, At), At < Rows ? UINT64_MAX : 0) << At;
}

TEST(SpillColumn, FolderThatIsNotThereIsAnError) {
  Column Of;
  Of.setFolder("/nonexistent");
  EXPECT_TRUE(Of.resize(1000)); // in memory
  EXPECT_FALSE(Of.resize(10000000));
  EXPECT_EQ(Of.error(), ENOENT);
  EXPECT_EQ(Of.size(), Column::ChunkRows * index::SpillFile::MostChunks);
  EXPECT_FALSE(Of.push(1));
}
