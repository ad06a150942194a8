#include "runtime/read/SequenceReader.h"

#include "runtime/format/Record.h"
#include "runtime/read/EventBatch.h"
#include "runtime/read/PacketParts.h"
#include "runtime/read/TableDecoder.h"

#include <protozero/varint.hpp>

#include <algorithm>

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

size_t instantrace::recordBytes(std::string_view Records, uint64_t Count) {
  const char *Cursor = Records.data();
  const char *End = Cursor + Records.size();
  auto Varint = [&] { return protozero::decode_varint(&Cursor, End); };
  auto Subject = [&] {
    uint64_t Reference = Varint();
    uint64_t Back = Reference - FirstBackReference;
    bool HasNoLocation = Reference >= FirstBackReference &&
                         (Back & EntityOfInterval) && (Back & SameLocation);
    if (!HasNoLocation)
      Varint();
  };
  for (; Count != 0; --Count) {
    uint64_t Head = Varint();
    uint64_t Flags = Head >> RecordOpBits;
    Varint(); // time
    switch (static_cast<RecordOp>(Head & ((1u << RecordOpBits) - 1))) {
    case RecordOp::BeginRequested:
      Subject();
      Varint();
      break;
    case RecordOp::Begin:
    case RecordOp::Instant:
      Subject();
      break;
    case RecordOp::End:
      for (uint64_t Flag : {EndAstBytes, EndMemoized, EndElided, EndElided})
        if (Flags & Flag)
          Varint();
      break;
    }
  }
  return static_cast<size_t>(Cursor - Records.data());
}

bool SequenceReader::add(std::string_view Packet, std::string &Why) {
  TraceInput Scratch;
  IssueSink Issues(Scratch);
  PacketBody Body = PacketBody::None;
  KeptEvents = 0;
  IsFollowUp = false;
  size_t Entities = S.Entities.size();
  uint64_t EventsBefore = S.EventCount;
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
  KeptEvents = S.EventCount - EventsBefore;
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
  if (S.Session.has_value() == (Body == PacketBody::Session))
    return Issues.fatal("session",
                        S.Session ? "a second one" : "another packet",
                        "one, as the sequence's second packet");
  if (S.Footer)
    return Issues.fatal("footer-last", "a packet after the footer",
                        "the footer as the sequence's last packet");
  switch (Body) {
  case PacketBody::None: // of a newer minor version
  case PacketBody::FileHeader:
    return;
  case PacketBody::Session:
    return decodeSession(Content, S);
  case PacketBody::Dictionary:
  case PacketBody::Locations:
  case PacketBody::DeclarationLocations:
  case PacketBody::Inclusions:
  case PacketBody::Entities:
  case PacketBody::MemoizedHits:
    return decodeTable(Body, Content, S, Issues);
  case PacketBody::Events:
    return Events.decode(Content, S, Issues);
  case PacketBody::Footer:
    return decodeFooter(Content, S, S.Session->ModuleInputs);
  }
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
  Events.finish(S);
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
  EventState State{Events,
                   S.Intervals.size(),
                   S.Instants.size(),
                   S.Elided.size(),
                   S.LastTimeNs,
                   S.EventCount,
                   {},
                   Broken[static_cast<size_t>(PacketBody::Events)]};
  for (IntervalId Id = innermost(); Id; Id = S.Intervals[Id.Value].Parent)
    State.Open.emplace_back(Id.Value, S.Intervals[Id.Value]);
  return State;
}

void SequenceReader::restore(const EventState &State) {
  Events = State.Events;
  S.Intervals.resize(State.Intervals);
  S.Instants.resize(State.Instants);
  S.Elided.resize(State.Elided);
  S.LastTimeNs = State.LastTimeNs;
  S.EventCount = State.EventCount;
  for (const auto &[Id, As] : State.Open)
    S.Intervals[Id] = As;
  isBroken(PacketBody::Events) = State.IsBroken;
}
