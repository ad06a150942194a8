/// \file
/// Decodes the packets of one sequence: what each body adds to. Those of a kind
/// come in their order.
///
/// Flow:   PacketParts -> [SequenceDecoder] -> TableDecoder, EventDecoder
///         -> Sequence; used by TraceReader and SequenceReader
/// Errors: reported to the sink; what is no protobuf throws
///         protozero::exception
/// Leaves: the file header, with which a reader begins a sequence, and which
///         packet may come when (TraceScan, SequenceReader)
#pragma once

#include "runtime/format/Schema.h"
#include "runtime/read/EventDecoder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

class SequenceDecoder {
public:
  /// Before the first events: they go to a sink, which outlives this, and are
  /// not kept. EventStream says what notes are for.
  void streamTo(EventSink &Into, bool AreEntitiesNoted) {
    Stream.emplace(Into, AreEntitiesNoted);
  }

  /// A packet behind the file header.
  void decode(PacketBody Body, protozero::pbf_reader Content, Sequence &Into,
              IssueSink &Issues);

  /// Closes the books, once, behind the last packet.
  void finish(Sequence &Into);

  EventDecoder &events() { return Events; }
  const EventDecoder &events() const { return Events; }

private:
  EventDecoder Events;
  std::optional<EventStream> Stream;
  std::vector<std::string> LateModules; ///< of the footer
};

} // namespace instantrace
