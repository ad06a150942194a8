#include "runtime/index/Index.h"

#include "runtime/index/IndexFormat.h"
#include "runtime/strings/StringComponents.h"
#include "test/unit/support/IndexSamples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <functional>

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
  std::string Text = answers(X);
  if (!X.verify()) {
    EXPECT_FALSE(X.fault().empty());
    return {};
  }
  return X.fault().empty() ? Text : "";
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
      size_t Index = Random() % Bad.size();
      constexpr char Edges[] = {0, 1, '\x7F', '\x80', '\xFE', '\xFF'};
      Bad[Index] = Random() % 2 ? static_cast<char>(Random())
                                : Edges[Random() % sizeof(Edges)];
    }
    makeSumsFit(Bad);
    answersOf(Bad); // ends, and is sound under ASan
  }
}

/// Where the rows of a section are.
uint64_t sectionOffset(const std::string &Bytes, const std::string &Tag) {
  for (size_t No = 0; No != index::SectionLimit; ++No) {
    index::SectionRow Row;
    std::memcpy(&Row, Bytes.data() + sizeof(index::Header) + No * sizeof(Row),
                sizeof(Row));
    if (Tag == std::string(Row.Tag, sizeof(Row.Tag)))
      return Row.Offset;
  }
  ADD_FAILURE() << "no section " << Tag;
  return 0;
}

// Each entry is the one before it twice, and the first one has no text: nothing
// becomes of a million parts.
TEST(IndexHostile, PartsWithoutTextAreAFault) {
  constexpr size_t Levels = 24;
  std::string Entries(1, '\xFF');
  uint64_t Last = 0;
  IndexBuilder Builder(std::filesystem::temp_directory_path().string());
  // The first text of all has room for them, behind its number and edges.
  constexpr uint64_t Room = 6;
  const std::string First(Levels * (2 * ReferenceBytes + 1) + 1, 'x');
  for (size_t Level = 0; Level != Levels; ++Level) {
    const uint64_t Id = StringId::FirstRegular + Room + Last;
    std::string Reference = "\xFE";
    for (unsigned Shift = 0; Shift != 40; Shift += 8)
      Reference += static_cast<char>(Id >> Shift & 0xFF);
    Last = Entries.size();
    Entries += Reference + Reference + '\xFF';
  }
  SampleTables Tables;
  Builder.beginCompile();
  Builder.endCompile({First, "a.cpp", "", {}, 1, 0}, 0, Tables.Rows);
  std::string Bytes = writtenBytes(
      [&](int Open) { ASSERT_TRUE(Builder.finish({77, 88}, Open)); });
  const uint64_t Path = Room + Last;
  std::memcpy(Bytes.data() + sectionOffset(Bytes, "FILE"), &Path, sizeof(Path));
  std::memcpy(Bytes.data() + sectionOffset(Bytes, "STRD") + Room,
              Entries.data(), Entries.size());
  makeSumsFit(Bytes);
  for (const char *Before : {"", "what was there"}) {
    InstantiationIndex X;
    std::string Why, Text = Before;
    ASSERT_TRUE(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) << Why;
    EXPECT_FALSE(X.filePath(0, 1000, Text));
    EXPECT_EQ(Text, Before);
    EXPECT_THAT(X.fault(), HasSubstr("found parts without text, expected"));
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

// Also where all sums were right before: what is read then is zeros.
TEST(IndexHostile, FileThatIsCutBetweenTwoQuestionsIsAFault) {
  using Index = InstantiationIndex;
  const std::function<bool(const Index &)> Questions[] = {
      [](const Index &X) {
        std::vector<std::string> Folders;
        return X.folders(0, Folders);
      },
      [](const Index &X) {
        Index::Entity Is;
        return X.entity(0, Is);
      },
      [](const Index &X) {
        Index::Location Is;
        return X.location(0, Is);
      },
      [](const Index &X) {
        uint64_t Ns = 0;
        return X.selfNs(0, 2, Ns);
      },
      [](const Index &X) {
        uint64_t Bytes = 0;
        return X.ownBytes(0, 2, Bytes);
      },
      [](const Index &X) {
        Index::Shape Is;
        return X.shape(1, Is);
      },
      [](const Index &X) {
        Index::Record Is;
        return X.record(1, Is);
      },
      [](const Index &X) {
        std::string Name;
        return X.entityName(0, {}, 100, Name);
      }};
  for (size_t No = 0; No != std::size(Questions); ++No) {
    OnDisk File(smallIndex());
    Index X;
    std::string Why;
    ASSERT_TRUE(Index::open(File.Path, X, Why)) << Why;
    ASSERT_TRUE(Questions[No](X)) << No << ": " << X.fault();
    ASSERT_EQ(::truncate(File.Path.c_str(), 0), 0);
    EXPECT_FALSE(Questions[No](X)) << No;
    EXPECT_THAT(X.fault(), HasSubstr("a file that was cut while it was read"))
        << No;
  }
}

// There are guards for so many mappings only; what is opened then is a copy.
TEST(IndexHostile, FileThatIsCutIsNoMatterWhereManyAreOpen) {
  constexpr size_t MostGuards = 64;
  OnDisk File(smallIndex());
  std::deque<InstantiationIndex> All;
  std::string Why;
  for (size_t I = 0; I != MostGuards + 2; ++I)
    ASSERT_TRUE(InstantiationIndex::open(File.Path, All.emplace_back(), Why))
        << Why;
  const std::string Expected = answers(All.back());
  ASSERT_TRUE(All.back().fault().empty());
  ASSERT_EQ(::truncate(File.Path.c_str(), 0), 0);
  EXPECT_EQ(answers(All.back()), Expected);
  EXPECT_TRUE(All.back().verify()) << All.back().fault();
  InstantiationIndex::Record Is;
  EXPECT_FALSE(All.front().record(1, Is));
  EXPECT_THAT(All.front().fault(),
              HasSubstr("a file that was cut while it was read"));
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
  EXPECT_EQ(Why, "x: found an index of another version of Instantrace (9.0, "
                 "21 sections), expected version 1.0 with 21 sections; rerun "
                 "`instantrace index` on the traces");
  // And one that was never opened has nothing.
  std::vector<uint32_t> Ids;
  EXPECT_EQ(InstantiationIndex().recordCount(), 0u);
  EXPECT_FALSE(InstantiationIndex().stackAt(0, 0, Ids));
}

} // namespace
