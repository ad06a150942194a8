#include "runtime/read/EventDecoder.h"

#include "runtime/format/Record.h"
#include "runtime/read/EventBatch.h"

#include <protozero/varint.hpp>

#include <algorithm>
#include <limits>

using namespace instantrace;
using protozero::decode_varint;
using protozero::pbf_reader;

namespace {

/// About 146 years; sums of a few of these still fit.
constexpr uint64_t TimeLimitNs = uint64_t(1) << 62;

/// A clock that counts seconds measures nothing here.
constexpr uint64_t LargestUnitNs = 1000000000;

/// The time of such a record is one in which the thread did not run.
constexpr uint64_t WaitHead = static_cast<uint64_t>(EventKind::NotRunning)
                                  << RecordOpBits |
                              static_cast<uint64_t>(RecordOp::Instant);

/// Next ids never exceed these. Larger locations are those of the other table.
constexpr uint32_t EntityLimit = UINT32_MAX;
constexpr uint32_t LocationLimit = LocationId::DeclarationBit;

/// Most numbers of a record have one byte.
uint64_t varint(const char *&Cursor, const char *End) {
  if (Cursor != End && static_cast<signed char>(*Cursor) >= 0)
    return static_cast<unsigned char>(*Cursor++);
  return decode_varint(&Cursor, End);
}

/// All of them are kept.
struct ModelEvents {
  Sequence &S;

  void enterBatch() {}
  uint64_t begun() const { return S.Intervals.size(); }
  const Interval &earlier(uint64_t Distance) const {
    return S.Intervals[S.Intervals.size() - Distance];
  }
  void begin(const Interval &I) { S.Intervals.push_back(I); }
  Interval &interval(IntervalId Id) { return S.Intervals[Id.Value]; }
  void end(const ElidedLeaves &Leaves, bool HasElided) {
    if (HasElided)
      S.Elided.push_back(Leaves);
  }
  void instant(const Instant &I) { S.Instants.push_back(I); }
};

struct StreamedEvents {
  Sequence &S;
  EventStream &Stream;

  void enterBatch() { Stream.enterBatch(); }
  uint64_t begun() const { return Stream.begun(); }
  const EventStream::Subject &earlier(uint64_t Distance) const {
    return Stream.earlier(Distance);
  }
  void begin(const Interval &I) { Stream.begin(I); }
  Interval &interval(IntervalId) { return Stream.innermost(); }
  void end(const ElidedLeaves &Leaves, bool) { Stream.end(Leaves); }
  void instant(const Instant &I) { Stream.instant(I); }
};

} // namespace

template <class Events>
void EventDecoder::decodeInto(pbf_reader Batch, Events Into,
                              IssueSink &Issues) {
  if (!enterBatch(Batch, Into, Issues))
    return;
  while (auto Records = nextRecords(Batch))
    if (!decodeRecords(*Records, Into, Issues))
      return;
}

void EventDecoder::decode(pbf_reader Batch, Sequence &Into, IssueSink &Issues) {
  decodeInto(Batch, ModelEvents{Into}, Issues);
}

void EventDecoder::decode(pbf_reader Batch, Sequence &Into, EventStream &Stream,
                          IssueSink &Issues) {
  decodeInto(Batch, StreamedEvents{Into, Stream}, Issues);
}

/// Takes over the state a batch starts with and compares it with the state
/// the batches before left.
template <class Events>
bool EventDecoder::enterBatch(pbf_reader Batch, Events &Into,
                              IssueSink &Issues) {
  const BatchStart First = readBatchStart(Batch);
  auto Differs = [&](std::string_view Invariant, uint64_t Found,
                     uint64_t Expected, bool MayBeLarger) {
    if (Found == Expected || (MayBeLarger && Found > Expected))
      return false;
    Issues.fatal(Invariant, std::to_string(Found),
                 std::to_string(Expected) + (MayBeLarger ? " or more" : ""));
    return true;
  };
  if (First.TimeNs < TimeNs || First.TimeNs > TimeLimitNs) {
    Issues.fatal("batch-time", std::to_string(First.TimeNs) + " ns",
                 std::to_string(TimeNs) + " ns or later");
    return false;
  }
  // Ids that no event introduces (entities with memoized hits only) leave
  // gaps between batches.
  if (Differs("batch-interval", First.Interval, Into.begun(), false) ||
      Differs("batch-depth", First.Depth, Depth, false) ||
      Differs("batch-entity", First.Entity, NextEntity, true) ||
      Differs("batch-location", First.Location, NextLocation, true))
    return false;
  if (First.Location > LocationLimit) {
    Issues.fatal("batch-location", std::to_string(First.Location),
                 "at most " + std::to_string(LocationLimit));
    return false;
  }
  TimeNs = First.TimeNs;
  UnitNs = Into.S.Session ? Into.S.Session->TimeUnitNs : 1;
  if (UnitNs > LargestUnitNs) {
    Issues.fatal("time-unit", std::to_string(UnitNs) + " ns",
                 "at most " + std::to_string(LargestUnitNs) + " ns");
    return false;
  }
  MostUnits = TimeLimitNs / UnitNs;
  Into.enterBatch();
  BatchInterval = First.Interval;
  NextEntity = First.Entity;
  NextLocation = First.Location;
  return true;
}

template <class Events>
bool EventDecoder::decodeRecords(std::string_view Records, Events &Into,
                                 IssueSink &Issues) {
  const char *Cursor = Records.data();
  const char *End = Cursor + Records.size();
  TakenBytes = 0;
  while (Cursor != End) {
    uint64_t Head = varint(Cursor, End);
    uint64_t High = Head >> RecordOpBits;
    uint64_t DeltaUnits = varint(Cursor, End);
    if (!advance(DeltaUnits, Issues))
      return false;
    bool Good = false;
    switch (static_cast<RecordOp>(Head & ((1u << RecordOpBits) - 1))) {
    case RecordOp::Begin:
      Good = begin(High, false, Cursor, End, Into, Issues);
      break;
    case RecordOp::BeginRequested:
      Good = begin(High, true, Cursor, End, Into, Issues);
      break;
    case RecordOp::Instant:
      Good = Head == WaitHead
                 ? wait(DeltaUnits * UnitNs, Cursor, End, Into, Issues)
                 : instant(High, Cursor, End, Into, Issues);
      break;
    case RecordOp::End:
      Good = end(High, Cursor, End, Into, Issues);
      break;
    }
    if (!Good)
      return false;
    Into.S.LastTimeNs = eventNs(Into.S);
    Into.S.EventCount += Head != WaitHead;
    TakenBytes = static_cast<size_t>(Cursor - Records.data());
  }
  return true;
}

template <class Events>
bool EventDecoder::begin(uint64_t Kind, bool HasRequester, const char *&Cursor,
                         const char *End, Events &Into, IssueSink &Issues) {
  Interval I;
  if (!checkKind(Kind, Issues) ||
      !readSubject(Cursor, End, Into, I.Entity, I.Location, Issues))
    return false;
  uint64_t Distance = HasRequester ? varint(Cursor, End) : 0;
  auto Ordinal = static_cast<uint32_t>(Into.begun());
  if (Ordinal == IntervalId::None) {
    Issues.fatal("interval-limit", "interval 4294967295", "fewer");
    return false;
  }
  if (HasRequester) {
    if (Distance == 0 || Distance > Ordinal) {
      Issues.fatal("requester",
                   "distance " + std::to_string(Distance) + " at interval " +
                       std::to_string(Ordinal),
                   "1 to the interval's number");
      return false;
    }
    I.Requester.Value = Ordinal - static_cast<uint32_t>(Distance);
  }
  I.Kind = static_cast<EventKind>(Kind);
  I.BeginNs = eventNs(Into.S);
  I.Parent = Innermost;
  Into.begin(I);
  Innermost.Value = Ordinal;
  ++Depth;
  return true;
}

template <class Events>
bool EventDecoder::end(uint64_t Flags, const char *&Cursor, const char *End,
                       Events &Into, IssueSink &Issues) {
  if (Flags >= EndFlagLimit) {
    // Unknown flags announce an unknown number of varints.
    Issues.fatal("end-flags", std::to_string(Flags),
                 "less than " + std::to_string(EndFlagLimit));
    return false;
  }
  if (!Innermost) {
    Issues.fatal("balanced-end", "an end at depth 0", "an open interval");
    return false;
  }
  Interval &I = Into.interval(Innermost);
  ElidedLeaves Leaves{Innermost};
  if (Flags & EndAstBytes)
    I.AstBytes = varint(Cursor, End);
  if (Flags & EndMemoized) {
    uint64_t Hits = varint(Cursor, End);
    if (Hits > Interval::MostMemoized) {
      Issues.fatal("memoized-range", std::to_string(Hits),
                   "0 to " + std::to_string(Interval::MostMemoized));
      return false;
    }
    I.setMemoized(Hits);
  }
  if (Flags & EndElided) {
    Leaves.Count = varint(Cursor, End);
    Leaves.SumNs = varint(Cursor, End);
    uint64_t LastedNs = eventNs(Into.S) - I.BeginNs;
    if (Leaves.SumNs > LastedNs)
      Issues.note("elided-time", std::to_string(Leaves.SumNs) + " ns",
                  "at most the interval's " + std::to_string(LastedNs) + " ns");
    I.HasElided = true;
  }
  I.Definition = Flags & EndDefinition;
  I.EndNs = eventNs(Into.S);
  I.Open = false;
  Innermost = I.Parent;
  --Depth;
  Into.end(Leaves, I.HasElided);
  return true;
}

template <class Events>
bool EventDecoder::instant(uint64_t Kind, const char *&Cursor, const char *End,
                           Events &Into, IssueSink &Issues) {
  Instant I;
  if (!checkKind(Kind, Issues) ||
      !readSubject(Cursor, End, Into, I.Entity, I.Location, Issues))
    return false;
  I.Kind = static_cast<EventKind>(Kind);
  I.TimeNs = eventNs(Into.S);
  I.Parent = Innermost;
  I.BegunBefore = static_cast<uint32_t>(Into.begun());
  Into.instant(I);
  return true;
}

template <class Events>
bool EventDecoder::wait(uint64_t LengthNs, const char *&Cursor, const char *End,
                        Events &Into, IssueSink &Issues) {
  EntityId Entity;
  LocationId Location;
  if (!readSubject(Cursor, End, Into, Entity, Location, Issues))
    return false;
  Into.S.WaitedNs += LengthNs;
  ++Into.S.WaitCount;
  return true;
}

bool EventDecoder::checkKind(uint64_t Kind, IssueSink &Issues) {
  if (isEventKind(Kind))
    return true;
  // A newer minor version may have more kinds; they fit in a byte.
  if (Kind >= EventKindLimit && Kind <= std::numeric_limits<uint8_t>::max()) {
    Issues.note("event-kind", std::to_string(Kind),
                "a kind of this version, below " +
                    std::to_string(EventKindLimit));
    return true;
  }
  Issues.fatal("event-kind", std::to_string(Kind), "a known kind");
  return false;
}

template <class Events>
bool EventDecoder::readSubject(const char *&Cursor, const char *End,
                               const Events &Into, EntityId &Entity,
                               LocationId &Location, IssueSink &Issues) {
  uint64_t Reference = varint(Cursor, End);
  uint64_t Back = Reference - FirstBackReference;
  if (Reference >= FirstBackReference && (Back & EntityOfInterval)) {
    uint64_t Distance = (Back >> 2) + 1;
    uint64_t Available = Into.begun() - BatchInterval;
    if (Distance > Available) {
      Issues.fatal("entity-reference",
                   std::to_string(Distance) + " intervals back",
                   "at most the batch's " + std::to_string(Available));
      return false;
    }
    const auto &Earlier = Into.earlier(Distance);
    Entity = Earlier.Entity;
    if (Back & SameLocation) {
      Location = Earlier.Location;
      return true;
    }
  } else {
    // As for locations, with the mode bit taken out.
    if (Reference >= FirstBackReference)
      Reference = (Back >> 1) + FirstBackReference;
    if (!resolve(Reference, NextEntity, LargestEntity, EntityLimit,
                 "entity-reference", Entity.Value, Issues))
      return false;
  }
  return resolve(varint(Cursor, End), NextLocation, LargestLocation,
                 LocationLimit, "location-reference", Location.Value, Issues);
}

bool EventDecoder::advance(uint64_t DeltaUnits, IssueSink &Issues) {
  // The first comparison keeps the product from wrapping around.
  if (DeltaUnits > MostUnits || DeltaUnits * UnitNs > TimeLimitNs - TimeNs) {
    Issues.fatal("time-range",
                 std::to_string(DeltaUnits) + " units of " +
                     std::to_string(UnitNs) + " ns after " +
                     std::to_string(TimeNs) + " ns",
                 "times up to " + std::to_string(TimeLimitNs) + " ns");
    return false;
  }
  TimeNs += DeltaUnits * UnitNs;
  return true;
}

bool EventDecoder::resolve(uint64_t Reference, uint32_t &Next,
                           uint32_t &Largest, uint32_t Limit,
                           std::string_view Invariant, uint32_t &Id,
                           IssueSink &Issues) {
  if (Reference == 0)
    return true;
  if (Reference == NewReference && Next != Limit) {
    Id = Next++;
  } else if (Reference != NewReference && Reference - NewReference < Next) {
    Id = Next - static_cast<uint32_t>(Reference - NewReference);
  } else {
    Issues.fatal(Invariant, std::to_string(Reference),
                 "at most " + std::to_string(Next));
    return false;
  }
  Largest = std::max(Largest, Id);
  return true;
}

void EventDecoder::finish(Sequence &Into) const {
  for (IntervalId Id = Innermost; Id; Id = Into.Intervals[Id.Value].Parent)
    Into.Intervals[Id.Value].EndNs = Into.LastTimeNs;
  Into.OpenCount = Depth;
  // They came in the order of the ends.
  std::sort(Into.Elided.begin(), Into.Elided.end(),
            [](const ElidedLeaves &A, const ElidedLeaves &B) {
              return A.Inside.Value < B.Inside.Value;
            });
}

void EventDecoder::finish(Sequence &Into, EventStream &Stream) const {
  Stream.finish(Into.LastTimeNs);
  Into.StreamedEntities = Stream.entities();
  Into.OpenCount = Depth;
}
