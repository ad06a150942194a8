#include "plugin/recorder/EventEncoder.h"

#include "plugin/recorder/Clock.h"
#include "runtime/base/Varint.h"
#include "runtime/format/Record.h"

namespace instantrace {

namespace {

uint8_t *writeHead(uint8_t *Out, RecordOp Op, EventKind Kind) {
  return writeVarint(Out, static_cast<unsigned>(Kind) << RecordOpBits |
                              static_cast<unsigned>(Op));
}

uint8_t *writeEndHead(uint8_t *Out, unsigned Flags) {
  static_assert(EndFlagLimit << RecordOpBits <= 0x80);
  *Out = static_cast<uint8_t>(Flags << RecordOpBits |
                              static_cast<unsigned>(RecordOp::End));
  return Out + 1;
}

} // namespace

uint32_t EventEncoder::locationId(uint32_t RawLocation) {
  auto &Recent = RecentLocations[RawLocation % RecentCount];
  if (Recent.first != RawLocation)
    Recent = {RawLocation, Locations.idOf(RawLocation)};
  return Recent.second;
}

uint8_t *EventEncoder::writeTime(uint8_t *Out, uint64_t TimeNs) {
  Out = writeVarint(Out, (TimeNs - LastTimeNs) / TimeUnitNs);
  LastTimeNs = TimeNs;
  return Out;
}

uint8_t *EventEncoder::writeSubject(uint8_t *Out, const void *Key,
                                    EntityOrigin Origin, uint32_t RawLocation,
                                    RecordForm Form) {
  if (!Key)
    return writeLocation(writeVarint(Out, 0), RawLocation);
  EntityTable::Slot Place = Entities.slotOf(Key);
  const Entity &Known = Entities[Place];
  bool IsLocationKnown = false;
  if (Known.Id == 0) {
    Entities.giveId(Place, Origin);
    Out = writeVarint(Out, NewReference);
  } else if (Known.LastInterval > Batch.Interval) {
    // Met in this batch: say where, and often that is where it stands again.
    uint64_t Back = NextInterval - Known.LastInterval;
    IsLocationKnown = Known.LastLocation == RawLocation;
    unsigned Bits = (IsLocationKnown ? SameLocation : 0) | EntityOfInterval;
    Out = writeVarint(Out, FirstBackReference + (Back << 2 | Bits));
  } else {
    uint64_t Distance = Entities.idCount() - Known.Id;
    Out = writeVarint(Out, FirstBackReference + (Distance << 1));
  }
  if (Form == RecordForm::Interval)
    Entities.noteUse(Place, NextInterval, RawLocation);
  return IsLocationKnown ? Out : writeLocation(Out, RawLocation);
}

uint8_t *EventEncoder::writeLocation(uint8_t *Out, uint32_t RawLocation) {
  if (RawLocation == 0)
    return writeVarint(Out, 0);
  uint32_t Next = Locations.size() + 1;
  uint32_t Id = locationId(RawLocation);
  return writeVarint(Out, Id == Next ? NewReference : Next - Id + NewReference);
}

uint8_t *EventEncoder::startBatch(uint8_t *Out) {
  Batch.TimeNs = LastTimeNs;
  Batch.Interval = NextInterval;
  Batch.Entity = Entities.idCount() + 1;
  Batch.Location = Locations.size() + 1;
  Batch.Depth = OpenIntervals;
  return writeEventChunkStart(Out, Batch);
}

void EventEncoder::commitEnd(uint8_t *Out, const IntervalEnd &End) {
  Out = writeEndHead(Out, End.Flags);
  Out = writeTime(Out, End.TimeNs);
  if (End.Flags & EndAstBytes)
    Out = writeVarint(Out, End.AstBytes);
  if (End.Flags & EndMemoized)
    Out = writeVarint(Out, End.Memoized);
  if (End.Flags & EndElided) {
    Out = writeVarint(Out, End.ElidedCount);
    Out = writeVarint(Out, End.ElidedNs);
  }
  --OpenIntervals;
  commit(Out);
}

bool EventEncoder::writeWaitingEnds() {
  size_t Written = 0;
  for (const IntervalEnd &End : WaitingEnds) {
    uint8_t *Out = reserveBehindEnds();
    if (!Out)
      break;
    commitEnd(Out, End);
    ++Written;
  }
  WaitingEnds.erase(WaitingEnds.begin(),
                    WaitingEnds.begin() + static_cast<ptrdiff_t>(Written));
  return WaitingEnds.empty();
}

bool EventEncoder::begin(const IntervalBegin &Begin, uint64_t Requester) {
  uint8_t *Out = reserve();
  if (!Out)
    return false;
  RecordOp Op =
      Requester == NoInterval ? RecordOp::Begin : RecordOp::BeginRequested;
  Out = writeHead(Out, Op, Begin.Kind);
  Out = writeTime(Out, Begin.TimeNs);
  Out = writeSubject(Out, Begin.Entity, Begin.Origin, Begin.RawLocation,
                     RecordForm::Interval);
  if (Requester != NoInterval)
    Out = writeVarint(Out, NextInterval - Requester);
  ++NextInterval;
  ++OpenIntervals;
  commit(Out);
  return true;
}

void EventEncoder::end(const IntervalEnd &End) {
  if (uint8_t *Out = reserve())
    commitEnd(Out, End);
  else
    WaitingEnds.push_back(End); // its begin is in the trace
}

void EventEncoder::instant(EventKind Kind, const void *Entity,
                           uint32_t RawLocation) {
  uint8_t *Out = reserve();
  Out = writeHead(Out, RecordOp::Instant, Kind);
  // Without a clock of its own: as late as the event before it.
  Out = writeTime(Out, LastTimeNs);
  Out = writeSubject(Out, Entity, EntityOrigin::Declaration, RawLocation,
                     RecordForm::Instant);
  commit(Out);
}

} // namespace instantrace
