/// \file
/// Forces both winners of every compare-exchange of the shared-memory ABI, and
/// the other orders that a machine hits once a year.
///
/// The ABI and the reader are compiled here once more, in a namespace of their
/// own, with a seam before each exchange: two threads are held there, both with
/// the same old word in their hands, and let go in the order that is tested.
#define INSTANTRACE_SHM_TEST_SEAM(Point) ::seam::at(::seam::Point)
#define instantrace instantrace_with_seams

namespace seam {
enum Point { BeforePartition, BeforeExchange, BeforeIdentity };
void at(Point P);
} // namespace seam

#include "runtime/shm/ChunkReader.cpp" // NOLINT(bugprone-suspicious-include)
#include "runtime/shm/SharedMemoryAbi.cpp" // NOLINT(bugprone-suspicious-include)
#include "test/unit/runtime/shm/ShmBuffers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

using namespace instantrace;
using namespace instantrace::test;

namespace {

thread_local std::function<void(seam::Point)> *Hook = nullptr;

} // namespace

void seam::at(Point P) {
  if (Hook)
    (*Hook)(P);
}

namespace {

using Mode = SharedMemoryAbi::Mode;

/// Runs \p Do with \p AtSeam called at each seam that it passes.
void withHook(std::function<void(seam::Point)> AtSeam,
              const std::function<void()> &Do) {
  Hook = &AtSeam;
  Do();
  Hook = nullptr;
}

void await(const std::atomic<bool> &Flag) {
  while (!Flag.load(std::memory_order_acquire))
    std::this_thread::yield();
}

/// Both operations get to their first exchange (or their end, if they have
/// none), then \p First is let through to its end, then the other one.
class Contest {
public:
  using Operation = std::function<void()>;

  static void run(const Operation &First, const Operation &Second) {
    Contest C;
    std::thread A([&] { C.compete(0, First); });
    std::thread B([&] { C.compete(1, Second); });
    await(C.HasArrived[0]);
    await(C.HasArrived[1]);
    C.MayGo[0].store(true, std::memory_order_release);
    await(C.IsDone[0]);
    C.MayGo[1].store(true, std::memory_order_release);
    A.join();
    B.join();
  }

private:
  void compete(size_t Me, const Operation &Do) {
    bool IsFirstTime = true;
    withHook(
        [&](seam::Point P) {
          if (P == seam::BeforeIdentity || !IsFirstTime)
            return;
          IsFirstTime = false;
          HasArrived[Me].store(true, std::memory_order_release);
          await(MayGo[Me]);
        },
        Do);
    HasArrived[Me].store(true, std::memory_order_release);
    IsDone[Me].store(true, std::memory_order_release);
  }

  std::atomic<bool> HasArrived[2] = {}, MayGo[2] = {}, IsDone[2] = {};
};

constexpr unsigned FirstWins = 0, SecondWins = 1;

class ShmRace : public testing::TestWithParam<PageLayout> {
protected:
  PageLayout layout() const { return GetParam(); }
  unsigned chunks() const { return chunksPerPage(layout()); }
  /// Page 0 with chunk i in the i-th state, the others free.
  void setStates(std::initializer_list<ChunkState> States) {
    uint32_t Word = wordOf(layout());
    unsigned I = 0;
    for (ChunkState State : States)
      Word |= wordOf(State, I++);
    B.setWord(0, Word);
  }
  /// Runs both orders, each from the same start: \p Prepare, the contest, then
  /// \p Check with the index of the operation that went first.
  void bothOrders(const std::function<void()> &Prepare,
                  const Contest::Operation &A, const Contest::Operation &Other,
                  const std::function<void(unsigned)> &Check) {
    for (unsigned Winner : {FirstWins, SecondWins}) {
      SCOPED_TRACE(Winner);
      std::memset(B.data(), 0, B.sizeBytes());
      Prepare();
      if (Winner == FirstWins)
        Contest::run(A, Other);
      else
        Contest::run(Other, A);
      Check(Winner);
    }
  }
  TestBuffer B{4096, 1};
  SharedMemoryAbi &Abi = B.Abi;
};

INSTANTIATE_TEST_SUITE_P(All, ShmRace, testing::ValuesIn(Layouts),
                         [](const auto &Info) {
                           return nameOf(4096, Info.param);
                         });

TEST_P(ShmRace, WritersOfTheSameChunk) {
  Chunk Got[2];
  auto acquire = [&](uint16_t Id) {
    Got[Id] = Abi.tryAcquireChunkForWriting(0, 0, {Id, uint16_t(Id + 1), 0});
    if (Got[Id].isValid())
      std::memset(Got[Id].payload(), Id, Got[Id].payloadSizeBytes());
  };
  bothOrders([&] { setStates({}); }, [&] { acquire(0); }, [&] { acquire(1); },
             [&](unsigned Winner) {
               EXPECT_TRUE(Got[Winner].isValid());
               EXPECT_FALSE(Got[1 - Winner].isValid());
               EXPECT_EQ(Got[Winner].header()->WriterId, Winner + 1);
               EXPECT_EQ(Got[Winner].header()->Sequence, Winner);
               EXPECT_EQ(Got[Winner].payload()[0], Winner);
               EXPECT_EQ(Abi.headerWord(0), wordOf(layout()) | 1u);
             });
}

TEST_P(ShmRace, PartitionsOfTheSamePage) {
  for (PageLayout Other : Layouts) {
    bool Did[2];
    bothOrders([] {}, [&] { Did[0] = Abi.tryPartitionPage(0, layout()); },
               [&] { Did[1] = Abi.tryPartitionPage(0, Other); },
               [&](unsigned Winner) {
                 EXPECT_TRUE(Did[Winner]);
                 EXPECT_FALSE(Did[1 - Winner]);
                 EXPECT_EQ(Abi.headerWord(0),
                           wordOf(Winner == 0 ? layout() : Other));
               });
  }
}

// The reader that is first has seen no complete chunk; the one that is second
// sees all that was written.
TEST_P(ShmRace, WriterReleasesWhatAReaderWants) {
  for (bool ReaderIsFirst : {true, false}) {
    std::memset(B.data(), 0, B.sizeBytes());
    setStates({});
    Chunk W, R;
    auto write = [&] {
      W = Abi.tryAcquireChunkForWriting(0, 0, {5, 1, 0});
      std::memset(W.payload(), 0x5A, W.payloadSizeBytes());
      W.header()->CommittedBytes.store(W.payloadSizeBytes(),
                                       std::memory_order_release);
    };
    std::thread([&] { write(); }).join();
    auto release = [&] { EXPECT_TRUE(Abi.releaseChunkAsComplete(W)); };
    auto acquire = [&] { R = Abi.tryAcquireChunkForReading(0, 0); };
    if (ReaderIsFirst) {
      Contest::run(acquire, release);
      EXPECT_FALSE(R.isValid());
      EXPECT_EQ(Abi.chunkState(0, 0), ChunkState::Complete);
    } else {
      std::atomic<bool> IsReleased = false;
      std::thread Reader([&] {
        await(IsReleased);
        acquire();
        ASSERT_TRUE(R.isValid());
        EXPECT_EQ(R.header()->Sequence, 5u);
        for (uint32_t I = 0; I != R.payloadSizeBytes(); ++I)
          ASSERT_EQ(R.payload()[I], 0x5A);
      });
      release();
      IsReleased.store(true, std::memory_order_release);
      Reader.join();
    }
  }
}

// The same two at one page's word, of neighbouring chunks.
TEST_P(ShmRace, WriterReleasesBesideAReader) {
  if (chunks() < 2)
    return;
  bool Did = false;
  Chunk R, W;
  bothOrders(
      [&] {
        setStates({ChunkState::BeingWritten, ChunkState::Complete});
        W = Abi.chunk(0, 0);
      },
      [&] { Did = Abi.releaseChunkAsComplete(W); },
      [&] { R = Abi.tryAcquireChunkForReading(0, 1); },
      [&](unsigned) {
        EXPECT_TRUE(Did);
        EXPECT_TRUE(R.isValid());
        EXPECT_EQ(Abi.chunkState(0, 0), ChunkState::Complete);
        EXPECT_EQ(Abi.chunkState(0, 1), ChunkState::BeingRead);
      });
}

TEST_P(ShmRace, ReadersOfTheSameChunk) {
  Chunk Got[2];
  bothOrders([&] { setStates({ChunkState::Complete}); },
             [&] { Got[0] = Abi.tryAcquireChunkForReading(0, 0); },
             [&] { Got[1] = Abi.tryAcquireChunkForReading(0, 0); },
             [&](unsigned Winner) {
               EXPECT_TRUE(Got[Winner].isValid());
               EXPECT_FALSE(Got[1 - Winner].isValid());
               EXPECT_EQ(Abi.chunkState(0, 0), ChunkState::BeingRead);
             });
}

// The last chunk becomes free while a writer wants another one of the page: if
// the reader is first, the page is gone for that writer; else it stays.
TEST_P(ShmRace, LastChunkFreedBesideAWriter) {
  if (chunks() < 2)
    return;
  bool Did = false;
  Chunk Last, W;
  bothOrders(
      [&] {
        setStates({ChunkState::BeingRead});
        Last = Abi.chunk(0, 0);
      },
      [&] { Did = Abi.releaseChunkAsFree(Last); },
      [&] { W = Abi.tryAcquireChunkForWriting(0, 1, {1, 1, 0}); },
      [&](unsigned Winner) {
        EXPECT_TRUE(Did);
        EXPECT_EQ(W.isValid(), Winner == 1);
        EXPECT_EQ(Abi.headerWord(0),
                  Winner == 0
                      ? 0u
                      : wordOf(layout()) | wordOf(ChunkState::BeingWritten, 1));
      });
}

// ... or the chunk itself.
TEST_P(ShmRace, LastChunkFreedBeforeItsNextWriter) {
  bool Did = false;
  Chunk Last, W;
  bothOrders(
      [&] {
        setStates({ChunkState::BeingRead});
        Last = Abi.chunk(0, 0);
      },
      [&] { Did = Abi.releaseChunkAsFree(Last); },
      [&] { W = Abi.tryAcquireChunkForWriting(0, 0, {1, 1, 0}); },
      [&](unsigned) {
        EXPECT_TRUE(Did);
        EXPECT_FALSE(W.isValid()); // it was not free, then in no layout
        EXPECT_EQ(Abi.headerWord(0), 0u);
      });
}

TEST_P(ShmRace, LastChunkFreedWhileAPageIsWanted) {
  for (PageLayout Anew : Layouts) {
    bool DidFree = false, DidCut = false;
    Chunk Last;
    bothOrders(
        [&] {
          setStates({ChunkState::BeingRead});
          Last = Abi.chunk(0, 0);
        },
        [&] { DidFree = Abi.releaseChunkAsFree(Last); },
        [&] { DidCut = Abi.tryPartitionPage(0, Anew); },
        [&](unsigned Winner) {
          EXPECT_TRUE(DidFree);
          EXPECT_EQ(DidCut, Winner == 0);
          EXPECT_EQ(Abi.headerWord(0), Winner == 0 ? wordOf(Anew) : 0u);
        });
  }
}

TEST_P(ShmRace, NeighboursFreedAtOnce) {
  if (chunks() < 2)
    return;
  bool Did[2];
  Chunk C[2];
  bothOrders(
      [&] {
        setStates({ChunkState::BeingRead, ChunkState::BeingRead});
        C[0] = Abi.chunk(0, 0);
        C[1] = Abi.chunk(0, 1);
      },
      [&] { Did[0] = Abi.releaseChunkAsFree(C[0]); },
      [&] { Did[1] = Abi.releaseChunkAsFree(C[1]); },
      [&](unsigned) {
        EXPECT_TRUE(Did[0] && Did[1]);
        EXPECT_EQ(Abi.headerWord(0), 0u);
      });
}

TEST_P(ShmRace, NeighboursCompletedAtOnce) {
  if (chunks() < 2)
    return;
  bool Did[2];
  Chunk C[2];
  bothOrders(
      [&] {
        setStates({ChunkState::BeingWritten, ChunkState::BeingWritten});
        C[0] = Abi.chunk(0, 0);
        C[1] = Abi.chunk(0, 1);
      },
      [&] { Did[0] = Abi.releaseChunkAsComplete(C[0]); },
      [&] { Did[1] = Abi.releaseChunkAsComplete(C[1]); },
      [&](unsigned) {
        EXPECT_TRUE(Did[0] && Did[1]);
        EXPECT_EQ(Abi.completeChunks(0), 3u);
      });
}

// All chunks of a page go round at once, each by its own thread.
TEST_P(ShmRace, AllChunksOfAPageAtOnce) {
  constexpr unsigned Rounds = 300;
  setStates({});
  // Holds the page's layout, so that the threads need not agree on a new one.
  unsigned Held = chunks() - 1;
  ASSERT_TRUE(Abi.tryAcquireChunkForWriting(0, Held, {1, 1, 0}).isValid());
  std::vector<std::thread> Threads;
  std::atomic<unsigned> Done = 0;
  for (unsigned I = 0; I != Held; ++I)
    Threads.emplace_back([&, I] {
      for (unsigned Round = 0; Round != Rounds; ++Round) {
        Chunk C = Abi.tryAcquireChunkForWriting(0, I, {Round, 1, 0});
        if (!C.isValid())
          return;
        std::memset(C.payload(), static_cast<int>(I), C.payloadSizeBytes());
        if (!Abi.releaseChunkAsComplete(C) ||
            !Abi.tryAcquireChunkForReading(0, I).isValid() ||
            C.payload()[C.payloadSizeBytes() - 1] != I ||
            !Abi.releaseChunkAsFree(C))
          return;
        ++Done;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Done, Held * Rounds);
  EXPECT_EQ(Abi.headerWord(0),
            wordOf(layout()) | wordOf(ChunkState::BeingWritten, Held));
}

// While a writer looks at a free chunk, the page is used, freed and cut anew:
// the word may be the same again (then the chunk is as free as it was), or the
// chunk is another one.
TEST_P(ShmRace, APageThatWasCutAnewMeanwhile) {
  for (PageLayout Anew : Layouts) {
    std::memset(B.data(), 0, B.sizeBytes());
    setStates({});
    Chunk Got;
    bool IsFirstTime = true;
    withHook(
        [&](seam::Point P) {
          if (P != seam::BeforeExchange || !IsFirstTime)
            return;
          IsFirstTime = false;
          std::thread([&] {
            Chunk C = Abi.tryAcquireChunkForWriting(0, 0, {1, 1, 0});
            std::memset(C.payload(), 0xEE, C.payloadSizeBytes());
            EXPECT_TRUE(Abi.releaseChunkAsComplete(C));
            EXPECT_TRUE(Abi.tryAcquireChunkForReading(0, 0).isValid());
            EXPECT_TRUE(Abi.releaseChunkAsFree(C));
            EXPECT_TRUE(Abi.tryPartitionPage(0, Anew));
          }).join();
        },
        [&] {
          Got = Abi.tryAcquireChunkForWriting(0, chunks() - 1, {2, 2, 0});
        });
    bool Exists = chunks() <= chunksPerPage(Anew);
    ASSERT_EQ(Got.isValid(), Exists);
    if (!Exists) {
      EXPECT_EQ(Abi.headerWord(0), wordOf(Anew));
      continue;
    }
    EXPECT_EQ(Got.payloadSizeBytes() + sizeof(ChunkHeader),
              chunkSizeBytes(4096, Anew));
    EXPECT_EQ(Got.header()->WriterId, 2u);
    EXPECT_EQ(Got.header()->CommittedBytes, 0u);
    EXPECT_EQ(Abi.positionOf(Got).Index, chunks() - 1);
  }
}

// A writer that is killed between the state and the header leaves an empty
// chunk, whatever was in that place while the page was cut otherwise.
TEST_P(ShmRace, AChunkWithoutHeaderIsEmpty) {
  for (PageLayout Anew : Layouts) {
    std::memset(B.data(), 0, B.sizeBytes());
    ASSERT_TRUE(Abi.tryPartitionPage(0, layout()));
    for (unsigned I = 0; I != chunks(); ++I) {
      Chunk C = Abi.tryAcquireChunkForWriting(0, I, {1, 1, 0});
      std::memset(C.payload(), 0x11, C.payloadSizeBytes());
      C.header()->CommittedBytes.store(C.payloadSizeBytes());
      ASSERT_TRUE(Abi.releaseChunkAsComplete(C));
    }
    std::vector<Chunk> All;
    for (unsigned I = 0; I != chunks(); ++I)
      All.push_back(Abi.tryAcquireChunkForReading(0, I));
    for (Chunk C : All)
      ASSERT_TRUE(Abi.releaseChunkAsFree(C));
    ASSERT_TRUE(Abi.tryPartitionPage(0, Anew));
    unsigned Seen = 0;
    for (unsigned I = 0; I != chunksPerPage(Anew); ++I)
      withHook(
          [&](seam::Point P) {
            if (P != seam::BeforeIdentity)
              return;
            EXPECT_EQ(Abi.chunkState(0, I), ChunkState::BeingWritten);
            EXPECT_EQ(Abi.chunk(0, I).header()->CommittedBytes, 0u);
            ++Seen;
          },
          [&] {
            ASSERT_TRUE(
                Abi.tryAcquireChunkForWriting(0, I, {1, 1, 0}).isValid());
          });
    EXPECT_EQ(Seen, chunksPerPage(Anew));
  }
}

// Somebody who changes the word before every attempt: refused in the end.
TEST_P(ShmRace, AttemptsAreBounded) {
  setStates({});
  unsigned Attempts = 0;
  Chunk Got;
  withHook(
      [&](seam::Point) {
        // Bit 31 is nobody's.
        B.setWord(0, Abi.headerWord(0) ^ 0x80000000);
        ++Attempts;
      },
      [&] { Got = Abi.tryAcquireChunkForWriting(0, 0, {1, 1, 0}); });
  EXPECT_FALSE(Got.isValid());
  EXPECT_EQ(Abi.chunkState(0, 0), ChunkState::Free);
  EXPECT_GT(Attempts, 100u);
  EXPECT_LT(Attempts, 100000u);
}

// The other side cuts a page otherwise right after our exchange: our chunk is
// what we exchanged.
TEST_P(ShmRace, AHostileLayoutDoesNotChangeOurChunk) {
  for (uint32_t Hostile :
       {0u, 0x10000001u, 0x50000001u, 0x60000000u, 0xFFFFFFFFu}) {
    std::memset(B.data(), 0, B.sizeBytes());
    setStates({});
    Chunk Got;
    withHook(
        [&](seam::Point P) {
          if (P == seam::BeforeIdentity)
            B.setWord(0, Hostile);
        },
        [&] {
          Got = Abi.tryAcquireChunkForWriting(0, chunks() - 1, {1, 1, 0});
        });
    ASSERT_TRUE(Got.isValid());
    EXPECT_EQ(Got.payloadSizeBytes() + sizeof(ChunkHeader),
              chunkSizeBytes(4096, layout()));
    EXPECT_EQ(Abi.positionOf(Got).Index, chunks() - 1);
  }
}

// The search of ChunkReader::acquire() has passed page 0 when chunk 2 is
// completed there and chunk 3 after it on page 1: 3 waits for the next search.
TEST(ShmReaderRace, AChunkCompletedBehindTheSearch) {
  TestBuffer B(4096, 2);
  SharedMemoryAbi &Abi = B.Abi;
  ASSERT_TRUE(Abi.tryPartitionPage(0, PageLayout::Div4));
  ASSERT_TRUE(Abi.tryPartitionPage(1, PageLayout::Div4));
  auto write = [&](size_t Page, unsigned Index, uint32_t Sequence) {
    Chunk C = Abi.tryAcquireChunkForWriting(Page, Index, {Sequence, 1, 0});
    C.payload()[0] = static_cast<uint8_t>(Sequence);
    C.header()->CommittedBytes.store(1, std::memory_order_release);
    return C;
  };
  Abi.releaseChunkAsComplete(write(1, 0, 1));
  Chunk Two = write(0, 0, 2);
  ChunkReader Reader(Abi, ChunkReader::Writers::Foreign);
  std::vector<uint32_t> Order;
  auto collect = [&] {
    size_t Count = 0;
    for (const ChunkContent &C : Reader.acquire()) {
      Order.push_back(C.Sequence);
      ++Count;
    }
    Reader.release();
    return Count;
  };
  bool IsFirstTime = true;
  withHook(
      [&](seam::Point) {
        if (!IsFirstTime)
          return;
        IsFirstTime = false; // chunk 1 of page 1 is about to be acquired
        std::thread([&] {
          EXPECT_TRUE(Abi.releaseChunkAsComplete(Two));
          EXPECT_TRUE(Abi.releaseChunkAsComplete(write(1, 1, 3)));
        }).join();
      },
      [&] { EXPECT_EQ(collect(), 1u); });
  EXPECT_FALSE(IsFirstTime);
  // This time it is completed on a page that the search has yet to come to:
  // the search may or may not find it, but it never overtakes.
  Abi.releaseChunkAsComplete(write(0, 3, 5));
  Chunk Four = write(1, 3, 4);
  IsFirstTime = true;
  withHook(
      [&](seam::Point) {
        if (!IsFirstTime)
          return;
        IsFirstTime = false;
        std::thread([&] {
          EXPECT_TRUE(Abi.releaseChunkAsComplete(Four));
        }).join();
      },
      [&] {
        while (collect() != 0)
          ;
      });
  while (collect() != 0)
    ;
  EXPECT_EQ(Order, (std::vector<uint32_t>{1, 2, 3, 4, 5}));
}

// The reader takes page 1 first, where chunk 2 was complete already, and is
// asked again: 3, which was seen in the first search, comes after 2.
TEST(ShmReaderRace, WhatWaitsComesAfterWhatItWaitsFor) {
  TestBuffer B(4096, 2);
  SharedMemoryAbi &Abi = B.Abi;
  ASSERT_TRUE(Abi.tryPartitionPage(0, PageLayout::Div2));
  ASSERT_TRUE(Abi.tryPartitionPage(1, PageLayout::Div2));
  auto write = [&](size_t Page, unsigned Index, uint32_t Sequence) {
    Chunk C = Abi.tryAcquireChunkForWriting(Page, Index, {Sequence, 1, 0});
    C.header()->CommittedBytes.store(1, std::memory_order_release);
    return C;
  };
  Chunk Held = write(0, 0, 1);
  Abi.releaseChunkAsComplete(write(1, 0, 2));
  Abi.releaseChunkAsComplete(write(1, 1, 3));
  ChunkReader Reader(Abi, ChunkReader::Writers::Foreign);
  bool IsFirstTime = true;
  withHook(
      [&](seam::Point) {
        if (IsFirstTime) {
          IsFirstTime = false;
          EXPECT_TRUE(Abi.releaseChunkAsComplete(Held));
        }
      },
      [&] { EXPECT_TRUE(Reader.acquire().empty()); });
  Reader.release();
  const std::vector<ChunkContent> &Contents = Reader.acquire();
  ASSERT_EQ(Contents.size(), 3u);
  for (uint32_t I = 0; I != 3; ++I)
    EXPECT_EQ(Contents[I].Sequence, I + 1);
}

} // namespace
