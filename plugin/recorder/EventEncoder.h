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
#pragma once

#include "plugin/recorder/Clock.h"
#include "plugin/recorder/EntityTable.h"
#include "plugin/recorder/LocationTable.h"
#include "plugin/recorder/ProcessorTime.h"
#include "runtime/base/Varint.h"
#include "runtime/format/EventChunk.h"
#include "runtime/format/EventKind.h"
#include "runtime/format/Record.h"
#include "runtime/shm/ChunkWriter.h"

#include "llvm/Support/Compiler.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace instantrace {

// Times are since the start of the recording, without waits, and multiples of
// TimeUnitNs.

struct IntervalBegin {
  uint64_t TimeNs;
  const void *Entity;   ///< key in the EntityTable; null: none
  uint32_t RawLocation; ///< of a SourceLocation; 0: none
  EventKind Kind;
  EntityOrigin Origin = EntityOrigin::Declaration;
};

/// What is 0 is not written.
struct IntervalEnd {
  bool IsDefinition;
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
  /// It comes before the first record that is not earlier. Requires: later than
  /// all others.
  void wait(const Wait &W) {
    Waits.push_back(W);
    NextWaitNs = Waits.front().TimeNs;
  }
  /// At the time of the record before it. Requires: makeRoom().
  void instant(EventKind Kind, const void *Entity, uint32_t RawLocation);
  /// Writes ends that wait for room. False: there is none for another record.
  /// Otherwise that must follow.
  bool makeRoom() { return reserveBehindEnds() != nullptr; }

  void fetchAhead(uint32_t RawLocation) const {
    __builtin_prefetch(&RecentLocations[RawLocation % RecentCount]);
  }
  /// The number of the interval that begins next.
  uint64_t nextInterval() const { return NextInterval; }
  /// After the last record.
  uint32_t openIntervals() const { return OpenIntervals; }
  /// Without those that are not the same in each run.
  uint64_t recordCount() const { return RecordCount; }
  uint64_t unsteadyCount() const { return UnsteadyCount; }
  /// The last \p Records are not the same in each run.
  void leaveOut(uint64_t Records) {
    RecordCount -= Records;
    UnsteadyCount += Records;
  }
  /// An entity or a location has got its id, or there are as many records as
  /// sawNews() was told, since that was called last.
  bool hasNews() const { return RecordCount >= RecordsOfNews; }
  void sawNews(uint64_t NextRecords) { RecordsOfNews = NextRecords; }
  /// Of the last record.
  uint64_t lastTimeNs() const { return LastTimeNs; }
  uint64_t lastWallNs() const { return LastTimeNs + WaitedNs; }
  bool hasOpenChunk() const { return Chunks.isOpen(); }

private:
  /// What a record is about, as it is written.
  struct Subject {
    uint64_t Entity, Location;
    bool HasLocation;
    EntityTable::Slot Place; ///< if there is an entity
  };

  /// Room for a record, which must be written then; null when there is none.
  uint8_t *reserve() {
    // No chunk that is open has ends waiting for it, or no batch begun.
    if (LLVM_LIKELY(Chunks.hasRoom()))
      return Chunks.reserved();
    return reserveBehindEnds();
  }
  /// The same if ends wait, a chunk is full, or none was written to yet.
  LLVM_ATTRIBUTE_NOINLINE uint8_t *reserveBehindEnds();
  uint8_t *reserveInChunk();
  uint8_t *startBatch(uint8_t *Out);
  bool writeWaitingEnds();
  void commit(uint8_t *End, uint64_t TimeNs) {
    Chunks.commit(End);
    LastTimeNs = TimeNs;
    ++RecordCount;
  }
  LLVM_ATTRIBUTE_NOINLINE void writeWaits(uint64_t UntilNs);
  void commitEnd(uint8_t *Out, const IntervalEnd &End);
  /// By value: what others refer to is in memory, also where nothing waits.
  LLVM_ATTRIBUTE_NOINLINE void keepWaiting(IntervalEnd End);
  Subject subject(const void *Key, EntityOrigin Origin, uint32_t RawLocation);
  static uint8_t *writeHead(uint8_t *Out, EventKind Kind, RecordOp Op) {
    unsigned Head =
        static_cast<unsigned>(Kind) << RecordOpBits | static_cast<unsigned>(Op);
    if (LLVM_UNLIKELY(Head > 0x7f)) // of phases, files and LLVM's work
      return writeVarint(Out, Head);
    *Out = static_cast<uint8_t>(Head);
    return Out + 1;
  }
  static uint8_t *writeSubject(uint8_t *Out, const Subject &S) {
    Out = writeVarint(Out, S.Entity);
    return S.HasLocation ? writeVarint(Out, S.Location) : Out;
  }
  LLVM_ATTRIBUTE_NOINLINE uint64_t firstReference(EntityTable::Slot Place,
                                                  EntityOrigin Origin,
                                                  uint32_t RawLocation);
  uint64_t locationReference(uint32_t RawLocation);
  LLVM_ATTRIBUTE_NOINLINE uint32_t lookUpLocation(uint32_t RawLocation);

  ChunkWriter &Chunks;
  EntityTable &Entities;
  LocationTable &Locations;
  BatchStart Batch;
  uint64_t NextInterval = 0;
  uint64_t LastTimeNs = 0;          ///< of the last record
  uint64_t WaitedNs = 0;            ///< that were written
  uint64_t NextWaitNs = UINT64_MAX; ///< when one is to be written
  uint64_t RecordCount = 0;
  uint64_t RecordsOfNews = 0; ///< 0: there are some
  uint32_t OpenIntervals = 0; ///< for a decoder, which lacks the ends that wait
  std::vector<IntervalEnd> WaitingEnds;
  std::vector<Wait> Waits;    ///< that are not written, in their order
  uint64_t UnsteadyCount = 0; ///< records beside RecordCount
  /// What Locations gave lately, as EntityTable has it for entities.
  static constexpr size_t RecentCount = 1024;
  std::pair<uint32_t, uint32_t> RecentLocations[RecentCount] = {};
};

// What follows is inlined into the recorder, where nearly all of its time goes.
// Whatever is written through Out may change any number in memory, as far as
// the compiler knows; so all are read before the first byte is written. What
// allocates, and so may not return, comes before anything changes but ids.

[[gnu::always_inline]] inline uint64_t
EventEncoder::locationReference(uint32_t RawLocation) {
  if (RawLocation == 0)
    return 0;
  const auto &Recent = RecentLocations[RawLocation % RecentCount];
  uint32_t Next = Locations.size() + 1;
  uint32_t Id = LLVM_LIKELY(Recent.first == RawLocation)
                    ? Recent.second
                    : lookUpLocation(RawLocation);
  return Next - Id + NewReference; // NewReference if it is new
}

[[gnu::always_inline]] inline EventEncoder::Subject
EventEncoder::subject(const void *Key, EntityOrigin Origin,
                      uint32_t RawLocation) {
  if (!Key)
    return {0, locationReference(RawLocation), true, 0};
  Subject S{0, 0, true, Entities.slotOf(Key)};
  const Entity &Known = Entities[S.Place];
  if (LLVM_UNLIKELY(Known.Id == 0)) {
    S.Entity = firstReference(S.Place, Origin, RawLocation);
  } else if (Known.LastInterval > Batch.Interval) {
    // Met in this batch: say where, and often that is where it stands again.
    uint64_t Back = NextInterval - Known.LastInterval;
    S.HasLocation = Known.LastLocation != RawLocation;
    unsigned Bits = (S.HasLocation ? 0 : SameLocation) | EntityOfInterval;
    S.Entity = FirstBackReference + (Back << 2 | Bits);
  } else {
    uint64_t Distance = Entities.idCount() - Known.Id;
    S.Entity = FirstBackReference + (Distance << 1);
  }
  if (S.HasLocation)
    S.Location = locationReference(RawLocation);
  return S;
}

[[gnu::always_inline]] inline bool
EventEncoder::begin(const IntervalBegin &Begin, uint64_t Requester) {
  if (LLVM_UNLIKELY(Begin.TimeNs >= NextWaitNs))
    writeWaits(Begin.TimeNs);
  uint8_t *Out = reserve();
  if (LLVM_UNLIKELY(!Out))
    return false;
  Subject About = subject(Begin.Entity, Begin.Origin, Begin.RawLocation);
  if (Begin.Entity) {
    Entity &Known = Entities.at(About.Place);
    Known.LastInterval = NextInterval + 1;
    Known.LastLocation = Begin.RawLocation;
  }
  uint64_t Asked = NextInterval - Requester;
  RecordOp Op =
      Requester == NoInterval ? RecordOp::Begin : RecordOp::BeginRequested;
  uint64_t Units = (Begin.TimeNs - LastTimeNs) / TimeUnitNs;
  Out = writeHead(Out, Begin.Kind, Op);
  Out = writeVarint(Out, Units);
  Out = writeSubject(Out, About);
  if (LLVM_UNLIKELY(Op == RecordOp::BeginRequested))
    Out = writeVarint(Out, Asked);
  ++NextInterval;
  ++OpenIntervals;
  commit(Out, Begin.TimeNs);
  return true;
}

[[gnu::always_inline]] inline void
EventEncoder::commitEnd(uint8_t *Out, const IntervalEnd &End) {
  static_assert(EndFlagLimit << RecordOpBits <= 0x80);
  unsigned Flags = (End.AstBytes != 0 ? EndAstBytes : 0) |
                   (End.Memoized != 0 ? EndMemoized : 0) |
                   (End.ElidedCount != 0 ? EndElided : 0) |
                   (End.IsDefinition ? EndDefinition : 0);
  uint64_t Units = (End.TimeNs - LastTimeNs) / TimeUnitNs;
  *Out++ = static_cast<uint8_t>(Flags << RecordOpBits |
                                static_cast<unsigned>(RecordOp::End));
  Out = writeVarint(Out, Units);
  if (End.AstBytes != 0)
    Out = writeVarint(Out, End.AstBytes);
  if (End.Memoized != 0)
    Out = writeVarint(Out, End.Memoized);
  if (LLVM_UNLIKELY(End.ElidedCount != 0)) {
    Out = writeVarint(Out, End.ElidedCount);
    Out = writeVarint(Out, End.ElidedNs);
  }
  --OpenIntervals;
  commit(Out, End.TimeNs);
}

[[gnu::always_inline]] inline void EventEncoder::end(const IntervalEnd &End) {
  if (LLVM_UNLIKELY(End.TimeNs >= NextWaitNs))
    writeWaits(End.TimeNs);
  if (uint8_t *Out = reserve(); LLVM_LIKELY(Out != nullptr))
    commitEnd(Out, End);
  else
    keepWaiting(End);
}

} // namespace instantrace
