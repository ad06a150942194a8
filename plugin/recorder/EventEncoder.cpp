#include "plugin/recorder/EventEncoder.h"

namespace instantrace {

uint64_t EventEncoder::firstReference(EntityTable::Slot Place,
                                      EntityOrigin Origin,
                                      uint32_t RawLocation) {
  RecordsOfNews = 0;
  Entities.at(Place).LastLocation = RawLocation; // the listener reads it
  Entities.giveId(Place, Origin);
  return NewReference;
}

uint32_t EventEncoder::lookUpLocation(uint32_t RawLocation) {
  uint32_t Known = Locations.size();
  uint32_t Id = Locations.idOf(RawLocation);
  if (Id > Known)
    RecordsOfNews = 0;
  RecentLocations[RawLocation % RecentCount] = {RawLocation, Id};
  return Id;
}

uint8_t *EventEncoder::startBatch(uint8_t *Out) {
  Batch.TimeNs = lastWallNs();
  Batch.Interval = NextInterval;
  Batch.Entity = Entities.idCount() + 1;
  Batch.Location = Locations.size() + 1;
  Batch.Depth = OpenIntervals;
  return writeEventChunkStart(Out, Batch);
}

uint8_t *EventEncoder::reserveInChunk() {
  uint8_t *Out = Chunks.reserve();
  if (Out && Chunks.isAtChunkStart())
    Out = startBatch(Out);
  return Out;
}

uint8_t *EventEncoder::reserveBehindEnds() {
  if (!WaitingEnds.empty() && !writeWaitingEnds())
    return nullptr;
  return reserveInChunk();
}

bool EventEncoder::writeWaitingEnds() {
  size_t Written = 0;
  for (const IntervalEnd &End : WaitingEnds) {
    uint8_t *Out = reserveInChunk();
    if (!Out)
      break;
    commitEnd(Out, End);
    ++Written;
  }
  WaitingEnds.erase(WaitingEnds.begin(),
                    WaitingEnds.begin() + static_cast<ptrdiff_t>(Written));
  return WaitingEnds.empty();
}

/// Those for which there is no room are tried again with the next record.
void EventEncoder::writeWaits(uint64_t UntilNs) {
  size_t Written = 0;
  for (; Written != Waits.size() && Waits[Written].TimeNs <= UntilNs;
       ++Written) {
    uint8_t *Out = reserveBehindEnds();
    if (!Out)
      break;
    const uint64_t LengthNs = Waits[Written].LengthNs;
    Out = writeHead(Out, EventKind::NotRunning, RecordOp::Instant);
    Out = writeVarint(Out, LengthNs / TimeUnitNs);
    Out = writeSubject(Out, {0, 0, true, 0});
    Chunks.commit(Out);
    WaitedNs += LengthNs;
    ++UnsteadyCount;
  }
  Waits.erase(Waits.begin(), Waits.begin() + static_cast<ptrdiff_t>(Written));
  NextWaitNs = Waits.empty() ? UINT64_MAX : Waits.front().TimeNs;
}

void EventEncoder::keepWaiting(IntervalEnd End) {
  WaitingEnds.push_back(End); // its begin is in the trace
}

void EventEncoder::instant(EventKind Kind, const void *Entity,
                           uint32_t RawLocation) {
  uint8_t *Out = reserveBehindEnds();
  Subject About = subject(Entity, EntityOrigin::Declaration, RawLocation);
  Out = writeHead(Out, Kind, RecordOp::Instant);
  // Without a clock of its own: as late as the event before it.
  Out = writeVarint(Out, 0);
  Out = writeSubject(Out, About);
  commit(Out, LastTimeNs);
}

} // namespace instantrace
