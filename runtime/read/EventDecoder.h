/// \file
/// Decodes event batches of one sequence into its intervals and instants.
///
/// Flow:   SequenceDecoder -> [EventDecoder] -> Sequence::{Intervals, Instants}
/// Layout: proto/FORMAT.md, "Event records"; runtime/format/Record.h
/// Errors: reported to the sink; a malformed batch keeps the records before
///         the malformed one. Malformed varints throw protozero::exception
///
/// The interval open at any time is a parent index, not a stack, so a trace
/// that nests a million deep costs what a flat one costs.
#ifndef INSTANTRACE_RUNTIME_READ_EVENTDECODER_H
#define INSTANTRACE_RUNTIME_READ_EVENTDECODER_H

#include "runtime/read/IssueSink.h"

#include <protozero/pbf_reader.hpp>

#include <string_view>

namespace instantrace {

class EventDecoder {
public:
  void decode(protozero::pbf_reader Batch, Sequence &Into, IssueSink &Issues);

  /// Closes the books: open intervals get their end, side tables their order.
  void finish(Sequence &Into) const;

  /// Of the last piece of records: those before one that was refused.
  size_t takenBytes() const { return TakenBytes; }
  uint32_t largestEntity() const { return LargestEntity; }
  uint32_t largestLocation() const { return LargestLocation; }

private:
  bool enterBatch(protozero::pbf_reader Batch, Sequence &Into,
                  IssueSink &Issues);
  bool decodeRecords(std::string_view Records, Sequence &Into,
                     IssueSink &Issues);
  bool begin(uint64_t Kind, bool HasRequester, const char *&Cursor,
             const char *End, Sequence &Into, IssueSink &Issues);
  bool end(uint64_t Flags, const char *&Cursor, const char *End, Sequence &Into,
           IssueSink &Issues);
  bool instant(uint64_t Kind, const char *&Cursor, const char *End,
               Sequence &Into, IssueSink &Issues);
  bool checkKind(uint64_t Kind, IssueSink &Issues);
  bool advance(uint64_t DeltaUnits, IssueSink &Issues);
  /// Reads an entity and, unless the entity's reference implies it, a location.
  bool readSubject(const char *&Cursor, const char *End, const Sequence &Into,
                   EntityId &Entity, LocationId &Location, IssueSink &Issues);
  bool resolve(uint64_t Reference, uint32_t &Next, uint32_t &Largest,
               uint32_t Limit, std::string_view Invariant, uint32_t &Id,
               IssueSink &Issues);

  size_t TakenBytes = 0;
  uint64_t TimeNs = 0;
  uint64_t UnitNs = 1;
  uint64_t BatchInterval = 0; ///< the first of this batch
  IntervalId Innermost;
  uint32_t Depth = 0;
  uint32_t NextEntity = 1;
  uint32_t NextLocation = 1;
  uint32_t LargestEntity = 0;
  uint32_t LargestLocation = 0;
};

} // namespace instantrace

#endif
