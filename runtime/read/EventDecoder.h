/// \file
/// Decodes event batches of one sequence into its intervals and instants, or
/// hands them over one by one.
///
/// Flow:   SequenceDecoder -> [EventDecoder] -> Sequence::{Intervals, Instants}
///                                           -> EventStream -> EventSink
/// Layout: proto/FORMAT.md, "Event records"; runtime/format/Record.h
/// Errors: reported to the sink; a malformed batch keeps the records before
///         the malformed one. Malformed varints throw protozero::exception
///
/// The interval open at any time is a parent index, not a stack, so a trace
/// that nests a million deep costs what a flat one costs.
#pragma once

#include "runtime/read/EventStream.h"
#include "runtime/read/IssueSink.h"

#include <protozero/pbf_reader.hpp>

#include <string_view>

namespace instantrace {

class EventDecoder {
public:
  void decode(protozero::pbf_reader Batch, Sequence &Into, IssueSink &Issues);
  /// All batches of a sequence go the one way or the other. \p Into gets the
  /// time and number of events.
  void decode(protozero::pbf_reader Batch, Sequence &Into, EventStream &Stream,
              IssueSink &Issues);

  /// Closes the books: open intervals get their end, side tables their order.
  void finish(Sequence &Into) const;
  void finish(Sequence &Into, EventStream &Stream) const;

  /// Of the last piece of records: those before one that was refused.
  size_t takenBytes() const { return TakenBytes; }
  uint32_t largestEntity() const { return LargestEntity; }
  uint32_t largestLocation() const { return LargestLocation; }

private:
  // Where events go, ModelEvents or StreamedEvents, is a parameter, since each
  // is called millions of times.
  template <class Events>
  void decodeInto(protozero::pbf_reader Batch, Events Into, IssueSink &Issues);
  template <class Events>
  bool enterBatch(protozero::pbf_reader Batch, Events &Into, IssueSink &Issues);
  template <class Events>
  bool decodeRecords(std::string_view Records, Events &Into, IssueSink &Issues);
  template <class Events>
  bool begin(uint64_t Kind, bool HasRequester, const char *&Cursor,
             const char *End, Events &Into, IssueSink &Issues);
  template <class Events>
  bool end(uint64_t Flags, const char *&Cursor, const char *End, Events &Into,
           IssueSink &Issues);
  template <class Events>
  bool instant(uint64_t Kind, const char *&Cursor, const char *End,
               Events &Into, IssueSink &Issues);
  /// The thread did not run for so long: in the times of all others, and no
  /// event.
  template <class Events>
  bool wait(uint64_t LengthNs, const char *&Cursor, const char *End,
            Events &Into, IssueSink &Issues);
  bool checkKind(uint64_t Kind, IssueSink &Issues);
  bool advance(uint64_t DeltaUnits, IssueSink &Issues);
  /// As events get it.
  uint64_t eventNs(const Sequence &S) const {
    return S.Clock == EventClock::Wall ? TimeNs : TimeNs - S.WaitedNs;
  }
  /// Reads an entity and, unless the entity's reference implies it, a location.
  template <class Events>
  bool readSubject(const char *&Cursor, const char *End, const Events &Into,
                   EntityId &Entity, LocationId &Location, IssueSink &Issues);
  bool resolve(uint64_t Reference, uint32_t &Next, uint32_t &Largest,
               uint32_t Limit, std::string_view Invariant, uint32_t &Id,
               IssueSink &Issues);

  size_t TakenBytes = 0;
  uint64_t TimeNs = 0; ///< by the clock on the wall
  uint64_t UnitNs = 1;
  uint64_t MostUnits = 0;     ///< of which a time may consist
  uint64_t BatchInterval = 0; ///< the first of this batch
  IntervalId Innermost;
  uint32_t Depth = 0;
  uint32_t NextEntity = 1;
  uint32_t NextLocation = 1;
  uint32_t LargestEntity = 0;
  uint32_t LargestLocation = 0;
};

} // namespace instantrace
