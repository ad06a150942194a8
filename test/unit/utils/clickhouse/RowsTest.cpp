#include "utils/clickhouse/RowBlock.h"
#include "utils/clickhouse/ServerAddress.h"
#include "utils/clickhouse/TabRows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

using namespace instantrace;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(RowBlock, IsRowBinary) {
  RowBlock Block;
  Block.u8(1).u32(2).u64(0x0102030405060708).i64(UINT64_MAX).text("it's\0"s);
  Block.text(std::string(300, 'x')).day(86400'000'000'000ull * 20000);
  Block.day(UINT64_MAX);
  EXPECT_EQ(Block.bytes(), "\1\2\0\0\0\x08\7\6\5\4\3\2\1"
                           "\xff\xff\xff\xff\xff\xff\xff\x7f\5it's\0\xac\2"s +
                               std::string(300, 'x') + "\x20\x4e\x68\xbf"s);
}

TEST(RowBlock, CompressesToGzip) {
  RowBlock Block;
  Block.text(std::string(100'000, 'y'));
  std::string Packed = Block.compressed(), Bytes(Block.sizeBytes(), '\0');
  EXPECT_LT(Packed.size(), 2000u);
  z_stream Stream = {};
  ASSERT_EQ(inflateInit2(&Stream, 15 + 16), Z_OK);
  Stream.next_in = reinterpret_cast<Bytef *>(Packed.data());
  Stream.avail_in = static_cast<uInt>(Packed.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Bytes.data());
  Stream.avail_out = static_cast<uInt>(Bytes.size());
  EXPECT_EQ(inflate(&Stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&Stream);
  EXPECT_TRUE(Bytes == Block.bytes());
}

TEST(TabRows, KeepEveryByte) {
  Result<TabRows> Rows =
      TabRows::read("a\tb\\tc\tn\nString\tNullable(Int64)\tFloat64\n"
                    "x\\0\\n\\t\\\\\\'\xff\t\\N\t0.5\n\t-3\tnan\n");
  ASSERT_TRUE(Rows);
  EXPECT_THAT(Rows->columns(), ElementsAre("a", "b\tc", "n"));
  EXPECT_THAT(Rows->kinds(),
              ElementsAre(TabRows::CellKind::Text, TabRows::CellKind::Whole,
                          TabRows::CellKind::Real));
  std::vector<std::optional<std::string>> Cells;
  ASSERT_TRUE(*Rows->next(Cells));
  EXPECT_THAT(Cells, ElementsAre("x\0\n\t\\'\xff"s, std::nullopt, "0.5"));
  ASSERT_TRUE(*Rows->next(Cells));
  EXPECT_THAT(Cells, ElementsAre("", "-3", "nan"));
  EXPECT_FALSE(*Rows->next(Cells));
}

TEST(TabRows, WhatIsNoneIsAnError) {
  for (std::string_view Text : {"x", "a\nb", "a\tb\nString\n", "\n"})
    EXPECT_FALSE(TabRows::read(Text)) << Text;
  std::vector<std::optional<std::string>> Cells;
  for (std::string_view Row : {"1\t2\n", "1"}) {
    std::string Reply = "a\nInt8\n" + std::string(Row);
    Result<TabRows> Rows = TabRows::read(Reply);
    ASSERT_TRUE(Rows);
    EXPECT_FALSE(Rows->next(Cells)) << Row;
  }
}

TEST(ServerAddress, IsAHostAPortAndADatabase) {
  Result<ServerAddress> A = parseServerAddress("clickhouse://db-1.x:8123/b");
  ASSERT_TRUE(A);
  EXPECT_FALSE(A->IsEncrypted);
  EXPECT_EQ(A->Host, "db-1.x");
  EXPECT_EQ(A->Port, 8123);
  EXPECT_EQ(A->Database, "b");
  Result<ServerAddress> Six =
      parseServerAddress("clickhouses://[::1]:8443/b_2");
  ASSERT_TRUE(Six);
  EXPECT_EQ(Six->text(), "clickhouses://[::1]:8443/b_2");
  for (const char *Wrong :
       {"", "b", "http://x:1/b", "clickhouse://x:1", "clickhouse://x/b",
        "clickhouse://:1/b", "clickhouse://x:0/b", "clickhouse://x:65536/b",
        "clickhouse://x:1/", "clickhouse://x:1/b?c", "clickhouse://x:1/1b",
        "clickhouse://x y:1/b", "clickhouse://x\r\n:1/b",
        "clickhouse://x:1/b'"})
    EXPECT_FALSE(parseServerAddress(Wrong)) << Wrong;
}

TEST(ServerAddress, APasswordInItIsNotRepeated) {
  Result<ServerAddress> A = parseServerAddress("clickhouse://me:secret@x:1/b");
  ASSERT_FALSE(A);
  EXPECT_THAT(A.error().Message, testing::Not(HasSubstr("secret")));
}

TEST(TabRows, CellsAreCountedBeforeTheyAreMade) {
  const std::string Tabs(1 << 20, '\t'), Lines(3 << 20, '\n');
  Result<TabRows> Wide = TabRows::read(Tabs + "\n" + Tabs + "\n");
  ASSERT_FALSE(Wide);
  EXPECT_EQ(Wide.error().Message,
            "found 1048577 columns, expected at most 1000");
  EXPECT_FALSE(TabRows::read("a\n" + Tabs + "\n"));
  const std::string Long = "a\nString\n" + Lines;
  Result<TabRows> Rows = TabRows::read(Long);
  ASSERT_TRUE(Rows);
  EXPECT_EQ(Rows->checkSize().error().Message,
            "found an answer of 3145728 cells, expected at most 2000000; ask "
            "for fewer rows or columns");
  EXPECT_TRUE(Rows->checkSize(Lines.size()));
  const std::string Row = "a\nString\n" + Tabs + "\n";
  Rows = TabRows::read(Row);
  ASSERT_TRUE(Rows);
  std::vector<std::optional<std::string>> Cells;
  EXPECT_FALSE(Rows->next(Cells));
  EXPECT_TRUE(Cells.empty());
}

TEST(TabRows, ATypeMayBeAsDeepAsItIsLong) {
  std::string Type;
  for (int I = 0; I != 200'000; ++I)
    Type += "Nullable(";
  const std::string Reply = "a\n" + Type + "Int8\n";
  Result<TabRows> Rows = TabRows::read(Reply);
  ASSERT_TRUE(Rows);
  EXPECT_THAT(Rows->kinds(), ElementsAre(TabRows::CellKind::Whole));
}
