/// \file
/// Decodes the packets of one sequence one by one, so that a reader can refuse
/// one and go on, and can come back later with those that were added since.
///
/// Flow:   PacketFraming -> [SequenceReader] -> SequenceDecoder -> Sequence;
///         used by BufferRecovery and `attach`
/// Errors: a packet is refused with the reason. What followed from it is
///         refused as well, by the checks of its table
/// Leaves: whole files with any number of sequences: TraceReader
#pragma once

#include "runtime/format/EventChunk.h"
#include "runtime/read/SequenceDecoder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace instantrace {

/// None for a malformed packet as well, which add() will refuse.
PacketBody packetBody(std::string_view Packet);

/// The parts of an events packet. False: it is none, or has its records in
/// several pieces. \p Records is a view into \p Packet.
bool readEventBatch(std::string_view Packet, BatchStart &Start,
                    std::string_view &Records);

/// None when it is no footer.
std::optional<TraceFooter> readFooter(std::string_view Packet);

class SequenceReader {
public:
  explicit SequenceReader(uint32_t SequenceId) { S.Id = SequenceId; }

  /// \p Packet is as PacketFraming gives it. False: \p Why is "invariant: found
  /// X, expected Y", and of its content only keptRecordBytes() were taken.
  bool add(std::string_view Packet, std::string &Why);
  /// Of the events packet that was refused: the records before the bad one, if
  /// they are in one piece.
  size_t keptRecordBytes() const { return KeptRecordBytes; }

  /// It was refused only because one of its kind was before.
  bool isFollowUp() const { return IsFollowUp; }

  bool hasSession() const { return HasHeader && S.Session.has_value(); }
  const Sequence &sequence() const { return S; }
  /// Closes the books: open intervals end with the last event.
  Sequence finish() &&;

  /// The innermost open interval. Takes time by the closed ones after it.
  IntervalId innermost() const;

  /// All that events packets change, so that those of a chunk that is still
  /// being written can be taken back.
  struct EventState {
    EventDecoder Events;
    size_t Intervals, Instants, Elided;
    uint64_t LastTimeNs, WaitedNs, WaitCount, EventCount;
    std::vector<std::pair<uint32_t, Interval>> Open;
    bool IsBroken;
  };
  EventState eventState() const;
  void restore(const EventState &State);

private:
  void addBody(PacketBody Body, protozero::pbf_reader Content,
               IssueSink &Issues);
  bool mayCome(PacketBody Body, IssueSink &Issues) const;
  void addHeader(protozero::pbf_reader Header, IssueSink &Issues);
  bool &isBroken(PacketBody Body) { return Broken[static_cast<size_t>(Body)]; }

  Sequence S;
  SequenceDecoder Decoder;
  size_t KeptRecordBytes = 0;
  bool IsFollowUp = false;
  bool HasHeader = false;
  bool Broken[PacketBodyLimit] =
      {}; ///< by body: of this kind nothing fits any more
};

} // namespace instantrace
