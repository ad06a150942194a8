#include "runtime/record/TraceWriter.h"

#include "runtime/base/Hash.h"
#include "runtime/format/Record.h"
#include "runtime/strings/DictionaryEntries.h"

#include <protozero/pbf_builder.hpp>
#include <protozero/pbf_writer.hpp>

#include <algorithm>

namespace instantrace {

namespace {

// Field numbers of proto/trace.proto.
enum PacketField : uint32_t {
  BodyFileHeader = 1,
  BodySession = 2,
  BodyDictionary = 3,
  BodyLocations = 4,
  BodyEntities = 5,
  BodyEvents = 6,
  BodyMemoizedHits = 7,
  BodyFooter = 8,
  BodyDeclarationLocations = 9,
  BodyInclusions = 10,
  FieldSequenceId = 14,
  FieldChecksum = 15,
};

/// A dictionary packet is closed after this many bytes of text, so that it fits
/// into the buffer, a reader can bound its own, and damage costs little.
constexpr size_t DictionaryPacketBytes = size_t(32) * 1024;
/// Rows of one location, entity or hit packet.
constexpr size_t RowsPerPacket = size_t(64) * 1024;

template <class Row, class Get>
void addUnsigned(protozero::pbf_writer &Body, uint32_t Field, const Row *Begin,
                 const Row *End, Get Value) {
  protozero::packed_field_uint64 Column(Body, Field);
  for (; Begin != End; ++Begin)
    Column.add_element(static_cast<uint64_t>(Value(*Begin)));
}

/// Writes each value as its difference from the one before.
template <class Row, class Get>
void addDeltas(protozero::pbf_writer &Body, uint32_t Field, const Row *Begin,
               const Row *End, Get Value) {
  protozero::packed_field_sint64 Column(Body, Field);
  int64_t Previous = 0;
  for (; Begin != End; ++Begin) {
    auto Current = static_cast<int64_t>(Value(*Begin));
    Column.add_element(Current - Previous);
    Previous = Current;
  }
}

/// \p First is the element of the packet's first row.
void addDetail(protozero::pbf_writer &Body, const LocationDetailRow &Row,
               uint32_t First) {
  protozero::pbf_writer Detail(Body, 5);
  uint32_t Field = 0;
  for (uint32_t Value :
       {Row.Element - First, Row.Inclusion, Row.Macro.Value,
        Row.SpellingFile.Value, Row.SpellingLineNo, Row.SpellingColumnNo,
        Row.ExpansionEndLineNo, Row.ExpansionEndColumnNo,
        Row.PhysicalFile.Value, Row.PhysicalLineNo}) {
    ++Field;
    if (Value != 0)
      Detail.add_uint32(Field, Value);
  }
}

/// Calls Write(begin, end) for stretches of at most RowsPerPacket rows until
/// one is lost. Returns how many rows were kept.
template <class Row, class WriteFunction>
size_t inPackets(const std::vector<Row> &Rows, WriteFunction Write) {
  size_t From = 0;
  while (From < Rows.size()) {
    size_t To = std::min(Rows.size(), From + RowsPerPacket);
    if (!Write(Rows.data() + From, Rows.data() + To))
      break;
    From = To;
  }
  return From;
}

} // namespace

template <class BuildFunction>
bool TraceWriter::packet(uint32_t Body, BuildFunction Build) {
  // Room for the frame, whose length is known only at the end.
  constexpr size_t MaxFrameBytes = 1 + protozero::max_varint_length;
  Buffer.assign(MaxFrameBytes, '\0');
  protozero::pbf_writer Packet(Buffer);
  {
    protozero::pbf_writer Message(Packet, Body);
    Build(Message);
  }
  Packet.add_uint32(FieldSequenceId, SequenceId);
  auto Checksum = static_cast<uint32_t>(
      hashBytes(std::string_view(Buffer).substr(MaxFrameBytes)));
  Packet.add_fixed32(FieldChecksum, Checksum);
  size_t SizeBytes = Buffer.size() - MaxFrameBytes;

  std::string Frame;
  Frame.push_back(0x0A); // Trace.packet: field 1, length-delimited
  protozero::write_varint(std::back_inserter(Frame), SizeBytes);
  size_t At = MaxFrameBytes - Frame.size();
  Buffer.replace(At, Frame.size(), Frame);
  return Sink.append(std::string_view(Buffer).substr(At));
}

void TraceWriter::writeHeader(const SessionInfo &Session) {
  packet(BodyFileHeader, [](protozero::pbf_writer &Body) {
    Body.add_bytes(1, FormatMagic.data(), FormatMagic.size());
    Body.add_uint32(2, FormatMajor);
    if (FormatMinor != 0)
      Body.add_uint32(3, FormatMinor);
  });
  packet(BodySession, [&Session](protozero::pbf_writer &Body) {
    Body.add_bytes(1, INSTANTRACE_VERSION);
    Body.add_bytes(2, Session.ClangVersion);
    for (const std::string &Argument : Session.Argv)
      Body.add_bytes(3, Argument);
    auto text = [&Body](uint32_t Field, const std::string &Value) {
      if (!Value.empty())
        Body.add_bytes(Field, Value);
    };
    text(4, Session.WorkingDirectory);
    text(5, Session.Input);
    text(6, Session.Object);
    text(7, Session.Triple);
    text(8, Session.LanguageStandard);
    text(9, Session.OptimizationLevel);
    Body.add_uint32(10, Session.Pid);
    Body.add_fixed64(11, Session.RealtimeNs);
    Body.add_fixed64(12, Session.MonotonicNs);
    for (const std::string &Path : Session.PchInputs)
      Body.add_bytes(13, Path);
    for (const std::string &Path : Session.ModuleInputs)
      Body.add_bytes(14, Path);
    text(15, Session.Hook);
    {
      protozero::packed_field_uint32 Kinds(Body, 16);
      for (unsigned Kind = 0; Kind != EventKindLimit; ++Kind)
        if (isEventKind(Kind) &&
            Session.Filter.contains(static_cast<EventKind>(Kind)))
          Kinds.add_element(Kind);
    }
    Body.add_enum(17, static_cast<int32_t>(Session.Memoization));
    if (Session.GranularityNs != 0)
      Body.add_uint64(18, Session.GranularityNs);
    Body.add_uint32(19, Session.TimeUnitNs);
    text(20, Session.Buffer);
  });
}

void TraceWriter::writeEvents(const BatchStart &Start, const uint8_t *Records,
                              size_t SizeBytes) {
  packet(BodyEvents, [&](protozero::pbf_writer &Body) {
    auto number = [&Body](uint32_t Field, uint64_t Value) {
      if (Value != 0)
        Body.add_uint64(Field, Value);
    };
    number(1, Start.TimeNs);
    number(2, Start.Interval);
    number(3, Start.Entity);
    number(4, Start.Location);
    number(5, Start.Depth);
    // The records are varints already: a packed field's very bytes.
    Body.add_bytes(6, reinterpret_cast<const char *>(Records), SizeBytes);
  });
}

bool TraceWriter::writeDictionary(const StringTable &Strings) {
  DictionaryEntry Name;
  while (StringsWritten != Strings.size()) {
    DictionaryEntries Entries(Strings, StringBytesWritten);
    uint32_t Last = StringsWritten;
    bool IsKept = packet(BodyDictionary, [&](protozero::pbf_writer &Body) {
      Body.add_uint32(1, StringsWritten + 1);
      size_t Written = 0;
      while (Written < DictionaryPacketBytes && Entries.next(Name)) {
        ++Last;
        Written += Name.MarkedName.size() + Name.Markers.size() * 4 + 4;
        if (Name.MarkedName.empty() && Name.Part == NamePart::Text) {
          Body.add_message(2, "", 0); // protozero takes back an empty message
          continue;
        }
        protozero::pbf_writer Entry(Body, 2);
        if (!Name.MarkedName.empty())
          Entry.add_bytes(1, Name.MarkedName);
        if (!Name.Markers.empty())
          Entry.add_packed_uint32(2, Name.Markers.begin(), Name.Markers.end());
        if (Name.Part != NamePart::Text)
          Entry.add_enum(3, static_cast<int32_t>(Name.Part));
      }
    });
    if (!IsKept)
      return false;
    StringsWritten = Last;
    StringBytesWritten = Entries.offset();
  }
  return true;
}

size_t TraceWriter::writeLocations(uint32_t FirstId,
                                   const LocationRows &Locations) {
  return writeLocationTable(BodyLocations, FirstId, Locations);
}

size_t TraceWriter::writeDeclarationLocations(uint32_t FirstId,
                                              const LocationRows &Locations) {
  return writeLocationTable(BodyDeclarationLocations, FirstId, Locations);
}

size_t TraceWriter::writeLocationTable(uint32_t Body, uint32_t FirstId,
                                       const LocationRows &Locations) {
  const std::vector<LocationRow> &Rows = Locations.Rows;
  const LocationDetailRow *Detail = Locations.Details.data();
  const LocationDetailRow *LastDetail = Detail + Locations.Details.size();
  return inPackets(Rows, [&](const LocationRow *Begin, const LocationRow *End) {
    return packet(Body, [&](protozero::pbf_writer &Body) {
      auto First = static_cast<uint32_t>(Begin - Rows.data());
      Body.add_uint32(1, FirstId + First);
      addUnsigned(Body, 2, Begin, End,
                  [](const LocationRow &R) { return R.File.Value; });
      addDeltas(Body, 3, Begin, End,
                [](const LocationRow &R) { return R.LineNo; });
      addUnsigned(Body, 4, Begin, End,
                  [](const LocationRow &R) { return R.ColumnNo; });
      for (; Detail != LastDetail &&
             Detail->Element < static_cast<size_t>(End - Rows.data());
           ++Detail)
        addDetail(Body, *Detail, First);
    });
  });
}

size_t TraceWriter::writeInclusions(uint32_t FirstId,
                                    const std::vector<InclusionRow> &Rows) {
  return inPackets(Rows, [&](const InclusionRow *Begin,
                             const InclusionRow *End) {
    return packet(BodyInclusions, [&](protozero::pbf_writer &Body) {
      Body.add_uint32(1, FirstId + static_cast<uint32_t>(Begin - Rows.data()));
      addUnsigned(Body, 2, Begin, End,
                  [](const InclusionRow &R) { return R.Path.Value; });
      addUnsigned(Body, 3, Begin, End,
                  [](const InclusionRow &R) { return R.IncludedFrom; });
      addUnsigned(Body, 4, Begin, End,
                  [](const InclusionRow &R) { return R.LineNo; });
      addUnsigned(Body, 5, Begin, End,
                  [](const InclusionRow &R) { return R.ColumnNo; });
      addUnsigned(Body, 6, Begin, End,
                  [](const InclusionRow &R) { return R.IsSystem; });
    });
  });
}

size_t TraceWriter::writeEntities(uint32_t FirstId,
                                  const std::vector<EntityRow> &Rows) {
  return inPackets(Rows, [&](const EntityRow *Begin, const EntityRow *End) {
    return packet(BodyEntities, [&](protozero::pbf_writer &Body) {
      Body.add_uint32(1, FirstId + static_cast<uint32_t>(Begin - Rows.data()));
      addDeltas(Body, 2, Begin, End,
                [](const EntityRow &R) { return R.Name.Value; });
      addDeltas(Body, 3, Begin, End,
                [](const EntityRow &R) { return R.TemplateSet.Value; });
      addUnsigned(Body, 4, Begin, End,
                  [](const EntityRow &R) { return R.DeclaredAt; });
      addUnsigned(Body, 5, Begin, End, [](const EntityRow &R) {
        return static_cast<unsigned>(R.Kind);
      });
      // Declared nowhere is said by no column. Readers of 1.0 need the other
      // one, which then has zeros.
      auto IsDeclared = [](const EntityRow &R) { return R.Declaration != 0; };
      if (std::any_of(Begin, End, IsDeclared))
        addUnsigned(Body, 6, Begin, End,
                    [](const EntityRow &R) { return R.Declaration; });
    });
  });
}

size_t TraceWriter::writeMemoizedHits(const std::vector<MemoizedRow> &Rows) {
  return inPackets(Rows, [&](const MemoizedRow *Begin, const MemoizedRow *End) {
    return packet(BodyMemoizedHits, [&](protozero::pbf_writer &Body) {
      addUnsigned(Body, 1, Begin, End,
                  [](const MemoizedRow &R) { return R.Entity; });
      addUnsigned(Body, 2, Begin, End,
                  [](const MemoizedRow &R) { return R.Hits; });
    });
  });
}

void TraceWriter::writeFooter(const FooterInfo &Footer) {
  packet(BodyFooter, [&Footer](protozero::pbf_writer &Body) {
    Body.add_enum(1, static_cast<int32_t>(Footer.State));
    uint32_t Field = 2;
    for (uint64_t Value :
         {Footer.EndTimeNs, Footer.PeakRssBytes, Footer.UserTimeNs,
          Footer.SystemTimeNs, Footer.EventsRecorded, Footer.EventsDropped,
          Footer.EventsElided, Footer.MemoizedHits}) {
      if (Value != 0)
        Body.add_uint64(Field, Value);
      ++Field;
    }
    for (const std::string &Path : Footer.ModuleInputs)
      Body.add_bytes(10, Path);
    if (Footer.Signal != 0)
      Body.add_uint32(11, Footer.Signal);
    if (Footer.FragmentsDropped != 0)
      Body.add_uint64(12, Footer.FragmentsDropped);
  });
}

} // namespace instantrace
