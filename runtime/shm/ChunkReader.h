/// \file
/// Takes complete chunks out of a buffer, and joins what was cut.
///
/// Flow:    chunks => [ChunkReader] -> RecordAssembler -> whoever drains
/// Layout:  runtime/shm/SharedMemoryAbi.h
/// Threads: one reader per object; readers in several processes share a buffer
///          without meeting the same chunk
/// Errors:  a chunk whose header cannot be true is freed and counted
/// Owns:    the chunks it holds, until release() or its end
/// Leaves:  chunks that are still being written: BufferSnapshot copies those
#pragma once

#include "runtime/shm/SharedMemoryAbi.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace instantrace {

/// The committed part of a chunk: whole records and fragments of one writer.
struct ChunkContent {
  uint32_t Sequence = 0;
  uint16_t WriterId = 0;
  uint16_t Flags = 0;             ///< ChunkFlag
  uint16_t FirstRecordOffset = 0; ///< as in ChunkHeader
  uint16_t LastRecordOffset = 0;
  const uint8_t *Data = nullptr;
  uint32_t SizeBytes = 0;
};

/// What the header of \p C says now, from a writer that may still be writing;
/// to be checked before use.
ChunkContent readContent(Chunk C);

/// True when \p A is before \p B in a sequence that may have wrapped. No order
/// for std::sort over numbers that another process has written.
constexpr bool isSequenceBefore(uint32_t A, uint32_t B) {
  return static_cast<int32_t>(A - B) < 0;
}

/// Offsets lie in the payload and agree with the flags. An empty chunk's do not
/// matter.
bool isPlausible(const ChunkContent &C);

class ChunkReader {
public:
  /// Whether the writers share this process. What another process has written
  /// is copied before it is looked at, since that process may change it.
  enum class Writers : uint8_t { Ours, Foreign };

  ChunkReader(SharedMemoryAbi &Buffer, Writers W) : Buffer(Buffer), W(W) {}
  ~ChunkReader();
  ChunkReader(const ChunkReader &) = delete;
  ChunkReader &operator=(const ChunkReader &) = delete;

  /// Acquires every chunk that is complete now. Returns those whose turn it is,
  /// by writer, each writer's by sequence; valid until the next acquire() or
  /// release(). A chunk waits for the next call while one before it is missing:
  /// it may have been completed behind the back of this search, and the next
  /// search is sure to find it.
  const std::vector<ChunkContent> &acquire();
  /// Frees what acquire() has returned.
  void release();
  /// The same, but for \p WriterId's chunks from \p Sequence on, which the next
  /// acquire() returns again.
  void releaseBefore(uint16_t WriterId, uint32_t Sequence);
  /// Lets go of all that is held without freeing it: it stays in the buffer for
  /// recovery, and no writer gets it.
  void abandon();

  uint64_t malformedChunks() const { return Malformed; }

private:
  struct HeldChunk {
    Chunk C;
    ChunkContent Content;
    std::vector<uint8_t> Copy;
    int32_t Distance = 0; ///< from the sequence whose turn it is
    bool HasWaited = false;
    bool IsReturned = false;
  };
  struct Turn {
    uint16_t WriterId;
    uint32_t NextSequence;
  };
  void hold(Chunk C);
  bool isAmongFirst(size_t Count, Chunk C) const;
  Turn &turnOf(uint16_t WriterId);

  SharedMemoryAbi &Buffer;
  std::vector<HeldChunk> Held;
  std::vector<ChunkContent> Contents;
  std::vector<Turn> Turns; ///< of each writer met so far, at most MaxTurns
  static constexpr size_t MaxTurns = 64;
  uint64_t Malformed = 0;
  Writers W;
};

/// Turns the chunks of one writer, in their order, into whole records.
class RecordAssembler {
public:
  /// A longer record is dropped, so that damage cannot ask for all memory.
  static constexpr size_t MaxRecordBytes = size_t(1) << 30;

  explicit RecordAssembler(size_t LimitBytes = MaxRecordBytes)
      : LimitBytes(LimitBytes) {}

  /// Calls \p OnRecords(const uint8_t *Data, size_t SizeBytes) with stretches
  /// of whole records, in order. A chunk that does not follow the one before
  /// ends the record that was begun there: it is dropped, and counted once
  /// however many of its fragments come.
  template <class Function>
  void add(const ChunkContent &C, Function OnRecords) {
    bool IsNext = HasChunk && C.Sequence == LastSequence + 1;
    HasChunk = true;
    LastSequence = C.Sequence;
    if (!isPlausible(C)) {
      ++Malformed;
      drop();
      return;
    }
    bool Continues = C.Flags & ContinuesFromPrevious;
    bool GoesOn = C.Flags & ContinuesOnNext;
    if (!Continues || !IsNext)
      drop();
    if (!Continues)
      S = State::BetweenRecords;
    if (C.SizeBytes == 0)
      return; // acquired, and nothing written yet
    size_t Begin = 0, End = C.SizeBytes;
    if (Continues) {
      if (S == State::BetweenRecords) {
        ++Dropped; // of which we never saw the begin
        S = State::InDropped;
      }
      Begin = C.FirstRecordOffset;
      extend(C.Data, Begin);
      // With both flags and no record that begins here, all is a middle part.
      if (GoesOn && C.LastRecordOffset == 0)
        return;
      if (S == State::InPending)
        OnRecords(static_cast<const uint8_t *>(Pending.data()), Pending.size());
      Pending.clear();
      S = State::BetweenRecords;
    }
    if (GoesOn)
      End = C.LastRecordOffset;
    if (Begin < End)
      OnRecords(C.Data + Begin, End - Begin);
    if (GoesOn) {
      S = State::InPending;
      extend(C.Data + End, C.SizeBytes - End);
    }
  }

  /// No chunk follows: what is pending is dropped.
  void finish() { drop(); }

  bool isPending() const { return S == State::InPending; }
  uint64_t droppedRecords() const { return Dropped; }
  uint64_t malformedChunks() const { return Malformed; }

private:
  enum class State : uint8_t {
    BetweenRecords,
    InPending, ///< its begin is in Pending
    InDropped, ///< its begin is lost, which is counted
  };
  void extend(const uint8_t *Data, size_t SizeBytes) {
    if (S != State::InPending)
      return;
    if (SizeBytes > LimitBytes - Pending.size())
      return drop();
    Pending.insert(Pending.end(), Data, Data + SizeBytes);
  }
  void drop() {
    if (S == State::InPending) {
      ++Dropped;
      S = State::InDropped;
    }
    Pending.clear();
  }

  std::vector<uint8_t> Pending;
  uint32_t LastSequence = 0;
  uint64_t Dropped = 0;
  uint64_t Malformed = 0;
  size_t LimitBytes;
  bool HasChunk = false;
  State S = State::BetweenRecords;
};

} // namespace instantrace
