#include "runtime/read/TraceReader.h"

#include "runtime/read/EventBatch.h"
#include "runtime/read/PacketParts.h"
#include "runtime/read/SequenceDecoder.h"

#include <algorithm>
#include <unordered_map>

using namespace instantrace;
using protozero::pbf_reader;

namespace {

/// What is kept of a sequence only while it is read.
struct OpenSequence {
  size_t Index; // in Trace::Sequences
  SequenceDecoder Decoder;
};

/// What locations refer to.
struct LargestIds {
  uint32_t File = 0;
  uint32_t DetailName = 0;
  uint32_t Inclusion = 0;
};

LargestIds largestIds(const LocationTable &Table) {
  LargestIds Largest;
  for (const Location &L : Table.Rows)
    Largest.File = std::max(Largest.File, L.File.Value);
  for (const LocationDetail &D : Table.Details) {
    Largest.Inclusion = std::max(Largest.Inclusion, D.In.Value);
    for (NameId Name : {D.Macro, D.SpellingFile, D.PhysicalFile})
      Largest.DetailName = std::max(Largest.DetailName, Name.Value);
  }
  return Largest;
}

/// How many intervals the sequences have, nearly, in the order of their
/// headers: the begin of the last batch says it, and records cannot be shorter
/// than they are. What grows to millions is not moved then on its way.
std::vector<uint64_t> intervalCounts(std::string_view Bytes) {
  constexpr uint64_t LeastBeginBytes = 3; // head, time, entity
  struct Batches {
    uint64_t Bytes = 0, BeforeLast = 0, LastBytes = 0;
  };
  std::vector<Batches> Of;
  std::unordered_map<uint32_t, size_t> ById;
  TraceInput Scratch;
  IssueSink Issues(Scratch);
  PacketFraming Framing(Bytes);
  try {
    while (std::optional<std::string_view> Packet = Framing.next()) {
      PacketParts Parts = partsOf(*Packet, Issues);
      if (Parts.Body == PacketBody::FileHeader) {
        ById[Parts.SequenceId] = Of.size();
        Of.emplace_back();
      }
      auto Found = ById.find(Parts.SequenceId);
      if (Parts.Body != PacketBody::Events || Found == ById.end())
        continue;
      Batches &B = Of[Found->second];
      B.Bytes += Packet->size();
      B.BeforeLast = readBatchStart(Parts.Content).Interval;
      B.LastBytes = Packet->size();
    }
  } catch (const protozero::exception &) {
    return {}; // whoever reads it says so
  }
  std::vector<uint64_t> Counts;
  for (const Batches &B : Of)
    Counts.push_back(std::min(B.Bytes / LeastBeginBytes,
                              B.BeforeLast + B.LastBytes / LeastBeginBytes));
  return Counts;
}

class Reader {
public:
  Reader(PacketFraming From, uint64_t SizeBytes, std::string Name, Trace &Into)
      : Framing(std::move(From)), Into(Into), FileIndex(Into.Files.size()) {
    Into.Files.push_back({std::move(Name), SizeBytes, 0, 0, {}, 0});
  }

  /// Before reading, for those that are kept.
  void expectIntervals(std::vector<uint64_t> Counts) {
    IntervalCounts = std::move(Counts);
  }
  /// Before reading.
  void streamTo(TraceSink &Sink) { Events = &Sink; }
  /// Before reading: nothing but events is wanted, up to packet \p Last, and a
  /// part of those in the next one.
  void readEventsUpTo(uint64_t Last) { LastPacket = Last; }

  void read(const ByteProgress &AtByte) {
    IssueSink Issues(file());
    while (std::optional<std::string_view> Packet = Framing.next()) {
      if (AtByte)
        AtByte(Framing.offsetBytes());
      Issues.enterPacket(Framing.packetNo(), Framing.offsetBytes());
      try {
        readPacket(*Packet, Issues);
      } catch (const protozero::exception &E) {
        Issues.fatal("packet-body", E.what(), "well-formed protobuf");
      }
      if (Issues.failed())
        break;
      ++file().PacketCount;
    }
    if (Framing.issue())
      file().Issues.push_back(*Framing.issue());
    else if (!Issues.failed() && file().PacketCount == 0)
      Issues.fatal("file-header", "an empty file", "a trace");
    for (size_t I = Finished; I != Reading.size(); ++I)
      finish(Reading[I], Issues);
  }

private:
  TraceInput &file() { return Into.Files[FileIndex]; }

  void readPacket(std::string_view Packet, IssueSink &Issues);
  void startSequence(pbf_reader Header, uint32_t Id, IssueSink &Issues);
  void finish(OpenSequence &Open, IssueSink &Issues);
  void checkReferences(const Sequence &S, const OpenSequence &Open,
                       IssueSink &Issues);
  void checkFooter(const Sequence &S, IssueSink &Issues);

  PacketFraming Framing;
  TraceSink *Events = nullptr;
  std::optional<uint64_t> LastPacket;
  Trace &Into;
  size_t FileIndex;
  std::vector<uint64_t> IntervalCounts;
  std::vector<OpenSequence> Reading;
  size_t Finished = 0;                       // of them
  std::unordered_map<uint32_t, size_t> ById; // into Reading
};

void Reader::readPacket(std::string_view Packet, IssueSink &Issues) {
  auto [Kind, Content, SequenceId] = partsOf(Packet, Issues);
  if (Issues.failed())
    return;
  if (Framing.packetNo() == 1 && Kind != PacketBody::FileHeader)
    return Issues.fatal("file-header", "another packet",
                        "the file header as the first packet");
  if (SequenceId == 0)
    return Issues.fatal("sequence-id", "0", "a number from 1");
  if (Kind == PacketBody::FileHeader)
    return startSequence(Content, SequenceId, Issues);
  auto Found = ById.find(SequenceId);
  if (Found == ById.end())
    return Issues.fatal("file-header",
                        "a packet of sequence " + std::to_string(SequenceId) +
                            " before its header",
                        "the file header as its first packet");
  // What was looked at may have changed since.
  if (Found->second < Finished)
    return Issues.fatal("file-header", "a packet of an earlier sequence",
                        "sequences one after the other");
  if (LastPacket) {
    if (Framing.packetNo() > *LastPacket && Kind != PacketBody::Events)
      return Issues.fatal("packet-body", "the malformed one",
                          "those before it");
    if (Kind != PacketBody::Events && Kind != PacketBody::Session)
      return;
  }
  OpenSequence &Open = Reading[Found->second];
  Open.Decoder.decode(Kind, Content, Into.Sequences[Open.Index], Issues);
}

/// A header also replaces an ended sequence of the same id, which happens in
/// concatenated traces.
void Reader::startSequence(pbf_reader Header, uint32_t Id, IssueSink &Issues) {
  std::optional<uint32_t> Minor = readFileHeader(Header, Issues);
  if (!Minor)
    return;
  if (Events)
    for (; Finished != Reading.size(); ++Finished)
      finish(Reading[Finished], Issues);
  ById[Id] = Reading.size();
  size_t Index = Into.Sequences.size();
  if (Events)
    Reading.push_back({Index,
                       {Strictness::Note,
                        Events->beginSequence(static_cast<uint32_t>(Index))}});
  else
    Reading.push_back({Index, SequenceDecoder(Strictness::Note)});
  Sequence &S = Into.Sequences.emplace_back();
  S.Id = Id;
  S.FileIndex = static_cast<uint32_t>(FileIndex);
  S.FormatMinor = *Minor;
  if (Reading.size() <= IntervalCounts.size())
    S.Intervals.reserve(IntervalCounts[Reading.size() - 1]);
  ++file().SequenceCount;
}

void Reader::finish(OpenSequence &Open, IssueSink &Issues) {
  Sequence &S = Into.Sequences[Open.Index];
  Open.Decoder.finish(S);
  if (Events)
    return Events->endSequence(S);
  // An interrupted compile may lack anything, which is no error.
  if (!S.Footer)
    return;
  if (!S.Footer->isInterrupted())
    checkReferences(S, Open, Issues);
  checkFooter(S, Issues);
}

void Reader::checkReferences(const Sequence &S, const OpenSequence &Open,
                             IssueSink &Issues) {
  std::string Place = " of sequence " + std::to_string(S.Id);
  auto Check = [&](std::string_view Invariant, const std::string &What,
                   uint64_t Found, uint64_t Defined) {
    if (Found <= Defined)
      return;
    Issues.note(Invariant, What + " " + std::to_string(Found) + Place,
                "at most " + std::to_string(Defined));
  };
  const EventDecoder &Events = Open.Decoder.events();
  uint32_t Entity = Events.largestEntity();
  for (const MemoizedHits &M : S.Memoized)
    Entity = std::max(Entity, M.Entity.Value);
  for (const Function &F : S.Functions)
    Entity = std::max(Entity, F.Entity.Value);
  Check("defined-entities", "entity", Entity, S.Entities.size());
  Check("defined-locations", "location", Events.largestLocation(),
        S.Locations.Rows.size());
  uint32_t Name = 0, TemplateSet = 0, DeclaredAt = 0, Declaration = 0;
  for (const instantrace::Entity &E : S.Entities) {
    Name = std::max(Name, E.Name.Value);
    TemplateSet = std::max(TemplateSet, E.TemplateSet.Value);
    uint32_t &Largest = E.DeclaredAt.isDeclaration() ? Declaration : DeclaredAt;
    Largest = std::max(Largest, E.DeclaredAt.number());
  }
  Check("name-range", "an entity's name", Name, S.Names.size());
  Check("name-range", "an entity's template_set", TemplateSet, S.Names.size());
  Check("location-range", "an entity's declared_at", DeclaredAt,
        S.Locations.Rows.size());
  Check("location-range", "an entity's declaration", Declaration,
        S.DeclarationLocations.Rows.size());
  auto CheckLocations = [&](const LocationTable &Table,
                            const std::string &Whose) {
    LargestIds Largest = largestIds(Table);
    Check("name-range", Whose + " file", Largest.File, S.Names.size());
    Check("name-range", Whose + " macro or other file", Largest.DetailName,
          S.Names.size());
    Check("inclusion-range", Whose + " inclusion", Largest.Inclusion,
          S.Inclusions.size());
  };
  CheckLocations(S.Locations, "a location's");
  CheckLocations(S.DeclarationLocations, "a declaration location's");
  uint32_t Path = 0;
  for (const Inclusion &I : S.Inclusions)
    Path = std::max(Path, I.Path.Value);
  Check("name-range", "an inclusion's path", Path, S.Names.size());
}

void Reader::checkFooter(const Sequence &S, IssueSink &Issues) {
  std::string Place = " in sequence " + std::to_string(S.Id);
  auto Check = [&](std::string_view Invariant, uint64_t Found,
                   uint64_t Expected) {
    if (Found != Expected)
      Issues.note(Invariant, std::to_string(Found) + Place,
                  std::to_string(Expected));
  };
  if (!S.Footer->isInterrupted())
    Check("closed-intervals", S.OpenCount, 0);
  Check("footer-events", S.Footer->EventsRecorded, S.EventCount);
  uint64_t Hits = 0;
  for (const MemoizedHits &M : S.Memoized)
    Hits += M.Hits;
  for (const Instant &I : S.Instants)
    Hits += I.Kind == EventKind::Memoization;
  Check("footer-memoized-hits", S.Footer->MemoizedHits, Hits);
  if (S.Footer->EndTimeNs < S.LastTimeNs)
    Issues.note("end-time", std::to_string(S.Footer->EndTimeNs) + " ns" + Place,
                "the last event's " + std::to_string(S.LastTimeNs) +
                    " ns or later");
}

} // namespace

void instantrace::readTrace(std::string_view Bytes, std::string Name,
                            Trace &Into, const ByteProgress &AtByte) {
  Reader Model(PacketFraming(Bytes), Bytes.size(), std::move(Name), Into);
  Model.expectIntervals(intervalCounts(Bytes));
  Model.read(AtByte);
}

bool instantrace::areSequencesApart(PacketFraming From) {
  TraceInput Scratch;
  IssueSink Issues(Scratch);
  uint32_t Last = 0;
  try {
    while (std::optional<std::string_view> Packet = From.next()) {
      PacketParts Parts = partsOf(*Packet, Issues);
      if (Parts.Body == PacketBody::FileHeader)
        Last = Parts.SequenceId;
      else if (Parts.SequenceId != Last)
        return false;
    }
  } catch (const protozero::exception &) {
    return true; // whoever reads it ends there
  }
  return true;
}

void instantrace::streamTrace(PacketFraming From, uint64_t SizeBytes,
                              std::string Name, Trace &Into, TraceSink &Events,
                              const ByteProgress &AtByte) {
  Reader Stream(std::move(From), SizeBytes, std::move(Name), Into);
  Events.beginTrace(Into.Files.back().Name);
  Stream.streamTo(Events);
  Stream.read(AtByte);
}

void instantrace::streamAgain(PacketFraming From, const TraceInput &Known,
                              TraceSink &Events, const ByteProgress &AtByte) {
  Trace Scratch;
  Events.beginTrace(Known.Name);
  Reader Stream(std::move(From), Known.SizeBytes, Known.Name, Scratch);
  Stream.streamTo(Events);
  Stream.readEventsUpTo(Known.PacketCount);
  Stream.read(AtByte);
}
