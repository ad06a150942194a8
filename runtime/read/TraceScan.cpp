#include "runtime/read/TraceScan.h"

#include "runtime/read/EventBatch.h"
#include "runtime/read/PacketParts.h"

#include <algorithm>
#include <unordered_map>

using namespace instantrace;

namespace {

/// Lists packets by sequence, and checks what their order in the file says.
class Scanner {
public:
  explicit Scanner(IssueSink &Issues) : Issues(Issues) {}

  void add(std::string_view Packet, PacketPlace Place);
  TraceScan take() { return std::move(Found); }

private:
  struct OpenSequence {
    size_t Index; ///< in TraceScan::Sequences
    uint64_t PacketCount = 1;
    uint64_t EventBytes = 0;
    bool HasFooter = false;
  };

  void startSequence(const PacketParts &Parts, uint64_t PacketNo);
  void checkPlace(PacketBody Body, OpenSequence &Sequence);
  void countIntervals(const PacketParts &Parts, uint64_t SizeBytes,
                      OpenSequence &Sequence);

  IssueSink &Issues;
  TraceScan Found;
  std::unordered_map<uint32_t, OpenSequence> ById;
};

void Scanner::add(std::string_view Packet, PacketPlace Place) {
  PacketParts Parts = partsOf(Packet, Issues);
  if (Issues.failed())
    return;
  if (Place.PacketNo == 1 && Parts.Body != PacketBody::FileHeader)
    return Issues.fatal("file-header", "another packet",
                        "the file header as the first packet");
  if (Parts.SequenceId == 0)
    return Issues.fatal("sequence-id", "0", "a number from 1");
  if (Parts.Body == PacketBody::FileHeader)
    return startSequence(Parts, Place.PacketNo);
  auto Match = ById.find(Parts.SequenceId);
  if (Match == ById.end())
    return Issues.fatal("file-header",
                        "a packet of sequence " +
                            std::to_string(Parts.SequenceId) +
                            " before its header",
                        "the file header as its first packet");
  OpenSequence &Sequence = Match->second;
  checkPlace(Parts.Body, Sequence);
  if (Parts.Body == PacketBody::None) // of a newer minor version
    return;
  if (Parts.Body == PacketBody::Events)
    countIntervals(Parts, Packet.size(), Sequence);
  Place.Body = Parts.Body;
  Found.Sequences[Sequence.Index].Packets.push_back(Place);
}

/// A header also replaces an ended sequence of the same id, which happens in
/// concatenated traces.
void Scanner::startSequence(const PacketParts &Parts, uint64_t PacketNo) {
  std::optional<uint32_t> Minor = readFileHeader(Parts.Content, Issues);
  if (!Minor)
    return;
  ById[Parts.SequenceId] = {Found.Sequences.size()};
  SequencePackets &New = Found.Sequences.emplace_back();
  New.Id = Parts.SequenceId;
  New.FormatMinor = *Minor;
  New.HeaderNo = PacketNo;
}

/// The session comes second and once, the footer last. A file is as it is, so
/// what is elsewhere is read all the same.
void Scanner::checkPlace(PacketBody Body, OpenSequence &Sequence) {
  ++Sequence.PacketCount;
  const bool IsSession = Body == PacketBody::Session;
  if (Sequence.PacketCount == 2 && !IsSession && Body != PacketBody::None)
    Issues.note("session", "another packet",
                "the session as the sequence's second packet");
  else if (Sequence.PacketCount > 2 && IsSession)
    Issues.note("session",
                "a session in packet " + std::to_string(Sequence.PacketCount) +
                    " of the sequence",
                "one, in its second packet");
  if (Sequence.HasFooter)
    Issues.note("footer-last", "a packet after the footer",
                "the footer as the sequence's last packet");
  Sequence.HasFooter |= Body == PacketBody::Footer;
}

void Scanner::countIntervals(const PacketParts &Parts, uint64_t SizeBytes,
                             OpenSequence &Sequence) {
  constexpr uint64_t LeastBeginBytes = 3; // head, time, entity
  Sequence.EventBytes += SizeBytes;
  const uint64_t Before = readBatchStart(Parts.Content).Interval;
  const uint64_t InLast = SizeBytes / LeastBeginBytes;
  Found.Sequences[Sequence.Index].MostIntervals =
      std::min(Sequence.EventBytes / LeastBeginBytes,
               Before > UINT64_MAX - InLast ? UINT64_MAX : Before + InLast);
}

} // namespace

PacketFraming TraceBytes::packets() {
  if (!Read)
    return PacketFraming(All);
  return PacketFraming(
      [this, Offset = uint64_t(0)](char *Into, size_t Most) mutable {
        size_t Got = Read(Offset, Into, Most);
        Offset += Got;
        return Got;
      });
}

std::string_view TraceBytes::view(uint64_t OffsetBytes, uint64_t SizeBytes) {
  constexpr size_t PieceBytes = 1 << 18;
  if (!Read)
    return All.substr(std::min<uint64_t>(OffsetBytes, All.size()), SizeBytes);
  const bool IsThere = OffsetBytes >= WindowOffset &&
                       OffsetBytes - WindowOffset + SizeBytes <= Window.size();
  if (!IsThere) {
    // The file had so many bytes there when it was scanned.
    Window.resize(std::max<size_t>(SizeBytes, PieceBytes));
    WindowOffset = OffsetBytes;
    size_t Have = 0;
    while (Have < SizeBytes) {
      size_t Got =
          Read(OffsetBytes + Have, Window.data() + Have, Window.size() - Have);
      if (Got == 0)
        break;
      Have += Got;
    }
    Window.resize(Have);
  }
  return std::string_view(Window).substr(OffsetBytes - WindowOffset, SizeBytes);
}

TraceScan instantrace::scanTrace(TraceBytes &Bytes, IssueSink &Issues) {
  Scanner Packets(Issues);
  PacketFraming Framing = Bytes.packets();
  uint64_t PacketCount = 0, LastOffsetBytes = 0;
  while (std::optional<std::string_view> Packet = Framing.next()) {
    LastOffsetBytes = Framing.offsetBytes();
    Issues.enterPacket(Framing.packetNo(), LastOffsetBytes);
    const uint64_t FrameBytes =
        Framing.endBytes() - Packet->size() - Framing.offsetBytes();
    try {
      Packets.add(*Packet,
                  {Framing.offsetBytes() + FrameBytes, Packet->size(),
                   Framing.packetNo(), static_cast<uint32_t>(FrameBytes),
                   PacketBody::None});
    } catch (const protozero::exception &E) {
      Issues.fatal("packet-body", E.what(), "well-formed protobuf");
    }
    if (Issues.failed())
      break;
    ++PacketCount;
  }
  if (Framing.issue())
    Issues.add(*Framing.issue());
  else if (!Issues.failed() && PacketCount == 0)
    Issues.fatal("file-header", "an empty file", "a trace");
  TraceScan Found = Packets.take();
  Found.PacketCount = PacketCount;
  Found.LastOffsetBytes = LastOffsetBytes;
  return Found;
}
