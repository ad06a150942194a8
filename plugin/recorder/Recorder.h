/// \file
/// Decides what of begin and end of work becomes a record, and what belongs to
/// whom.
///
/// Flow:    InstantiationHook, PhaseTracker -> Recorder -> EventEncoder
/// Leaves:  the form of records to the EventEncoder; names, locations and files
///          to the NamingPass, which resolves the ids in bulk later
/// Pairing: begin and end match as a stack. Clang begins most specializations
///          twice: once to choose the partial specialization of a class or to
///          declare a function, once for the definition. Both are recorded; the
///          end of the one that completed the definition says so, and that is
///          what counts as an instantiation (docs/design/recording.md)
/// Threads: one; each CompilerInstance has its own recorder
#pragma once

#include "plugin/ClangCompat.h"
#include "plugin/memory/OutOfMemory.h"
#include "plugin/memory/SteadyMap.h"
#include "plugin/recorder/Clock.h"
#include "plugin/recorder/EntityTable.h"
#include "plugin/recorder/EventEncoder.h"
#include "plugin/recorder/LocationTable.h"
#include "runtime/format/EventFilter.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/shm/BufferHeader.h"
#include "runtime/shm/ChunkWriter.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"

#include <algorithm>
#include <cstdint>

namespace instantrace {

/// Whether an entity has its definition. An interval that finds it declared and
/// leaves it defined has instantiated it. DeclaredClass: its definition is
/// never put off.
enum class EntityState : uint8_t { Declared, DeclaredClass, Defined };

constexpr EntityState entityState(bool IsDefined) {
  return IsDefined ? EntityState::Defined : EntityState::Declared;
}

/// What a killed compile would lack: places alone are written more often, since
/// each stands for itself, and names share parts. Early: of what is open, at a
/// moment that depends on the machine, and so without a record.
enum class NamingWork : uint8_t { Locations, All, Early };

/// What the recorder hands work to that is too slow for a callback.
class RecorderClient : public EntityListener {
public:
  /// Names what has no name yet. Called between events; may record some.
  virtual void nameEntities(NamingWork Due) = 0;
  /// Something could not be had that is needed to go on.
  virtual void giveUp() noexcept = 0;
};

/// What knows for which line of the source the parser works.
class LineListener {
public:
  virtual ~LineListener() = default;
  /// It worked outside of template work for so long, on the recorder's clock,
  /// until something else begins: a file, or template work. May record that.
  virtual void lineInterrupted(uint64_t SinceNs, uint64_t UntilNs,
                               bool ByFile) = 0;
};

struct EventCounts {
  uint64_t Recorded = 0;
  uint64_t Elided = 0;
  uint64_t Dropped = 0; ///< for want of a free chunk
  uint64_t MemoizedHits = 0;
  uint64_t TemplateIntervals = 0; ///< recorded, elided or dropped
};

class Recorder {
public:
  /// So many entities wait for their names while a compile runs, and keep their
  /// short ones when it is killed by SIGKILL: a part of all, within limits.
  /// The fewer wait, the more of what naming reads is in no cache any more; and
  /// with 16 to 64, one is named before Clang knows all of its name. So it is
  /// with 96 up to Clang 16, which does not note which arguments are defaults.
  static constexpr bool NotesDefaults = CLANG_VERSION_MAJOR >= 17;
  static constexpr uint32_t BatchPart = NotesDefaults ? 128 : 64;
  static constexpr uint32_t SmallestBatch = NotesDefaults ? 96 : 256;
  static constexpr uint32_t LargestBatch = 1984;
  /// The same where fewer are met.
  static constexpr uint32_t RecordsPerNaming = 16384;
  /// So many locations at most wait, and are lost.
  static constexpr uint32_t LocationBatch = 512;
  /// Each time that so much of the compile's time has passed, what is open is
  /// named early: that is what a killed compile is asked for.
  static constexpr uint64_t EarlyStepNs = 5'000'000;
  /// After a silence, what is met is named at once, as often as such times have
  /// passed, so often at most: what gets slower from step to step is killed in
  /// what it met after one.
  static constexpr uint64_t EarlyTurns = 32;
  /// So many records at most come before somebody looks whether that is due.
  static constexpr uint64_t RecordsPerLook = 256;

  /// \p StartNs: of CLOCK_MONOTONIC. \p AstAllocator of the compile, which must
  /// outlive the recorder, or null.
  Recorder(EventFilter Filter, MemoizationMode Memoization,
           uint64_t GranularityNs, uint64_t StartNs, bool ReadsCounter,
           ChunkWriter &Chunks, LiveState &Live,
           const llvm::BumpPtrAllocator *AstAllocator, RecorderClient &Client);

  bool wants(EventKind Kind) const { return Filter.contains(Kind); }
  bool wantsMemoization() const { return Memoization != MemoizationMode::Off; }

  /// Since the start, without the times in which the thread did not run,
  /// rounded down to TimeUnitNs.
  uint64_t nowNs() {
    uint64_t BeforeNs = Time.lastNs(), MonotonicNs = Time.nowNs();
    if (LLVM_UNLIKELY(ProcessorTime::mayHaveWaited(BeforeNs, MonotonicNs)))
      noteWait(BeforeNs, MonotonicNs);
    return roundedToTimeUnit(MonotonicNs - ZeroNs);
  }
  /// Of the last record.
  uint64_t lastTimeNs() const { return Encoder.lastTimeNs(); }
  /// Of those that are recorded.
  uint64_t nextInterval() const { return Encoder.nextInterval(); }
  uint32_t openIntervals() const { return Encoder.openIntervals(); }
  /// With what the thread waited.
  uint64_t lastWallNs() const { return Encoder.lastWallNs(); }

  // Requires of each begin: wants(Kind). \p RawLocation is a SourceLocation's
  // raw encoding.

  /// A begin of these follows soon: what it looks at first is in no cache.
  void fetchAhead(const void *Entity, uint32_t RawLocation) const {
    Entities.fetchAhead(Entity);
    Encoder.fetchAhead(RawLocation);
  }
  /// An interval of template work about \p Entity, which may be null. \p
  /// Before: Defined as well if the interval can define nothing.
  void begin(EventKind Kind, const void *Entity, uint32_t RawLocation,
             EntityState Before) {
    ++Counts.TemplateIntervals;
    push(nowNs(), Entity, RawLocation,
         Work(Kind, EntityOrigin::Declaration, Before));
  }
  /// An interval about nothing in the source.
  void begin(EventKind Kind) {
    push(nowNs(), nullptr, 0,
         Work(Kind, EntityOrigin::Declaration, EntityState::Defined));
  }
  void beginFile(const void *Key, uint32_t RawLocation);
  /// Of LLVM's work for the function \p Key, null for that on the module, since
  /// \p TimeNs as for beginAt().
  void beginFunction(EventKind Kind, const void *Key, EntityOrigin Origin,
                     uint64_t TimeNs);
  void nameNothingEarly() { NextEarlyNs = UINT64_MAX; }
  /// The client named all that there is, unasked: the next batch begins here.
  void allNamed();
  /// Inside Profiling: the time that early naming took, and that no interval
  /// was charged with, passes now.
  void payEarlyNaming() {
    readLineTicks();
    ZeroNs -= EarlyNs;
    EarlyNs = 0;
  }
  /// Ends the innermost interval.
  void end(EntityState After) { pop(After, nowNs()); }
  /// The same for one that can define nothing.
  void end() { end(EntityState::Declared); }

  /// The same as begin() or end() at a time that is over. \p TimeNs is rounded
  /// down as by nowNs(); requires that no begin or end was recorded after it.
  void beginAt(EventKind Kind, const void *Entity, uint32_t RawLocation,
               EntityState Before, uint64_t TimeNs);
  void endAt(EntityState After, uint64_t TimeNs) {
    pop(After, roundedToTimeUnit(TimeNs));
  }
  /// An instantiation of which is not known how long it took: an interval of no
  /// length. No name is built inside it. \p After: Defined if it made the
  /// definition.
  void count(const void *Entity, uint32_t RawLocation, EntityState After,
             uint64_t TimeNs);
  /// A memoized hit of what was met a moment ago, which is counted with nothing
  /// looked up or made. False: it is for memoized().
  bool countRecentHit(const void *Entity) {
    if (Memoization != MemoizationMode::Count ||
        !Entities.countRecentHit(Entity))
      return false;
    ++Counts.MemoizedHits;
    return true;
  }
  void memoized(const void *Entity, uint32_t RawLocation) {
    ++Counts.MemoizedHits;
    if (Memoization != MemoizationMode::Count)
      return memoizedEvent(Entity, RawLocation);
    if (Entity)
      Entities.countHit(Entity);
  }

  /// The parser begins with another line now. \p LeastNs: what takes less has
  /// no record.
  void watchLines(LineListener &Listener, uint64_t LeastNs) {
    Lines = &Listener;
    LeastLineNs = LeastNs;
    startLine(nowNs());
  }
  /// Begins with the next line if it has worked for this one too shortly, which
  /// the processor's counter says at once. Requires: watchesLines().
  bool skipShortLine() {
    const uint64_t NowTicks = Time.ticks();
    if (NowTicks - LineTicks >= LeastLineTicks)
      return false;
    LineTicks = NowTicks;
    IsLineInTicks = true;
    return true;
  }
  void startLine(uint64_t TimeNs) {
    LineDueNs = TimeNs + LeastLineNs;
    LineTicks = Time.ticks();
    LeastLineTicks = Time.ticksIn(LeastLineNs);
    IsLineInTicks = false;
  }
  bool watchesLines() const { return LineDueNs != UINT64_MAX; }
  /// No line is worked for any more.
  void stopLines() {
    LineDueNs = UINT64_MAX;
    IsLineInTicks = false;
  }
  /// Since when the innermost interval has no other inside, if the parser has
  /// worked long enough for one line until \p TimeNs; otherwise \p TimeNs.
  uint64_t lineSince(uint64_t TimeNs) {
    readLineTicks();
    if (LLVM_LIKELY(TimeNs < LineDueNs) || !isOutsideTemplateWork())
      return TimeNs;
    uint64_t SinceNs =
        std::max({LineDueNs - LeastLineNs, Encoder.lastTimeNs(), LastElidedNs});
    return TimeNs < SinceNs + LeastLineNs ? TimeNs : SinceNs;
  }
  /// Requires: wants(Kind); \p SinceNs is what lineSince() gave for \p UntilNs.
  void lineWork(EventKind Kind, const void *Declaration, uint32_t RawLocation,
                uint64_t SinceNs, uint64_t UntilNs);
  /// A file ends now.
  void interruptLine() {
    if (watchesLines())
      interruptLine(nowNs(), /*ByFile=*/true);
  }

  /// The body of \p Function was put off while the innermost interval was
  /// active, recorded or not. Only the first such call for a function counts.
  void queued(const void *Function);
  bool isQueued(const void *Function) const {
    return QueuedBy.contains(Function) || HasStopped;
  }

  /// Remembers what is innermost when \p Watched reports its first error, or a
  /// fatal one: nothing else is open by the next begin or end. It must outlive
  /// this.
  void watchErrors(const clang::DiagnosticsEngine &Watched) {
    Errors = &Watched;
  }
  /// That interval's number plus 1; 0: there was none in template work.
  uint64_t failedInside() const { return FailedInside; }

  /// Calls \p Take(id) with the entities of recorded intervals that are open,
  /// the innermost first; some more than once.
  template <class Function> void forOpenEntities(Function Take) const {
    for (size_t I = Frames.size(); I-- != 0;)
      if (const Frame &F = Frames[I]; F.Record == Fate::Written && F.Entity)
        Take(Entities.idOf(F.Entity));
  }
  size_t depth() const { return Frames.size(); }
  bool isOutsideTemplateWork() const {
    return Frames.empty() || !isTemplateWork(Frames.back().What.kind());
  }
  void endDownTo(size_t Depth) {
    while (Frames.size() > Depth)
      end();
  }

  const EntityTable &entities() const { return Entities; }
  EntityTable &entities() { return Entities; }
  const LocationTable &locations() const { return Locations; }
  EventCounts counts() const;

  /// Clang may free the AST from now on: what it allocates beyond is charged to
  /// nobody.
  void astIsDone() {
    AstBytesDone = astBytes();
    AstAllocator = nullptr;
  }

  /// What was recorded so far is met no more, and its names are written: gives
  /// the memory back that knows it.
  void forgetMet() {
    Entities.forget();
    Locations.forget();
    QueuedBy.clear();
  }

  /// From now on no kind is wanted, and what was open is forgotten. Gives
  /// memory back if \p IsIdle: nobody is in the middle of a call to this.
  void stop(bool IsIdle);
  RecorderClient &client() const { return Client; }

private:
  /// HeldBack: it may be too short for a record. Dropped: there was no room for
  /// it, and so for nothing inside it.
  enum class Fate : uint8_t { HeldBack, Written, Dropped };
  /// Three bytes in one word, which is passed and kept as it is.
  class Work {
  public:
    Work(EventKind Kind, EntityOrigin Origin, EntityState Before)
        : Bits(static_cast<unsigned>(Kind) |
               static_cast<unsigned>(Origin) << OriginShift |
               static_cast<unsigned>(Before) << BeforeShift) {}
    EventKind kind() const { return static_cast<EventKind>(Bits & 0xff); }
    EntityOrigin origin() const {
      return static_cast<EntityOrigin>(Bits >> OriginShift & 0xff);
    }
    EntityState before() const {
      return static_cast<EntityState>(Bits >> BeforeShift);
    }

  private:
    static constexpr unsigned OriginShift = 8, BeforeShift = 16;
    uint32_t Bits;
  };
  struct Frame {
    Frame(uint64_t TimeNs, const void *Entity, uint32_t RawLocation, Work What)
        : TimeNs(TimeNs), Entity(Entity), RawLocation(RawLocation), What(What) {
    }

    uint64_t TimeNs;
    const void *Entity;
    uint32_t RawLocation;
    Work What;
    // Its own, without those of recorded intervals inside it; what came since
    // the last begin or end is not in them yet.
    uint64_t AstBytes = 0, Hits = 0;
    uint64_t ElidedCount = 0, ElidedNs = 0;
    uint64_t Interval = 0; ///< its number, when written
    Fate Record = Fate::HeldBack;
  };

  uint64_t astBytes() {
    return AstAllocator ? AstBytes.of(*AstAllocator) : AstBytesDone;
  }
  // Times are rounded.
  void push(uint64_t TimeNs, const void *Entity, uint32_t RawLocation,
            Work What);
  void pop(EntityState After, uint64_t TimeNs);
  /// Of the innermost interval; its fate.
  Fate writeBegin(uint64_t TimeNs, const void *Entity, uint32_t RawLocation,
                  Work What);
  void writeHeldBack();
  /// Ends the innermost interval, which is not written, and has its own so
  /// much. False: now it is.
  bool popUnwritten(uint64_t EndNs, uint64_t AstBytes, uint64_t Hits);
  /// What came since the last time is \p Innermost's.
  void charge(Frame &Innermost) {
    uint64_t AstBytes = astBytes(), Hits = Counts.MemoizedHits;
    Innermost.AstBytes += AstBytes - ChargedAstBytes;
    Innermost.Hits += Hits - ChargedHits;
    ChargedAstBytes = AstBytes;
    ChargedHits = Hits;
  }
  void seeErrors() {
    if (LLVM_UNLIKELY(Errors && Errors->hasErrorOccurred()))
      noteError();
  }
  LLVM_ATTRIBUTE_NOINLINE void noteError();
  void memoizedEvent(const void *Entity, uint32_t RawLocation);
  LLVM_ATTRIBUTE_NOINLINE void interruptLine(uint64_t TimeNs, bool ByFile);
  /// The begin of the line on our clock.
  void readLineTicks() {
    if (IsLineInTicks)
      LineDueNs =
          roundedToTimeUnit(Time.nsAt(LineTicks) - ZeroNs) + LeastLineNs;
    IsLineInTicks = false;
  }
  LLVM_ATTRIBUTE_NOINLINE void noteWait(uint64_t BeforeNs, uint64_t NowNs);
  /// Writes the begin of the innermost interval if it is still held back.
  void settle() {
    if (!Frames.empty() && Frames.back().Record == Fate::HeldBack)
      writeHeldBack();
  }
  bool isInsideDropped() const {
    return !Frames.empty() && Frames.back().Record == Fate::Dropped;
  }
  void nameIfDue() {
    if (Encoder.hasNews())
      seeWhatIsDue();
  }
  LLVM_ATTRIBUTE_NOINLINE void seeWhatIsDue();
  bool isEarlyTurn();
  void nameNow(NamingWork Due);
  void nameEarly();
  EventFilter Filter;
  MemoizationMode Memoization;
  const uint64_t GranularityNs;
  uint64_t ZeroNs; ///< of the monotonic clock, for which nowNs() gives 0
  Clock Time;
  ProcessorTime OnProcessor;
  LiveState &Live;
  const llvm::BumpPtrAllocator *AstAllocator; ///< null after astIsDone()
  AllocatedBytes AstBytes;
  uint64_t AstBytesDone = 0;
  RecorderClient &Client;

  LineListener *Lines = nullptr;
  uint64_t LeastLineNs = 0, LeastLineTicks = 0;
  uint64_t LineTicks = 0;     ///< when the line began
  bool IsLineInTicks = false; ///< and by LineDueNs an earlier one
  uint64_t LastElidedNs = 0;  ///< end of the last interval without a record

  // What each event takes is together, and before the tables.
  /// When the line has taken long enough, or an earlier one.
  uint64_t LineDueNs = UINT64_MAX;
  EventCounts Counts; ///< but those of Encoder
  // Of all so far, what is charged to an interval.
  uint64_t ChargedAstBytes = 0, ChargedHits = 0;
  /// Number of entities at which naming is due. Counted, and no matter of bytes
  /// or time: two runs of a compile shall record the same events, those of
  /// naming included.
  size_t NextNaming = SmallestBatch;
  uint64_t NextRecords = RecordsPerNaming; ///< of records
  size_t NextLocating = LocationBatch;     ///< of locations
  uint64_t NextEarlyNs = EarlyStepNs;      ///< when the next turn is earned
  uint64_t EarlyTurnsLeft = 0;
  uint64_t EarlyNs = 0;      ///< of early naming, not in nowNs() yet
  uint64_t EarlyUntilNs = 0; ///< of the monotonic clock, when the last was over
  bool IsNaming = false;
  bool HasStopped = false;
  bool HasError = false;
  const clang::DiagnosticsEngine *Errors = nullptr; ///< until a fatal one
  uint64_t FailedInside = 0;

  /// Function -> interval, EventEncoder::NoInterval for none that is recorded.
  SteadyMap<const void *, uint64_t> QueuedBy;
  llvm::SmallVector<Frame, 64> Frames;
  EntityTable Entities;
  LocationTable Locations;
  EventEncoder Encoder;
};

} // namespace instantrace
