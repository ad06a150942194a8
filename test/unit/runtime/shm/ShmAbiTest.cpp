/// \file
/// The shared-memory ABI: geometry, golden words, every transition from every
/// state over all page sizes and layouts, and all queries.
#include "test/unit/runtime/shm/ShmBuffers.h"

#include <gtest/gtest.h>

#include <functional>
#include <tuple>

using namespace instantrace;
using namespace instantrace::test;

namespace {

using Mode = SharedMemoryAbi::Mode;

constexpr ChunkState States[] = {ChunkState::Free, ChunkState::BeingWritten,
                                 ChunkState::BeingRead, ChunkState::Complete};

class ShmAbi : public testing::TestWithParam<std::tuple<size_t, PageLayout>> {
protected:
  size_t pageSize() const { return std::get<0>(GetParam()); }
  PageLayout layout() const { return std::get<1>(GetParam()); }
  unsigned chunks() const { return chunksPerPage(layout()); }
  size_t chunkSize() const { return chunkSizeBytes(pageSize(), layout()); }
};

INSTANTIATE_TEST_SUITE_P(All, ShmAbi,
                         testing::Combine(testing::ValuesIn(PageSizes),
                                          testing::ValuesIn(Layouts)),
                         [](const auto &Info) {
                           return nameOf(std::get<0>(Info.param),
                                         std::get<1>(Info.param));
                         });

// Chunks lie in their page, behind its header, beside each other, and waste
// less than 8 bytes each.
TEST_P(ShmAbi, ChunksFillThePage) {
  EXPECT_EQ(chunkSize() % 8, 0u);
  size_t Used = sizeof(PageHeader) + chunks() * chunkSize();
  EXPECT_LE(Used, pageSize());
  EXPECT_LT(pageSize() - Used, 8u * chunks());
  TestBuffer B(pageSize(), 3);
  ASSERT_TRUE(B.Abi.tryPartitionPage(1, layout()));
  for (unsigned I = 0; I != chunks(); ++I) {
    Chunk C = B.Abi.chunk(1, I);
    ASSERT_TRUE(C.isValid());
    EXPECT_EQ(reinterpret_cast<uint8_t *>(C.header()) - B.data(),
              static_cast<std::ptrdiff_t>(pageSize() + 8 + I * chunkSize()));
    EXPECT_EQ(C.payload() - reinterpret_cast<uint8_t *>(C.header()), 16);
    EXPECT_EQ(C.payloadSizeBytes(), chunkSize() - 16);
    auto P = B.Abi.positionOf(C);
    EXPECT_EQ(P.Page, 1u);
    EXPECT_EQ(P.Index, I);
  }
  EXPECT_FALSE(B.Abi.chunk(1, chunks()).isValid());
  EXPECT_FALSE(B.Abi.chunk(0, 0).isValid());
  EXPECT_FALSE(B.Abi.chunk(3, 0).isValid());
}

// What each transition asks for and leaves, from all four states, with
// neighbours in all four states, in both modes. One that is refused leaves
// every byte of the page as it was.
TEST_P(ShmAbi, TransitionsAreLegalOrChangeNothing) {
  struct Operation {
    const char *Name;
    ChunkState OldState, NewState;
    std::function<bool(SharedMemoryAbi &, unsigned, Chunk)> Do;
  };
  const ChunkIdentity Identity{7, 3, ContinuesFromPrevious};
  const Operation Operations[] = {
      {"acquire for writing", ChunkState::Free, ChunkState::BeingWritten,
       [&](SharedMemoryAbi &A, unsigned I, Chunk) {
         return A.tryAcquireChunkForWriting(0, I, Identity).isValid();
       }},
      {"release as complete", ChunkState::BeingWritten, ChunkState::Complete,
       [](SharedMemoryAbi &A, unsigned, Chunk C) {
         return A.releaseChunkAsComplete(C);
       }},
      {"acquire for reading", ChunkState::Complete, ChunkState::BeingRead,
       [](SharedMemoryAbi &A, unsigned I, Chunk) {
         return A.tryAcquireChunkForReading(0, I).isValid();
       }},
      {"release as free", ChunkState::BeingRead, ChunkState::Free,
       [](SharedMemoryAbi &A, unsigned, Chunk C) {
         return A.releaseChunkAsFree(C);
       }},
  };
  for (Mode M : {Mode::Shared, Mode::Emulation}) {
    TestBuffer B(pageSize(), 1, M);
    const Bytes Noise = Random(pageSize()).bytes(B.sizeBytes());
    for (const Operation &Op : Operations) {
      bool ToFree = Op.NewState == ChunkState::Free;
      bool IsEmulated = M == Mode::Emulation;
      for (unsigned I = 0; I != chunks(); ++I)
        for (ChunkState Neighbours : States)
          for (ChunkState State : States) {
            SCOPED_TRACE(testing::Message()
                         << Op.Name << " of chunk " << I << " in state "
                         << static_cast<int>(State) << " among "
                         << static_cast<int>(Neighbours)
                         << (IsEmulated ? ", emulated" : ""));
            std::memcpy(B.data(), Noise.data(), Noise.size());
            uint32_t Others = 0;
            for (unsigned J = 0; J != chunks(); ++J)
              if (J != I)
                Others |= wordOf(Neighbours, J);
            uint32_t Before = wordOf(layout()) | Others | wordOf(State, I);
            B.setWord(0, Before);
            const Chunk C = B.Abi.chunk(0, I);
            const Bytes Old = B.bytes();
            ChunkState Current =
                IsEmulated && ToFree ? ChunkState::Complete : Op.OldState;
            bool IsLegal =
                State == Current &&
                !(IsEmulated && Op.NewState == ChunkState::BeingRead);
            ASSERT_EQ(Op.Do(B.Abi, I, C), IsLegal);
            if (!IsLegal) {
              ASSERT_EQ(B.bytes(), Old);
              continue;
            }
            uint32_t After = wordOf(layout()) | Others | wordOf(Op.NewState, I);
            if (ToFree && Others == 0)
              After = 0; // the last one
            ASSERT_EQ(B.Abi.headerWord(0), After);
            const ChunkHeader *H = C.header();
            if (Op.NewState == ChunkState::BeingWritten) {
              ASSERT_EQ(H->CommittedBytes, 0u);
              ASSERT_EQ(H->Sequence, 7u);
              ASSERT_EQ(H->WriterId, 3u);
              ASSERT_EQ(H->Flags, ContinuesFromPrevious);
              ASSERT_EQ(H->FirstRecordOffset, 0u);
              ASSERT_EQ(H->LastRecordOffset, 0u);
            } else if (ToFree) {
              for (size_t J = 0; J != sizeof(ChunkHeader); ++J)
                ASSERT_EQ(reinterpret_cast<const uint8_t *>(H)[J], 0);
            }
            // Nothing outside the header word and the chunk has changed.
            Bytes New = B.bytes();
            std::memcpy(New.data(), Old.data(), 4);
            size_t Index = 8 + I * chunkSize();
            size_t Size = ToFree ? chunkSize()
                          : Op.NewState == ChunkState::BeingWritten ? 16
                                                                    : 0;
            std::memcpy(New.data() + Index, Old.data() + Index, Size);
            ASSERT_EQ(New, Old);
          }
    }
  }
}

// A chunk is free for every layout: no length of an earlier one shows through,
// even if its next writer is killed before it has written the header.
TEST_P(ShmAbi, FreeMemoryHasNoLengthInAnyLayout) {
  for (Mode M : {Mode::Shared, Mode::Emulation}) {
    TestBuffer B(pageSize(), 1, M);
    ASSERT_TRUE(B.Abi.tryPartitionPage(0, layout()));
    std::vector<Chunk> All;
    for (unsigned I = 0; I != chunks(); ++I) {
      All.push_back(B.Abi.tryAcquireChunkForWriting(0, I, {1, 1, 0}));
      std::memset(All[I].payload(), 0xAA, All[I].payloadSizeBytes());
    }
    for (unsigned I = 0; I != chunks(); ++I) {
      ASSERT_TRUE(B.Abi.releaseChunkAsComplete(All[I]));
      ASSERT_TRUE(M == Mode::Emulation ||
                  B.Abi.tryAcquireChunkForReading(0, I).isValid());
      ASSERT_TRUE(B.Abi.releaseChunkAsFree(All[I]));
    }
    ASSERT_EQ(B.Abi.headerWord(0), 0u);
    for (PageLayout Layout : Layouts) {
      B.setWord(0, wordOf(Layout));
      for (unsigned I = 0; I != chunksPerPage(Layout); ++I)
        EXPECT_EQ(B.Abi.chunk(0, I).header()->CommittedBytes, 0u)
            << nameOf(pageSize(), Layout) << " chunk " << I;
    }
  }
}

TEST_P(ShmAbi, PartitionsOnlyAFreePage) {
  TestBuffer B(pageSize(), 2);
  EXPECT_FALSE(B.Abi.tryPartitionPage(2, layout()));
  ASSERT_TRUE(B.Abi.tryPartitionPage(1, layout()));
  EXPECT_EQ(B.Abi.headerWord(1), wordOf(layout()));
  EXPECT_EQ(B.Abi.headerWord(0), 0u);
  const Bytes Old = B.bytes();
  for (PageLayout Again : Layouts)
    EXPECT_FALSE(B.Abi.tryPartitionPage(1, Again));
  EXPECT_EQ(B.bytes(), Old);
}

// The chunks of a page are given back in any order; the last one unpartitions.
TEST_P(ShmAbi, TheLastFreeChunkUnpartitions) {
  for (unsigned Last = 0; Last != chunks(); ++Last) {
    TestBuffer B(pageSize(), 1);
    uint32_t AllRead = wordOf(layout());
    for (unsigned I = 0; I != chunks(); ++I)
      AllRead |= wordOf(ChunkState::BeingRead, I);
    B.setWord(0, AllRead);
    for (unsigned I = 0; I != chunks(); ++I) {
      if (I == Last)
        continue;
      ASSERT_TRUE(B.Abi.releaseChunkAsFree(B.Abi.chunk(0, I)));
      ASSERT_EQ(B.Abi.pageLayout(0), layout());
    }
    Chunk C = B.Abi.chunk(0, Last);
    ASSERT_TRUE(B.Abi.releaseChunkAsFree(C));
    EXPECT_EQ(B.Abi.headerWord(0), 0u);
    EXPECT_TRUE(B.Abi.isPageFree(0));
    // And a handle that is out of date is nobody's chunk.
    const Bytes Old = B.bytes();
    EXPECT_FALSE(B.Abi.releaseChunkAsFree(C));
    EXPECT_FALSE(B.Abi.releaseChunkAsComplete(C));
    EXPECT_EQ(B.bytes(), Old);
  }
}

// A chunk of the layout before is not one of the layout now.
TEST_P(ShmAbi, RefusesChunksOfAnotherLayout) {
  for (PageLayout Now : Layouts) {
    if (Now == layout())
      continue;
    for (Mode M : {Mode::Shared, Mode::Emulation}) {
      TestBuffer B(pageSize(), 1, M);
      B.setWord(0, wordOf(layout()));
      Chunk C = B.Abi.chunk(0, 0);
      for (ChunkState State : States) {
        B.setWord(0, wordOf(Now) | wordOf(State, 0));
        const Bytes Old = B.bytes();
        EXPECT_FALSE(B.Abi.releaseChunkAsComplete(C));
        EXPECT_FALSE(B.Abi.releaseChunkAsFree(C));
        EXPECT_EQ(B.bytes(), Old);
      }
    }
  }
}

TEST_P(ShmAbi, QueriesSayWhatTheWordSays) {
  TestBuffer B(pageSize(), 1);
  for (unsigned Round = 0; Round != 4; ++Round) {
    uint32_t Word = wordOf(layout()), Free = 0, Complete = 0;
    for (unsigned I = 0; I != chunks(); ++I) {
      ChunkState State = States[(I + Round) % 4];
      Word |= wordOf(State, I);
      Free |= uint32_t(State == ChunkState::Free) << I;
      Complete |= uint32_t(State == ChunkState::Complete) << I;
    }
    B.setWord(0, Word);
    EXPECT_EQ(B.Abi.headerWord(0), Word);
    EXPECT_EQ(B.Abi.pageLayout(0), layout());
    EXPECT_EQ(B.Abi.freeChunks(0), Free);
    EXPECT_EQ(B.Abi.completeChunks(0), Complete);
    EXPECT_FALSE(B.Abi.isPageFree(0));
    for (unsigned I = 0; I != chunks(); ++I)
      EXPECT_EQ(B.Abi.chunkState(0, I), States[(I + Round) % 4]);
    EXPECT_EQ(B.Abi.chunkState(0, chunks()), ChunkState::Free);
  }
}

// Bits of chunks that the layout does not have, and bit 31, do not matter, and
// are gone when the page is free again.
TEST_P(ShmAbi, StrayBitsDoNotMatter) {
  uint32_t Stray = 0x80000000;
  for (unsigned I = chunks(); I != MaxChunksPerPage; ++I)
    Stray |= wordOf(ChunkState::BeingWritten, I);
  TestBuffer B(pageSize(), 1);
  B.setWord(0, wordOf(layout()) | Stray);
  Chunk C = B.Abi.tryAcquireChunkForWriting(0, 0, {1, 1, 0});
  ASSERT_TRUE(C.isValid());
  EXPECT_EQ(B.Abi.headerWord(0), (wordOf(layout()) | Stray | 1));
  EXPECT_EQ(usedChunks(B.Abi, 0), 1u);
  EXPECT_EQ(B.Abi.positionOf(C).Index, 0u);
  ASSERT_TRUE(B.Abi.releaseChunkAsComplete(C));
  ASSERT_TRUE(B.Abi.tryAcquireChunkForReading(0, 0).isValid());
  for (unsigned I = chunks(); I != MaxChunksPerPage; ++I)
    EXPECT_FALSE(B.Abi.chunk(0, I).isValid());
  ASSERT_TRUE(B.Abi.releaseChunkAsFree(C));
  EXPECT_EQ(B.Abi.headerWord(0), 0u);
}

class ShmAbiPages : public testing::TestWithParam<size_t> {};

INSTANTIATE_TEST_SUITE_P(All, ShmAbiPages, testing::ValuesIn(PageSizes),
                         [](const auto &Info) {
                           return std::to_string(Info.param / 1024) + "KiB";
                         });

// Zeroed memory is free.
TEST_P(ShmAbiPages, ZeroedMemoryIsFree) {
  TestBuffer B(GetParam(), 4);
  ASSERT_TRUE(B.Abi.isValid());
  EXPECT_EQ(B.Abi.pageCount(), 4u);
  EXPECT_EQ(B.Abi.pageSizeBytes(), GetParam());
  for (size_t Page = 0; Page != 4; ++Page) {
    EXPECT_TRUE(B.Abi.isPageFree(Page));
    EXPECT_EQ(B.Abi.freeChunks(Page), 0u);
    EXPECT_FALSE(B.Abi.chunk(Page, 0).isValid());
    EXPECT_FALSE(B.Abi.tryAcquireChunkForWriting(Page, 0, {1, 1, 0}).isValid());
    EXPECT_FALSE(B.Abi.tryAcquireChunkForReading(Page, 0).isValid());
  }
  EXPECT_EQ(B.bytes(), Bytes(B.sizeBytes()));
}

// Layouts 0, 6 and 7, with and without bit 31 and with any states: a page
// without chunks, in which nothing changes.
TEST_P(ShmAbiPages, ReservedLayoutsHaveNoChunks) {
  for (Mode M : {Mode::Shared, Mode::Emulation})
    for (uint32_t Top : {0x6u, 0x7u, 0x8u, 0xEu, 0xFu})
      for (uint32_t Bits :
           {0x00000000u, 0x0FFFFFFFu, 0x05555555u, 0x0AAAAAAAu, 0x00000001u}) {
        TestBuffer B(GetParam(), 2, M);
        B.setWord(0, wordOf(PageLayout::Div14));
        std::vector<Chunk> Chunks;
        for (unsigned I = 0; I != MaxChunksPerPage; ++I)
          Chunks.push_back(B.Abi.chunk(0, I));
        B.setWord(0, Top << PageLayoutShift | Bits);
        const Bytes Old = B.bytes();
        EXPECT_EQ(chunksPerPage(B.Abi.pageLayout(0)), 0u);
        for (PageLayout Layout : Layouts)
          EXPECT_FALSE(B.Abi.tryPartitionPage(0, Layout));
        for (unsigned I = 0; I != 32; ++I) {
          EXPECT_FALSE(B.Abi.chunk(0, I).isValid());
          EXPECT_EQ(B.Abi.chunkState(0, I), ChunkState::Free);
          EXPECT_FALSE(
              B.Abi.tryAcquireChunkForWriting(0, I, {1, 1, 0}).isValid());
          EXPECT_FALSE(B.Abi.tryAcquireChunkForReading(0, I).isValid());
        }
        for (Chunk C : Chunks) {
          EXPECT_FALSE(B.Abi.releaseChunkAsComplete(C));
          EXPECT_FALSE(B.Abi.releaseChunkAsFree(C));
        }
        EXPECT_EQ(B.Abi.freeChunks(0) | B.Abi.completeChunks(0), 0u);
        EXPECT_EQ(B.bytes(), Old);
      }
  TestBuffer B(GetParam(), 1);
  for (uint32_t Number : {0u, 6u, 7u, 8u, 13u})
    EXPECT_FALSE(B.Abi.tryPartitionPage(0, static_cast<PageLayout>(Number)));
  EXPECT_EQ(B.Abi.headerWord(0), 0u);
}

// A page that does not exist answers like an empty one.
TEST_P(ShmAbiPages, PagesBeyondTheEndAreNone) {
  TestBuffer B(GetParam(), 1);
  for (size_t Page : {size_t(1), size_t(2), SIZE_MAX}) {
    EXPECT_EQ(B.Abi.headerWord(Page), 0u);
    EXPECT_TRUE(B.Abi.isPageFree(Page));
    EXPECT_FALSE(B.Abi.tryPartitionPage(Page, PageLayout::Div1));
    EXPECT_FALSE(B.Abi.tryAcquireChunkForWriting(Page, 0, {}).isValid());
    EXPECT_FALSE(B.Abi.tryAcquireChunkForReading(Page, 0).isValid());
    EXPECT_FALSE(B.Abi.chunk(Page, 0).isValid());
  }
}

TEST_P(ShmAbiPages, ChunksFromElsewhereHaveNoPosition) {
  TestBuffer B(GetParam(), 2), Other(GetParam(), 2);
  Other.setWord(0, wordOf(PageLayout::Div2) | wordOf(ChunkState::Complete, 0));
  B.setWord(0, wordOf(PageLayout::Div14));
  Chunk Stale = B.Abi.chunk(0, 0); // its page is partitioned otherwise now
  B.setWord(0, wordOf(PageLayout::Div2) | wordOf(ChunkState::BeingWritten, 0));
  // In the buffer, and still none of its chunks.
  SharedMemoryAbi Shifted;
  ASSERT_TRUE(Shifted.initialize(B.data() + 16, GetParam(), 1, Mode::Shared));
  ASSERT_TRUE(Shifted.tryPartitionPage(0, PageLayout::Div14));
  const Bytes Old = B.bytes();
  for (Chunk C : {Chunk(), Other.Abi.chunk(0, 0), Other.Abi.chunk(0, 1), Stale,
                  Shifted.chunk(0, 0), Shifted.chunk(0, 13)}) {
    auto P = B.Abi.positionOf(C);
    EXPECT_LE(P.Index, MaxChunksPerPage);
    EXPECT_FALSE(B.Abi.releaseChunkAsComplete(C));
    EXPECT_FALSE(B.Abi.releaseChunkAsFree(C));
  }
  EXPECT_EQ(B.Abi.positionOf(Chunk()).Index, MaxChunksPerPage);
  EXPECT_EQ(B.Abi.positionOf(Other.Abi.chunk(0, 0)).Index, MaxChunksPerPage);
  EXPECT_EQ(B.bytes(), Old);
}

// The words of one chunk's life, as any other implementation must have them.
TEST(ShmAbiGolden, HeaderWords) {
  TestBuffer B(4096, 1);
  ASSERT_TRUE(B.Abi.tryPartitionPage(0, PageLayout::Div14));
  EXPECT_EQ(B.Abi.headerWord(0), 0x50000000u);
  Chunk First = B.Abi.tryAcquireChunkForWriting(0, 0, {0x01020304, 0x0506, 2});
  Chunk Last = B.Abi.tryAcquireChunkForWriting(0, 13, {1, 1, 0});
  EXPECT_EQ(B.Abi.headerWord(0), 0x54000001u);
  First.header()->CommittedBytes.store(0x0A0B0C0D);
  First.header()->FirstRecordOffset.store(0x1112);
  First.header()->LastRecordOffset.store(0x1314);
  const Bytes Golden = {0x01, 0x00, 0x00, 0x54, 0x00, 0x00, 0x00, 0x00, // page
                        0x0D, 0x0C, 0x0B, 0x0A, 0x04, 0x03, 0x02, 0x01, // chunk
                        0x06, 0x05, 0x02, 0x00, 0x12, 0x11, 0x14, 0x13};
  EXPECT_EQ(Bytes(B.data(), B.data() + Golden.size()), Golden);
  EXPECT_EQ(reinterpret_cast<uint8_t *>(Last.header()) - B.data(), 0xEA8);
  ASSERT_TRUE(B.Abi.releaseChunkAsComplete(First));
  EXPECT_EQ(B.Abi.headerWord(0), 0x54000003u);
  ASSERT_TRUE(B.Abi.tryAcquireChunkForReading(0, 0).isValid());
  EXPECT_EQ(B.Abi.headerWord(0), 0x54000002u);
  ASSERT_TRUE(B.Abi.releaseChunkAsComplete(Last));
  EXPECT_EQ(B.Abi.headerWord(0), 0x5C000002u);
  ASSERT_TRUE(B.Abi.releaseChunkAsFree(First));
  EXPECT_EQ(B.Abi.headerWord(0), 0x5C000000u);
  uint32_t Words[] = {0x10000000, 0x20000000, 0x30000000, 0x40000000,
                      0x50000000};
  for (size_t I = 0; I != std::size(Layouts); ++I) {
    TestBuffer Page(4096, 1);
    ASSERT_TRUE(Page.Abi.tryPartitionPage(0, Layouts[I]));
    EXPECT_EQ(Page.Abi.headerWord(0), Words[I]);
  }
}

TEST(ShmAbiGolden, ChunkSizes) {
  constexpr size_t Sizes[5][5] = {{4088, 2040, 1016, 584, 288},
                                  {8184, 4088, 2040, 1168, 584},
                                  {16376, 8184, 4088, 2336, 1168},
                                  {32760, 16376, 8184, 4680, 2336},
                                  {65528, 32760, 16376, 9360, 4680}};
  for (size_t P = 0; P != 5; ++P)
    for (size_t L = 0; L != 5; ++L)
      EXPECT_EQ(chunkSizeBytes(PageSizes[P], Layouts[L]), Sizes[P][L]);
  EXPECT_EQ(chunkSizeBytes(4096, PageLayout::NotPartitioned), 0u);
  EXPECT_EQ(chunkSizeBytes(4096, static_cast<PageLayout>(6)), 0u);
}

TEST(ShmAbiInitialize, RefusesWhatCannotBeABuffer) {
  alignas(8) static uint8_t Memory[8192 + 8];
  for (size_t Size : {size_t(0), size_t(1), size_t(2048), size_t(4095),
                      size_t(4097), size_t(12288), size_t(131072), SIZE_MAX}) {
    SharedMemoryAbi A;
    EXPECT_FALSE(A.initialize(Memory, Size, 1, Mode::Shared));
    EXPECT_FALSE(A.isValid());
  }
  SharedMemoryAbi A;
  EXPECT_FALSE(A.initialize(nullptr, 4096, 1, Mode::Shared));
  EXPECT_FALSE(A.initialize(Memory, 4096, 0, Mode::Shared));
  EXPECT_FALSE(A.initialize(Memory + 4, 4096, 1, Mode::Shared));
  EXPECT_FALSE(A.isValid());
  EXPECT_TRUE(A.initialize(Memory, 4096, 2, Mode::Emulation));
  EXPECT_TRUE(A.isValid());
  EXPECT_EQ(A.mode(), Mode::Emulation);
}

} // namespace
