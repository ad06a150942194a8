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

uint64_t rowOf(Column &C, uint64_t First) {
  std::vector<uint64_t> Scratch;
  const uint64_t *Row = C.rows(First, 1, Scratch);
  return Row ? *Row : UINT64_MAX;
}

} // namespace

TEST(SpillColumn, RowsThatAreInTheFileComeBack) {
  Column C;
  C.setFolder(folder());
  std::vector<uint64_t> Expected;
  std::mt19937_64 Random(3);
  for (uint64_t First = 0; First != Rows; ++First) {
    Expected.push_back(Random());
    ASSERT_TRUE(C.push(Expected.back()));
    // One from before is changed, as the record of an interval that ends.
    if (First % 100 == 0) {
      uint64_t Before = Random() % Expected.size();
      Expected[Before] = Random();
      ASSERT_TRUE(
          C.update(Before, [&](uint64_t &Row) { Row = Expected[Before]; }));
    }
  }
  // Others are changed many at a time.
  std::vector<uint64_t> Scratch;
  for (uint64_t First = 0; First + 64 < Rows; First += 4096) {
    uint64_t *Slice = C.rows(First, 64, Scratch);
    ASSERT_TRUE(Slice);
    for (uint64_t I = 0; I != 64; ++I) {
      ASSERT_EQ(Slice[I], Expected[First + I]) << First + I;
      Slice[I] = ++Expected[First + I];
    }
    ASSERT_TRUE(C.putBack(First, 64, Slice));
  }
  std::vector<uint64_t> All(Rows);
  ASSERT_TRUE(C.copy(0, Rows * 8, reinterpret_cast<char *>(All.data())));
  EXPECT_EQ(All, Expected);
  // And some that begin anywhere.
  ASSERT_TRUE(C.copy(8 * 777, 8 * 100000, reinterpret_cast<char *>(&All[0])));
  EXPECT_EQ(std::memcmp(&All[0], &Expected[777], 8 * 100000), 0);
}

TEST(SpillColumn, NewRowsAreZerosHoweverMany) {
  Column C;
  C.setFolder(folder());
  // What was in the memory of others before.
  for (uint64_t First = 0; First != Rows; ++First)
    ASSERT_TRUE(C.push(UINT64_MAX));
  ASSERT_TRUE(C.resize(2 * Rows));
  ASSERT_EQ(C.size(), 2 * Rows);
  EXPECT_EQ(C.back(), 0u);
  for (uint64_t First = 0; First < 2 * Rows; First += 999)
    ASSERT_EQ(rowOf(C, First), First < Rows ? UINT64_MAX : 0) << First;
}

TEST(SpillColumn, FolderThatIsNotThereIsAnError) {
  Column C;
  C.setFolder("/nonexistent");
  EXPECT_TRUE(C.resize(1000)); // in memory
  EXPECT_FALSE(C.resize(10000000));
  EXPECT_EQ(C.error(), ENOENT);
  EXPECT_EQ(C.size(), Column::ChunkRows * index::SpillFile::MostChunks);
  EXPECT_FALSE(C.push(1));
}
