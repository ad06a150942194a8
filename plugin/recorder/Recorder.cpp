#include "plugin/recorder/Recorder.h"

#include "runtime/base/Varint.h"

#include <ctime>

namespace instantrace {

uint64_t monotonicNowNs() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

Recorder::Recorder(EventFilter Filter, MemoizationMode Memoization,
                   uint64_t GranularityNs, uint64_t StartNs,
                   ChunkWriter &Chunks, LiveState &Live,
                   const llvm::BumpPtrAllocator *AstAllocator,
                   RecorderClient &Client)
    : Filter(Filter), Memoization(Memoization), GranularityNs(GranularityNs),
      StartNs(StartNs), Chunks(Chunks), Live(Live), AstAllocator(AstAllocator),
      Client(Client) {}

void Recorder::replaceRecent(RecentSlot &Recent, const void *Key) {
  if (Recent.Hits != 0)
    Hits[Recent.Slot] += Recent.Hits;
  Recent = {Key, lookUpSlot(Key), 0};
}

uint32_t Recorder::lookUpSlot(const void *Key) {
  auto [It, IsNew] =
      SlotByKey.try_emplace(Key, static_cast<uint32_t>(Slots.size()));
  if (IsNew) {
    Slots.emplace_back();
    Slots.back().Key = Key;
    Hits.push_back(0);
  }
  return It->second;
}

uint32_t Recorder::internLocation(uint32_t RawLocation) {
  if (RawLocation == 0)
    return 0;
  auto &Recent = RecentLocations[RawLocation % RecentCount];
  if (Recent.first == RawLocation)
    return Recent.second;
  auto [It, IsNew] = LocationIds.try_emplace(
      RawLocation, static_cast<uint32_t>(LocationsInOrder.size() + 1));
  if (IsNew)
    LocationsInOrder.push_back(RawLocation);
  Recent = {RawLocation, It->second};
  return It->second;
}

uint8_t *Recorder::writeTime(uint8_t *Out, uint64_t TimeNs) {
  Out = writeVarint(Out, (TimeNs - LastTimeNs) / TimeUnitNs);
  LastTimeNs = TimeNs;
  return Out;
}

uint8_t *Recorder::writeSubject(uint8_t *Out, const void *Entity,
                                uint32_t RawLocation, SubjectOf Record) {
  if (!Entity)
    return writeLocation(writeVarint(Out, 0), RawLocation);
  EntitySlot &Slot = Slots[slotOf(Entity)];
  bool IsLocationKnown = false;
  if (Slot.Id == 0) {
    EntitiesInOrder.push_back(static_cast<uint32_t>(&Slot - Slots.data()));
    Slot.Id = static_cast<uint32_t>(EntitiesInOrder.size());
    Slot.IsFile = Record == SubjectOf::File;
    Client.entityMet(Slot.Key, Slot.Id, Slot.IsFile);
    Out = writeVarint(Out, NewReference);
  } else if (Slot.LastInterval > Batch.Interval) {
    // Met in this batch: say where, and often that is where it stands again.
    uint64_t Back = NextInterval - Slot.LastInterval;
    IsLocationKnown = Slot.LastLocation == RawLocation;
    Out =
        writeVarint(Out, FirstBackReference +
                             (Back << 2 | (IsLocationKnown ? SameLocation : 0) |
                              EntityOfInterval));
  } else {
    uint64_t Distance = EntitiesInOrder.size() - Slot.Id;
    Out = writeVarint(Out, FirstBackReference + (Distance << 1));
  }
  if (Record != SubjectOf::Instant) {
    Slot.LastInterval = NextInterval + 1;
    Slot.LastLocation = RawLocation;
  }
  return IsLocationKnown ? Out : writeLocation(Out, RawLocation);
}

uint8_t *Recorder::writeLocation(uint8_t *Out, uint32_t RawLocation) {
  if (RawLocation == 0)
    return writeVarint(Out, 0);
  auto Next = static_cast<uint32_t>(LocationsInOrder.size() + 1);
  uint32_t Id = internLocation(RawLocation);
  return writeVarint(Out, Id == Next ? NewReference : Next - Id + NewReference);
}

void Recorder::startBatch() {
  Batch.TimeNs = LastTimeNs;
  Batch.Interval = NextInterval;
  Batch.Entity = static_cast<uint32_t>(EntitiesInOrder.size() + 1);
  Batch.Location = static_cast<uint32_t>(LocationsInOrder.size() + 1);
  Batch.Depth = static_cast<uint32_t>(DeferredEnds.size());
  // An interval whose begin is held back is not open for a decoder yet.
  for (const Frame &F : Frames)
    Batch.Depth += F.IsWritten;
}

uint8_t *Recorder::reserve() {
  if (!DeferredEnds.empty() && !writeDeferredEnds())
    return nullptr;
  uint8_t *Out = Chunks.reserve();
  if (Out && Chunks.isAtChunkStart()) {
    startBatch();
    Out = writeEventChunkStart(Out, Batch);
  }
  return Out;
}

bool Recorder::writeDeferredEnds() {
  std::vector<DeferredEnd> Ends;
  Ends.swap(DeferredEnds);
  for (size_t I = 0; I != Ends.size(); ++I) {
    // The ones that are left are still open for a decoder.
    DeferredEnds.assign(Ends.begin() + static_cast<ptrdiff_t>(I), Ends.end());
    uint8_t *Out = Chunks.reserve();
    if (!Out)
      return false;
    if (Chunks.isAtChunkStart()) {
      startBatch();
      Out = writeEventChunkStart(Out, Batch);
    }
    commit(writeEnd(Out, Ends[I]));
  }
  DeferredEnds.clear();
  return true;
}

void Recorder::nameNow() {
  if (IsNaming || !Chunks.isOpen())
    return;
  IsNaming = true;
  Client.nameEntities();
  NextNaming = EntitiesInOrder.size() + NamingBatch;
  NextLocating = LocationsInOrder.size() + LocationBatch;
  IsNaming = false;
}

void Recorder::writeBegin(Frame &F) {
  uint8_t *Out = reserve();
  if (!Out) {
    F.IsDropped = true;
    TemplateEvents += isTemplateWork(F.Kind);
    ++EventsDropped;
    Live.EventsDropped.store(EventsDropped, std::memory_order_relaxed);
    return;
  }
  F.Interval = NextInterval;
  F.IsWritten = true;
  RecordOp Op = RecordOp::Begin;
  uint64_t Requester = 0;
  // Who asked, unless that is where it stands anyway.
  if (F.Kind == EventKind::TemplateInstantiation && !F.IsDefined) {
    auto Asked = QueuedBy.find(F.Entity);
    if (Asked != QueuedBy.end() && Frames.size() > 1 &&
        Asked->second != Frames[Frames.size() - 2].Interval) {
      Op = RecordOp::BeginRequested;
      Requester = F.Interval - Asked->second;
    }
  }
  Out = writeVarint(Out, static_cast<unsigned>(F.Kind) << RecordOpBits |
                             static_cast<unsigned>(Op));
  Out = writeTime(Out, F.BeginNs);
  Out = writeSubject(Out, F.Entity, F.RawLocation,
                     F.IsFile ? SubjectOf::File : SubjectOf::Interval);
  ++NextInterval;
  if (Op == RecordOp::BeginRequested)
    Out = writeVarint(Out, Requester);
  commit(Out);
  TemplateEvents += isTemplateWork(F.Kind);
}

void Recorder::push(EventKind Kind, const void *Entity, uint32_t RawLocation,
                    bool IsDefined, bool IsFile, uint64_t TimeNs) {
  settle();
  Frame F;
  F.AstBytesAtBegin = astBytes();
  Live.AstBytes.store(F.AstBytesAtBegin, std::memory_order_relaxed);
  F.Entity = Entity;
  F.RawLocation = RawLocation;
  F.Kind = Kind;
  F.IsDefined = IsDefined;
  F.IsFile = IsFile;
  F.IsDropped = !Frames.empty() && Frames.back().IsDropped;
  F.BeginNs = roundedDown(TimeNs);
  Frames.push_back(F);
  if (F.IsDropped) {
    TemplateEvents += isTemplateWork(Kind);
    ++EventsDropped;
    return;
  }
  if (GranularityNs != 0 && isTemplateWork(Kind))
    return;
  writeBegin(Frames.back());
  nameIfDue();
}

void Recorder::beginAt(EventKind Kind, const void *Entity, uint32_t RawLocation,
                       bool IsDefined, uint64_t TimeNs) {
  push(Kind, Entity, RawLocation, IsDefined, /*IsFile=*/false, TimeNs);
}

void Recorder::count(const void *Entity, uint32_t RawLocation, bool IsDefined,
                     uint64_t TimeNs) {
  bool WasNaming = IsNaming;
  IsNaming = true;
  beginAt(EventKind::TemplateInstantiation, Entity, RawLocation,
          /*IsDefined=*/false, TimeNs);
  endAt(IsDefined, TimeNs);
  IsNaming = WasNaming;
  nameIfDue();
}

void Recorder::beginFile(const void *Key, uint32_t RawLocation) {
  push(EventKind::FileInclusion, Key, RawLocation, true, /*IsFile=*/true,
       nowNs());
}

void Recorder::endAt(bool IsDefined, uint64_t TimeNs) {
  uint64_t EndNs = roundedDown(TimeNs);
  Frame &F = Frames.back();
  uint64_t AstBytes = astBytes() - F.AstBytesAtBegin;
  Frame *Parent = Frames.size() > 1 ? &Frames[Frames.size() - 2] : nullptr;
  if (!F.IsWritten && !F.IsDropped) {
    // Nothing was recorded inside it: a leaf.
    uint64_t DurationNs = EndNs - F.BeginNs;
    if (DurationNs < GranularityNs && Parent) {
      Parent->ElidedCount += 1;
      Parent->ElidedNs += DurationNs;
      Parent->Memoized += F.Memoized;
      EventsElided += 2;
      TemplateEvents += 1;
      Frames.pop_back();
      return;
    }
    writeBegin(F);
  }
  if (F.IsDropped) {
    ++EventsDropped;
    if (Parent)
      Parent->Memoized += F.Memoized;
    Frames.pop_back();
    return;
  }
  DeferredEnd End = {0,          EndNs,         AstBytes - F.AstBytesOfChildren,
                     F.Memoized, F.ElidedCount, F.ElidedNs};
  if (End.AstBytes != 0)
    End.Flags |= EndAstBytes;
  if (End.Memoized != 0 && Memoization == MemoizationMode::Count)
    End.Flags |= EndMemoized;
  if (End.ElidedCount != 0)
    End.Flags |= EndElided;
  if (IsDefined && !F.IsDefined)
    End.Flags |= EndDefinition;
  if (uint8_t *Out = reserve())
    commit(writeEnd(Out, End));
  else
    DeferredEnds.push_back(End); // its begin is in the trace
  if (Parent)
    Parent->AstBytesOfChildren += AstBytes;
  Frames.pop_back();
  nameIfDue();
}

uint8_t *Recorder::writeEnd(uint8_t *Out, const DeferredEnd &End) {
  Out = writeVarint(Out, End.Flags << RecordOpBits |
                             static_cast<unsigned>(RecordOp::End));
  Out = writeTime(Out, End.TimeNs);
  if (End.Flags & EndAstBytes)
    Out = writeVarint(Out, End.AstBytes);
  if (End.Flags & EndMemoized)
    Out = writeVarint(Out, End.Memoized);
  if (End.Flags & EndElided) {
    Out = writeVarint(Out, End.ElidedCount);
    Out = writeVarint(Out, End.ElidedNs);
  }
  return Out;
}

void Recorder::memoized(const void *Entity, uint32_t RawLocation) {
  ++MemoizedHits;
  if (Memoization == MemoizationMode::Count) {
    if (!Frames.empty())
      ++Frames.back().Memoized;
    if (!Entity)
      return;
    RecentSlot &Recent = recentSlot(Entity);
    if (++Recent.Hits == UINT32_MAX)
      replaceRecent(Recent, Entity);
    return;
  }
  settle();
  uint8_t *Out = reserve();
  if (!Out || (!Frames.empty() && Frames.back().IsDropped)) {
    ++EventsDropped;
    return;
  }
  Out = writeVarint(Out, static_cast<unsigned>(EventKind::Memoization)
                                 << RecordOpBits |
                             static_cast<unsigned>(RecordOp::Instant));
  // Without a clock of its own: a hit is as late as the event before it.
  Out = writeTime(Out, LastTimeNs);
  Out = writeSubject(Out, Entity, RawLocation, SubjectOf::Instant);
  commit(Out);
  nameIfDue();
}

void Recorder::queued(const void *Function) {
  if (Frames.empty())
    return;
  settle(); // a leaf that asked for a body is worth keeping
  if (Frames.back().IsWritten)
    QueuedBy.try_emplace(Function, Frames.back().Interval);
}

void Recorder::settleHits() {
  for (RecentSlot &Recent : RecentSlots)
    if (Recent.Hits != 0)
      replaceRecent(Recent, Recent.Key);
}

void Recorder::assignRemainingIds() {
  settleHits();
  for (uint32_t I = 0; I != Slots.size(); ++I) {
    if (Slots[I].Id != 0 || Hits[I] == 0)
      continue;
    EntitiesInOrder.push_back(I);
    Slots[I].Id = static_cast<uint32_t>(EntitiesInOrder.size());
  }
}

} // namespace instantrace
