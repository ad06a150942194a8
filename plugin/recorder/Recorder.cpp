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
      StartNs(StartNs), Time(ReadsCounter), Live(Live),
      AstAllocator(AstAllocator), Client(Client), Entities(Client),
      Encoder(Chunks, Entities, Locations) {}

EventCounts Recorder::counts() const {
  EventCounts All = Counts;
  All.Recorded = Encoder.recordCount();
  return All;
}

void Recorder::nameNow(NamingWork Due) {
  if (IsNaming || !Encoder.hasOpenChunk())
    return;
  llvm::SaveAndRestore<bool> Naming(IsNaming, true);
  Client.nameEntities(Due);
  if (Due == NamingWork::All) {
    uint32_t Count = Entities.idCount();
    NextNaming = Count + std::clamp(Count / 8, SmallestBatch, LargestBatch);
    NextRecords = Encoder.recordCount() + RecordsPerNaming;
  }
  NextLocating = Locations.size() + LocationBatch;
}

void Recorder::look(uint64_t NowNs) {
  if (IsNaming)
    return;
  NextLookNs = NowNs + OpenForLongNs;
  Client.lookAtOpen(NowNs);
}

void Recorder::writeBegin(Frame &F) {
  uint64_t Requester = EventEncoder::NoInterval;
  // Who asked, unless that is where it stands anyway.
  if (F.Begin.Kind == EventKind::TemplateInstantiation &&
      F.Before == EntityState::Declared) {
    const auto *Asked = QueuedBy.find(F.Begin.Entity);
    if (Asked && Frames.size() > 1 &&
        Asked->second != Frames[Frames.size() - 2].Interval)
      Requester = Asked->second;
  }
  Counts.TemplateIntervals += isTemplateWork(F.Begin.Kind);
  F.Interval = Encoder.nextInterval();
  if (Encoder.begin(F.Begin, Requester)) {
    F.Record = Frame::Fate::Written;
    return;
  }
  F.Record = Frame::Fate::Dropped;
  ++Counts.Dropped;
  Live.EventsDropped.store(Counts.Dropped, std::memory_order_relaxed);
}

void Recorder::push(const IntervalBegin &Begin, EntityState Before) {
  lookIfDue(Begin.TimeNs);
  Busy Now(*this);
  settle();
  bool IsDropped = isInsideDropped();
  uint64_t AstBytes = astBytes();
  Frame &F = Frames.emplace_back(
      Begin, Before, IsDropped ? Frame::Fate::Dropped : Frame::Fate::HeldBack,
      AstBytes, Counts.MemoizedHits);
  Live.AstBytes.store(AstBytes, std::memory_order_relaxed);
  if (IsDropped) {
    Counts.TemplateIntervals += isTemplateWork(Begin.Kind);
    ++Counts.Dropped;
    return;
  }
  if (GranularityNs != 0 && isTemplateWork(Begin.Kind))
    return;
  writeBegin(F);
  nameIfDue();
}

void Recorder::beginAt(EventKind Kind, const void *Entity, uint32_t RawLocation,
                       EntityState Before, uint64_t TimeNs) {
  push({roundedToTimeUnit(TimeNs), Entity, RawLocation, Kind,
        EntityOrigin::Declaration},
       Before);
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
      {nowNs(), Key, RawLocation, EventKind::FileInclusion, EntityOrigin::File},
      EntityState::Defined);
}

void Recorder::beginFunction(EventKind Kind, const void *Key,
                             EntityOrigin Origin, uint64_t TimeNs) {
  push({roundedToTimeUnit(TimeNs), Key, 0, Kind, Origin}, EntityState::Defined);
}

void Recorder::endAt(EntityState After, uint64_t TimeNs) {
  uint64_t EndNs = roundedToTimeUnit(TimeNs);
  lookIfDue(EndNs);
  Busy Now(*this);
  Frame &F = Frames.back();
  uint64_t AstBytes = astBytes() - F.AstBytesAtBegin;
  uint64_t Hits = Counts.MemoizedHits - F.HitsAtBegin;
  Frame *Parent = Frames.size() > 1 ? &Frames[Frames.size() - 2] : nullptr;
  if (F.Record == Frame::Fate::HeldBack) {
    // Nothing was recorded inside it: a leaf.
    uint64_t DurationNs = EndNs - F.Begin.TimeNs;
    if (DurationNs < GranularityNs && Parent) {
      Parent->ElidedCount += 1;
      Parent->ElidedNs += DurationNs;
      Counts.Elided += 2;
      Counts.TemplateIntervals += 1;
      Frames.pop_back();
      return;
    }
    writeBegin(F);
  }
  if (F.Record == Frame::Fate::Dropped) {
    ++Counts.Dropped;
    Frames.pop_back();
    return;
  }
  IntervalEnd End = {0,
                     EndNs,
                     AstBytes - F.AstBytesOfChildren,
                     Hits - F.HitsOfChildren,
                     F.ElidedCount,
                     F.ElidedNs};
  if (End.AstBytes != 0)
    End.Flags |= EndAstBytes;
  if (End.Memoized != 0 && Memoization == MemoizationMode::Count)
    End.Flags |= EndMemoized;
  if (End.ElidedCount != 0)
    End.Flags |= EndElided;
  if (After == EntityState::Defined && F.Before == EntityState::Declared)
    End.Flags |= EndDefinition;
  Encoder.end(End);
  if (Parent) {
    Parent->AstBytesOfChildren += AstBytes;
    Parent->HitsOfChildren += Hits;
  }
  Frames.pop_back();
  nameIfDue();
}

void Recorder::memoizedEvent(const void *Entity, uint32_t RawLocation) {
  Busy Now(*this);
  settle();
  if (!Encoder.makeRoom() || isInsideDropped()) {
    ++Counts.Dropped;
    return;
  }
  Encoder.instant(EventKind::Memoization, Entity, RawLocation);
  nameIfDue();
}

void Recorder::queued(const void *Function) {
  Busy Now(*this);
  settle(); // a leaf that asked for a body is worth keeping
  // Known also where nobody can be named who asked: who looks for what is new
  // in the queue looks as far as what is known.
  bool IsRecorded =
      !Frames.empty() && Frames.back().Record == Frame::Fate::Written;
  QueuedBy.insert(Function, IsRecorded ? Frames.back().Interval
                                       : EventEncoder::NoInterval);
}

void Recorder::stop(bool IsIdle) {
  HasStopped = true;
  NextLookNs = UINT64_MAX;
  Filter.Mask = 0;
  Memoization = MemoizationMode::Off;
  Frames.clear();
  if (!IsIdle)
    return;
  QueuedBy.clear();
  Entities.clear();
  Locations.clear();
}

} // namespace instantrace
