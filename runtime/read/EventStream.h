/// \file
/// What a decoder of events has to remember when nobody keeps them.
///
/// Flow:   EventDecoder -> [EventStream] -> EventSink
/// Memory: open intervals, and eight bytes for each that began in the batch; of
///         an interrupted compile a byte for each entity
#pragma once

#include "runtime/read/ById.h"
#include "runtime/read/EventSink.h"

#include <vector>

namespace instantrace {

class EventStream {
public:
  /// What a later event of a batch may refer to.
  struct Subject {
    EntityId Entity;
    LocationId Location;
  };

  /// The sink must outlive it. \p AreNoted: which entities there are events of,
  /// for a compile that may lack their names.
  EventStream(EventSink &Into, bool AreNoted)
      : Into(&Into), AreNoted(AreNoted) {}

  void enterBatch() { Batch.clear(); }
  uint64_t begun() const { return BeginCount; }
  /// Requires: 1 <= Distance, and so many were begun in the batch.
  const Subject &earlier(uint64_t Distance) const {
    return Batch[Batch.size() - Distance];
  }
  void begin(const Interval &I) {
    IntervalId Id{static_cast<uint32_t>(BeginCount++)};
    Batch.push_back({I.Entity, I.Location});
    Open.push_back({Id, I});
    if (AreNoted)
      IsNamed[I.Entity.Value] = true;
    Into->begin(Id, Open.back().Is);
  }
  /// Requires: one is open.
  Interval &innermost() { return Open.back().Is; }
  void end(const ElidedLeaves &Leaves) {
    Into->end(Open.back().Id, Open.back().Is, Leaves);
    Open.pop_back();
  }
  void instant(const Instant &I) {
    if (AreNoted)
      IsNamed[I.Entity.Value] = true;
    Into->instant(I);
  }
  /// What is open ends.
  void finish(uint64_t LastTimeNs) {
    while (!Open.empty()) {
      innermost().EndNs = LastTimeNs;
      end({Open.back().Id});
    }
  }

  /// Of all events, if they are noted.
  std::vector<EntityId> entities() const {
    std::vector<EntityId> Ids;
    IsNamed.forEach([&Ids](uint32_t Id, char Is) {
      if (Is && Id != 0)
        Ids.push_back({Id});
    });
    return Ids;
  }

private:
  struct OpenInterval {
    IntervalId Id;
    Interval Is;
  };
  EventSink *Into;
  bool AreNoted;
  std::vector<OpenInterval> Open;
  std::vector<Subject> Batch;
  ById<char> IsNamed; ///< entities
  uint64_t BeginCount = 0;
};

} // namespace instantrace
