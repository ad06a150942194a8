#include "runtime/read/SequenceReader.h"

#include "runtime/read/EventBatch.h"
#include "runtime/read/PacketParts.h"
#include "runtime/read/TableDecoder.h"

using namespace instantrace;
using protozero::pbf_reader;

namespace {

/// For those who only look into a packet.
PacketParts peek(std::string_view Packet) {
  TraceInput Scratch;
  IssueSink Issues(Scratch);
  return partsOf(Packet, Issues);
}

} // namespace

PacketBody instantrace::packetBody(std::string_view Packet) {
  try {
    return peek(Packet).Body;
  } catch (const protozero::exception &) {
    return PacketBody::None;
  }
}

bool instantrace::readEventBatch(std::string_view Packet, BatchStart &Start,
                                 std::string_view &Records) {
  try {
    PacketParts Parts = peek(Packet);
    if (Parts.Body != PacketBody::Events)
      return false;
    Start = readBatchStart(Parts.Content);
    unsigned Pieces = 0;
    for (; auto Piece = nextRecords(Parts.Content); ++Pieces)
      Records = *Piece;
    return Pieces == 1;
  } catch (const protozero::exception &) {
    return false;
  }
}

std::optional<TraceFooter> instantrace::readFooter(std::string_view Packet) {
  try {
    PacketParts Parts = peek(Packet);
    if (Parts.Body != PacketBody::Footer)
      return std::nullopt;
    Sequence Scratch;
    std::vector<std::string> Modules;
    decodeFooter(Parts.Content, Scratch, Modules);
    return Scratch.Footer;
  } catch (const protozero::exception &) {
    return std::nullopt;
  }
}

bool SequenceReader::add(std::string_view Packet, std::string &Why) {
  TraceInput Scratch;
  IssueSink Issues(Scratch);
  PacketBody Body = PacketBody::None;
  KeptRecordBytes = 0;
  IsFollowUp = false;
  size_t Entities = S.Entities.size();
  uint64_t RecordsBefore = S.recordCount();
  try {
    PacketParts Parts = partsOf(Packet, Issues);
    if (Issues.failed())
      ;
    else if (Parts.SequenceId != S.Id)
      Issues.fatal("sequence-id", std::to_string(Parts.SequenceId),
                   std::to_string(S.Id));
    else if (isBroken(Parts.Body)) {
      IsFollowUp = true;
      Issues.fatal("packet-body", "one that follows on what was left out",
                   "whole tables");
    } else {
      Body = Parts.Body;
      addBody(Body, Parts.Content, Issues);
    }
  } catch (const protozero::exception &E) {
    Issues.fatal("packet-body", E.what(), "well-formed protobuf");
  }
  if (!Issues.failed())
    return true;
  S.Entities.resize(Entities);
  if (S.recordCount() != RecordsBefore)
    KeptRecordBytes = Decoder.events().takenBytes();
  if (Body >= PacketBody::Dictionary)
    isBroken(Body) = true;
  const TraceIssue &Issue = Scratch.Issues.back();
  Why = std::string(Issue.Invariant) + ": found " + Issue.Found +
        ", expected " + Issue.Expected;
  return false;
}

void SequenceReader::addBody(PacketBody Body, pbf_reader Content,
                             IssueSink &Issues) {
  if (Body == PacketBody::FileHeader)
    return addHeader(Content, Issues);
  if (!HasHeader)
    return Issues.fatal("file-header", "another packet",
                        "the file header as the first packet");
  if (mayCome(Body, Issues))
    Decoder.decode(Body, Content, S, Issues);
}

/// The session comes second and once, the footer last. By what was taken, since
/// a packet that was refused is not there.
bool SequenceReader::mayCome(PacketBody Body, IssueSink &Issues) const {
  const bool IsSession = Body == PacketBody::Session;
  if (S.Session.has_value() == IsSession)
    Issues.fatal("session", IsSession ? "a second one" : "another packet",
                 "one, as the sequence's second packet");
  else if (S.Footer)
    Issues.fatal("footer-last", "a packet after the footer",
                 "the footer as the sequence's last packet");
  return !Issues.failed();
}

void SequenceReader::addHeader(pbf_reader Header, IssueSink &Issues) {
  if (HasHeader)
    return Issues.fatal("file-header", "a second one", "one");
  std::optional<uint32_t> Minor = readFileHeader(Header, Issues);
  if (!Minor)
    return;
  S.FormatMinor = *Minor;
  HasHeader = true;
}

Sequence SequenceReader::finish() && {
  Decoder.finish(S);
  return std::move(S);
}

IntervalId SequenceReader::innermost() const {
  IntervalId Id;
  if (!S.Intervals.empty())
    Id.Value = static_cast<uint32_t>(S.Intervals.size() - 1);
  while (Id && !S.Intervals[Id.Value].Open)
    Id = S.Intervals[Id.Value].Parent;
  return Id;
}

SequenceReader::EventState SequenceReader::eventState() const {
  EventState State{Decoder.events(),
                   S.Intervals.size(),
                   S.Instants.size(),
                   S.Elided.size(),
                   S.LastTimeNs,
                   S.WaitedNs,
                   S.WaitCount,
                   S.EventCount,
                   {},
                   Broken[static_cast<size_t>(PacketBody::Events)]};
  for (IntervalId Id = innermost(); Id; Id = S.Intervals[Id.Value].Parent)
    State.Open.emplace_back(Id.Value, S.Intervals[Id.Value]);
  return State;
}

void SequenceReader::restore(const EventState &State) {
  Decoder.events() = State.Events;
  S.Intervals.resize(State.Intervals);
  S.Instants.resize(State.Instants);
  S.Elided.resize(State.Elided);
  S.LastTimeNs = State.LastTimeNs;
  S.WaitedNs = State.WaitedNs;
  S.WaitCount = State.WaitCount;
  S.EventCount = State.EventCount;
  for (const auto &[Id, Before] : State.Open)
    S.Intervals[Id] = Before;
  isBroken(PacketBody::Events) = State.IsBroken;
}
