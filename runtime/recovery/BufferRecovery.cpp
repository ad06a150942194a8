#include "runtime/recovery/BufferRecovery.h"

#include "runtime/format/EventChunk.h"
#include "runtime/read/SequenceReader.h"
#include "runtime/read/TraceReader.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/shm/BufferHeader.h"
#include "runtime/strings/NameMarks.h"
#include "runtime/strings/StringTable.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

using namespace instantrace;

namespace {

/// Damage may leave a problem per packet.
constexpr size_t ProblemLimit = 100;
/// No producer has more slots for them.
constexpr uint64_t MaxShortNames = MaxHeaderBytes / sizeof(NewestEntity);

std::string_view textOf(const uint8_t *Data, size_t SizeBytes) {
  return {reinterpret_cast<const char *>(Data), SizeBytes};
}

class Recovery {
public:
  explicit Recovery(uint32_t SequenceId)
      : SequenceId(SequenceId), Reader(SequenceId) {}

  void addPartialTrace(std::string_view Partial) {
    addPackets(Partial, "partial trace");
  }
  bool hasSession() const { return Reader.hasSession(); }
  void addSession(std::string_view Session) {
    // Of a partial trace that broke off between the two, one is there.
    PacketFraming Framing(Session);
    std::string Why;
    while (auto Packet = Framing.next())
      if (Reader.add(*Packet, Why))
        take(Session, Framing, *Packet);
    if (!hasSession())
      problem("the session in the buffer's header cannot be read" +
              (Why.empty() ? std::string() : ": " + Why));
  }

  void addPacketChunks(const BufferSnapshot &Buffer, const SnapshotWriter &W);
  void addEventChunks(const BufferSnapshot &Buffer, const SnapshotWriter &W);
  void addMissingNames(const BufferSnapshot &Buffer);
  void problem(std::string Text) {
    if (Result.Problems.size() < ProblemLimit)
      Result.Problems.push_back(std::move(Text));
    else
      ++MoreProblems;
  }
  RecoveredTrace finish() &&;

private:
  void addPackets(std::string_view Bytes, const std::string &Where);
  void addRefusedEvents(std::string_view Packet);
  void addFooter();
  void addEventChunk(const ChunkContent &C, const std::string &Where);
  void checkOrder(const SnapshotWriter &W, const ChunkContent &C,
                  uint32_t &Next);

  /// Appends the packet with its frame, byte for byte.
  void take(std::string_view Bytes, const PacketFraming &Framing,
            std::string_view Packet) {
    const char *Begin = Bytes.data() + Framing.offsetBytes();
    Result.Bytes.append(Begin, Packet.data() + Packet.size());
  }

  uint32_t SequenceId;
  SequenceReader Reader;
  RecoveredTrace Result;
  std::string Footer; ///< the compiler's own, framed, until all events are read
  uint64_t MoreProblems = 0;
  uint64_t FollowUps = 0; ///< packets that need one that was left out
};

void Recovery::addPackets(std::string_view Bytes, const std::string &Where) {
  PacketFraming Framing(Bytes);
  while (auto Packet = Framing.next()) {
    // Of the last drain, events may still be in the buffer.
    if (packetBody(*Packet) == PacketBody::Footer) {
      Footer.assign(Bytes.data() + Framing.offsetBytes(),
                    Packet->data() + Packet->size());
      continue;
    }
    std::string Why;
    if (Reader.add(*Packet, Why)) {
      take(Bytes, Framing, *Packet);
      continue;
    }
    if (Reader.isFollowUp()) {
      ++FollowUps;
      continue;
    }
    problem(Where + ", packet " + std::to_string(Framing.packetNo()) +
            ": left out: " + Why);
    addRefusedEvents(*Packet);
  }
  if (const auto &Issue = Framing.issue())
    problem(Issue->message(Where) + "; what precedes it is used");
}

/// Of an events packet that was refused, what precedes the bad record.
void Recovery::addRefusedEvents(std::string_view Packet) {
  BatchStart Start;
  std::string_view Records;
  size_t KeptBytes = Reader.keptRecordBytes();
  if (KeptBytes == 0 || !readEventBatch(Packet, Start, Records))
    return;
  StringSink Sink(Result.Bytes);
  TraceWriter(Sink, SequenceId)
      .writeEvents(Start, reinterpret_cast<const uint8_t *>(Records.data()),
                   KeptBytes);
}

/// Says that chunks are missing before \p C. What follows on them is refused
/// when it does not fit.
void Recovery::checkOrder(const SnapshotWriter &W, const ChunkContent &C,
                          uint32_t &Next) {
  if (C.Sequence != Next)
    problem("writer " + std::to_string(W.Id) + ": found chunk " +
            std::to_string(C.Sequence) + ", expected " + std::to_string(Next) +
            "; what was between is lost");
  Next = C.Sequence + 1;
}

void Recovery::addPacketChunks(const BufferSnapshot &Buffer,
                               const SnapshotWriter &W) {
  RecordAssembler Assembler;
  uint32_t Next = W.LastDrained + 1;
  for (const SnapshotChunk &Chunk : Buffer.Chunks) {
    const ChunkContent &C = Chunk.Content;
    if (C.WriterId != W.Id)
      continue;
    checkOrder(W, C, Next);
    std::string Where = "writer " + std::to_string(W.Id) + ", chunk " +
                        std::to_string(C.Sequence);
    Assembler.add(C, [&](const uint8_t *Data, size_t SizeBytes) {
      addPackets(textOf(Data, SizeBytes), Where);
    });
  }
  Assembler.finish();
  Result.FragmentsDropped += Assembler.droppedRecords();
}

void Recovery::addEventChunks(const BufferSnapshot &Buffer,
                              const SnapshotWriter &W) {
  uint32_t Next = W.LastDrained + 1;
  for (const SnapshotChunk &Chunk : Buffer.Chunks) {
    if (Chunk.Content.WriterId != W.Id)
      continue;
    checkOrder(W, Chunk.Content, Next);
    addEventChunk(Chunk.Content, "writer " + std::to_string(W.Id) + ", chunk " +
                                     std::to_string(Chunk.Content.Sequence));
  }
}

void Recovery::addEventChunk(const ChunkContent &C, const std::string &Where) {
  if (C.Flags != 0)
    return problem(Where + ": left out: found flags " +
                   std::to_string(C.Flags) +
                   ", expected none, since events are whole");
  if (C.SizeBytes == 0)
    return;
  if (C.SizeBytes < EventChunkStartBytes)
    return problem(Where + ": left out: found " + std::to_string(C.SizeBytes) +
                   " bytes, expected at least the " +
                   std::to_string(EventChunkStartBytes) + " of its start");
  addPackets(eventPacket(SequenceId, C), Where);
}

/// `Box<$>::get<$>` of `Box<int>::get<…>`; empty: it has no arguments.
std::string templateOf(std::string_view Short) {
  std::string Name;
  bool HasArguments = false;
  size_t Depth = 0;
  for (size_t I = 0; I != Short.size(); ++I) {
    // No arguments begin in the name of an operator, only behind it.
    if (Depth == 0 && Short.substr(I).starts_with("operator")) {
      if (!Short.ends_with(ShortArguments))
        return HasArguments ? Name.append(Short.substr(I)) : std::string();
      Short.remove_suffix(ShortArguments.size());
      return Name.append(Short.substr(I)).append(TemplateArguments);
    }
    if (Short[I] == '<') {
      ++Depth;
      HasArguments = true;
    }
    if (Depth == 0)
      Name += Short[I];
    if (Short[I] != '>' || Depth == 0)
      continue;
    --Depth;
    if (Depth == 0)
      Name += TemplateArguments;
  }
  return HasArguments && Depth == 0 ? Name : std::string();
}

/// Where each `::` of \p Template ends, and its begin.
std::vector<size_t> partsOf(std::string_view Template) {
  std::vector<size_t> Begins{0};
  size_t Depth = 0;
  for (size_t I = 0; I != Template.size(); ++I) {
    Depth += Template[I] == '(' || Template[I] == '<';
    Depth -= Depth != 0 && (Template[I] == ')' || Template[I] == '>');
    if (Depth == 0 && Template.substr(I).starts_with("::"))
      Begins.push_back(I + 2);
  }
  return Begins;
}

/// Templates by the last parts of their name, `Box<$>::get<$>` and `get<$>` of
/// `a::Box<$>::get<$>`, of which a short name has as many. Empty: several have
/// them.
std::unordered_map<std::string, std::string>
templatesByParts(const Sequence &S) {
  constexpr size_t MostBytes = 1 << 12, MostParts = 2;
  std::unordered_map<std::string, std::string> ByParts;
  std::unordered_set<uint32_t> Seen;
  for (const Entity &E : S.Entities) {
    if (E.TemplateSet == E.Name || !Seen.insert(E.TemplateSet.Value).second)
      continue;
    std::string Name = S.Names.text(E.TemplateSet, MostBytes);
    const std::vector<size_t> Parts = partsOf(Name);
    for (size_t I = Parts.size() - std::min(Parts.size(), MostParts);
         I != Parts.size(); ++I) {
      auto [Entry, IsNew] = ByParts.try_emplace(Name.substr(Parts[I]), Name);
      if (!IsNew && Entry->second != Name)
        Entry->second.clear();
    }
  }
  return ByParts;
}

/// Rows for the entities that have none, as far as the buffer has names.
void Recovery::addMissingNames(const BufferSnapshot &Buffer) {
  const Sequence &S = Reader.sequence();
  size_t Known = S.Entities.size();
  // Rows outlived their part of the dictionary: what is added to it would be
  // taken for that.
  auto IsLost = [&S](NameId Name) { return Name && !S.Names.contains(Name); };
  for (const Entity &E : S.Entities)
    if (IsLost(E.Name) || IsLost(E.TemplateSet))
      return;
  std::vector<uint32_t> &Whole = Result.Content.WholeNames;
  std::vector<EntityRow> Rows;
  StringTable Strings({0, S.Names.size()});
  std::optional<std::unordered_map<std::string, std::string>> Templates;
  auto Add = [&](EntityId Id, EntityKind Kind) {
    const BufferSnapshot::Newest *Newest = Buffer.newestEntity(Id.Value);
    // Slots are for the next so many ids; anything beyond is damage.
    if (Id.Value <= Known || Id.Value - Known > MaxShortNames || !Newest ||
        Newest->Text.empty())
      return;
    if (Rows.size() < Id.Value - Known)
      Rows.resize(Id.Value - Known);
    EntityRow &Row = Rows[Id.Value - Known - 1];
    if (Row.Name)
      return;
    if (S.Names.contains({Newest->Name}) &&
        S.Names.contains({Newest->TemplateSet})) {
      Row.Name = {Newest->Name};
      Row.TemplateSet = {Newest->TemplateSet};
      Row.Kind = knownOr(Newest->Kind, EntityKind::Unknown);
      return Whole.push_back(Id.Value);
    }
    Row.Name = Row.TemplateSet = Strings.ordinal(Strings.intern(Newest->Text));
    Row.Kind = Kind;
    // With the others of its template it is one row in every table.
    std::string Template =
        Kind == EntityKind::File ? std::string() : templateOf(Newest->Text);
    if (Template.empty())
      return;
    if (!Templates)
      Templates = templatesByParts(S);
    if (const auto Found = Templates->find(Template);
        Found != Templates->end() && !Found->second.empty())
      Template = Found->second;
    Row.TemplateSet = Strings.ordinal(Strings.intern(Template));
  };
  const size_t Placed = S.Locations.Rows.size();
  std::unordered_set<uint32_t> Met;
  for (const Interval &I : S.Intervals) {
    const BufferSnapshot::Newest *Newest =
        I.Entity.Value > Known && Met.insert(I.Entity.Value).second
            ? Buffer.newestEntity(I.Entity.Value)
            : nullptr;
    if (I.Open && Newest && Newest->LineNo != 0 && I.Location.Value > Placed)
      Result.Content.OpenLines.emplace(I.Location.Value, Newest->LineNo);
  }
  for (const Interval &I : S.Intervals)
    Add(I.Entity, I.Kind == EventKind::FileInclusion ? EntityKind::File
                                                     : EntityKind::Unknown);
  for (const Instant &I : S.Instants)
    Add(I.Entity, EntityKind::Unknown);
  if (Rows.empty())
    return;
  std::string Packets;
  StringSink Sink(Packets);
  TraceWriter Writer(Sink, SequenceId);
  Writer.writeDictionary(Strings);
  auto First = static_cast<uint32_t>(Known + 1);
  Writer.writeEntities(First, Rows);
  addPackets(Packets, "short names");
  if (S.Entities.size() == Known)
    return Whole.clear();
  std::sort(Whole.begin(), Whole.end());
  Result.Content.FirstShortName = First;
}

/// The compiler's last word, true only when all that it counts came through.
void Recovery::addFooter() {
  const Sequence &S = Reader.sequence();
  PacketFraming Framing(Footer);
  auto Packet = Framing.next();
  auto Read = Packet ? readFooter(*Packet) : std::nullopt;
  std::string Why;
  if (Read && Read->EventsRecorded != S.recordCount())
    problem("the footer is left out: found " +
            std::to_string(Read->EventsRecorded) + " events in it, expected " +
            std::to_string(S.recordCount()));
  else if (Read && Reader.add(*Packet, Why))
    Result.Bytes += Footer;
  else
    problem("the footer is left out: " + Why);
}

RecoveredTrace Recovery::finish() && {
  if (!Footer.empty())
    addFooter();
  if (FollowUps != 0)
    problem(std::to_string(FollowUps) +
            (FollowUps == 1 ? " packet that follows" : " packets that follow") +
            " on one that was left out");
  if (!Reader.hasSession())
    Result.Bytes.clear();
  if (MoreProblems != 0)
    Result.Problems.push_back("and " + std::to_string(MoreProblems) +
                              " more problems");
  uint32_t FirstShortName = Result.Content.FirstShortName;
  std::vector<uint32_t> WholeNames = std::move(Result.Content.WholeNames);
  auto OpenLines = std::move(Result.Content.OpenLines);
  Result.Content = std::move(Reader).finish();
  Result.Content.FirstShortName = FirstShortName;
  Result.Content.WholeNames = std::move(WholeNames);
  Result.Content.OpenLines = std::move(OpenLines);
  return std::move(Result);
}

} // namespace

RecoveredTrace instantrace::recoverTrace(const BufferSnapshot &Buffer,
                                         std::string_view PartialTrace) {
  Recovery R(Buffer.SequenceId);
  for (const std::string &Problem : Buffer.Problems)
    R.problem(Problem);
  if (PartialTrace.size() < Buffer.PartialFileBytes)
    R.problem("partial trace: found " + std::to_string(PartialTrace.size()) +
              " bytes, expected " + std::to_string(Buffer.PartialFileBytes));
  size_t Counts =
      std::min<uint64_t>(PartialTrace.size(), Buffer.PartialFileBytes);
  R.addPartialTrace(PartialTrace.substr(0, Counts));
  if (!R.hasSession())
    R.addSession(Buffer.Session);
  for (const SnapshotWriter &W : Buffer.Writers)
    if (W.Content == WriterContent::Packets)
      R.addPacketChunks(Buffer, W);
  for (const SnapshotWriter &W : Buffer.Writers)
    if (W.Content == WriterContent::Events)
      R.addEventChunks(Buffer, W);
  R.addMissingNames(Buffer);
  RecoveredTrace Trace = std::move(R).finish();
  Trace.EventsDropped = Buffer.EventsDropped;
  Trace.Signal = Buffer.Signal;
  Trace.PeakRssBytes = Buffer.PeakRssBytes;
  Trace.RanOutOfMemory = Buffer.RanOutOfMemory;
  Trace.Pass = Buffer.Pass;
  return Trace;
}

RecoveredTrace instantrace::recoverTrace(std::string_view PartialTrace) {
  // The sequence is the one that the first packet names.
  instantrace::Trace First;
  PacketFraming Framing(PartialTrace);
  size_t HeaderBytes = 0;
  if (auto Packet = Framing.next())
    HeaderBytes = static_cast<size_t>(Packet->data() + Packet->size() -
                                      PartialTrace.data());
  readTrace(PartialTrace.substr(0, HeaderBytes), "partial trace", First);
  if (First.Sequences.empty()) {
    RecoveredTrace None;
    if (const TraceIssue *Damage = First.Files.front().damage())
      None.Problems.push_back(Damage->message("partial trace"));
    return None;
  }
  Recovery R(First.Sequences.front().Id);
  R.addPartialTrace(PartialTrace);
  return std::move(R).finish();
}

std::string instantrace::eventPacket(uint32_t SequenceId,
                                     const ChunkContent &Chunk) {
  std::string Framed;
  if (Chunk.SizeBytes <= EventChunkStartBytes)
    return Framed;
  StringSink Sink(Framed);
  TraceWriter(Sink, SequenceId)
      .writeEvents(readEventChunkStart(Chunk.Data),
                   Chunk.Data + EventChunkStartBytes,
                   Chunk.SizeBytes - EventChunkStartBytes);
  return Framed;
}

void instantrace::addInterruptedFooter(RecoveredTrace &Trace) {
  const Sequence &S = Trace.Content;
  if (S.Footer)
    return;
  FooterInfo Footer;
  Footer.State = ExitState::Interrupted;
  Footer.EndTimeNs = S.lastWallNs();
  Footer.EventsRecorded = S.recordCount();
  Footer.EventsDropped = Trace.EventsDropped;
  Footer.FragmentsDropped = Trace.FragmentsDropped;
  Footer.Signal = Trace.Signal;
  Footer.RanOutOfMemory = Trace.RanOutOfMemory;
  Footer.Pass = Trace.Pass;
  Footer.PeakRssBytes = Trace.PeakRssBytes;
  Footer.UserTimeNs = Trace.UserTimeNs;
  Footer.SystemTimeNs = Trace.SystemTimeNs;
  Footer.FirstShortName = S.FirstShortName;
  Footer.WholeNames = S.WholeNames;
  Footer.OpenLines.assign(S.OpenLines.begin(), S.OpenLines.end());
  for (const MemoizedHits &M : S.Memoized)
    Footer.MemoizedHits += M.Hits;
  Footer.MemoizedHits += static_cast<uint64_t>(
      std::count_if(S.Instants.begin(), S.Instants.end(), [](const Instant &I) {
        return I.Kind == EventKind::Memoization;
      }));
  StringSink Sink(Trace.Bytes);
  TraceWriter(Sink, S.Id).writeFooter(Footer);
}
