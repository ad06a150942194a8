#include "runtime/index/Index.h"

#include "runtime/index/IndexFormat.h"
#include "test/unit/support/IndexSamples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fcntl.h>

using namespace instantrace;
using namespace instantrace::test;
using testing::HasSubstr;

namespace {

/// A little of everything.
std::string smallIndex() {
  SampleCompile C;
  C.begin(0, {.Kind = 32});
  C.begin(5, {.AstBytes = 100, .Entity = 1, .Location = 1});
  C.begin(7, {.Entity = 2, .Location = 2});
  C.end(9);
  C.end(uint64_t(1) << 34);
  C.begin((uint64_t(1) << 34) + 1,
          {.Entity = 3, .Location = 5, .Requester = 1});
  C.finish();
  return indexBytes({C, C});
}

/// Empty: an error.
std::string answersOf(const std::string &Bytes) {
  InstantiationIndex X;
  std::string Why;
  if (!InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) {
    EXPECT_THAT(Why, HasSubstr("x.itx: "));
    EXPECT_THAT(Why, HasSubstr("found"));
    EXPECT_THAT(Why, HasSubstr("expected"));
    return {};
  }
  std::string Text = answers(X) + commandAnswers(X);
  bool IsGood = X.verify();
  EXPECT_EQ(IsGood, X.fault().empty());
  return IsGood ? Text : "";
}

TEST(IndexHostile, EveryBitIsAnErrorOrChangesNothing) {
  const std::string Good = smallIndex();
  ASSERT_FALSE(answersOf(Good).empty());
  InstantiationIndex Whole;
  std::string WhyNot;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Good, "x.itx", Whole, WhyNot));
  const std::string Expected = answers(Whole);
  ASSERT_FALSE(Expected.empty());
  for (size_t Bit = 0; Bit != Good.size() * 8; ++Bit) {
    std::string Bad = Good;
    Bad[Bit / 8] = static_cast<char>(Bad[Bit / 8] ^ (1 << Bit % 8));
    InstantiationIndex X;
    std::string Why;
    if (!InstantiationIndex::fromBytes(Bad, "x.itx", X, Why))
      continue;
    // What is answered is right, also without looking at all of it.
    if (std::string Text = answers(X); X.fault().empty()) {
      EXPECT_EQ(Text, Expected) << "bit " << Bit;
    }
    EXPECT_FALSE(X.verify()) << "bit " << Bit;
  }
}

// What is made of all sections together.
TEST(IndexHostile, EveryBitOfTheTablesIsAnErrorOrChangesNothing) {
  const std::string Good = smallIndex();
  InstantiationIndex X;
  std::string Why;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Good, "x.itx", X, Why)) << Why;
  const std::string Expected = commandAnswers(X);
  ASSERT_NE(Expected, "?");
  size_t Begin = 0;
  for (size_t At = sizeof(index::Header); Begin == 0; At += 32) {
    ASSERT_LT(At, Good.size());
    if (Good.substr(At, 4) == "TDIR")
      std::memcpy(&Begin, Good.data() + At + 8, sizeof(Begin));
  }
  ASSERT_LT(Begin, Good.size());
  for (size_t Bit = Begin * 8; Bit != Good.size() * 8; ++Bit) {
    std::string Bad = Good;
    Bad[Bit / 8] = static_cast<char>(Bad[Bit / 8] ^ (1 << Bit % 8));
    ASSERT_TRUE(InstantiationIndex::fromBytes(Bad, "x.itx", X, Why)) << Why;
    if (std::string Text = commandAnswers(X); X.fault().empty()) {
      EXPECT_EQ(Text, Expected) << "bit " << Bit;
    }
    EXPECT_FALSE(X.verify()) << "bit " << Bit;
  }
}

TEST(IndexHostile, EveryTruncationIsAnError) {
  const std::string Good = smallIndex();
  for (size_t Size = 0; Size != Good.size(); ++Size)
    EXPECT_EQ(answersOf(Good.substr(0, Size)), "") << Size;
  EXPECT_EQ(answersOf(Good + '\0'), "");
}

// Whoever damages an index on purpose makes the sums fit.
TEST(IndexHostile, BitsWithFittingSumsEndInAnAnswer) {
  const std::string Good = smallIndex();
  std::mt19937 Random(1);
  for (int Round = 0; Round != 3000; ++Round) {
    std::string Bad = Good;
    for (size_t Changes = 1 + Random() % 3; Changes != 0; --Changes) {
      size_t At = Random() % Bad.size();
      constexpr char Edges[] = {0, 1, '\x7F', '\x80', '\xFE', '\xFF'};
      Bad[At] = Random() % 2 ? static_cast<char>(Random())
                             : Edges[Random() % sizeof(Edges)];
    }
    makeSumsFit(Bad);
    answersOf(Bad); // ends, and is sound under ASan
  }
}

/// A file for one test.
class OnDisk {
public:
  explicit OnDisk(const std::string &Bytes)
      : Path(std::filesystem::temp_directory_path() /
             ("index-" + std::to_string(::getpid()) + ".itx")) {
    FILE *File = std::fopen(Path.c_str(), "wb");
    std::fwrite(Bytes.data(), 1, Bytes.size(), File);
    std::fclose(File);
  }
  ~OnDisk() { std::filesystem::remove(Path); }
  const std::filesystem::path Path;
};

TEST(IndexHostile, FileThatIsCutIsAFault) {
  SampleCompile C;
  for (uint64_t I = 0; I != 20000; ++I) {
    C.begin(I * 2);
    C.end(I * 2 + 1);
  }
  OnDisk File(indexBytes({C}));
  InstantiationIndex X;
  std::string Why;
  ASSERT_TRUE(InstantiationIndex::open(File.Path, X, Why)) << Why;
  std::vector<uint32_t> Ids;
  ASSERT_TRUE(X.stackAt(0, 2, Ids));
  ASSERT_EQ(::truncate(File.Path.c_str(), 4096), 0);
  EXPECT_FALSE(X.stackAt(0, 39998, Ids));
  EXPECT_THAT(X.fault(), HasSubstr("a file that was cut while it was read"));
  EXPECT_FALSE(X.verify());
}

// Sums are looked at once; what is behind them is checked each time.
TEST(IndexHostile, FileThatChangesEndsInAnAnswer) {
  OnDisk File(smallIndex());
  std::mt19937 Random(1);
  for (int Round = 0; Round != 300; ++Round) {
    InstantiationIndex X;
    std::string Why;
    ASSERT_TRUE(InstantiationIndex::open(File.Path, X, Why)) << Why;
    ASSERT_FALSE(answers(X).empty());
    ASSERT_TRUE(X.fault().empty());
    int Open = ::open(File.Path.c_str(), O_RDWR | O_CLOEXEC);
    std::string Before(X.fileBytes(), '\0');
    ASSERT_EQ(::pread(Open, Before.data(), Before.size(), 0),
              ssize_t(Before.size()));
    std::string After = Before;
    for (int Changes = 0; Changes != 20; ++Changes)
      After[Random() % After.size()] = static_cast<char>(Random());
    ASSERT_EQ(::pwrite(Open, After.data(), After.size(), 0),
              ssize_t(After.size()));
    answers(X);
    ASSERT_EQ(::pwrite(Open, Before.data(), Before.size(), 0),
              ssize_t(Before.size()));
    ::close(Open);
  }
}

TEST(IndexHostile, WhatIsNoIndexIsRefused) {
  InstantiationIndex X;
  std::string Why;
  EXPECT_FALSE(InstantiationIndex::open("/no/such/index", X, Why));
  EXPECT_EQ(Why, "/no/such/index: No such file or directory");
  EXPECT_FALSE(InstantiationIndex::open("/", X, Why));
  EXPECT_EQ(Why, "/: Is a directory");
  EXPECT_FALSE(InstantiationIndex::fromBytes("short", "x", X, Why));
  EXPECT_EQ(Why, "x: found 5 bytes, expected an index, which has at least 64");
  std::string Bytes = smallIndex();
  Bytes[8] = 9;
  EXPECT_FALSE(InstantiationIndex::fromBytes(Bytes, "x", X, Why));
  EXPECT_EQ(Why, "x: byte 8: found version 9.5, expected version 1.5 or "
                 "earlier; `instantrace index` makes one");
  // And one that was never opened has nothing.
  std::vector<uint32_t> Ids;
  EXPECT_EQ(InstantiationIndex().recordCount(), 0u);
  EXPECT_FALSE(InstantiationIndex().stackAt(0, 0, Ids));
}

} // namespace
