/// \file
/// The reader's side of the buffer: which chunks it hands out and when, what it
/// takes for possible, and how it joins fragments.
#include "test/unit/runtime/shm/ShmRecords.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

using Mode = SharedMemoryAbi::Mode;

constexpr uint16_t Joined = ContinuesFromPrevious | ContinuesOnNext;

ChunkContent content(uint32_t Sequence, uint16_t Flags, std::string_view Data,
                     uint16_t First = 0, uint16_t Last = 0) {
  ChunkContent C;
  C.Sequence = Sequence;
  C.WriterId = 1;
  C.Flags = Flags;
  C.FirstRecordOffset = First;
  C.LastRecordOffset = Last;
  C.Data = reinterpret_cast<const uint8_t *>(Data.data());
  C.SizeBytes = static_cast<uint32_t>(Data.size());
  return C;
}

/// Feeds an assembler and keeps what it gives, stretches apart by '|'.
struct Assembly {
  RecordAssembler A;
  std::string Text;
  explicit Assembly(size_t Limit = RecordAssembler::MaxRecordBytes)
      : A(Limit) {}
  Assembly &add(const ChunkContent &C) {
    A.add(C, [&](const uint8_t *Data, size_t Size) {
      Text.append(reinterpret_cast<const char *>(Data), Size);
      Text += '|';
    });
    return *this;
  }
  Assembly &finish() {
    A.finish();
    return *this;
  }
};

TEST(ShmAssembler, JoinsFragments) {
  Assembly A;
  A.add(content(1, ContinuesOnNext, "aaaXX", 0, 3));
  EXPECT_TRUE(A.A.isPending());
  A.add(content(2, Joined, "XX", 2, 0)).add(content(3, Joined, "XXbbYY", 2, 4));
  A.add(content(4, ContinuesFromPrevious, "Yc", 1)).finish();
  EXPECT_EQ(A.Text, "aaa|XXXXXX|bb|YYY|c|");
  EXPECT_FALSE(A.A.isPending());
  EXPECT_EQ(A.A.droppedRecords(), 0u);
}

TEST(ShmAssembler, JoinsAcrossTheWrapOfSequences) {
  Assembly A;
  A.add(content(UINT32_MAX - 1, ContinuesOnNext, "X", 0, 0));
  A.add(content(UINT32_MAX, Joined, "Y", 1, 0));
  A.add(content(0, Joined, "Z", 1, 0));
  A.add(content(1, ContinuesFromPrevious, "W", 1)).finish();
  EXPECT_EQ(A.Text, "XYZW|");
  EXPECT_EQ(A.A.droppedRecords(), 0u);
}

// The producer gave up in the middle, and a next record begins.
TEST(ShmAssembler, ARecordWithoutRestIsDropped) {
  Assembly A;
  A.add(content(1, ContinuesOnNext, "aX", 0, 1)).add(content(2, 0, "b"));
  A.finish();
  EXPECT_EQ(A.Text, "a|b|");
  EXPECT_EQ(A.A.droppedRecords(), 1u);
}

TEST(ShmAssembler, TheEndDropsWhatIsPending) {
  Assembly A;
  A.add(content(1, ContinuesOnNext, "aX", 0, 1)).finish().finish();
  EXPECT_EQ(A.Text, "a|");
  EXPECT_EQ(A.A.droppedRecords(), 1u);
}

// Missing: the middle, the begin, and one in which it may have ended. However
// many fragments come, it is one record.
TEST(ShmAssembler, AGapDropsOneRecordOnce) {
  Assembly A;
  A.add(content(1, ContinuesOnNext, "aX", 0, 1));
  A.add(content(3, Joined, "X", 1, 0)).add(content(4, Joined, "X", 1, 0));
  A.add(content(5, ContinuesFromPrevious, "Xb", 1)).finish();
  EXPECT_EQ(A.Text, "a|b|");
  EXPECT_EQ(A.A.droppedRecords(), 1u);

  Assembly B;
  B.add(content(7, Joined, "X", 1, 0)).add(content(8, Joined, "X", 1, 0));
  B.add(content(9, ContinuesFromPrevious, "Xb", 1)).finish();
  EXPECT_EQ(B.Text, "b|");
  EXPECT_EQ(B.A.droppedRecords(), 1u);

  Assembly C; // two records: the first has no end, the second no begin
  C.add(content(1, ContinuesOnNext, "X", 0, 0)).add(content(2, 0, "a"));
  C.add(content(4, ContinuesFromPrevious, "Yb", 1)).finish();
  EXPECT_EQ(C.Text, "a|b|");
  EXPECT_EQ(C.A.droppedRecords(), 2u);
}

// A chunk that was acquired for the rest, whose writer died before it had
// committed any of it: the record has no end, rather than an early one.
TEST(ShmAssembler, AnEmptyRestEndsNothing) {
  for (uint16_t First : {0, 5}) {
    Assembly A;
    A.add(content(1, ContinuesOnNext, "aX", 0, 1));
    A.add(content(2, ContinuesFromPrevious, "", First));
    EXPECT_TRUE(A.A.isPending());
    A.finish();
    EXPECT_EQ(A.Text, "a|");
    EXPECT_EQ(A.A.droppedRecords(), 1u);
    EXPECT_EQ(A.A.malformedChunks(), 0u);
  }
}

// ... or had said that it goes on, with nothing of it there yet.
TEST(ShmAssembler, AnEmptyBeginIsDropped) {
  Assembly A;
  A.add(content(1, ContinuesOnNext, "aa", 0, 2)).finish();
  EXPECT_EQ(A.Text, "aa|");
  EXPECT_EQ(A.A.droppedRecords(), 1u);
}

TEST(ShmAssembler, AMalformedChunkEndsWhatIsPending) {
  Assembly A;
  A.add(content(1, ContinuesOnNext, "aX", 0, 1));
  A.add(content(2, ContinuesFromPrevious, "Xb", 3));
  A.add(content(3, 0, "c")).finish();
  EXPECT_EQ(A.Text, "a|c|");
  EXPECT_EQ(A.A.malformedChunks(), 1u);
  EXPECT_EQ(A.A.droppedRecords(), 1u);
}

TEST(ShmAssembler, ARecordBeyondTheLimitIsDropped) {
  Assembly A(4);
  A.add(content(1, ContinuesOnNext, "aXX", 0, 1));
  A.add(content(2, Joined, "XX", 2, 0));
  A.add(content(3, Joined, "X", 1, 0)).add(content(4, Joined, "XXXX", 4, 0));
  A.add(content(5, Joined, "XbYY", 1, 2));
  A.add(content(6, ContinuesFromPrevious, "YYc", 2)).finish();
  EXPECT_EQ(A.Text, "a|b|YYYY|c|");
  EXPECT_EQ(A.A.droppedRecords(), 1u);
}

// Every combination of flags and offsets, over empty and small chunks: what is
// plausible is what the rules in SharedMemoryAbi.h allow, and an assembler
// stays within the bytes of any of them.
TEST(ShmPlausible, IsWhatTheRulesAllow) {
  const std::string Text = "abcd";
  for (uint32_t Size = 0; Size != 5; ++Size)
    for (uint32_t Flags = 0; Flags != 8; ++Flags)
      for (uint32_t First : {0, 1, 2, 3, 4, 5, 0xFFFF})
        for (uint32_t Last : {0, 1, 2, 3, 4, 5, 0xFFFF})
          for (uint16_t Writer : {0, 1, 0xFFFF}) {
            // Exactly as long as it says, so that a sanitizer sees more.
            std::vector<char> Data(Text.begin(), Text.begin() + Size);
            ChunkContent C = content(
                1, static_cast<uint16_t>(Flags), {Data.data(), Data.size()},
                static_cast<uint16_t>(First), static_cast<uint16_t>(Last));
            C.WriterId = Writer;
            bool Continues = Flags & ContinuesFromPrevious;
            bool On = Flags & ContinuesOnNext;
            bool Expected = Writer != 0 && Flags < 4;
            if (Size != 0) {
              if (Continues)
                Expected = Expected && First >= 1 && First <= Size;
              if (On && Continues)
                Expected =
                    Expected &&
                    (Last == 0 ? First == Size : Last >= First && Last <= Size);
              else if (On)
                Expected = Expected && Last <= Size;
            }
            EXPECT_EQ(isPlausible(C), Expected)
                << Size << " bytes, flags " << Flags << ", " << First << ", "
                << Last << ", writer " << Writer;
            Assembly A;
            A.add(content(0, ContinuesOnNext, "Z", 0, 0)).add(C).add(C);
            A.finish();
            EXPECT_EQ(A.A.malformedChunks(), Expected ? 0u : 2u);
            EXPECT_LE(A.Text.size(), 2 * (Size + 1) + 4);
          }
}

/// Puts complete chunks anywhere.
struct ReaderTest {
  explicit ReaderTest(Mode M = Mode::Shared) : B(4096, 4, M) {
    for (size_t Page = 0; Page != 4; ++Page)
      B.Abi.tryPartitionPage(Page, PageLayout::Div4);
  }
  Chunk write(size_t Page, unsigned Index, uint32_t Sequence,
              uint16_t WriterId = 1) {
    Chunk C =
        B.Abi.tryAcquireChunkForWriting(Page, Index, {Sequence, WriterId, 0});
    C.payload()[0] = static_cast<uint8_t>(Sequence);
    C.header()->CommittedBytes.store(1);
    return C;
  }
  void put(size_t Page, unsigned Index, uint32_t Sequence,
           uint16_t WriterId = 1) {
    B.Abi.releaseChunkAsComplete(write(Page, Index, Sequence, WriterId));
  }
  static std::string text(const std::vector<ChunkContent> &Contents) {
    std::string Text;
    for (const ChunkContent &C : Contents) {
      EXPECT_EQ(C.SizeBytes, 1u);
      EXPECT_EQ(C.Data[0], static_cast<uint8_t>(C.Sequence));
      Text +=
          std::to_string(C.WriterId) + ":" + std::to_string(C.Sequence) + " ";
    }
    return Text;
  }
  TestBuffer B;
};

TEST(ShmReader, SortsByWriterAndSequence) {
  for (Mode M : {Mode::Shared, Mode::Emulation})
    for (auto W : {ChunkReader::Writers::Ours, ChunkReader::Writers::Foreign}) {
      ReaderTest T(M);
      T.put(0, 0, 3);
      T.put(0, 1, 1, 2);
      T.put(3, 3, 1);
      T.put(2, 0, 2);
      T.put(1, 1, 2, 2);
      ChunkReader R(T.B.Abi, W);
      EXPECT_EQ(T.text(R.acquire()), "1:1 1:2 1:3 2:1 2:2 ");
      EXPECT_EQ(usedChunks(T.B.Abi, 0), 3u) << "held until they are released";
      R.release();
      for (size_t Page = 0; Page != 4; ++Page)
        EXPECT_TRUE(T.B.Abi.isPageFree(Page));
      EXPECT_EQ(T.text(R.acquire()), "");
    }
}

// A chunk whose predecessor is missing waits for one more search, and no
// longer.
TEST(ShmReader, AGapWaitsForOneSearch) {
  for (Mode M : {Mode::Shared, Mode::Emulation}) {
    ReaderTest T(M);
    Chunk Late = T.write(0, 0, 2);
    T.put(0, 1, 1);
    T.put(0, 2, 3);
    T.put(0, 3, 4);
    ChunkReader R(T.B.Abi, ChunkReader::Writers::Ours);
    EXPECT_EQ(T.text(R.acquire()), "1:1 ");
    R.release();
    T.B.Abi.releaseChunkAsComplete(Late);
    T.put(1, 0, 5);
    EXPECT_EQ(T.text(R.acquire()), "1:2 1:3 1:4 1:5 ");
    R.release();
    T.put(2, 0, 8); // 6 and 7 never come
    T.put(2, 1, 9);
    EXPECT_EQ(T.text(R.acquire()), "");
    R.release();
    T.put(2, 2, 10);
    EXPECT_EQ(T.text(R.acquire()), "1:8 1:9 1:10 ");
    R.release();
    T.put(3, 0, 11);
    EXPECT_EQ(T.text(R.acquire()), "1:11 ");
  }
}

// What a drain could not store is not freed, and is handed out again.
TEST(ShmReader, WhatIsKeptComesAgain) {
  for (Mode M : {Mode::Shared, Mode::Emulation}) {
    ReaderTest T(M);
    for (uint32_t I = 0; I != 3; ++I)
      T.put(0, I, I + 1);
    T.put(1, 0, 1, 2);
    ChunkReader R(T.B.Abi, ChunkReader::Writers::Ours);
    EXPECT_EQ(T.text(R.acquire()), "1:1 1:2 1:3 2:1 ");
    R.releaseBefore(1, 2);
    EXPECT_EQ(usedChunks(T.B.Abi, 0), 6u);
    EXPECT_TRUE(T.B.Abi.isPageFree(1));
    T.put(2, 0, 4);
    EXPECT_EQ(T.text(R.acquire()), "1:2 1:3 1:4 ");
    R.release();
    EXPECT_TRUE(T.B.Abi.isPageFree(0));
    EXPECT_EQ(T.text(R.acquire()), "");
  }
}

// What is abandoned stays for recovery: no writer gets it, and no reader.
TEST(ShmReader, WhatIsAbandonedStays) {
  ReaderTest T;
  T.put(0, 0, 1);
  T.put(0, 1, 3);
  {
    ChunkReader R(T.B.Abi, ChunkReader::Writers::Ours);
    EXPECT_EQ(T.text(R.acquire()), "1:1 ");
    R.abandon();
    R.release();
  }
  EXPECT_EQ(usedChunks(T.B.Abi, 0), 3u);
  EXPECT_EQ(T.B.Abi.chunk(0, 1).header()->CommittedBytes, 1u);
}

// What waits is freed with the reader, and what was handed out as well.
TEST(ShmReader, ItsEndFreesWhatItHolds) {
  ReaderTest T;
  T.put(0, 0, 1);
  T.put(1, 0, 3);
  {
    ChunkReader R(T.B.Abi, ChunkReader::Writers::Ours);
    EXPECT_EQ(T.text(R.acquire()), "1:1 ");
  }
  EXPECT_TRUE(T.B.Abi.isPageFree(0));
  EXPECT_TRUE(T.B.Abi.isPageFree(1));
}

TEST(ShmReader, SequencesWrap) {
  ReaderTest T;
  ChunkReader R(T.B.Abi, ChunkReader::Writers::Ours);
  T.put(0, 0, UINT32_MAX - 2);
  EXPECT_EQ(T.text(R.acquire()), ""); // not the 1 that it waits for
  R.release();
  T.put(0, 1, UINT32_MAX);
  T.put(0, 2, 0);
  T.put(0, 3, UINT32_MAX - 1);
  T.put(1, 0, 1);
  EXPECT_EQ(T.text(R.acquire()),
            "1:4294967293 1:4294967294 1:4294967295 1:0 1:1 ");
}

TEST(ShmReader, SequencesCrossTheSignBit) {
  ReaderTest T;
  ChunkReader R(T.B.Abi, ChunkReader::Writers::Ours);
  T.put(0, 0, 0x7FFFFFFE);
  R.acquire();
  EXPECT_EQ(T.text(R.acquire()), "1:2147483646 ");
  R.release();
  T.put(1, 1, 0x80000000);
  T.put(1, 2, 0x7FFFFFFF);
  T.put(1, 3, 0x80000001);
  EXPECT_EQ(T.text(R.acquire()), "1:2147483647 1:2147483648 1:2147483649 ");
}

// Foreign chunks are copied: what the other side does to them later does not
// matter. What its header says is checked against our sizes.
TEST(ShmReader, ForeignChunksAreCopied) {
  ReaderTest T;
  T.put(0, 0, 1);
  ChunkReader R(T.B.Abi, ChunkReader::Writers::Foreign);
  const std::vector<ChunkContent> &Contents = R.acquire();
  ASSERT_EQ(Contents.size(), 1u);
  std::memset(T.B.data(), 0xFF, T.B.sizeBytes());
  EXPECT_EQ(T.text(Contents), "1:1 ");
  R.release();
  EXPECT_EQ(T.text(R.acquire()), "");
}

TEST(ShmReader, ChunksThatCannotBeAreFreedAndCounted) {
  for (Mode M : {Mode::Shared, Mode::Emulation}) {
    ReaderTest T(M);
    uint32_t Payload = T.B.Abi.chunk(0, 0).payloadSizeBytes();
    T.put(0, 0, 1);
    T.B.Abi.chunk(0, 0).header()->CommittedBytes.store(Payload + 1);
    T.put(0, 1, 1);
    T.B.Abi.chunk(0, 1).header()->CommittedBytes.store(UINT32_MAX);
    T.put(0, 2, 1, /*WriterId=*/0);
    T.put(0, 3, 1);
    T.B.Abi.chunk(0, 3).header()->Flags.store(4);
    T.put(1, 0, 1);
    T.B.Abi.chunk(1, 0).header()->Flags.store(ContinuesFromPrevious);
    T.B.Abi.chunk(1, 0).header()->FirstRecordOffset.store(2);
    T.put(1, 1, 1);
    ChunkReader R(T.B.Abi, ChunkReader::Writers::Foreign);
    EXPECT_EQ(T.text(R.acquire()), "1:1 ");
    EXPECT_EQ(R.malformedChunks(), 5u);
    R.release();
    EXPECT_TRUE(T.B.Abi.isPageFree(0));
    EXPECT_TRUE(T.B.Abi.isPageFree(1));
  }
}

// Sequences that go round in a circle have no order; whatever order comes out,
// each chunk is handed out once and nothing else happens.
TEST(ShmReader, SequencesWithoutOrderAreNoHarm) {
  for (uint64_t Seed = 0; Seed != 50; ++Seed) {
    TestBuffer B(4096, 64);
    Random R(Seed);
    for (size_t Page = 0; Page != 64; ++Page) {
      B.Abi.tryPartitionPage(Page, PageLayout::Div14);
      for (unsigned I = 0; I != 14; ++I)
        B.Abi.releaseChunkAsComplete(B.Abi.tryAcquireChunkForWriting(
            Page, I,
            {static_cast<uint32_t>(R.below(3) * 0x60000000 + R.below(3)),
             static_cast<uint16_t>(1 + R.below(Seed % 2 ? 2 : 200)), 0}));
    }
    ChunkReader Reader(B.Abi, ChunkReader::Writers::Foreign);
    size_t Count = Reader.acquire().size();
    Reader.release();
    Count += Reader.acquire().size();
    Reader.release();
    EXPECT_EQ(Count, 64u * 14);
    EXPECT_TRUE(B.Abi.isPageFree(63));
  }
}

// Two readers of one buffer never meet the same chunk.
TEST(ShmReader, TwoReadersShare) {
  ReaderTest T;
  ChunkReader Ours(T.B.Abi, ChunkReader::Writers::Ours);
  ChunkReader Two(T.B.Abi, ChunkReader::Writers::Ours);
  T.put(0, 0, 1);
  EXPECT_EQ(T.text(Ours.acquire()), "1:1 ");
  T.put(0, 1, 2);
  EXPECT_EQ(T.text(Two.acquire()), "") << "1 may come yet";
  Two.release();
  EXPECT_EQ(T.text(Two.acquire()), "1:2 ");
  Ours.release();
  Two.release();
  EXPECT_TRUE(T.B.Abi.isPageFree(0));
}

TEST(ShmSequence, ComparesAcrossTheWrap) {
  EXPECT_TRUE(isSequenceBefore(1, 2));
  EXPECT_FALSE(isSequenceBefore(2, 2));
  EXPECT_FALSE(isSequenceBefore(3, 2));
  EXPECT_TRUE(isSequenceBefore(UINT32_MAX, 0));
  EXPECT_TRUE(isSequenceBefore(UINT32_MAX - 5, 5));
  EXPECT_FALSE(isSequenceBefore(5, UINT32_MAX - 5));
}

} // namespace
