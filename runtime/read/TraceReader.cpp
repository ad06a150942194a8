#include "runtime/read/TraceReader.h"

#include "runtime/read/PacketParts.h"
#include "runtime/read/SequenceDecoder.h"
#include "runtime/read/TraceScan.h"

#include <algorithm>

using namespace instantrace;

namespace {

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

/// An interrupted compile may have events of what it did not get to describe.
bool mayLackTables(const Sequence &S) {
  return !S.Footer || S.Footer->isInterrupted();
}

/// Reads each sequence of a file by itself: the tables of all, then the events
/// of one after the other. Before the first event, what is a class is learned
/// from the names of all.
class Reader {
public:
  Reader(TraceBytes &Bytes, uint64_t SizeBytes, std::string Name, Trace &Into)
      : Bytes(Bytes), Into(Into), FileIndex(Into.Files.size()) {
    Into.Files.push_back({std::move(Name), SizeBytes, 0, {}, 0});
  }

  /// Before reading.
  void streamTo(TraceSink &Sink) { Events = &Sink; }

  void read(const ByteProgress &AtByte);

private:
  TraceInput &file() { return Into.Files[FileIndex]; }

  template <class Predicate>
  void decode(const SequencePackets &Packets, SequenceDecoder &Decoder,
              Sequence &S, const ByteProgress &AtByte, Predicate IsMeant);
  void readTables(const SequencePackets &Packets, SequenceDecoder &Decoder,
                  const ByteProgress &AtByte);
  void readEvents(const SequencePackets &Packets, uint32_t Index,
                  SequenceDecoder &Decoder, const ByteProgress &AtByte);
  void lookAhead(const SequencePackets &Packets, const Sequence &S,
                 LookAhead &Into);
  void checkReferences(const Sequence &S, const EventDecoder &Decoder,
                       IssueSink &Issues);
  void checkFooter(const Sequence &S, IssueSink &Issues);
  void settleIssues();

  TraceBytes &Bytes;
  TraceSink *Events = nullptr;
  /// The first one that is not read. What is behind a packet that cannot be
  /// understood is not, in no sequence.
  uint64_t EndPacket = UINT64_MAX;
  uint64_t LastPacket = 0, LastOffset = 0; ///< that was scanned
  uint64_t DoneBytes = 0;
  Trace &Into;
  size_t FileIndex;
  TraceInput Scratch;
};

void Reader::read(const ByteProgress &AtByte) {
  IssueSink Issues(file());
  TraceScan Scan = scanTrace(Bytes, Issues);
  EndPacket = Scan.PacketCount + 1;
  LastPacket = Scan.PacketCount;
  LastOffset = Scan.LastOffsetBytes;
  const size_t First = Into.Sequences.size();
  std::vector<SequenceDecoder> Decoders(Scan.Sequences.size());
  for (size_t I = 0; I != Decoders.size(); ++I)
    readTables(Scan.Sequences[I], Decoders[I], AtByte);
  size_t Count = 0;
  for (; Count != Decoders.size(); ++Count) {
    if (Scan.Sequences[Count].HeaderNo >= EndPacket)
      break; // behind what cannot be understood
    readEvents(Scan.Sequences[Count], static_cast<uint32_t>(First + Count),
               Decoders[Count], AtByte);
  }
  Into.Sequences.resize(First + Count);
  file().PacketCount = EndPacket - 1;
  settleIssues();
}

/// Those packets that are meant, in the order of the file.
template <class Predicate>
void Reader::decode(const SequencePackets &Packets, SequenceDecoder &Decoder,
                    Sequence &S, const ByteProgress &AtByte,
                    Predicate IsMeant) {
  IssueSink Issues(file());
  for (const PacketPlace &Place : Packets.Packets) {
    if (Place.PacketNo >= EndPacket)
      return;
    if (!IsMeant(Place.Body))
      continue;
    if (AtByte)
      AtByte(DoneBytes += Place.SizeBytes);
    Issues.enterPacket(Place.PacketNo, Place.OffsetBytes - Place.FrameBytes);
    try {
      std::string_view Packet = Bytes.view(Place.OffsetBytes, Place.SizeBytes);
      // Whoever opened the file says whether it has changed since.
      IssueSink Known(Scratch);
      PacketParts Parts = partsOf(Packet, Known);
      if (Packet.size() != Place.SizeBytes || Known.failed() ||
          Parts.Body != Place.Body)
        Issues.fatal("packet-body", "another packet than a moment ago",
                     "a file that nobody writes to");
      else
        Decoder.decode(Parts.Body, Parts.Content, S, Issues);
    } catch (const protozero::exception &E) {
      Issues.fatal("packet-body", E.what(), "well-formed protobuf");
    }
    if (Issues.failed()) {
      EndPacket = Place.PacketNo;
      return;
    }
  }
}

void Reader::readTables(const SequencePackets &Packets,
                        SequenceDecoder &Decoder, const ByteProgress &AtByte) {
  Sequence &S = Into.Sequences.emplace_back();
  S.Id = Packets.Id;
  S.FileIndex = static_cast<uint32_t>(FileIndex);
  S.FormatMinor = Packets.FormatMinor;
  S.Clock = Into.Clock;
  decode(Packets, Decoder, S, AtByte,
         [](PacketBody Body) { return Body != PacketBody::Events; });
  if (S.Session && Into.BuildFolder.empty())
    Into.BuildFolder = S.Session->WorkingDirectory;
  S.BuildFolder = Into.BuildFolder;
}

void Reader::readEvents(const SequencePackets &Packets, uint32_t Index,
                        SequenceDecoder &Decoder, const ByteProgress &AtByte) {
  Sequence &S = Into.Sequences[Index];
  auto IsEvents = [](PacketBody Body) { return Body == PacketBody::Events; };
  if (Events && !Events->wantsEvents()) {
    Events->beginSequence(Index);
    return Events->endSequence(S);
  }
  if (Events) {
    if (LookAhead *Ahead = Events->lookAhead())
      lookAhead(Packets, S, *Ahead);
    Decoder.streamTo(Events->beginSequence(Index),
                     /*AreEntitiesNoted=*/mayLackTables(S));
    decode(Packets, Decoder, S, AtByte, IsEvents);
    Decoder.finish(S);
    return Events->endSequence(S);
  }
  // What grows to millions is not moved then on its way.
  S.Intervals.reserve(Packets.MostIntervals);
  decode(Packets, Decoder, S, AtByte, IsEvents);
  Decoder.finish(S);
  // An interrupted compile may lack anything, which is no error.
  if (!S.Footer)
    return;
  IssueSink Issues(file());
  Issues.enterPacket(LastPacket, LastOffset);
  if (!S.Footer->isInterrupted())
    checkReferences(S, Decoder.events(), Issues);
  checkFooter(S, Issues);
}

/// A whole compile needs the begin records alone; for another one, events are
/// decoded.
void Reader::lookAhead(const SequencePackets &Packets, const Sequence &S,
                       LookAhead &Found) {
  class Listing : public EventSink {
  public:
    explicit Listing(LookAhead &Into) : Into(Into) {}
    void begin(IntervalId, const Interval &I) override { Into.add(I); }
    void end(IntervalId, const Interval &, const ElidedLeaves &) override {}
    void instant(const Instant &) override {}

  private:
    LookAhead &Into;
  };
  Found = {};
  Sequence Known;
  Known.Session = S.Session;
  Listing Into(Found);
  EventStream Stream(Into, /*AreNoted=*/false);
  EventDecoder Decoder;
  TraceInput Unseen; // the next decoding has the same issues
  IssueSink Issues(Unseen);
  try {
    for (const PacketPlace &Place : Packets.Packets) {
      if (Place.PacketNo >= EndPacket || Issues.failed())
        break;
      if (Place.Body != PacketBody::Events)
        continue;
      std::string_view Packet = Bytes.view(Place.OffsetBytes, Place.SizeBytes);
      protozero::pbf_reader Batch = partsOf(Packet, Issues).Content;
      if (mayLackTables(S))
        Decoder.decode(Batch, Known, Stream, Issues);
      else
        findRequested(Batch, Found.Requested);
    }
  } catch (const protozero::exception &) {
    Found.settle(); // the next decoding has the same issue
    return;
  }
  Found.settle();
}

/// In the order of the file, as if it had been read so, up to what cannot be
/// understood.
void Reader::settleIssues() {
  std::vector<TraceIssue> &All = file().Issues;
  std::stable_sort(All.begin(), All.end(),
                   [](const TraceIssue &A, const TraceIssue &B) {
                     return A.PacketNo < B.PacketNo;
                   });
  auto Last = std::find_if(All.begin(), All.end(),
                           [](const TraceIssue &I) { return I.Fatal; });
  if (Last != All.end())
    All.erase(Last + 1, All.end());
}

void Reader::checkReferences(const Sequence &S, const EventDecoder &Decoder,
                             IssueSink &Issues) {
  std::string Place = " of sequence " + std::to_string(S.Id);
  auto Check = [&](std::string_view Invariant, const std::string &What,
                   uint64_t Found, uint64_t Defined) {
    if (Found <= Defined)
      return;
    Issues.note(Invariant, What + " " + std::to_string(Found) + Place,
                "at most " + std::to_string(Defined));
  };
  uint32_t Entity = Decoder.largestEntity();
  for (const MemoizedHits &M : S.Memoized)
    Entity = std::max(Entity, M.Entity.Value);
  for (const Function &F : S.Functions)
    Entity = std::max(Entity, F.Entity.Value);
  Check("defined-entities", "entity", Entity, S.Entities.size());
  Check("defined-locations", "location", Decoder.largestLocation(),
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
  Check("footer-events", S.Footer->EventsRecorded, S.recordCount());
  uint64_t Hits = 0;
  for (const MemoizedHits &M : S.Memoized)
    Hits += M.Hits;
  for (const Instant &I : S.Instants)
    Hits += I.Kind == EventKind::Memoization;
  Check("footer-memoized-hits", S.Footer->MemoizedHits, Hits);
  if (S.Footer->EndTimeNs < S.lastWallNs())
    Issues.note("end-time", std::to_string(S.Footer->EndTimeNs) + " ns" + Place,
                "the last event's " + std::to_string(S.lastWallNs()) +
                    " ns or later");
}

} // namespace

void instantrace::readTrace(std::string_view Bytes, std::string Name,
                            Trace &Into, const ByteProgress &AtByte) {
  TraceBytes Source(Bytes);
  Reader(Source, Bytes.size(), std::move(Name), Into).read(AtByte);
}

void instantrace::streamTrace(TraceBytes &Bytes, uint64_t SizeBytes,
                              std::string Name, Trace &Into, TraceSink &Events,
                              const ByteProgress &AtByte) {
  Reader Stream(Bytes, SizeBytes, std::move(Name), Into);
  Events.beginTrace(Into.Files.back().Name);
  Stream.streamTo(Events);
  Stream.read(AtByte);
}
