/// \file
/// Writes event records: what each is about as ids and distances, its time as a
/// difference, into chunks that can be decoded by themselves.
///
/// Flow:    Recorder -> [EventEncoder] -> ChunkWriter
/// Layout:  proto/FORMAT.md, "Event records"; runtime/format/EventChunk.h
/// Leaves:  what is recorded, and pairing, to the Recorder
/// Errors:  begin() and instant() say when there is no room. An end is never
///          lost: it is written as soon as there is some
/// Threads: one
#ifndef INSTANTRACE_PLUGIN_RECORDER_EVENTENCODER_H
#define INSTANTRACE_PLUGIN_RECORDER_EVENTENCODER_H

#include "plugin/recorder/EntityTable.h"
#include "plugin/recorder/LocationTable.h"
#include "runtime/format/EventChunk.h"
#include "runtime/format/EventKind.h"
#include "runtime/shm/ChunkWriter.h"

#include "llvm/Support/Compiler.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace instantrace {

// Times are since the start of the recording, and multiples of TimeUnitNs.

struct IntervalBegin {
  uint64_t TimeNs;
  const void *Entity;   ///< key in the EntityTable; null: none
  uint32_t RawLocation; ///< of a SourceLocation; 0: none
  EventKind Kind;
  EntityOrigin Origin = EntityOrigin::Declaration;
};

struct IntervalEnd {
  unsigned Flags; ///< EndFlag: which of the rest are written
  uint64_t TimeNs, AstBytes, Memoized, ElidedCount, ElidedNs;
};

class EventEncoder {
public:
  /// All must outlive the object.
  EventEncoder(ChunkWriter &Chunks, EntityTable &Entities,
               LocationTable &Locations)
      : Chunks(Chunks), Entities(Entities), Locations(Locations) {}

  static constexpr uint64_t NoInterval = UINT64_MAX;

  /// \p Requester: the interval that asked for this one, if that is not where
  /// it stands. False: it was lost for want of room.
  bool begin(const IntervalBegin &Begin, uint64_t Requester = NoInterval);
  /// Of the innermost interval that has begun.
  void end(const IntervalEnd &End);
  /// At the time of the record before it. Requires: makeRoom().
  void instant(EventKind Kind, const void *Entity, uint32_t RawLocation);
  /// Writes ends that wait for room. False: there is none for another record.
  bool makeRoom() { return reserve() != nullptr; }

  /// The number of the interval that begins next.
  uint64_t nextInterval() const { return NextInterval; }
  uint64_t recordCount() const { return RecordCount; }
  uint64_t lastTimeNs() const { return LastTimeNs; } ///< of the last record
  bool hasOpenChunk() const { return Chunks.isOpen(); }

private:
  enum class RecordForm : uint8_t { Interval, Instant };

  /// Room for a record; null when there is none.
  uint8_t *reserve() {
    if (!WaitingEnds.empty() && !writeWaitingEnds())
      return nullptr;
    return reserveBehindEnds();
  }
  /// The same for whoever writes the ends that wait.
  uint8_t *reserveBehindEnds() {
    uint8_t *Out = Chunks.reserve();
    if (Out && Chunks.isAtChunkStart())
      Out = startBatch(Out);
    return Out;
  }
  uint8_t *startBatch(uint8_t *Out);
  bool writeWaitingEnds();
  void commit(uint8_t *End) {
    Chunks.commit(End);
    ++RecordCount;
  }
  // Inlined, since all but a few ends are written without a wait.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void commitEnd(uint8_t *Out,
                                              const IntervalEnd &End);
  uint8_t *writeTime(uint8_t *Out, uint64_t TimeNs);
  /// Writes what a record is about: entity and location.
  uint8_t *writeSubject(uint8_t *Out, const void *Entity, EntityOrigin Origin,
                        uint32_t RawLocation, RecordForm Form);
  uint8_t *writeLocation(uint8_t *Out, uint32_t RawLocation);
  uint32_t locationId(uint32_t RawLocation);

  ChunkWriter &Chunks;
  EntityTable &Entities;
  LocationTable &Locations;
  /// What Locations gave lately, as EntityTable has it for entities.
  static constexpr size_t RecentCount = 1024;
  std::pair<uint32_t, uint32_t> RecentLocations[RecentCount] = {};
  BatchStart Batch;
  uint64_t NextInterval = 0;
  uint64_t LastTimeNs = 0;
  uint64_t RecordCount = 0;
  uint32_t OpenIntervals = 0; ///< for a decoder, which lacks the ends that wait
  std::vector<IntervalEnd> WaitingEnds;
};

} // namespace instantrace

#endif
