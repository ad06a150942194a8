/// \file
/// Writer and reader of one buffer in different processes, over a memfd that is
/// handed from one to the other; either of them may be killed.
///
/// Flow:   main -> stream | killReader | killWriter, each with this program
///         again as "writer" or "reader"
/// Errors: one line and exit code 1; SIGALRM when it takes too long
#include "runtime/shm/SharedMemory.h"
#include "test/stress/StressRecords.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace instantrace;
using namespace instantrace::stress;

namespace {

/// The kernel does not run this kind of program (a 32-bit one).
constexpr int CannotRun = 77;
constexpr unsigned TimeLimitS = 100;
constexpr size_t ControlBytes = 4096;

struct Options {
  uint32_t PageSizeBytes, PageCount;
  uint32_t Layout;  ///< PageLayout; NotPartitioned: the writer's choice
  uint32_t Records; ///< of both writers together
  uint32_t Seed;
  uint32_t WaitLimitMs;
  uint32_t DrainsItself;

  uint32_t largestBytes() const {
    return std::min(3 * PageSizeBytes * PageCount, uint32_t(40000));
  }
  PageLayout layout() const { return static_cast<PageLayout>(Layout); }
};

/// Before the pages.
struct Control {
  /// Records that each writer has committed; stored after the commit.
  std::atomic<uint32_t> Committed[2];
  std::atomic<uint32_t> IsReaderDead;
};

struct Outcome {
  uint32_t Dropped[2];
  uint32_t Drains, Waits;
  uint32_t Seen; ///< records that its own drain took
  /// It gave up a reader that was alive, but slow.
  uint32_t DrainedTooSoon;
  char Failure[64];
};

[[noreturn]] void die(const std::string &Why) {
  std::fprintf(stderr, "shm-stress: %s\n", Why.c_str());
  std::_Exit(1);
}

void pauseMicroseconds(long Count) {
  timespec Pause = {0, Count * 1000};
  ::nanosleep(&Pause, nullptr);
}

struct Mapping {
  SharedMemory Memory;
  SharedMemoryAbi Abi;
  Control *control() const {
    return reinterpret_cast<Control *>(Memory.data());
  }
  void use(const Options &O) {
    if (Memory.sizeBytes() !=
            ControlBytes + size_t(O.PageSizeBytes) * O.PageCount ||
        !Abi.initialize(Memory.data() + ControlBytes, O.PageSizeBytes,
                        O.PageCount, SharedMemoryAbi::Mode::Shared))
      die("the memory is not what was agreed on");
  }
};

Mapping makeMapping(const Options &O) {
  Mapping M;
  std::string Error;
  M.Memory = SharedMemory::makeMemfd(
      ControlBytes + size_t(O.PageSizeBytes) * O.PageCount, Error);
  if (!M.Memory)
    die(Error);
  M.use(O);
  for (size_t Page = 0; Page != O.PageCount; ++Page)
    M.Abi.tryPartitionPage(Page, O.layout());
  return M;
}

// The other process

struct Child {
  pid_t Pid = -1;
  int Socket = -1;

  void start(const char *Program, const char *Role, const Mapping &M,
             const Options &O) {
    int Sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, Sockets) != 0)
      die("no socket");
    Pid = ::fork();
    if (Pid == 0) {
      ::close(Sockets[0]);
      std::string Number = std::to_string(Sockets[1]);
      ::execl(Program, Program, Role, Number.c_str(), nullptr);
      std::_Exit(errno == ENOEXEC ? CannotRun : 1);
    }
    ::close(Sockets[1]);
    Socket = Sockets[0];
    int Descriptor = M.Memory.descriptor();
    sendDescriptors(Socket, &Descriptor, 1, &O, sizeof(O));
  }
  /// Its exit code, or minus the signal that ended it.
  int wait() {
    int Status = 0;
    while (::waitpid(Pid, &Status, 0) < 0)
      if (errno != EINTR)
        die("the other process is lost");
    ::close(Socket);
    Pid = -1;
    return WIFEXITED(Status) ? WEXITSTATUS(Status) : -WTERMSIG(Status);
  }
  int kill() {
    ::kill(Pid, SIGKILL);
    return wait();
  }
};

Mapping receiveMapping(int Socket, Options &O) {
  Mapping M;
  int Descriptor;
  if (receiveDescriptors(Socket, &Descriptor, 1, &O, sizeof(O)) !=
      static_cast<long>(sizeof(O)))
    die("no options came");
  std::string Error;
  M.Memory = SharedMemory::adopt(Descriptor, Error);
  if (!M.Memory)
    die(Error);
  M.use(O);
  return M;
}

int runWriter(int Socket) {
  Options O;
  Mapping M = receiveMapping(Socket, O);
  struct Writers {
    ChunkWriter *Writer[2];
    Checker *Own;
    Control *C;
    bool DrainsItself;
    bool DrainedTooSoon;
  } Both = {};
  Checker Own(M.Abi, ChunkReader::Writers::Ours, O.Seed, O.largestBytes(),
              O.layout(), /*MayMiss=*/true);
  auto drain = [](void *Context) {
    auto *Shared = static_cast<Writers *>(Context);
    if (!Shared->DrainsItself)
      return false;
    if (Shared->C->IsReaderDead.load(std::memory_order_acquire) == 0)
      Shared->DrainedTooSoon = true;
    for (ChunkWriter *W : Shared->Writer)
      W->complete();
    Shared->Own->collect();
    return true;
  };
  ChunkSource Source(M.Abi, {WhenFull::WaitThenDrain, 2, O.WaitLimitMs}, drain,
                     &Both);
  ChunkWriter One(Source, 1), Two(Source, 2);
  Both = {{&One, &Two}, &Own, M.control(), O.DrainsItself != 0, false};
  std::vector<uint8_t> Scratch(RecordText::HeadBytes + O.largestBytes());
  uint32_t Index[2] = {}, Lost[2] = {};
  for (uint32_t I = 0; I != O.Records; ++I) {
    size_t Which = mix(uint64_t(O.Seed) << 32 | I) % 8 == 0;
    RecordText Record(O.Seed, static_cast<uint16_t>(Which + 1), Index[Which]++,
                      O.largestBytes());
    if (Which == 1) {
      Record.write(Scratch.data());
      Lost[1] += !Two.append(Scratch.data(), Record.sizeBytes());
    } else if (uint8_t *Out = One.reserve()) {
      Record.write(Out);
      One.commit(Out + Record.sizeBytes());
    } else {
      ++Lost[0];
    }
    M.control()->Committed[Which].store(Index[Which],
                                        std::memory_order_release);
  }
  One.complete();
  Two.complete();
  if (O.DrainsItself)
    for (unsigned Empty = 0; Empty != 2; ++Empty)
      while (Own.collect() != 0)
        ;
  Outcome Result = {};
  std::copy_n(Lost, 2, Result.Dropped);
  Result.Drains = static_cast<uint32_t>(Source.drains());
  Result.Waits = static_cast<uint32_t>(Source.waits());
  Result.Seen =
      static_cast<uint32_t>(Own.stream(1).Records + Own.stream(2).Records);
  Result.DrainedTooSoon = Both.DrainedTooSoon;
  if (Own.failure())
    std::snprintf(Result.Failure, sizeof(Result.Failure), "%s", Own.failure());
  return sendDescriptors(Socket, nullptr, 0, &Result, sizeof(Result)) ? 0 : 1;
}

int runReader(int Socket) {
  Options O;
  Mapping M = receiveMapping(Socket, O);
  // A writer that gives up waiting takes chunks, too.
  Checker C(M.Abi, ChunkReader::Writers::Foreign, O.Seed, O.largestBytes(),
            O.layout(), /*MayMiss=*/O.DrainsItself != 0);
  while (!C.failure())
    if (C.collect() == 0)
      pauseMicroseconds(20);
  die(C.failure()); // it is killed before
}

// The scenarios

/// Every record arrives, in order, byte for byte.
void stream(const Options &O, const char *Self, const char *WriterProgram) {
  Mapping M = makeMapping(O);
  Checker C(M.Abi, ChunkReader::Writers::Foreign, O.Seed, O.largestBytes(),
            O.layout(), /*MayMiss=*/false);
  Child Writer;
  Writer.start(WriterProgram ? WriterProgram : Self, "writer", M, O);
  Outcome Result = {};
  while (true) {
    bool IsIdle = C.collect() == 0;
    ssize_t Got = ::recv(Writer.Socket, &Result, sizeof(Result), MSG_DONTWAIT);
    if (Got == static_cast<ssize_t>(sizeof(Result)))
      break;
    if (Got == 0 || (Got < 0 && errno != EAGAIN && errno != EINTR)) {
      int Code = Writer.wait();
      if (Code == CannotRun)
        std::_Exit(CannotRun);
      die("the writer ended with " + std::to_string(Code));
    }
    if (IsIdle)
      pauseMicroseconds(20);
  }
  if (int Code = Writer.wait(); Code != 0)
    die("the writer ended with " + std::to_string(Code));
  for (unsigned Empty = 0; Empty != 2; ++Empty)
    while (C.collect() != 0)
      ;
  C.finish();
  if (C.failure())
    die(C.failure());
  uint64_t Records = 0, Bytes = 0;
  for (uint16_t Id : {1, 2}) {
    Records += C.stream(Id).Records;
    Bytes += C.stream(Id).Bytes;
    if (C.stream(Id).Assembler.droppedRecords() != 0)
      die("a record was dropped");
  }
  if (Records != O.Records || Result.Dropped[0] + Result.Dropped[1] != 0 ||
      Result.Drains != 0)
    die("of " + std::to_string(O.Records) + " records " +
        std::to_string(Records) + " came; the writer drained " +
        std::to_string(Result.Drains) + " times");
  for (size_t Page = 0; Page != O.PageCount; ++Page)
    for (unsigned I = 0; I != MaxChunksPerPage; ++I)
      if (M.Abi.chunkState(Page, I) != ChunkState::Free)
        die("a chunk is still in use");
  std::printf("%llu records, %llu bytes, %u waits\n",
              static_cast<unsigned long long>(Records),
              static_cast<unsigned long long>(Bytes), Result.Waits);
}

/// The reader is killed in the middle; the writer goes on alone.
void killReader(const Options &Given, const char *Self) {
  Options O = Given;
  O.DrainsItself = 1;
  Mapping M = makeMapping(O);
  Child Reader, Writer;
  Reader.start(Self, "reader", M, O);
  Writer.start(Self, "writer", M, O);
  uint32_t KillAt =
      static_cast<uint32_t>(O.Records / 16 + mix(O.Seed) % (O.Records / 2));
  while (M.control()->Committed[0].load(std::memory_order_acquire) < KillAt)
    pauseMicroseconds(20);
  if (int Code = Reader.kill(); Code != -SIGKILL)
    die("the reader ended with " + std::to_string(Code));
  M.control()->IsReaderDead.store(1, std::memory_order_release);
  Outcome Result = {};
  if (receiveDescriptors(Writer.Socket, nullptr, 0, &Result, sizeof(Result)) !=
      static_cast<long>(sizeof(Result)))
    die("the writer ended with " + std::to_string(Writer.wait()));
  if (int Code = Writer.wait(); Code != 0)
    die("the writer ended with " + std::to_string(Code));
  if (Result.Failure[0])
    die(Result.Failure);
  // The dead reader's chunks are lost, and the buffer is smaller by them.
  size_t Usable = 0;
  for (size_t Page = 0; Page != O.PageCount; ++Page) {
    Usable += M.Abi.isPageFree(Page) || M.Abi.freeChunks(Page) != 0;
    for (unsigned I = 0; I != MaxChunksPerPage; ++I) {
      ChunkState State = M.Abi.chunkState(Page, I);
      if (State != ChunkState::Free && State != ChunkState::BeingRead)
        die("a chunk of the writer's is still in use");
    }
  }
  if (Usable != 0 && (Result.Drains == 0 || Result.Seen == 0))
    die("the writer did not drain");
  // While a reader that is alive holds all chunks, a drain frees none.
  if (Usable != 0 && !Result.DrainedTooSoon &&
      Result.Dropped[0] + Result.Dropped[1] != 0)
    die("records were dropped although chunks were free");
  std::printf("killed at %u; %u drains took %u records, %u dropped\n", KillAt,
              Result.Drains, Result.Seen,
              Result.Dropped[0] + Result.Dropped[1]);
}

/// The writer is killed at a random moment; the reader has all that was
/// committed, the chunks that were being written included.
void killWriter(const Options &O, const char *Self) {
  Mapping M = makeMapping(O);
  Checker C(M.Abi, ChunkReader::Writers::Foreign, O.Seed, O.largestBytes(),
            O.layout(), /*MayMiss=*/false);
  Child Writer;
  Writer.start(Self, "writer", M, O);
  while (M.control()->Committed[0].load(std::memory_order_acquire) == 0)
    pauseMicroseconds(10);
  timespec Now;
  ::clock_gettime(CLOCK_MONOTONIC, &Now);
  int64_t EndNs = Now.tv_sec * int64_t(1000000000) + Now.tv_nsec +
                  static_cast<int64_t>(mix(O.Seed) % 15000000);
  // The reader pauses now and then, so that writers die waiting, too.
  for (uint64_t Round = 0;; ++Round) {
    ::clock_gettime(CLOCK_MONOTONIC, &Now);
    if (Now.tv_sec * int64_t(1000000000) + Now.tv_nsec >= EndNs)
      break;
    C.collect();
    pauseMicroseconds(static_cast<long>(mix(Round) % 64));
  }
  if (int Code = Writer.kill(); Code != -SIGKILL)
    die("the writer had ended with " + std::to_string(Code));
  for (unsigned Empty = 0; Empty != 2; ++Empty)
    while (C.collect() != 0)
      ;
  C.scrape();
  C.finish();
  if (C.failure())
    die(C.failure());
  uint32_t Lost = 0;
  for (size_t I = 0; I != 2; ++I) {
    uint32_t Committed = M.control()->Committed[I];
    Checker::Stream &S = C.stream(static_cast<uint16_t>(I + 1));
    if (S.Records < Committed || S.Records > uint64_t(Committed) + 1)
      die("writer " + std::to_string(I + 1) + " had committed " +
          std::to_string(Committed) + " records, and " +
          std::to_string(S.Records) + " were found");
    if (S.Assembler.droppedRecords() > 1)
      die("more than the record that was being written is lost");
    Lost += static_cast<uint32_t>(S.Assembler.droppedRecords());
  }
  std::printf("%llu + %llu records, %u cut\n",
              static_cast<unsigned long long>(C.stream(1).Records),
              static_cast<unsigned long long>(C.stream(2).Records), Lost);
}

} // namespace

int main(int Count, char **Arguments) {
  ::alarm(TimeLimitS);
  const std::string What = Count > 1 ? Arguments[1] : "";
  if (Count == 3 && What == "writer")
    return runWriter(std::atoi(Arguments[2]));
  if (Count == 3 && What == "reader")
    return runReader(std::atoi(Arguments[2]));
  if (Count < 8) {
    std::fprintf(stderr,
                 "usage: %s stream|kill-reader|kill-writer PAGE_SIZE PAGES "
                 "LAYOUT RECORDS SEED WAIT_MS [WRITER]\n",
                 Arguments[0]);
    return 2;
  }
  auto number = [&](int I) {
    return static_cast<uint32_t>(std::strtoul(Arguments[I], nullptr, 10));
  };
  Options O = {number(2), number(3), number(4), number(5),
               number(6), number(7), 0};
  if (What == "stream")
    stream(O, Arguments[0], Count > 8 ? Arguments[8] : nullptr);
  else if (What == "kill-reader")
    killReader(O, Arguments[0]);
  else if (What == "kill-writer")
    killWriter(O, Arguments[0]);
  else
    return 2;
  return 0;
}
