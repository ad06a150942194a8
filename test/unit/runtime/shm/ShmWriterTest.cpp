/// \file
/// The writer's side of the buffer: which layout it takes, what it writes, and
/// what it does when no chunk is free.
#include "test/unit/runtime/shm/ShmRecords.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <tuple>

using namespace instantrace;
using namespace instantrace::test;

namespace {

using Mode = SharedMemoryAbi::Mode;

ChunkSource::Policy policy(WhenFull Full, unsigned Writers = 1,
                           uint32_t WaitLimitMs = 100) {
  return {Full, Writers, WaitLimitMs};
}

// Only what never ends takes so long, whatever else the machine does.
constexpr uint64_t HangMs = 60000;

uint64_t millisecondsOf(const std::function<void()> &Do) {
  auto Begin = std::chrono::steady_clock::now();
  Do();
  auto Took = std::chrono::steady_clock::now() - Begin;
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Took).count());
}

// The smallest chunks first, one size larger with every chunk filled, and no
// larger than leaves two for every writer.
TEST(ShmLayoutRule, GrowsWithTheLoadAndLeavesTwoChunksPerWriter) {
  for (size_t PageSize : PageSizes)
    for (size_t Pages : {1, 2, 3, 4, 8, 13, 14, 16, 64})
      for (unsigned Writers : {0, 1, 2, 3, 4, 6, 7, 8, 28, 1000}) {
        TestBuffer B(PageSize, Pages);
        ChunkSource Source(B.Abi, policy(WhenFull::Drop, Writers), nullptr,
                           nullptr);
        unsigned Before = MaxChunksPerPage;
        for (uint32_t Filled = 0; Filled != 8; ++Filled) {
          unsigned Chunks = chunksPerPage(Source.layoutFor(Filled));
          constexpr unsigned Steps[] = {14, 7, 4, 2, 1};
          unsigned Expected = 14;
          for (unsigned I = 0; I <= std::min(Filled, 4u); ++I)
            if (Pages * Steps[I] >= size_t(2) * std::max(Writers, 1u))
              Expected = Steps[I];
          EXPECT_EQ(Chunks, Expected)
              << Pages << " pages, " << Writers << " writers, " << Filled;
          EXPECT_LE(Chunks, Before);
          Before = Chunks;
        }
        EXPECT_EQ(Source.layoutFor(4), Source.layoutFor(UINT32_MAX));
      }
}

// ... or sooner, up to the first that holds the record that is to be written.
TEST(ShmLayoutRule, TakesALargerChunkForALargerRecord) {
  for (size_t PageSize : PageSizes)
    for (size_t Pages : {1, 2, 5, 64})
      for (unsigned Writers : {1, 2, 5}) {
        TestBuffer B(PageSize, Pages);
        ChunkSource Source(B.Abi, policy(WhenFull::Drop, Writers), nullptr,
                           nullptr);
        PageLayout Last = Source.layoutFor(UINT32_MAX);
        for (PageLayout Layout : Layouts) {
          size_t Holds = chunkSizeBytes(PageSize, Layout) - sizeof(ChunkHeader);
          for (size_t Size : {Holds, Holds + 1}) {
            PageLayout Chosen = Source.layoutFor(0, Size);
            EXPECT_TRUE(Chosen == Last || chunkSizeBytes(PageSize, Chosen) >=
                                              Size + sizeof(ChunkHeader));
            EXPECT_LE(chunksPerPage(Last), chunksPerPage(Chosen));
          }
          if (chunksPerPage(Layout) >= chunksPerPage(Last)) {
            EXPECT_EQ(Source.layoutFor(0, Holds), Layout);
          }
        }
      }
}

// A record begins where it can end as well: only one that no chunk holds is
// cut.
TEST(ShmLayoutRule, CutsNoRecordThatAChunkHolds) {
  TestBuffer B(4096, 8);
  Collector C(B.Abi);
  ChunkSource Source(B.Abi, policy(WhenFull::Drain), Collector::drain, &C);
  ChunkWriter W(Source, 1);
  Random R(1);
  for (unsigned I = 0; I != 2000; ++I) {
    const Bytes Record = R.bytes(1 + R.below(4088 - sizeof(ChunkHeader)));
    ASSERT_TRUE(W.append(Record.data(), Record.size()));
    for (size_t Page = 0; Page != 8; ++Page)
      for (unsigned J = 0; J != MaxChunksPerPage; ++J)
        if (Chunk Open = B.Abi.chunk(Page, J); Open.isValid()) {
          ASSERT_EQ(Open.header()->Flags, 0u);
        }
  }
}

TEST(ShmLayoutRule, WriterTakesTheLayoutsOfTheRule) {
  TestBuffer B(4096, 64);
  Collector C(B.Abi);
  ChunkSource Source(B.Abi, policy(WhenFull::Drain), Collector::drain, &C);
  ChunkWriter W(Source, 1);
  const Bytes Record(100, 7);
  while (W.chunksFilled() != 7)
    ASSERT_TRUE(W.append(Record.data(), Record.size()));
  W.complete();
  EXPECT_EQ(B.Abi.pageLayout(0), PageLayout::Div14);
  EXPECT_EQ(B.Abi.pageLayout(1), PageLayout::Div7);
  EXPECT_EQ(B.Abi.pageLayout(2), PageLayout::Div4);
  EXPECT_EQ(B.Abi.pageLayout(3), PageLayout::Div2);
  for (size_t Page = 4; Page != 8; ++Page)
    EXPECT_EQ(B.Abi.pageLayout(Page), PageLayout::Div1);
  EXPECT_TRUE(B.Abi.isPageFree(8));
}

// A writer that chooses when to complete counts as one whose chunks are full,
// so it gets larger ones, too; a chunk that is completed early does not.
TEST(ShmLayoutRule, CountsChunksThatAreHalfFull) {
  for (size_t PageSize : PageSizes) {
    TestBuffer B(PageSize, 64);
    Collector C(B.Abi);
    ChunkSource Source(B.Abi, policy(WhenFull::Drain), Collector::drain, &C);
    ChunkWriter W(Source, 1);
    for (unsigned I = 0; I != 10; ++I) {
      W.commit(W.reserve() + 10);
      W.complete();
    }
    EXPECT_EQ(W.chunksFilled(), 0u);
    for (unsigned I = 0; I != 5; ++I) {
      uint8_t *Begin = W.reserve(), *Out = Begin;
      size_t PayloadBytes =
          chunkSizeBytes(PageSize, Layouts[4 - I]) - sizeof(ChunkHeader);
      while (static_cast<size_t>(Out - Begin) * 2 < PayloadBytes) {
        EXPECT_TRUE(W.isOpen());
        Out = W.reserve() + 10;
        W.commit(Out);
      }
      W.complete();
      EXPECT_FALSE(W.isOpen());
      EXPECT_EQ(W.chunksFilled(), I + 1);
    }
  }
}

class ShmWriter
    : public testing::TestWithParam<std::tuple<size_t, PageLayout, Mode>> {
protected:
  size_t pageSize() const { return std::get<0>(GetParam()); }
  PageLayout layout() const { return std::get<1>(GetParam()); }
  Mode mode() const { return std::get<2>(GetParam()); }
  static constexpr size_t Pages = 2;

  /// A writer over chunks of the one layout.
  struct Fixture {
    Fixture(size_t PageSize, PageLayout L, Mode M,
            WhenFull Full = WhenFull::Drain)
        : B(PageSize, Pages, M), C(B.Abi),
          Source(
              B.Abi,
              policy(Full, static_cast<unsigned>(Pages * chunksPerPage(L) / 2)),
              Collector::drain, &C),
          W(Source, 1),
          PayloadBytes(chunkSizeBytes(PageSize, L) - sizeof(ChunkHeader)) {
      // The rule ends with L for so many writers. Up to there the chunks are
      // smaller.
      while (W.chunksFilled() < 5) {
        EXPECT_TRUE(W.append("warming up", 10));
        C.collect();
      }
      W.complete();
      C.finish();
      C.Got.clear();
      C.Calls = 0;
      C.WasFull = true;
      Drains = Source.drains();
    }
    /// In the chunk that is being written.
    size_t roomBytes() {
      for (size_t Page = 0; Page != Pages; ++Page)
        for (unsigned I = 0; I != MaxChunksPerPage; ++I)
          if (B.Abi.chunkState(Page, I) == ChunkState::BeingWritten)
            return PayloadBytes - B.Abi.chunk(Page, I).header()->CommittedBytes;
      return 0;
    }
    TestBuffer B;
    Collector C;
    ChunkSource Source;
    ChunkWriter W;
    size_t PayloadBytes;
    uint64_t Drains = 0; ///< while warming up
  };
};

INSTANTIATE_TEST_SUITE_P(
    All, ShmWriter,
    testing::Combine(testing::ValuesIn(PageSizes), testing::ValuesIn(Layouts),
                     testing::Values(Mode::Shared, Mode::Emulation)),
    [](const auto &Info) {
      return nameOf(std::get<0>(Info.param), std::get<1>(Info.param)) +
             (std::get<2>(Info.param) == Mode::Shared ? "" : "Emulated");
    });

// A record of reserve() and commit() lies in one chunk, and a chunk is left
// only when not even the largest record fits.
TEST_P(ShmWriter, ReservedRecordsAreNeverSplit) {
  Fixture F(pageSize(), layout(), mode());
  Random R(pageSize());
  Bytes Expected;
  const uint8_t *Payload = nullptr;
  size_t InChunk = 0;
  for (unsigned I = 0; I != 3000; ++I) {
    uint8_t *Out = F.W.reserve();
    ASSERT_NE(Out, nullptr);
    if (F.W.isAtChunkStart()) {
      ASSERT_TRUE(I == 0 ||
                  InChunk + ChunkWriter::MaxRecordBytes > F.PayloadBytes);
      Payload = Out;
      InChunk = 0;
    }
    ASSERT_EQ(Out, Payload + InChunk);
    ASSERT_EQ(F.W.reserve(), Out) << "nothing was committed";
    ASSERT_LE(InChunk + ChunkWriter::MaxRecordBytes, F.PayloadBytes);
    ASSERT_TRUE(F.W.isOpen());
    Bytes Record = R.bytes(1 + R.below(ChunkWriter::MaxRecordBytes));
    std::memcpy(Out, Record.data(), Record.size());
    F.W.commit(Out + Record.size());
    InChunk += Record.size();
    ASSERT_LE(InChunk, F.PayloadBytes);
    Expected.insert(Expected.end(), Record.begin(), Record.end());
  }
  F.W.complete();
  EXPECT_FALSE(F.W.isOpen());
  F.C.finish();
  EXPECT_EQ(F.C.Got[1], Expected);
  EXPECT_EQ(F.C.Reader.malformedChunks(), 0u);
}

// Sizes at and around what a chunk holds, of the chunk and of the whole buffer.
TEST_P(ShmWriter, AppendsRecordsOfAnySize) {
  Fixture F(pageSize(), layout(), mode());
  Random R(chunksPerPage(layout()));
  Bytes Expected;
  size_t P = F.PayloadBytes, Buffer = F.B.sizeBytes();
  auto append = [&](size_t Size) {
    SCOPED_TRACE(Size);
    Bytes Record = R.bytes(Size);
    ASSERT_TRUE(F.W.append(Record.data(), Size));
    Expected.insert(Expected.end(), Record.begin(), Record.end());
  };
  for (size_t Size :
       {size_t(0), size_t(1), P - 1, P, P + 1, 2 * P - 1, 2 * P, 2 * P + 1,
        5 * P, Buffer - 1, Buffer, 3 * Buffer + 5, size_t(0), size_t(1)})
    append(Size);
  // Exactly to the end of the chunk that is open, and one more.
  for (size_t Beyond : {0, 1, 2}) {
    append(1);
    append(F.roomBytes() + Beyond);
    append(0);
  }
  F.W.complete();
  F.C.finish();
  EXPECT_EQ(F.C.Got[1].size(), Expected.size());
  EXPECT_TRUE(F.C.Got[1] == Expected);
  EXPECT_EQ(F.C.Assemblers[1].droppedRecords(), 0u);
  EXPECT_EQ(F.C.Assemblers[1].malformedChunks(), 0u);
  EXPECT_EQ(F.C.Reader.malformedChunks(), 0u);
}

// What a writer of both kinds of records and of random sizes wrote, comes out,
// and only a full buffer is drained.
TEST_P(ShmWriter, DrainLosesNothing) {
  Fixture F(pageSize(), layout(), mode());
  Random R(pageSize() + chunksPerPage(layout()));
  Bytes Expected;
  for (unsigned I = 0; I != 1500; ++I) {
    bool IsReserved = R.below(3) != 0;
    Bytes Record = R.bytes(
        IsReserved ? R.below(ChunkWriter::MaxRecordBytes + 1)
                   : R.below(R.below(20) == 0 ? 3 * F.PayloadBytes : 400));
    if (IsReserved) {
      uint8_t *Out = F.W.reserve();
      ASSERT_NE(Out, nullptr);
      if (!Record.empty())
        std::memcpy(Out, Record.data(), Record.size());
      F.W.commit(Out + Record.size());
    } else {
      ASSERT_TRUE(F.W.append(Record.data(), Record.size()));
    }
    Expected.insert(Expected.end(), Record.begin(), Record.end());
  }
  unsigned Drains = F.C.Calls;
  EXPECT_EQ(F.Source.drains() - F.Drains, Drains);
  EXPECT_GT(Drains, 0u);
  EXPECT_TRUE(F.C.WasFull) << "drained although a chunk was free";
  EXPECT_EQ(F.Source.waits(), 0u);
  F.W.complete();
  F.C.finish();
  EXPECT_TRUE(F.C.Got[1] == Expected);
  for (size_t Page = 0; Page != Pages; ++Page)
    EXPECT_EQ(usedChunks(F.B.Abi, Page), 0u);
}

// Drop: as many records as do not fit are counted, and later ones get through
// once space is there.
TEST_P(ShmWriter, DropCountsExactly) {
  Fixture F(pageSize(), layout(), mode(), WhenFull::Drop);
  uint64_t Written = 0, Lost = 0;
  Bytes Expected;
  for (unsigned Round = 0; Round != 3; ++Round) {
    uint64_t LostBefore = Lost;
    while (Lost != LostBefore + 10) {
      uint8_t *Out = F.W.reserve();
      if (!Out) {
        ++Lost;
        continue;
      }
      std::memset(Out, static_cast<int>(Written), 100);
      Expected.insert(Expected.end(), 100, static_cast<uint8_t>(Written));
      F.W.commit(Out + 100);
      ++Written;
    }
    const Bytes Small(10, 1);
    EXPECT_FALSE(F.W.append(Small.data(), Small.size()));
    EXPECT_EQ(F.C.Calls, 0u) << "nobody asked for a drain";
    EXPECT_TRUE(F.C.isFull());
    F.C.collect();
    F.C.Calls = 0;
  }
  EXPECT_EQ(Written * 100, F.C.Got[1].size());
  EXPECT_TRUE(F.C.Got[1] == Expected);
}

// Drop in the middle of a record: readers get none of it, and all after it.
TEST_P(ShmWriter, DropInTheMiddleOfARecord) {
  Fixture F(pageSize(), layout(), mode(), WhenFull::Drop);
  const Bytes Huge = Random(1).bytes(F.B.sizeBytes());
  const Bytes Small = Random(2).bytes(50);
  ASSERT_TRUE(F.W.append(Small.data(), Small.size()));
  EXPECT_FALSE(F.W.append(Huge.data(), Huge.size()));
  F.C.collect();
  EXPECT_EQ(F.C.Got[1], Small);
  ASSERT_TRUE(F.W.append(Small.data(), Small.size()));
  F.W.complete();
  F.C.finish();
  Bytes Twice = Small;
  Twice.insert(Twice.end(), Small.begin(), Small.end());
  EXPECT_EQ(F.C.Got[1], Twice);
  EXPECT_EQ(F.C.Assemblers[1].droppedRecords(), 1u);
  EXPECT_EQ(F.C.Assemblers[1].malformedChunks(), 0u);
}

// A record that ends with its chunk is no fragment: it survives when there is
// no next chunk.
TEST_P(ShmWriter, AFullChunkBeginsNoRecord) {
  Fixture F(pageSize(), layout(), mode(), WhenFull::Drop);
  const Bytes Fill(F.PayloadBytes, 5);
  size_t Chunks = Pages * chunksPerPage(layout());
  for (size_t I = 0; I != Chunks; ++I)
    ASSERT_TRUE(F.W.append(Fill.data(), Fill.size()));
  EXPECT_FALSE(F.W.append("x", 1));
  F.C.finish();
  EXPECT_EQ(F.C.Got[1], Bytes(Chunks * F.PayloadBytes, 5));
  EXPECT_EQ(F.C.Assemblers[1].droppedRecords(), 0u);
}

// Writers take turns in a buffer that the drain completes for them.
TEST(ShmWriters, ShareABufferThatEitherDrains) {
  struct Both {
    ChunkWriter *Writers[2];
    Collector *C;
  } Context = {};
  for (size_t Pages : {1, 2, 5}) {
    TestBuffer B(4096, Pages);
    Collector C(B.Abi);
    ChunkSource Source(
        B.Abi, policy(WhenFull::Drain, 2),
        [](void *Opaque) {
          auto *Shared = static_cast<Both *>(Opaque);
          for (ChunkWriter *W : Shared->Writers)
            W->complete();
          Shared->C->collect();
          return true;
        },
        &Context);
    ChunkWriter First(Source, 1), Second(Source, 2);
    Context = {{&First, &Second}, &C};
    Random R(Pages);
    Bytes Expected[3];
    for (unsigned I = 0; I != 20000; ++I) {
      uint16_t Id = R.below(4) == 0 ? 2 : 1;
      Bytes Record = R.bytes(Id == 1 ? R.below(20) : R.below(900));
      if (Id == 1) {
        uint8_t *Out = First.reserve();
        ASSERT_NE(Out, nullptr);
        std::copy(Record.begin(), Record.end(), Out);
        First.commit(Out + Record.size());
      } else {
        ASSERT_TRUE(Second.append(Record.data(), Record.size()));
      }
      Expected[Id].insert(Expected[Id].end(), Record.begin(), Record.end());
    }
    First.complete();
    Second.complete();
    C.finish();
    EXPECT_TRUE(C.Got[1] == Expected[1]);
    EXPECT_TRUE(C.Got[2] == Expected[2]);
  }
}

// A drain that fails: dropped and counted, and not asked again.
TEST(ShmPolicy, AFailingDrainIsAskedOnce) {
  unsigned Calls = 0;
  TestBuffer B(4096, 1);
  ChunkSource Source(
      B.Abi, policy(WhenFull::Drain),
      [](void *Context) {
        ++*static_cast<unsigned *>(Context);
        return false;
      },
      &Calls);
  ChunkWriter W(Source, 1);
  const Bytes Record(100, 1);
  uint64_t Lost = 0;
  for (unsigned I = 0; I != 1000; ++I)
    Lost += !W.append(Record.data(), Record.size());
  EXPECT_GT(Lost, 900u);
  EXPECT_EQ(Calls, 1u);
  EXPECT_EQ(W.reserve(), nullptr);
}

// A drain that frees nothing: dropped and counted, never a hang.
TEST(ShmPolicy, ADrainWithoutEffectIsNoHang) {
  unsigned Calls = 0;
  TestBuffer B(4096, 1);
  ChunkSource Source(
      B.Abi, policy(WhenFull::Drain),
      [](void *Context) {
        ++*static_cast<unsigned *>(Context);
        return true;
      },
      &Calls);
  ChunkWriter W(Source, 1);
  while (uint8_t *Out = W.reserve())
    W.commit(Out + 100);
  EXPECT_TRUE(B.Abi.freeChunks(0) == 0);
  Calls = 0;
  EXPECT_EQ(W.reserve(), nullptr);
  EXPECT_EQ(Calls, 2u); // a reader may keep what follows a gap once
  ChunkSource None(B.Abi, policy(WhenFull::Drain), nullptr, nullptr);
  ChunkWriter Other(None, 2);
  EXPECT_EQ(Other.reserve(), nullptr);
}

// A gap in the sequence (a collector that was killed with a chunk in its hands)
// makes the reader keep what follows for one call; no record is lost by it.
TEST(ShmPolicy, AGapCostsTheDrainASecondCall) {
  TestBuffer B(4096, 1);
  Collector C(B.Abi);
  ChunkSource Source(B.Abi, policy(WhenFull::Drain, 2), Collector::drain, &C);
  ChunkWriter W(Source, 1);
  const Bytes Record(500, 1);
  ASSERT_TRUE(W.append(Record.data(), 200));
  W.complete();
  ASSERT_TRUE(B.Abi.tryAcquireChunkForReading(0, 0).isValid()); // forever
  for (unsigned I = 0; I != 500; ++I)
    ASSERT_TRUE(W.append(Record.data(), Record.size())) << I;
}

// A reader that frees in time: no drain.
TEST(ShmPolicy, WaitsForAReaderThatIsAwake) {
  TestBuffer B(4096, 1);
  Collector C(B.Abi);
  unsigned Drains = 0;
  ChunkSource Source(
      B.Abi, policy(WhenFull::WaitThenDrain, 1, 20000),
      [](void *Context) {
        ++*static_cast<unsigned *>(Context);
        return false;
      },
      &Drains);
  ChunkWriter W(Source, 1);
  std::atomic<bool> IsDone = false;
  std::thread Reader([&] {
    while (!IsDone.load(std::memory_order_acquire)) {
      C.collect();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    C.finish();
  });
  Random R(1);
  Bytes Expected;
  for (unsigned I = 0; I != 3000; ++I) {
    Bytes Record = R.bytes(R.below(700));
    if (!W.append(Record.data(), Record.size()))
      break;
    Expected.insert(Expected.end(), Record.begin(), Record.end());
  }
  W.complete();
  IsDone.store(true, std::memory_order_release);
  Reader.join();
  EXPECT_TRUE(C.Got[1] == Expected);
  EXPECT_EQ(Drains, 0u);
  EXPECT_GT(Source.waits(), 0u);
}

// Nobody frees: one wait of the limit, and from then on drains without any.
TEST(ShmPolicy, WaitsNoLongerThanTheLimit) {
  constexpr uint32_t LimitMs = 100;
  TestBuffer B(4096, 1);
  Collector C(B.Abi);
  ChunkSource Source(B.Abi, policy(WhenFull::WaitThenDrain, 1, LimitMs),
                     Collector::drain, &C);
  ChunkWriter W(Source, 1);
  const Bytes Record(1000, 1);
  while (Source.waits() == 0) {
    uint64_t Before = Source.waits();
    uint64_t Ms = millisecondsOf(
        [&] { ASSERT_TRUE(W.append(Record.data(), Record.size())); });
    if (Source.waits() != Before) {
      EXPECT_GE(Ms, LimitMs);
      EXPECT_LT(Ms, HangMs);
    }
  }
  EXPECT_EQ(Source.drains(), 1u);
  uint64_t Ms = millisecondsOf([&] {
    for (unsigned I = 0; I != 200; ++I)
      ASSERT_TRUE(W.append(Record.data(), Record.size()));
  });
  EXPECT_LT(Ms, HangMs);
  EXPECT_EQ(Source.waits(), 1u);
  EXPECT_GT(Source.drains(), 10u);
}

TEST(ShmPolicy, WithoutALimitItDoesNotWait) {
  TestBuffer B(4096, 1);
  Collector C(B.Abi);
  ChunkSource Source(B.Abi, policy(WhenFull::WaitThenDrain, 1, 0),
                     Collector::drain, &C);
  ChunkWriter W(Source, 1);
  const Bytes Record(1000, 1);
  for (unsigned I = 0; I != 500; ++I)
    ASSERT_TRUE(W.append(Record.data(), Record.size()));
  EXPECT_EQ(Source.waits(), 0u);
  EXPECT_GT(Source.drains(), 0u);
}

TEST(ShmPolicy, DrainFromNowOnEndsTheWaiting) {
  for (WhenFull Full : {WhenFull::WaitThenDrain, WhenFull::Drop}) {
    TestBuffer B(4096, 1);
    Collector C(B.Abi);
    ChunkSource Source(B.Abi, policy(Full, 1, 60000), Collector::drain, &C);
    Source.drainFromNowOn();
    ChunkWriter W(Source, 1);
    const Bytes Record(1000, 1);
    for (unsigned I = 0; I != 20; ++I)
      ASSERT_TRUE(W.append(Record.data(), Record.size()));
    EXPECT_EQ(Source.waits(), 0u);
    EXPECT_GT(Source.drains(), 0u);
  }
}

// Each committed record is visible at once, whatever state its chunk is in.
TEST(ShmCommit, MakesEachRecordVisible) {
  TestBuffer B(4096, 1);
  ChunkSource Source(B.Abi, policy(WhenFull::Drop), nullptr, nullptr);
  ChunkWriter W(Source, 9);
  uint32_t Total = 0;
  for (uint32_t Size : {3u, 0u, 112u, 1u}) {
    uint8_t *Out = W.reserve();
    ASSERT_NE(Out, nullptr);
    const ChunkHeader *H = B.Abi.chunk(0, 0).header();
    EXPECT_EQ(H->CommittedBytes, Total) << "reserve() shows nothing";
    W.commit(Out + Size);
    Total += Size;
    EXPECT_EQ(H->CommittedBytes, Total);
    EXPECT_EQ(H->WriterId, 9u);
    EXPECT_EQ(H->Sequence, 1u);
    EXPECT_EQ(B.Abi.chunkState(0, 0), ChunkState::BeingWritten);
  }
  W.complete();
  W.complete(); // nothing is open: nothing to do
  EXPECT_EQ(B.Abi.chunkState(0, 0), ChunkState::Complete);
  EXPECT_EQ(B.Abi.completeChunks(0), 1u);
}

} // namespace
