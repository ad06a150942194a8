/// \file
/// Puts records into chunks without ever waiting for a reader without bound.
///
/// Flow:    Recorder, TraceWriter -> [ChunkWriter] => chunks => ChunkReader
/// Layout:  runtime/shm/SharedMemoryAbi.h
/// Threads: one per writer; writers of one process share a ChunkSource and
///          its thread, unless they never have it drain
/// Errors:  none; when no chunk is free the policy decides. A record that is
///          lost is counted
/// Owns:    nothing; buffer and source must outlive it
/// Source:  Perfetto SharedMemoryArbiter (policies), without locks and tasks
#pragma once

#include "runtime/shm/SharedMemoryAbi.h"

#include <cstddef>
#include <cstdint>

namespace instantrace {

enum class WhenFull : uint8_t {
  Drain,         ///< have this process empty the buffer; loses nothing
  WaitThenDrain, ///< give the collector some time first
  Drop,          ///< lose the record and count it
};

/// What to do about a wait that goes on.
enum class Waiting : uint8_t {
  GoOn,
  NotNow, ///< it would be in vain: drain this time
  Never,  ///< the collector is gone: drain from now on
};

/// Finds a chunk for a writer, or has room made.
class ChunkSource {
public:
  /// Frees complete chunks. It may complete chunks of other writers first, and
  /// must not acquire any. False: it cannot, and will not be asked again. Is
  /// asked twice for one chunk when the first time has freed none.
  using DrainFunction = bool (*)(void *Context);
  /// Asked before each pause of a wait; \p Pause counts from 0.
  using WaitFunction = Waiting (*)(void *Context, unsigned Pause);

  struct Policy {
    WhenFull Full = WhenFull::Drain;
    unsigned WriterCount = 1;
    /// Of one wait. After one in vain, as if WhenFull::Drain.
    uint32_t WaitLimitMs = 100;
    /// Of all waits together, in WaitLimitMs.
    uint32_t WaitLimitCount = 1000;
    WaitFunction Wait = nullptr;
    /// Called with WaitThenDrain whenever a chunk has been acquired: the one
    /// before it may be complete.
    void (*Announce)(void *Context) = nullptr;
  };

  ChunkSource(SharedMemoryAbi &Buffer, Policy P, DrainFunction Drain,
              void *Context);

  /// Invalid: there is none, and the policy has made none.
  Chunk acquire(ChunkIdentity Identity, PageLayout Wanted);

  /// The layout for a writer that has filled \p Filled chunks so far and has a
  /// record of \p RecordBytes to write.
  ///
  /// It begins with the smallest chunks, so that a short compile touches a few
  /// KiB, and takes the next larger ones with every chunk it fills, since each
  /// change of chunks costs a batch header in the trace; or sooner, for a
  /// record that would be cut. It stops where a chunk more per page would be
  /// too few: every writer needs two in the buffer, one to write and one that
  /// is being drained (docs/design/shared-memory.md).
  PageLayout layoutFor(uint32_t Filled, size_t RecordBytes = 0) const;

  SharedMemoryAbi &buffer() const { return Buffer; }
  /// From now on there is no chunk for anybody.
  void stop() { IsStopped = true; }
  /// From now on as if WhenFull::Drain, whatever the policy was.
  void drainFromNowOn() { P.Full = WhenFull::Drain; }
  WhenFull whenFull() const { return P.Full; }
  /// Another policy than the one it was made with.
  void setPolicy(const Policy &Other) { P = Other; }
  uint64_t waits() const { return Waits; }
  uint64_t drains() const { return Drains; }

private:
  Chunk tryAcquireFrom(size_t Page, ChunkIdentity Identity);
  /// Of the wanted size, from a page that is cut so or can be.
  Chunk tryAcquireWanted(ChunkIdentity Identity, PageLayout Wanted);
  /// Of any size, if there is none of the wanted one.
  Chunk tryAcquire(ChunkIdentity Identity, PageLayout Wanted);
  Chunk waitForChunk(ChunkIdentity Identity, PageLayout Wanted, Waiting &How);

  SharedMemoryAbi &Buffer;
  Policy P;
  DrainFunction Drain;
  void *Context;
  size_t NextPage[8] = {}; ///< by wanted layout: where the search begins
  uint64_t Waits = 0, WaitedNs = 0, Drains = 0;
  bool IsDrainLost = false;
  bool IsStopped = false;
};

class ChunkWriter {
public:
  /// What reserve() gives room for.
  static constexpr size_t MaxRecordBytes = 112;

  ChunkWriter(ChunkSource &Source, uint16_t WriterId)
      : Source(Source), WriterId(WriterId) {}
  ChunkWriter(const ChunkWriter &) = delete;
  ChunkWriter &operator=(const ChunkWriter &) = delete;

  /// Room for one record of at most MaxRecordBytes, which is not fragmented.
  /// Null: there is none; the caller counts what it loses.
  /// The pointer is good until the next call of this writer.
  uint8_t *reserve() { return hasRoom() ? Cursor : openChunk(); }
  /// Whether reserve() takes no other chunk.
  bool hasRoom() const { return Cursor < Limit; }
  /// The same as reserve(). Requires: hasRoom().
  uint8_t *reserved() { return Cursor; }

  /// Commits what was written from reserve()'s pointer up to \p End.
  void commit(uint8_t *End) {
    Cursor = End;
    // Release: the record's bytes are visible before the new length. Pairs with
    // the acquire load of whoever reads the chunk, be it after our death.
    Current.header()->CommittedBytes.store(
        static_cast<uint32_t>(End - Current.payload()),
        std::memory_order_release);
  }

  /// True before the first record of a chunk: the next reserve() either begins
  /// one, or has just begun it.
  bool isAtChunkStart() const { return !Cursor || Cursor == Current.payload(); }
  bool isOpen() const { return Cursor != nullptr; }

  /// Writes a record of any size, in fragments if it is larger than a chunk.
  /// False: it was lost, and readers will drop what there is of it.
  bool append(const void *Data, size_t SizeBytes);

  /// Gives the chunk that is being written to whoever reads.
  void complete();
  /// Leaves it as it is; somebody else has it now.
  void abandon() { Cursor = Limit = nullptr; }

  uint32_t chunksFilled() const { return Filled; }
  uint32_t chunksBegun() const { return NextSequence - 1; }

private:
  uint8_t *openChunk();
  bool acquire(uint16_t Flags, size_t RecordBytes);

  ChunkSource &Source;
  Chunk Current;
  uint8_t *Cursor = nullptr; ///< null: no chunk is open
  /// From there on reserve() finds no room; null as well when no chunk is open.
  uint8_t *Limit = nullptr;
  uint32_t NextSequence = 1;
  uint32_t Filled = 0;
  uint16_t WriterId;
};

} // namespace instantrace
