/// \file
/// The part of TraceBuffer that is used with a collector only.
///
/// Flow:  TraceBuffer -> memfd, partial trace => collector
/// Bound: one wait for a chunk or for the drain lock takes WaitLimitMs at most
///        and is followed by none after one in vain; all waits for chunks
///        together take TotalWaitMs; the end of the compile FinalWaitMs
#include "runtime/record/ChunkBytes.h"
#include "runtime/record/TraceBuffer.h"

#include <sys/stat.h>
#include <time.h>

namespace instantrace {

namespace {

constexpr unsigned WaitLimitMs = 100;
constexpr unsigned TotalWaitMs = 2000;
constexpr unsigned FinalWaitMs = 1000;
/// Of waits in the middle of a record, about a millisecond: should the record
/// be what fills the buffer, only we can make room.
constexpr unsigned PausesWithinRecord = 6;

} // namespace

bool TraceBuffer::makeCollected(const TraceBufferOptions &Options,
                                size_t Bytes) {
  std::string Reason;
  struct stat Existing;
  // Such a trace is refused, with a warning, by the one who writes it at last.
  if (::stat(FinalPath.c_str(), &Existing) == 0 && !S_ISREG(Existing.st_mode))
    return false;
  if (!Link.connect(Options.Collector, Reason)) {
    CollectorFailure = "collector " + Options.Collector + ": " + Reason;
    return false;
  }
  Memory = SharedMemory::makeMemfd(Bytes, CollectorFailure);
  if (!Memory) {
    Link.close();
    return false;
  }
  // With the process id: no file's lock says that somebody has the name.
  File.emplace(FinalPath);
  if (!File->openShared()) {
    CollectorFailure = File->error();
    File.reset();
    Memory = SharedMemory();
    Link.close();
    return false;
  }
  Description = "memfd";
  ChunkSource::Policy Policy;
  Policy.Full =
      Options.Full == WhenFull::Drop ? WhenFull::Drop : WhenFull::WaitThenDrain;
  Policy.WriterCount = 2;
  Policy.WaitLimitMs = WaitLimitMs;
  Policy.WaitLimitCount = TotalWaitMs / WaitLimitMs;
  Policy.Wait = waitFor;
  Policy.Announce = announce;
  Source.setPolicy(Policy);
  return true;
}

/// The session is in the file before the collector hears of it, so that it need
/// not know what a trace begins with.
void TraceBuffer::startShared() {
  Shared.emplace(
      Abi, Header->Live, DrainOwner::Producer,
      std::vector<WriterDescription>{Header->Writers[0], Header->Writers[1]});
  if (File->append(SessionPackets))
    Header->Live.Drained[0].FileBytes = File->sizeBytes();
  else
    Link.close(); // nobody can write what is not to be written
}

Waiting TraceBuffer::waitFor(void *Self, unsigned Pause) {
  auto &Buffer = *static_cast<TraceBuffer *>(Self);
  if (Pause == 0)
    Buffer.Link.ring();
  if (!Buffer.Link.isAlive())
    return Waiting::Never;
  return Buffer.IsAppending && Pause == PausesWithinRecord ? Waiting::NotNow
                                                           : Waiting::GoOn;
}

/// About a microsecond per chunk; a collector on another core has room made
/// before it is needed.
void TraceBuffer::announce(void *Self) {
  static_cast<TraceBuffer *>(Self)->Link.ring();
}

bool TraceBuffer::appendShared(std::string_view Packet) {
  uint32_t BeginCount = Packets.chunksBegun();
  IsAppending = true;
  bool IsKept = Packets.append(Packet.data(), Packet.size());
  IsAppending = false;
  // One that was cut is taken as a whole, so the chunk in which it ends is
  // given away. No record is cut that fits into a chunk.
  if (Packets.chunksBegun() - BeginCount > 1)
    Packets.complete();
  // We have taken its begin, so the collector leaves its end to us.
  if (Assembler.isPending())
    drainShared();
  return IsKept;
}

bool TraceBuffer::lockForDrain(unsigned LimitMs) {
  constexpr unsigned PauseUs = 200;
  for (unsigned WaitedUs = 0;; WaitedUs += PauseUs) {
    if (Shared->tryLock() || (!Link.isAlive() && Shared->takeOver())) {
      IsLockStuck = false;
      return true;
    }
    if (IsLockStuck || !Link.isAlive() || WaitedUs >= LimitMs * 1000) {
      IsLockStuck = true;
      return false;
    }
    const timespec Pause = {0, long(PauseUs) * 1000};
    ::nanosleep(&Pause, nullptr);
  }
}

/// True also where nothing was drained because the collector has the lock: then
/// what finds no room is dropped and counted, and the next one asks again.
bool TraceBuffer::drainShared() {
  Packets.complete();
  if (!lockForDrain(WaitLimitMs))
    return true;
  bool IsWritten = drainLocked();
  Shared->unlock();
  return IsWritten;
}

bool TraceBuffer::drainLocked() {
  if (!File->settle(Shared->current().FileBytes))
    return false;
  Pending.clear();
  LastSequences Ignored; // the drain knows them itself
  const std::vector<ChunkContent> &Chunks = Shared->select();
  if (Chunks.empty())
    return true;
  appendChunks(Chunks, SequenceId, Assembler, Pending, Ignored);
  if (!Pending.empty() && !File->append(Pending))
    return false;
  Shared->record(File->sizeBytes());
  Shared->release();
  return true;
}

/// What comes after it finds an empty buffer, unless it is left to the
/// collector.
bool TraceBuffer::drainAllShared() {
  Packets.complete();
  IsLockStuck = false;
  IsLeftToCollector = !lockForDrain(FinalWaitMs);
  if (IsLeftToCollector)
    return false;
  bool IsWritten = drainLocked();
  Shared->unlock();
  return IsWritten;
}

bool TraceBuffer::finishShared(bool KeepsExisting) {
  if (IsLeftToCollector || !lockForDrain(FinalWaitMs)) {
    FinishFailure = FinalPath + ": the collector holds it and does not answer";
    return false;
  }
  // The lock is kept: nobody appends to a trace that has its final name.
  if (!drainLocked() || !commit(KeepsExisting)) {
    Shared->unlock();
    return false;
  }
  Link.close();
  return true;
}

} // namespace instantrace
