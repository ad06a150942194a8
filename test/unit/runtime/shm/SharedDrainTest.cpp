/// \file
/// Two processes drain one buffer: every record reaches the file once, in its
/// writer's order, whoever is killed and wherever.
///
/// SharedDrain is compiled here once more, in a namespace of its own, with a
/// seam after each step of a pass at which a process can end.
#define INSTANTRACE_DRAIN_TEST_SEAM(Point) ::drainseam::at(::drainseam::Point)
#define instantrace instantrace_with_drain_seams

namespace drainseam {
enum Point { Selected, Appended, Recorded, Released };
void at(Point P);
} // namespace drainseam

#include "runtime/shm/SharedDrain.cpp" // NOLINT(bugprone-suspicious-include)
#include "runtime/base/NewFile.cpp"    // NOLINT(bugprone-suspicious-include)

#include "runtime/record/TraceFile.cpp" // NOLINT(bugprone-suspicious-include)
#include "runtime/shm/ChunkReader.cpp"  // NOLINT(bugprone-suspicious-include)
#include "runtime/shm/ChunkWriter.cpp"  // NOLINT(bugprone-suspicious-include)
#include "runtime/shm/SharedMemory.cpp" // NOLINT(bugprone-suspicious-include)
#include "runtime/shm/SharedMemoryAbi.cpp" // NOLINT(bugprone-suspicious-include)
#include "runtime/shm/ShrinkGuard.cpp" // NOLINT(bugprone-suspicious-include)

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace instantrace;

namespace {

int EndAtPoint = -1; ///< in the process that is to be killed
unsigned EndAtCount = 0;

} // namespace

void drainseam::at(Point P) {
  if (EndAtPoint == P && EndAtCount-- == 0)
    ::_exit(9);
}

namespace {

constexpr uint16_t FirstWriter = 1, SecondWriter = 2;

/// A record says whose it is, how long, and which one: so the file can be read
/// back and checked byte for byte.
std::string makeRecord(uint8_t Writer, uint32_t No, uint32_t SizeBytes) {
  std::string Record(9, '\0');
  Record[0] = static_cast<char>(Writer);
  std::memcpy(Record.data() + 1, &No, 4);
  std::memcpy(Record.data() + 5, &SizeBytes, 4);
  for (uint32_t I = 0; I != SizeBytes; ++I)
    Record.push_back(static_cast<char>(No * 31 + I));
  return Record;
}

/// Buffer and file as two processes share them. What one process alone knows
/// is in Drainer.
class SharedBuffer {
public:
  explicit SharedBuffer(size_t Pages) {
    std::string Error;
    Memory = SharedMemory::makeMemfd(4096 + Pages * 4096, Error);
    EXPECT_TRUE(Memory) << Error;
    Live = new (Memory.data()) LiveState();
    Abi.initialize(Memory.data() + 4096, 4096, Pages,
                   SharedMemoryAbi::Mode::Shared);
    File = ::memfd_create("trace", MFD_CLOEXEC);
    ::fcntl(File, F_SETFL, O_APPEND);
  }
  ~SharedBuffer() { ::close(File); }

  std::string fileBytes() const {
    struct stat Status;
    ::fstat(File, &Status);
    std::string Bytes(static_cast<size_t>(Status.st_size), '\0');
    EXPECT_EQ(::pread(File, Bytes.data(), Bytes.size(), 0),
              static_cast<ssize_t>(Bytes.size()));
    return Bytes;
  }

  SharedMemory Memory;
  LiveState *Live = nullptr;
  SharedMemoryAbi Abi;
  int File = -1;
};

class Drainer {
public:
  Drainer(SharedBuffer &Shared, DrainOwner Self)
      : Shared(Shared),
        Drain(Shared.Abi, *Shared.Live, Self,
              {{FirstWriter, static_cast<uint16_t>(WriterContent::Packets)},
               {SecondWriter, static_cast<uint16_t>(WriterContent::Packets)}}) {
  }

  bool pass(size_t LimitBytes = SIZE_MAX) {
    if (!Drain.tryLock())
      return false;
    passLocked(LimitBytes);
    Drain.unlock();
    return true;
  }
  void passLocked(size_t LimitBytes = SIZE_MAX) {
    uint64_t FileBytes = Drain.current().FileBytes;
    const auto &Chunks = Drain.select(LimitBytes);
    if (Chunks.empty())
      return;
    std::string Pending;
    for (const ChunkContent &C : Chunks)
      Joined[C.WriterId].add(C, [&](const uint8_t *Data, size_t SizeBytes) {
        Pending.append(reinterpret_cast<const char *>(Data), SizeBytes);
      });
    if (EndAtPoint == drainseam::Appended && Pending.size() > 1) {
      // Killed in the middle of a write, at the worst.
      EXPECT_EQ(appendToTrace(
                    Shared.File, FileBytes,
                    std::string_view(Pending).substr(0, Pending.size() / 2)),
                0);
      drainseam::at(drainseam::Appended);
    }
    EXPECT_EQ(appendToTrace(Shared.File, FileBytes, Pending), 0);
    Bytes += Pending.size();
    Drain.record(FileBytes + Pending.size());
    Drain.release();
  }

  SharedBuffer &Shared;
  SharedDrain Drain;
  std::map<uint16_t, RecordAssembler> Joined;
  uint64_t Bytes = 0;
};

/// Writes with two writers and drains when there is no room.
class Producer {
public:
  explicit Producer(SharedBuffer &Target, WhenFull Full,
                    uint32_t WaitLimitMs = 100)
      : Own(Target, DrainOwner::Producer),
        Source(Target.Abi, {Full, 2, WaitLimitMs}, drainFor, this),
        Writers{{Source, FirstWriter}, {Source, SecondWriter}} {}

  static bool drainFor(void *Self) {
    auto &P = *static_cast<Producer *>(Self);
    if (P.lock()) {
      P.Own.passLocked();
      P.Own.Drain.unlock();
    }
    return true;
  }
  bool lock() {
    for (unsigned I = 0; I != 200000; ++I) {
      if (IsOtherDead ? Own.Drain.takeOver() : Own.Drain.tryLock())
        return true;
      lookAfter();
      ::usleep(20);
    }
    return false;
  }
  void lookAfter() {
    if (Other > 0 && ::waitpid(Other, &OtherStatus, WNOHANG) == Other) {
      IsOtherDead = true;
      Other = 0;
    }
  }
  void write(unsigned Writer, uint32_t SizeBytes) {
    std::string Record = makeRecord(static_cast<uint8_t>(Writer + 1),
                                    Written[Writer], SizeBytes);
    uint32_t BeginCount = Writers[Writer].chunksBegun();
    ASSERT_TRUE(Writers[Writer].append(Record.data(), Record.size()));
    ++Written[Writer];
    // As a TraceBuffer does it, so that records end where chunks do.
    if (Writers[Writer].chunksBegun() - BeginCount > 1)
      Writers[Writer].complete();
    for (auto &[Id, Joining] : Own.Joined)
      if (Joining.isPending()) {
        complete();
        drainFor(this);
      }
  }
  void complete() {
    Writers[0].complete();
    Writers[1].complete();
  }
  void finish() {
    complete();
    drainFor(this);
    Own.Shared.Live->Phase.store(static_cast<uint32_t>(BufferPhase::Finished));
  }
  /// Every record is in the file once, each writer's in order.
  void expectAllOnce() {
    std::string All = Own.Shared.fileBytes();
    EXPECT_EQ(All.size(), Own.Drain.current().FileBytes);
    uint32_t Next[2] = {0, 0};
    size_t Index = 0;
    while (Index + 9 <= All.size()) {
      uint32_t No, SizeBytes;
      auto Writer = static_cast<uint8_t>(All[Index]);
      std::memcpy(&No, All.data() + Index + 1, 4);
      std::memcpy(&SizeBytes, All.data() + Index + 5, 4);
      ASSERT_TRUE(Writer == 1 || Writer == 2) << "at byte " << Index;
      ASSERT_EQ(No, Next[Writer - 1]) << "of writer " << int(Writer);
      ++Next[Writer - 1];
      std::string Expected = makeRecord(Writer, No, SizeBytes);
      ASSERT_EQ(All.compare(Index, Expected.size(), Expected), 0);
      Index += Expected.size();
    }
    EXPECT_EQ(Index, All.size());
    EXPECT_EQ(Next[0], Written[0]);
    EXPECT_EQ(Next[1], Written[1]);
    for (size_t Page = 0; Page != Own.Shared.Abi.pageCount(); ++Page)
      EXPECT_EQ(Own.Shared.Abi.headerWord(Page), 0u);
    EXPECT_EQ(Own.Drain.malformedChunks(), 0u);
  }

  Drainer Own;
  ChunkSource Source;
  ChunkWriter Writers[2];
  uint32_t Written[2] = {0, 0};
  pid_t Other = 0; ///< the collector; 0: there is none that lives
  int OtherStatus = 0;
  bool IsOtherDead = false;
};

uint32_t sizeFor(std::mt19937 &Random) {
  switch (Random() % 16) {
  case 0:
    return Random() % 9000; // several chunks
  case 1:
  case 2:
    return Random() % 1500;
  default:
    return Random() % 100;
  }
}

TEST(SharedDrainLock, IsTakenFromTheDeadAlone) {
  SharedBuffer B(1);
  Drainer Producing(B, DrainOwner::Producer),
      Collecting(B, DrainOwner::Collector);
  EXPECT_TRUE(Collecting.Drain.tryLock());
  EXPECT_FALSE(Collecting.Drain.tryLock());
  EXPECT_FALSE(Producing.Drain.tryLock());
  Producing.Drain.unlock(); // not ours: nothing happens
  EXPECT_EQ(B.Live->DrainLock.load(), 2u);
  EXPECT_TRUE(Producing.Drain.takeOver());
  EXPECT_EQ(B.Live->DrainLock.load(), 1u);
  Collecting.Drain.unlock(); // of one that was believed dead
  EXPECT_EQ(B.Live->DrainLock.load(), 1u);
  EXPECT_FALSE(Collecting.Drain.tryLock());
  Producing.Drain.unlock();
  EXPECT_TRUE(Producing.Drain.takeOver());
  EXPECT_FALSE(Producing.Drain.takeOver()); // we live
  B.Live->DrainLock = 77;
  EXPECT_FALSE(Producing.Drain.tryLock());
  EXPECT_FALSE(Producing.Drain.takeOver());
}

/// Longer than the longest chunk of a page.
std::string longRecord() { return makeRecord(1, 1, 6000); }

// Fragments of a record are taken together by a collector, and not at all when
// the end is missing or somebody else has the begin.
TEST(SharedDrain, CollectorLeavesTheEndOfARecordThatAnotherBegan) {
  SharedBuffer B(4);
  Producer P(B, WhenFull::Drop);
  Drainer Collecting(B, DrainOwner::Collector);
  P.write(0, 10);
  std::string Record = longRecord();
  ASSERT_TRUE(P.Writers[0].append(Record.data(), Record.size()));
  P.Written[0] = 2;
  ASSERT_TRUE(P.Own.pass());
  EXPECT_EQ(P.Own.Bytes, 19u);
  ASSERT_TRUE(P.Own.Joined[FirstWriter].isPending());
  P.complete();
  std::string Other = makeRecord(2, 0, 20);
  ASSERT_TRUE(P.Writers[1].append(Other.data(), Other.size()));
  P.Written[1] = 1;
  P.complete();
  Collecting.pass();
  EXPECT_EQ(Collecting.Bytes, 29u) << "of the other writer alone";
  P.finish();
  P.expectAllOnce();
}

TEST(SharedDrain, CollectorLeavesARecordThatIsNotWhole) {
  SharedBuffer B(4);
  Producer P(B, WhenFull::Drop);
  Drainer Collecting(B, DrainOwner::Collector);
  P.write(0, 10);
  std::string Record = longRecord();
  ASSERT_TRUE(P.Writers[0].append(Record.data(), Record.size()));
  P.Written[0] = 2;
  Collecting.pass();
  EXPECT_EQ(Collecting.Bytes, 19u);
  P.complete();
  Collecting.pass();
  EXPECT_EQ(Collecting.Bytes, 19u + Record.size());
  P.finish();
  P.expectAllOnce();
}

TEST(SharedDrain, LimitOfAPassHolds) {
  SharedBuffer B(16);
  Producer P(B, WhenFull::Drop);
  Drainer Collecting(B, DrainOwner::Collector);
  for (unsigned I = 0; I != 100; ++I)
    P.write(0, 200);
  P.complete();
  Collecting.pass(1000);
  EXPECT_GE(Collecting.Bytes, 1000u);
  EXPECT_LT(Collecting.Bytes, 1000u + 2u * 4096u);
  P.finish();
  P.expectAllOnce();
}

/// A collector in a process of its own, with passes until the producer is done.
pid_t forkCollector(SharedBuffer &B, size_t LimitBytes) {
  pid_t Child = ::fork();
  if (Child != 0)
    return Child;
  Drainer Collecting(B, DrainOwner::Collector);
  while (B.Live->Phase.load() != static_cast<uint32_t>(BufferPhase::Finished)) {
    Collecting.pass(LimitBytes);
    ::usleep(30);
  }
  ::_exit(Collecting.Bytes != 0 && Collecting.Drain.malformedChunks() == 0 ? 0
                                                                           : 1);
}

TEST(SharedDrain, TwoProcessesRace) {
  for (size_t Pages : {2, 4, 16}) {
    SharedBuffer B(Pages);
    pid_t Child = forkCollector(B, 20000);
    Producer P(B, WhenFull::WaitThenDrain, 5);
    std::mt19937 Random(static_cast<unsigned>(Pages));
    for (unsigned I = 0; I != 30000; ++I) {
      P.write(Random() % 2, sizeFor(Random));
      if (Random() % 64 == 0)
        Producer::drainFor(&P);
    }
    P.finish();
    int Status = 0;
    ASSERT_EQ(::waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0) << "with " << Pages << " pages";
    P.expectAllOnce();
    EXPECT_GT(P.Own.Bytes, 0u);
  }
}

class SharedDrainKill : public testing::TestWithParam<drainseam::Point> {};

// A collector that ends at each step of several passes: the producer takes the
// lock over and goes on.
TEST_P(SharedDrainKill, OfTheCollectorLosesNothing) {
  unsigned Kills = 0;
  for (unsigned Count : {0, 1, 2, 7}) {
    SharedBuffer B(4);
    EndAtPoint = GetParam(); // in the child alone, since we set it back
    EndAtCount = Count;
    Producer P(B, WhenFull::WaitThenDrain, 5);
    P.Other = forkCollector(B, 3000);
    EndAtPoint = -1;
    std::mt19937 Random(Count);
    for (unsigned I = 0; I != 2000; ++I) {
      P.write(Random() % 2, sizeFor(Random));
      P.lookAfter();
    }
    P.finish();
    if (P.Other > 0) {
      ASSERT_EQ(::waitpid(P.Other, &P.OtherStatus, 0), P.Other);
    }
    Kills += WIFEXITED(P.OtherStatus) && WEXITSTATUS(P.OtherStatus) == 9;
    P.expectAllOnce();
  }
  EXPECT_GT(Kills, 0u);
}

INSTANTIATE_TEST_SUITE_P(EachStep, SharedDrainKill,
                         testing::Values(drainseam::Selected,
                                         drainseam::Appended,
                                         drainseam::Recorded,
                                         drainseam::Released));

} // namespace
