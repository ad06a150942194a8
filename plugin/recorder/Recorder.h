/// \file
/// Turns begin and end of work into records: times, ids, what belongs to whom.
///
/// Flow:    InstantiationHook, PhaseTracker -> Recorder -> ChunkWriter
/// Leaves:  names, locations and files to the Profiler, which resolves the ids
///          in bulk later
/// Pairing: begin and end match as a stack. Clang begins most specializations
///          twice: once to choose the partial specialization of a class or to
///          declare a function, once for the definition. Both are recorded; the
///          end of the one that completed the definition says so, and that is
///          what counts as an instantiation (docs/design/recording.md)
/// Threads: one; each CompilerInstance has its own recorder
#ifndef INSTANTRACE_PLUGIN_RECORDER_RECORDER_H
#define INSTANTRACE_PLUGIN_RECORDER_RECORDER_H

#include "runtime/format/EventChunk.h"
#include "runtime/format/EventFilter.h"
#include "runtime/format/Record.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/shm/BufferHeader.h"
#include "runtime/shm/ChunkWriter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <vector>

namespace instantrace {

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t monotonicNowNs();

/// Event times are rounded down to this. Reading the clock takes longer, and a
/// record is half a byte shorter in the mean. A power of two.
inline constexpr uint32_t TimeUnitNs = 16;

/// What an event is about: a declaration, or an included file.
struct EntitySlot {
  const void *Key = nullptr;
  uint64_t LastInterval = 0; ///< in which it was met last, plus 1; 0: none
  uint32_t LastLocation = 0; ///< raw encoding, at LastInterval
  uint32_t Id = 0; ///< in the trace; 0 until an event or the end needs one
  bool IsFile = false;
};

/// What the recorder hands work to that is too slow for a callback.
class RecorderClient {
public:
  virtual ~RecorderClient() = default;
  /// A new entity got an id.
  virtual void entityMet(const void *Key, uint32_t Id, bool IsFile) = 0;
  /// Names what has no name yet. Called between events; may record some.
  virtual void nameEntities() = 0;
};

class Recorder {
public:
  /// So many entities at most wait for their names while a compile runs, and so
  /// many lose them when it is killed by SIGKILL.
  static constexpr uint32_t NamingBatch = 256;
  /// The same for locations.
  static constexpr uint32_t LocationBatch = 512;

  /// \p AstAllocator of the compile, which must outlive the recorder, or null.
  Recorder(EventFilter Filter, MemoizationMode Memoization,
           uint64_t GranularityNs, uint64_t StartNs, ChunkWriter &Chunks,
           LiveState &Live, const llvm::BumpPtrAllocator *AstAllocator,
           RecorderClient &Client);

  bool wants(EventKind Kind) const { return Filter.contains(Kind); }
  bool wantsMemoization() const { return Memoization != MemoizationMode::Off; }

  /// Since the start, rounded down to TimeUnitNs.
  uint64_t nowNs() const { return roundedDown(monotonicNowNs() - StartNs); }

  /// Requires: wants(Kind). \p RawLocation is a SourceLocation's raw encoding.
  /// \p IsDefined: the entity has its definition already.
  void begin(EventKind Kind, const void *Entity, uint32_t RawLocation,
             bool IsDefined = true) {
    beginAt(Kind, Entity, RawLocation, IsDefined, nowNs());
  }
  /// Ends the innermost interval. \p IsDefined as for begin().
  void end(bool IsDefined = false) { endAt(IsDefined, nowNs()); }
  /// The same at a time that is over. \p TimeNs is rounded down as by nowNs();
  /// requires that no begin or end was recorded after it.
  void beginAt(EventKind Kind, const void *Entity, uint32_t RawLocation,
               bool IsDefined, uint64_t TimeNs);
  void endAt(bool IsDefined, uint64_t TimeNs);
  /// An instantiation of which is not known how long it took: an interval of no
  /// length. No name is built inside it. \p IsDefined: it made the definition.
  void count(const void *Entity, uint32_t RawLocation, bool IsDefined,
             uint64_t TimeNs);
  void beginFile(const void *Key, uint32_t RawLocation);
  void memoized(const void *Entity, uint32_t RawLocation);

  /// The body of \p Function was put off while the innermost interval was
  /// active. Only the first such call for a function counts.
  void queued(const void *Function);
  bool isQueued(const void *Function) const {
    return QueuedBy.count(Function) != 0;
  }

  size_t depth() const { return Frames.size(); }
  bool isOutsideTemplateWork() const {
    return Frames.empty() || !isTemplateWork(Frames.back().Kind);
  }
  void endDownTo(size_t Depth) {
    while (Frames.size() > Depth)
      end();
  }

  /// Gives ids to memoized entities that no event named. No event that names an
  /// entity may follow in the chunk that is being written.
  void assignRemainingIds();
  /// Adds the hits that are counted beside Hits to it.
  void settleHits();

  // Tables for the Profiler; element i of the first two has id i + 1.
  std::vector<uint32_t> EntitiesInOrder;  ///< slot numbers
  std::vector<uint32_t> LocationsInOrder; ///< raw encodings
  std::vector<EntitySlot> Slots;
  std::vector<uint64_t> Hits; ///< memoized hits of each slot

  uint64_t EventsRecorded = 0, EventsElided = 0, MemoizedHits = 0;
  uint64_t EventsDropped = 0;  ///< for want of a free chunk
  uint64_t TemplateEvents = 0; ///< intervals, recorded or elided
  uint64_t LastTimeNs = 0;     ///< of the last record, since the start

private:
  struct Frame {
    uint64_t BeginNs;
    uint64_t AstBytesAtBegin;
    uint64_t AstBytesOfChildren = 0;
    uint64_t ElidedCount = 0, ElidedNs = 0;
    uint64_t Memoized = 0;
    uint64_t Interval = 0;
    const void *Entity;
    uint32_t RawLocation;
    EventKind Kind;
    bool IsDefined;
    bool IsFile = false;
    bool IsWritten = false;
    bool IsDropped = false; ///< and so is all inside it
  };

  /// The end of a written interval for which there was no room when it came.
  struct DeferredEnd {
    unsigned Flags;
    uint64_t TimeNs, AstBytes, Memoized, ElidedCount, ElidedNs;
  };

  enum class SubjectOf : uint8_t { Interval, File, Instant };

  /// What SlotByKey gave for a key lately, and the hits counted since.
  struct RecentSlot {
    const void *Key;
    uint32_t Slot;
    uint32_t Hits; ///< to be added to Recorder::Hits
  };
  RecentSlot &recentSlot(const void *Key) {
    auto Bits = reinterpret_cast<uintptr_t>(Key); // aligned to 8 at least
    RecentSlot &Recent = RecentSlots[(Bits >> 3 ^ Bits >> 15) % RecentCount];
    if (Recent.Key != Key)
      replaceRecent(Recent, Key);
    return Recent;
  }
  void replaceRecent(RecentSlot &Recent, const void *Key);
  uint32_t slotOf(const void *Key) { return recentSlot(Key).Slot; }
  uint32_t lookUpSlot(const void *Key);
  uint64_t astBytes() const {
    return AstAllocator ? AstAllocator->getBytesAllocated() : 0;
  }
  void push(EventKind Kind, const void *Entity, uint32_t RawLocation,
            bool IsDefined, bool IsFile, uint64_t TimeNs);
  /// Room for a record; null when there is none, and then it is lost.
  uint8_t *reserve();
  bool writeDeferredEnds();
  void startBatch();
  uint8_t *writeEnd(uint8_t *Out, const DeferredEnd &End);
  void writeBegin(Frame &F);
  /// Writes the begin of the innermost interval if it is still held back.
  void settle() {
    if (!Frames.empty() && !Frames.back().IsWritten && !Frames.back().IsDropped)
      writeBegin(Frames.back());
  }
  uint32_t internLocation(uint32_t RawLocation);
  void commit(uint8_t *End) {
    Chunks.commit(End);
    ++EventsRecorded;
  }
  void nameIfDue() {
    if (EntitiesInOrder.size() >= NextNaming ||
        LocationsInOrder.size() >= NextLocating)
      nameNow();
  }
  void nameNow();
  static uint64_t roundedDown(uint64_t TimeNs) {
    return TimeNs & ~uint64_t(TimeUnitNs - 1);
  }
  uint8_t *writeTime(uint8_t *Out, uint64_t TimeNs);
  /// Writes what a record is about: entity and location.
  uint8_t *writeSubject(uint8_t *Out, const void *Entity, uint32_t RawLocation,
                        SubjectOf Record);
  uint8_t *writeLocation(uint8_t *Out, uint32_t RawLocation);

  const EventFilter Filter;
  const MemoizationMode Memoization;
  const uint64_t GranularityNs;
  const uint64_t StartNs;
  ChunkWriter &Chunks;
  LiveState &Live;
  const llvm::BumpPtrAllocator *const AstAllocator;
  RecorderClient &Client;

  llvm::SmallVector<Frame, 64> Frames;
  // Most look-ups are of something met a moment ago; these remember what the
  // maps gave, since the maps outgrow the caches. Keys 0 are never looked up.
  static constexpr size_t RecentCount = 4096;
  RecentSlot RecentSlots[RecentCount] = {};
  std::pair<uint32_t, uint32_t> RecentLocations[RecentCount] = {};
  llvm::DenseMap<const void *, uint32_t> SlotByKey;
  llvm::DenseMap<uint32_t, uint32_t> LocationIds;
  llvm::DenseMap<const void *, uint64_t> QueuedBy; ///< function -> interval
  uint64_t NextInterval = 0;
  BatchStart Batch;
  std::vector<DeferredEnd> DeferredEnds;
  /// Number of entities at which naming is due. Counted in entities alone, and
  /// not in bytes or time: two runs of a compile shall record the same events,
  /// those of naming included.
  size_t NextNaming = NamingBatch;
  size_t NextLocating = LocationBatch; ///< the same for locations
  bool IsNaming = false;
};

} // namespace instantrace

#endif
