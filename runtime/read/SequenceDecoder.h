/// \file
/// Decodes the packets of one sequence in their order: what each body adds to,
/// and which may come when.
///
/// Flow:   PacketParts -> [SequenceDecoder] -> TableDecoder, EventDecoder
///         -> Sequence; used by TraceReader and SequenceReader
/// Errors: reported to the sink; what is no protobuf throws
///         protozero::exception
/// Leaves: the file header, with which a reader begins a sequence
#ifndef INSTANTRACE_RUNTIME_READ_SEQUENCEDECODER_H
#define INSTANTRACE_RUNTIME_READ_SEQUENCEDECODER_H

#include "runtime/format/Schema.h"
#include "runtime/read/EventDecoder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// What becomes of a packet that is not in its place.
enum class Strictness : uint8_t {
  Note,   ///< it is read, and noted: for a file, which is as it is
  Refuse, ///< it is not read: for one who puts a sequence together
};

class SequenceDecoder {
public:
  explicit SequenceDecoder(Strictness Order) : Order(Order) {}
  /// Events go to a sink, which outlives this, and are not kept.
  SequenceDecoder(Strictness Order, EventSink &Into)
      : Order(Order), Stream(Into) {}

  /// A packet behind the file header.
  void decode(PacketBody Body, protozero::pbf_reader Content, Sequence &Into,
              IssueSink &Issues);

  /// Closes the books, once, behind the last packet.
  void finish(Sequence &Into);

  EventDecoder &events() { return Events; }
  const EventDecoder &events() const { return Events; }

private:
  bool mayCome(PacketBody Body, const Sequence &Into, IssueSink &Issues);

  Strictness Order;
  EventDecoder Events;
  std::optional<EventStream> Stream;
  uint64_t PacketNo = 1; ///< of the last one in the sequence; 1: the header
  std::vector<std::string> LateModules; ///< of the footer
};

} // namespace instantrace

#endif
