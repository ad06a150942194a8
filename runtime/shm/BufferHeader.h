/// \file
/// What stands at the start of a buffer: all that somebody who finds only the
/// buffer needs to understand it.
///
/// Layout:
///   | BufferHeader | session | paths | newest entities |  up to HeaderBytes
///   | page 0 | page 1 | ...                            |  SharedMemoryAbi.h
///
/// Everything but LiveState is written once, before the first event, and is
/// covered by Checksum; then LiveState::Phase says so. A header whose phase is
/// MakingHeader, or whose checksum differs, is torn: its producer was killed
/// while it wrote it.
///
/// Draining moves records from chunks to the partial trace file. Which of them
/// have been moved is one atomic index away, so a producer that is killed in
/// the middle of it neither loses nor repeats any:
///   1. the bytes are appended to the file
///   2. the DrainRecord that is not in use gets the file's new length and the
///      sequence number of each writer's last drained chunk
///   3. DrainIndex names it (release)
///   4. the chunks are freed
/// After a crash, what the file holds beyond FileBytes is ignored, and so are
/// chunks up to LastSequence.
///
/// With a collector, two processes drain, each under LiveState::DrainLock
/// (runtime/shm/SharedDrain.h has the protocol and what a kill does to it).
///
/// Threads: one producer process and at most one collector; everybody else
///          reads a copy, trusting nothing
/// Source:  Perfetto learns writers and their targets by IPC, too late for a
///          producer that dies early; here they are in the buffer
#pragma once

#include "runtime/shm/SharedMemoryAbi.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace instantrace {

inline constexpr std::string_view BufferMagic{"itrcbuf\n", 8};
inline constexpr uint32_t BufferByteOrder = 0x01020304;
inline constexpr size_t MaxWriters = 4;
/// Session, paths and newest entities together; more is damage.
inline constexpr size_t MaxHeaderBytes = size_t(16) * 1024 * 1024;
inline constexpr size_t MaxPageCount = 65536;

/// What the records in a writer's chunks are.
enum class WriterContent : uint16_t {
  None = 0,
  /// Event records as in EventBatch.record; each chunk begins with an
  /// EventChunkStart (runtime/format/EventChunk.h).
  Events = 1,
  /// Packets of the trace file with their frames, byte for byte.
  Packets = 2,
};

struct WriterDescription {
  uint16_t Id;
  uint16_t Content; ///< WriterContent
};

enum class BufferPhase : uint32_t {
  MakingHeader = 0,
  Recording = 1,
  /// All is in the trace file, and this has its final name or gets it now.
  Finished = 2,
};

/// Who may append to the partial trace, change the drain record and free chunks
/// of a buffer that was handed to a collector. A buffer that was not stays
/// Nobody's: its producer is alone.
///
///             begin of a pass                      it is dead
///   Nobody ---------------------> Producer <---------------------+
///     ^ ^    end of the pass       |  |                          |
///     | +--------------------------+  | it is dead               |
///     |                               v                          |
///     +---------------------------- Collector -------------------+
///            end of the pass         ^  begin of a pass, from Nobody
///
/// Each is one compare-exchange. A producer that finishes keeps it, so that
/// nobody appends to a trace that has its final name.
enum class DrainOwner : uint32_t { Nobody = 0, Producer = 1, Collector = 2 };

/// LiveState::Signal of a compiler that crashed by one that is not known.
inline constexpr uint32_t UnknownSignal = UINT32_MAX;

struct DrainRecord {
  alignas(8) uint64_t FileBytes;     ///< of the partial trace that count
  uint32_t LastSequence[MaxWriters]; ///< 0: none; in the order of Writers
};

/// Changes while the compile runs.
struct LiveState {
  alignas(64) std::atomic<uint32_t> Phase; ///< BufferPhase
  std::atomic<uint32_t> Signal;            ///< that ended the compiler; 0: none
  std::atomic<uint32_t> DrainIndex;        ///< into Drained: 0 or 1
  std::atomic<uint32_t> DrainLock; ///< DrainOwner; only with a collector
  DrainRecord Drained[2];
  alignas(8) std::atomic<uint64_t> AstBytes;      ///< allocated by now
  alignas(8) std::atomic<uint64_t> EventsDropped; ///< for want of a free chunk
  /// Text: LLVM's name of the pass that ran last, NUL-padded, cut to what fits.
  /// May be half of one and half of the next; zeros before the optimizer.
  std::atomic<uint64_t> Pass[6];
  /// Of the process, read where names are written; 0: not yet.
  alignas(8) std::atomic<uint64_t> PeakRssBytes;
  std::atomic<uint32_t> RanOutOfMemory; ///< 1: an allocation has failed
};

struct ByteRange {
  uint32_t Offset; ///< from the start of the buffer
  uint32_t SizeBytes;
};

struct BufferHeader {
  uint8_t Magic[8]; ///< BufferMagic
  uint32_t AbiVersion;
  uint32_t ByteOrder;   ///< BufferByteOrder as the producer has it
  uint32_t HeaderBytes; ///< where page 0 begins; a multiple of 4096
  uint32_t PageSizeBytes;
  uint32_t PageCount;
  uint32_t Pid;
  alignas(8) uint64_t
      ProcessStartTicks;           ///< /proc/PID/stat, field 22; 0: unknown
  alignas(8) uint64_t RealtimeNs;  ///< CLOCK_REALTIME since the epoch
  alignas(8) uint64_t MonotonicNs; ///< CLOCK_MONOTONIC, read together
  uint32_t SequenceId;             ///< of the trace's packets
  uint32_t WriterCount;
  WriterDescription Writers[MaxWriters];
  ByteRange Session;        ///< framed packets: file header and session
  ByteRange FinalPath;      ///< where the trace goes when it is complete
  ByteRange PartialPath;    ///< of the partial trace
  ByteRange NewestEntities; ///< NewestEntity slots
  /// FNV-1a, 64 bits, over the bytes before this field, then over those of
  /// Session, FinalPath and PartialPath.
  alignas(8) uint64_t Checksum;
  LiveState Live;
};

/// The names of entities are written in batches. What a batch still owes can be
/// read here: slot (id mod slots) is that of the newest entity with such an id.
/// Its short name is there from its first event on and, of what is open 5 ms
/// later, where the dictionary has its whole one.
struct NewestEntity {
  std::atomic<uint32_t> EntityId; ///< 0 while the text changes
  /// Of the main file, which its first event came from; 0: of another file.
  uint32_t LineNo;
  /// A short name, such as `vector<…>`; NUL-padded, cut to what fits.
  char Text[44];
  // What its row will have.
  std::atomic<uint32_t> Name; ///< entry of the dictionary; 0: not known yet
  uint32_t TemplateSet;       ///< likewise, if there is a Name
  uint32_t Kind;              ///< EntityKind, if there is a Name
};

static_assert(sizeof(DrainRecord) == 24 && sizeof(WriterDescription) == 4 &&
                  sizeof(NewestEntity) == 64,
              "shared-memory ABI: bump SharedMemoryAbiVersion");
static_assert(offsetof(BufferHeader, ProcessStartTicks) == 32 &&
                  offsetof(BufferHeader, Writers) == 64 &&
                  offsetof(BufferHeader, Session) == 80 &&
                  offsetof(BufferHeader, Checksum) == 112 &&
                  offsetof(BufferHeader, Live) == 128,
              "shared-memory ABI: bump SharedMemoryAbiVersion");
static_assert(offsetof(LiveState, DrainLock) == 12 &&
                  offsetof(LiveState, Drained) == 16 &&
                  offsetof(LiveState, AstBytes) == 64 &&
                  offsetof(LiveState, EventsDropped) == 72 &&
                  offsetof(LiveState, Pass) == 80 &&
                  offsetof(LiveState, PeakRssBytes) == 128 &&
                  offsetof(LiveState, RanOutOfMemory) == 136 &&
                  sizeof(LiveState) == 192 && sizeof(BufferHeader) == 320,
              "shared-memory ABI: bump SharedMemoryAbiVersion");

/// Continues an FNV-1a hash; the first call gives FnvStart.
inline constexpr uint64_t FnvStart = 0xcbf29ce484222325U;
constexpr uint64_t fnv1a(uint64_t Hash, const uint8_t *Data, size_t SizeBytes) {
  for (size_t I = 0; I != SizeBytes; ++I)
    Hash = (Hash ^ Data[I]) * 0x100000001b3U;
  return Hash;
}

} // namespace instantrace
