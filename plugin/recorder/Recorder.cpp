#include "plugin/recorder/Recorder.h"

#include "runtime/format/Record.h"

#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

namespace instantrace {

Recorder::Recorder(EventFilter Filter, MemoizationMode Memoization,
                   uint64_t GranularityNs, uint64_t StartNs, bool ReadsCounter,
                   ChunkWriter &Chunks, LiveState &Live,
                   const llvm::BumpPtrAllocator *AstAllocator,
                   RecorderClient &Client)
    : Filter(Filter), Memoization(Memoization), GranularityNs(GranularityNs),
      ZeroNs(StartNs), Time(ReadsCounter), Live(Live),
      AstAllocator(AstAllocator), Client(Client), Entities(Client),
      Encoder(Chunks, Entities, Locations) {}

EventCounts Recorder::counts() const {
  EventCounts All = Counts;
  All.Recorded = Encoder.recordCount() + Encoder.unsteadyCount();
  return All;
}

void Recorder::noteWait(uint64_t BeforeNs, uint64_t NowNs) {
  if (NowNs - BeforeNs >= EarlyStepNs)
    Encoder.sawNews(0); // what begins now may be what this one is killed in
  // What was named early until then is off already.
  BeforeNs = std::max(BeforeNs, EarlyUntilNs);
  uint64_t LengthNs = OnProcessor.findWait(BeforeNs, NowNs);
  if (LengthNs == 0)
    return;
  readLineTicks();
  ZeroNs += LengthNs;
  Encoder.wait({roundedToTimeUnit(NowNs - ZeroNs), LengthNs});
}

void Recorder::seeWhatIsDue() {
  if (Entities.idCount() >= NextNaming || Encoder.recordCount() >= NextRecords)
    nameNow(NamingWork::All);
  else if (Locations.size() >= NextLocating)
    nameNow(NamingWork::Locations);
  else if (isEarlyTurn())
    nameEarly();
  else // what is due and cannot be done now is seen again
    Encoder.sawNews(
        std::min(NextRecords, Encoder.recordCount() + RecordsPerLook));
}

/// By the time of the last record, which takes no clock.
bool Recorder::isEarlyTurn() {
  const uint64_t NowNs = Encoder.lastTimeNs();
  if (NowNs >= NextEarlyNs) {
    EarlyTurnsLeft = std::min(
        EarlyTurnsLeft + 1 + (NowNs - NextEarlyNs) / EarlyStepNs, EarlyTurns);
    NextEarlyNs = NowNs + EarlyStepNs;
  }
  return EarlyTurnsLeft != 0;
}

/// No interval may be charged with that: the recorder's time stands still, and
/// what it took passes in the next Profiling. Not quite all of it, since two
/// clocks never agree, and time must not go back.
void Recorder::nameEarly() {
  if (IsNaming || !Encoder.hasOpenChunk())
    return;
  --EarlyTurnsLeft;
  const uint64_t BeforeNs = KernelThreadClock::nowNs();
  {
    llvm::SaveAndRestore<bool> Naming(IsNaming, true);
    Client.nameEntities(NamingWork::Early);
  }
  const uint64_t TookNs = KernelThreadClock::nowNs() - BeforeNs;
  const uint64_t DoubtNs = 4'000 + TookNs / 1024;
  if (TookNs > DoubtNs) {
    readLineTicks();
    const uint64_t LengthNs = roundedToTimeUnit(TookNs - DoubtNs);
    ZeroNs += LengthNs;
    EarlyNs += LengthNs;
    EarlyUntilNs = Time.lastNs() + LengthNs;
  }
  if (EarlyTurnsLeft == 0)
    Encoder.sawNews(NextRecords);
}

void Recorder::nameNow(NamingWork Due) {
  if (IsNaming || !Encoder.hasOpenChunk())
    return;
  llvm::SaveAndRestore<bool> Naming(IsNaming, true);
  Client.nameEntities(Due);
  if (Due == NamingWork::All)
    allNamed();
  else
    NextLocating = Locations.size() + LocationBatch;
}

void Recorder::allNamed() {
  uint32_t Count = Entities.idCount();
  NextNaming =
      Count + std::clamp(Count / BatchPart, SmallestBatch, LargestBatch);
  NextRecords = Encoder.recordCount() + RecordsPerNaming;
  NextLocating = Locations.size() + LocationBatch;
}

[[gnu::always_inline]] inline Recorder::Fate
Recorder::writeBegin(uint64_t TimeNs, const void *Entity, uint32_t RawLocation,
                     Work What) {
  uint64_t Requester = EventEncoder::NoInterval;
  // Who asked, unless that is where it stands anyway.
  if (What.kind() == EventKind::TemplateInstantiation &&
      What.before() == EntityState::Declared) {
    const auto *Asked = QueuedBy.find(Entity);
    if (Asked && Frames.size() > 1 &&
        Asked->second != Frames[Frames.size() - 2].Interval)
      Requester = Asked->second;
  }
  if (LLVM_LIKELY(Encoder.begin(
          {TimeNs, Entity, RawLocation, What.kind(), What.origin()},
          Requester)))
    return Fate::Written;
  ++Counts.Dropped;
  Live.EventsDropped.store(Counts.Dropped, std::memory_order_relaxed);
  return Fate::Dropped;
}

LLVM_ATTRIBUTE_NOINLINE void Recorder::writeHeldBack() {
  Frame &F = Frames.back();
  F.Interval = Encoder.nextInterval();
  F.Record = writeBegin(F.TimeNs, F.Entity, F.RawLocation, F.What);
}

/// Clang says that an error is fatal when the note comes that follows it.
void Recorder::noteError() {
  const bool IsFatal = Errors->hasFatalErrorOccurred();
  if (HasError && !IsFatal)
    return;
  HasError = true;
  if (IsFatal)
    Errors = nullptr;
  if (std::none_of(Frames.begin(), Frames.end(), [](const Frame &F) {
        return isTemplateWork(F.What.kind());
      }))
    return;
  settle();
  if (Frames.back().Record == Fate::Written)
    FailedInside = Frames.back().Interval + 1;
}

void Recorder::push(uint64_t TimeNs, const void *Entity, uint32_t RawLocation,
                    Work What) {
  seeErrors();
  bool IsDropped = false;
  if (LLVM_LIKELY(!Frames.empty())) {
    if (LLVM_UNLIKELY(TimeNs >= LineDueNs) &&
        !isTemplateWork(Frames.back().What.kind()))
      interruptLine(TimeNs, /*ByFile=*/!isTemplateWork(What.kind()));
    settle();
    charge(Frames.back());
    IsDropped = isInsideDropped();
  } else {
    ChargedAstBytes = astBytes();
    ChargedHits = Counts.MemoizedHits;
  }
  Live.AstBytes.store(ChargedAstBytes, std::memory_order_relaxed);
  Frame &F = Frames.emplace_back(TimeNs, Entity, RawLocation, What);
  if (LLVM_UNLIKELY(IsDropped)) {
    F.Record = Fate::Dropped;
    ++Counts.Dropped;
    return;
  }
  if (GranularityNs != 0 && isTemplateWork(What.kind()))
    return;
  F.Interval = Encoder.nextInterval();
  F.Record = writeBegin(TimeNs, Entity, RawLocation, What);
  nameIfDue();
}

void Recorder::beginAt(EventKind Kind, const void *Entity, uint32_t RawLocation,
                       EntityState Before, uint64_t TimeNs) {
  ++Counts.TemplateIntervals;
  push(roundedToTimeUnit(TimeNs), Entity, RawLocation,
       Work(Kind, EntityOrigin::Declaration, Before));
}

void Recorder::interruptLine(uint64_t TimeNs, bool ByFile) {
  uint64_t SinceNs = lineSince(TimeNs);
  if (SinceNs != TimeNs)
    Lines->lineInterrupted(SinceNs, TimeNs, ByFile);
}

/// Whether there is one depends on the machine: it moves nothing of what is the
/// same in each run.
void Recorder::lineWork(EventKind Kind, const void *Declaration,
                        uint32_t RawLocation, uint64_t SinceNs,
                        uint64_t UntilNs) {
  llvm::SaveAndRestore<bool> NoNaming(IsNaming, true);
  startLine(UntilNs);
  uint32_t IdsBefore = Entities.idCount();
  uint64_t RecordsBefore = Encoder.recordCount();
  push(SinceNs, parsedKey(Declaration), RawLocation,
       Work(Kind, EntityOrigin::Parsed, EntityState::Defined));
  pop(EntityState::Defined, UntilNs);
  NextNaming += Entities.idCount() - IdsBefore;
  Encoder.leaveOut(Encoder.recordCount() - RecordsBefore);
}

void Recorder::count(const void *Entity, uint32_t RawLocation,
                     EntityState After, uint64_t TimeNs) {
  {
    llvm::SaveAndRestore<bool> NoNaming(IsNaming, true);
    beginAt(EventKind::TemplateInstantiation, Entity, RawLocation,
            EntityState::Declared, TimeNs);
    endAt(After, TimeNs);
  }
  nameIfDue();
}

void Recorder::beginFile(const void *Key, uint32_t RawLocation) {
  push(
      nowNs(), Key, RawLocation,
      Work(EventKind::FileInclusion, EntityOrigin::File, EntityState::Defined));
}

void Recorder::beginFunction(EventKind Kind, const void *Key,
                             EntityOrigin Origin, uint64_t TimeNs) {
  push(roundedToTimeUnit(TimeNs), Key, 0,
       Work(Kind, Origin, EntityState::Defined));
}

bool Recorder::popUnwritten(uint64_t EndNs, uint64_t AstBytes, uint64_t Hits) {
  Frame &F = Frames.back();
  Frame *Parent = Frames.size() > 1 ? &Frames[Frames.size() - 2] : nullptr;
  if (F.Record == Fate::HeldBack) {
    // Nothing was recorded inside it: a leaf.
    uint64_t DurationNs = EndNs - F.TimeNs;
    if (DurationNs >= GranularityNs || !Parent)
      writeHeldBack();
    if (F.Record == Fate::Written)
      return false;
    if (F.Record == Fate::HeldBack) {
      Parent->ElidedCount += 1;
      Parent->ElidedNs += DurationNs;
      Counts.Elided += 2;
      LastElidedNs = EndNs;
    }
  }
  Counts.Dropped += F.Record == Fate::Dropped;
  if (Parent) { // what is not recorded is its parent's
    Parent->AstBytes += AstBytes;
    Parent->Hits += Hits;
  }
  Frames.pop_back();
  return true;
}

void Recorder::pop(EntityState After, uint64_t EndNs) {
  seeErrors();
  Frame &F = Frames.back();
  uint64_t AstBytesNow = astBytes();
  uint64_t AstBytes = F.AstBytes + (AstBytesNow - ChargedAstBytes);
  uint64_t Hits = F.Hits + (Counts.MemoizedHits - ChargedHits);
  ChargedAstBytes = AstBytesNow;
  ChargedHits = Counts.MemoizedHits;
  if (LLVM_UNLIKELY(F.Record != Fate::Written) &&
      popUnwritten(EndNs, AstBytes, Hits))
    return;
  bool CountsHits = Memoization == MemoizationMode::Count;
  Encoder.end(
      {After == EntityState::Defined && F.What.before() != EntityState::Defined,
       EndNs, AstBytes, CountsHits ? Hits : 0, F.ElidedCount, F.ElidedNs});
  Frames.pop_back();
  nameIfDue();
}

void Recorder::memoizedEvent(const void *Entity, uint32_t RawLocation) {
  settle();
  if (isInsideDropped() || !Encoder.makeRoom()) {
    ++Counts.Dropped;
    return;
  }
  Encoder.instant(EventKind::Memoization, Entity, RawLocation);
  nameIfDue();
}

void Recorder::queued(const void *Function) {
  settle(); // a leaf that asked for a body is worth keeping
  // Known also where nobody can be named who asked: who looks for what is new
  // in the queue looks as far as what is known.
  bool IsRecorded = !Frames.empty() && Frames.back().Record == Fate::Written;
  QueuedBy.insert(Function, IsRecorded ? Frames.back().Interval
                                       : EventEncoder::NoInterval);
}

void Recorder::stop(bool IsIdle) {
  HasStopped = true;
  Filter.Mask = 0;
  stopLines();
  Memoization = MemoizationMode::Off;
  Frames.clear();
  if (!IsIdle)
    return;
  QueuedBy.clear();
  Entities.clear();
  Locations.clear();
}

} // namespace instantrace
