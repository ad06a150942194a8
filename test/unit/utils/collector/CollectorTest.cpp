/// \file
/// Both ends of a collector in one process: a lock that is never given back,
/// buffers and hellos that mean no good.
#include "runtime/read/TraceReader.h"
#include "test/unit/support/LeftoverBuilder.h"
#include "utils/collector/CollectedCompile.h"
#include "utils/collector/CollectorSocket.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <sys/mman.h>
#include <sys/socket.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

class Scratch {
public:
  Scratch() {
    Path = (std::filesystem::temp_directory_path() / "itr-XXXXXX").string();
    EXPECT_NE(::mkdtemp(Path.data()), nullptr);
  }
  ~Scratch() { std::filesystem::remove_all(Path); }
  std::string operator/(const std::string &Name) const {
    return Path + "/" + Name;
  }
  std::string Path;
};

TraceBufferOptions collectedAt(const std::string &Socket) {
  TraceBufferOptions Options = LeftoverBuilder::smallBuffer();
  Options.Collector = Socket;
  return Options;
}

// Only a wait without a limit takes so long, whatever else the machine does.
constexpr uint64_t HangMs = 60000;

uint64_t millisecondsSince(std::chrono::steady_clock::time_point Begin) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - Begin)
          .count());
}

// Nobody lets the compile in; it has its 100 ms, and then drains for itself.
TEST(CollectorBound, OfACollectorThatDoesNothing) {
  Scratch S;
  auto Socket = CollectorSocket::listen(S / "s");
  ASSERT_TRUE(Socket) << Socket.error().Message;
  LeftoverBuilder B(S / "a.itrace", collectedAt(S / "s"));
  EXPECT_EQ(B.Buffer.description(), "memfd");
  B.start();
  auto Begin = std::chrono::steady_clock::now();
  B.compile(20000);
  B.end();
  B.writeNames();
  EXPECT_TRUE(B.Buffer.drainAll());
  B.writeFooter();
  B.Buffer.drain();
  EXPECT_TRUE(B.Buffer.finish(false)) << B.Buffer.failure();
  EXPECT_LT(millisecondsSince(Begin), HangMs);
  Trace T;
  readTrace(contentOf(S / "a.itrace"), "a.itrace", T);
  EXPECT_EQ(T.Files.front().damage(), nullptr);
  ASSERT_EQ(T.Sequences.size(), 1u);
  EXPECT_EQ(T.Sequences.front().EventCount, B.Events);
}

// It has the lock and does not let go: what finds no room is dropped, in a
// bounded time, and the compile leaves the trace to it. When it goes on, it
// makes a trace of all that there is.
TEST(CollectorBound, OfACollectorThatHoldsTheLock) {
  Scratch S;
  auto Socket = CollectorSocket::listen(S / "s");
  ASSERT_TRUE(Socket);
  LeftoverBuilder B(S / "a.itrace", collectedAt(S / "s"));
  B.start();
  CollectedCompile Stopped(Socket->accept());
  ASSERT_TRUE(Stopped.receive());
  B.Buffer.live().DrainLock.store(2);
  auto Begin = std::chrono::steady_clock::now();
  B.compile(20000);
  uint64_t Kept = B.Events;
  EXPECT_LT(Kept, 20000u);
  EXPECT_GT(Kept, 100u);
  EXPECT_FALSE(B.Buffer.drainAll());
  B.writeFooter();
  B.Buffer.drain();
  EXPECT_FALSE(B.Buffer.finish(false));
  EXPECT_EQ(B.Buffer.failure(), (S / "a.itrace") + ": the collector holds it "
                                                   "and does not answer");
  EXPECT_TRUE(B.Buffer.hasCollector());
  B.Buffer.leave();
  EXPECT_LT(millisecondsSince(Begin), HangMs);
  auto Ended = Stopped.receive();
  ASSERT_TRUE(Ended);
  EXPECT_EQ(*Ended, CollectedCompile::Connection::Closed);
  auto Report = Stopped.finish();
  ASSERT_TRUE(Report);
  EXPECT_EQ(Report->Outcome, RecoveryReport::Recovered) << Report->Error;
  EXPECT_EQ(Report->Events, Kept);
}

// The lock comes back: nothing is there twice, and what was lost is known.
TEST(CollectorBound, OfACollectorThatIsLate) {
  Scratch S;
  auto Socket = CollectorSocket::listen(S / "s");
  ASSERT_TRUE(Socket);
  LeftoverBuilder B(S / "a.itrace", collectedAt(S / "s"));
  B.start();
  B.Buffer.live().DrainLock.store(2);
  B.beginNew(EventKind::Frontend);
  for (unsigned I = 0; I != 4000; ++I) {
    B.beginNew();
    B.end();
  }
  B.Buffer.live().DrainLock.store(0);
  B.writeNames();
  EXPECT_TRUE(B.Buffer.drainAll());
  B.writeFooter();
  EXPECT_TRUE(B.Buffer.finish(false)) << B.Buffer.failure();
  Trace T;
  readTrace(contentOf(S / "a.itrace"), "a.itrace", T);
  EXPECT_EQ(T.Sequences.front().EventCount, B.Events);
}

TEST(Collector, LeavesATraceThatWasThrownAway) {
  Scratch S;
  auto Socket = CollectorSocket::listen(S / "s");
  ASSERT_TRUE(Socket);
  LeftoverBuilder B(S / "a.itrace", collectedAt(S / "s"));
  B.start();
  CollectedCompile Compile(Socket->accept());
  ASSERT_TRUE(Compile.receive());
  B.compile(10);
  B.Buffer.discard();
  auto Ended = Compile.receive();
  ASSERT_TRUE(Ended);
  EXPECT_EQ(*Ended, CollectedCompile::Connection::Closed);
  auto Report = Compile.finish();
  ASSERT_TRUE(Report);
  EXPECT_EQ(Report->Outcome, RecoveryReport::Finished);
  EXPECT_FALSE(std::filesystem::exists(S / "a.itrace"));
}

/// Sends a hello with these descriptors and says what the collector finds.
std::string refusal(CollectorHello Hello, size_t SizeBytes,
                    std::vector<int> Descriptors) {
  int Ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, Ends), 0);
  FileDescriptor Client(Ends[0]);
  CollectedCompile Compile{FileDescriptor(Ends[1])};
  EXPECT_TRUE(sendDescriptors(Client.get(), Descriptors.data(),
                              Descriptors.size(), &Hello, SizeBytes));
  auto Received = Compile.receive();
  if (Received)
    return "";
  std::string Text = Received.error().Message;
  std::string Who = "process " + std::to_string(::getpid()) + ": ";
  EXPECT_EQ(Text.substr(0, Who.size()), Who);
  return Text.substr(std::min(Text.size(), Who.size()));
}

CollectorHello goodHello() {
  CollectorHello Hello = {};
  std::memcpy(Hello.Magic, CollectorMagic.data(), 8);
  Hello.Version = CollectorProtocolVersion;
  Hello.AbiVersion = SharedMemoryAbiVersion;
  return Hello;
}

TEST(CollectorHello, IsCheckedBeforeItIsBelieved) {
  Scratch S;
  FileDescriptor File(
      ::open((S / "f").c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  FileDescriptor NoAppend(::open((S / "f").c_str(), O_RDWR | O_CLOEXEC));
  std::string Why;
  SharedMemory Zeros = SharedMemory::makeMemfd(size_t(64) * 1024, Why);
  FileDescriptor Unsealed(::memfd_create("t", MFD_ALLOW_SEALING));
  CollectorHello Hello = goodHello();
  constexpr size_t Size = sizeof(Hello);
  EXPECT_EQ(refusal(Hello, 3, {}), "found a hello of 3 bytes, expected 16");
  CollectorHello Other = Hello;
  Other.Magic[0] = 'x';
  EXPECT_EQ(refusal(Other, Size, {}), "its hello is not one of ours");
  Other = Hello;
  Other.Version = 9;
  EXPECT_EQ(refusal(Other, Size, {}),
            "found collector protocol 9 with buffer version 1, expected 1 with "
            "1");
  EXPECT_EQ(refusal(Hello, Size, {}),
            "its buffer or its trace did not arrive, as where too many files "
            "are open (ulimit -n); it writes its trace itself");
  EXPECT_EQ(refusal(Hello, Size, {Zeros.descriptor()}),
            "its buffer or its trace did not arrive, as where too many files "
            "are open (ulimit -n); it writes its trace itself");
  EXPECT_EQ(refusal(Hello, Size, {Zeros.descriptor(), NoAppend.get()}),
            "its trace is not a regular file to read and append to");
  EXPECT_EQ(refusal(Hello, Size, {Unsealed.get(), File.get()}),
            "received memory: its size is not sealed");
  EXPECT_EQ(
      refusal(Hello, Size, {Zeros.descriptor(), File.get()}).substr(0, 24),
      "its buffer is unusable: ");
}

// Whatever happens to the memory while it is drained: an error, or a trace, and
// always an end.
TEST(Collector, OutlivesAnyBuffer) {
  for (unsigned Seed = 0; Seed != 300; ++Seed) {
    Scratch S;
    auto Socket = CollectorSocket::listen(S / "s");
    ASSERT_TRUE(Socket);
    LeftoverBuilder B(S / "a.itrace", collectedAt(S / "s"));
    B.start();
    CollectedCompile Compile(Socket->accept());
    ASSERT_TRUE(Compile.receive());
    auto *Bytes = reinterpret_cast<uint8_t *>(&B.Buffer.live()) -
                  offsetof(BufferHeader, Live);
    auto *Header = reinterpret_cast<BufferHeader *>(Bytes);
    size_t Size =
        Header->HeaderBytes + size_t(Header->PageCount) * Header->PageSizeBytes;
    size_t Pages = Header->HeaderBytes;
    std::mt19937 Random(Seed);
    for (unsigned I = 0; I != 200; ++I) {
      B.beginNew();
      B.end();
    }
    B.writeNames();
    B.Buffer.events().complete();
    bool IsHeldOn = true;
    for (unsigned Round = 0; Round != 40 && IsHeldOn; ++Round) {
      for (unsigned I = 0; I != 3; ++I) {
        bool InLive = Random() % 4 == 0;
        size_t Index =
            InLive
                ? offsetof(BufferHeader, Live) + Random() % sizeof(LiveState)
                : Pages + Random() % 64 * 64 % (Size - Pages) + Random() % 32;
        Bytes[Index] = static_cast<uint8_t>(Random());
      }
      if (Random() % 2 == 0)
        Header->Live.DrainLock.store(0);
      IsHeldOn = bool(Compile.drain());
    }
    B.Buffer.leave();
    if (!IsHeldOn)
      continue;
    ASSERT_TRUE(Compile.receive());
    EXPECT_TRUE(Compile.finish());
  }
}

} // namespace
