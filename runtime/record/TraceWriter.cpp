#include "runtime/record/TraceWriter.h"

#include "runtime/base/Hash.h"
#include "runtime/base/Varint.h"
#include "runtime/format/Record.h"
#include "runtime/record/FieldWriter.h"
#include "runtime/strings/DictionaryEntries.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace instantrace {

namespace {

/// A dictionary packet is closed after this many bytes of text, so that it fits
/// into the buffer, a reader can bound its own, and damage costs little.
constexpr size_t DictionaryPacketBytes = size_t(32) * 1024;
/// Rows of one location, entity or hit packet.
constexpr size_t RowsPerPacket = size_t(64) * 1024;

/// \p First is the element of the packet's first row.
void addDetail(protozero::pbf_writer &Body, const LocationDetailRow &Row,
               uint32_t First) {
  using Field = schema::LocationDetail;
  protozero::pbf_writer Detail(Body, schema::LocationBatch::Detail.Number);
  addSet(Detail, Field::Element, Row.Element - First);
  addSet(Detail, Field::Inclusion, Row.Inclusion);
  addSet(Detail, Field::Macro, Row.Macro.Value);
  addSet(Detail, Field::SpellingFile, Row.SpellingFile.Value);
  addSet(Detail, Field::SpellingLine, Row.SpellingLineNo);
  addSet(Detail, Field::SpellingColumn, Row.SpellingColumnNo);
  addSet(Detail, Field::ExpansionEndLine, Row.ExpansionEndLineNo);
  addSet(Detail, Field::ExpansionEndColumn, Row.ExpansionEndColumnNo);
  addSet(Detail, Field::PhysicalFile, Row.PhysicalFile.Value);
  addSet(Detail, Field::PhysicalLine, Row.PhysicalLineNo);
}

/// Bytes of a varint.
constexpr size_t varintBytes(uint64_t Value) {
  return (static_cast<size_t>(64 - __builtin_clzll(Value | 1)) + 6) / 7;
}

/// A field of DictionaryBatch by hand: there is one per name, and a writer of
/// messages inside messages moves each twice to put its length before it.
/// Returns the new end of \p Target, of which the rest is room.
size_t putEntry(std::string &Target, size_t Index,
                const DictionaryEntry &Name) {
  using Field = schema::DictionaryEntry;
  size_t MarkerBytes = 0;
  for (size_t I = 0; I != Name.MarkerCount; ++I)
    MarkerBytes += varintBytes(Name.Markers[I]);
  // All tags are one byte, and so is a part.
  constexpr uint32_t Tags = schema::DictionaryBatch::Entry.tag() |
                            Field::MarkedName.tag() | Field::MarkerIds.tag() |
                            Field::Part.tag();
  static_assert(varintBytes(Tags) == 1);
  size_t NameBytes = Name.MarkedName.size(), EntryBytes = 0;
  if (NameBytes != 0)
    EntryBytes += 1 + varintBytes(NameBytes) + NameBytes;
  if (MarkerBytes != 0)
    EntryBytes += 1 + varintBytes(MarkerBytes) + MarkerBytes;
  if (Name.Part != NamePart::Text)
    EntryBytes += 2;
  constexpr size_t VarintRoom = 10; // writeVarint() asks for so much
  size_t End = Index + 1 + varintBytes(EntryBytes) + EntryBytes;
  if (Target.size() < End + VarintRoom)
    Target.resize((End + VarintRoom) * 2);
  auto *Out = reinterpret_cast<uint8_t *>(Target.data() + Index);
  auto tag = [&Out](uint32_t Tag) { *Out++ = static_cast<uint8_t>(Tag); };
  tag(schema::DictionaryBatch::Entry.tag());
  Out = writeVarint(Out, EntryBytes);
  if (NameBytes != 0) {
    tag(Field::MarkedName.tag());
    Out = writeVarint(Out, NameBytes);
    // By words, of which the last may be of no use; both have room for it.
    static_assert(DictionaryEntry::RoomBytes >= 8 && VarintRoom >= 8);
    for (size_t I = 0; I < NameBytes; I += 8)
      std::memcpy(Out + I, Name.MarkedName.data() + I, 8);
    Out += NameBytes;
  }
  if (MarkerBytes != 0) {
    tag(Field::MarkerIds.tag());
    Out = writeVarint(Out, MarkerBytes);
    for (size_t I = 0; I != Name.MarkerCount; ++I)
      Out = writeVarint(Out, Name.Markers[I]);
  }
  if (Name.Part != NamePart::Text) {
    tag(Field::Part.tag());
    *Out = static_cast<uint8_t>(Name.Part);
  }
  return End;
}

/// Calls Write(begin, end) for stretches of at most RowsPerPacket rows until
/// one is lost. Returns how many rows were kept.
template <class Row, class WriteFunction>
size_t inPackets(const std::vector<Row> &Rows, WriteFunction Write) {
  size_t Begin = 0;
  while (Begin < Rows.size()) {
    size_t End = std::min(Rows.size(), Begin + RowsPerPacket);
    if (!Write(Rows.data() + Begin, Rows.data() + End))
      break;
    Begin = End;
  }
  return Begin;
}

} // namespace

template <class BuildFunction>
bool TraceWriter::packet(BodyField Body, BuildFunction Build) {
  // Room for the frame, whose length is known only at the end.
  constexpr size_t MaxFrameBytes = 1 + protozero::max_varint_length;
  Buffer.assign(MaxFrameBytes, '\0');
  protozero::pbf_writer Packet(Buffer);
  {
    protozero::pbf_writer Message(Packet, Body.Number);
    Build(Message);
  }
  add(Packet, schema::Packet::SequenceId, SequenceId);
  auto Checksum = static_cast<uint32_t>(
      hashBytes(std::string_view(Buffer).substr(MaxFrameBytes)));
  add(Packet, schema::Packet::Checksum, Checksum);
  size_t SizeBytes = Buffer.size() - MaxFrameBytes;

  std::string Frame;
  protozero::write_varint(std::back_inserter(Frame),
                          schema::Trace::Packet.tag());
  protozero::write_varint(std::back_inserter(Frame), SizeBytes);
  size_t Index = MaxFrameBytes - Frame.size();
  Buffer.replace(Index, Frame.size(), Frame);
  return Sink.append(std::string_view(Buffer).substr(Index));
}

void TraceWriter::writeHeader(const SessionInfo &Session) {
  packet(schema::Packet::FileHeader, [](protozero::pbf_writer &Body) {
    using Field = schema::FileHeader;
    add(Body, Field::Magic, FormatMagic);
    add(Body, Field::FormatMajor, FormatMajor);
    addSet(Body, Field::FormatMinor, FormatMinor);
  });
  packet(schema::Packet::Session, [&Session](protozero::pbf_writer &Body) {
    using Field = schema::Session;
    add(Body, Field::ToolVersion, INSTANTRACE_VERSION);
    add(Body, Field::ClangVersion, Session.ClangVersion);
    for (const std::string &Argument : Session.Argv)
      add(Body, Field::Argv, Argument);
    addSet(Body, Field::WorkingDirectory, Session.WorkingDirectory);
    addSet(Body, Field::Input, Session.Input);
    addSet(Body, Field::Object, Session.Object);
    addSet(Body, Field::Triple, Session.Triple);
    addSet(Body, Field::LanguageStandard, Session.LanguageStandard);
    addSet(Body, Field::OptimizationLevel, Session.OptimizationLevel);
    add(Body, Field::Pid, Session.Pid);
    add(Body, Field::RealtimeNs, Session.RealtimeNs);
    add(Body, Field::MonotonicNs, Session.MonotonicNs);
    for (const std::string &Path : Session.PchInputs)
      add(Body, Field::PchInputs, Path);
    for (const std::string &Path : Session.ModuleInputs)
      add(Body, Field::ModuleInputs, Path);
    addSet(Body, Field::Hook, Session.Hook);
    {
      protozero::packed_field_uint32 Kinds(Body, Field::RecordedKinds.Number);
      for (unsigned Kind = 0; Kind != EventKindLimit; ++Kind)
        if (isEventKind(Kind) &&
            Session.Filter.contains(static_cast<EventKind>(Kind)))
          Kinds.add_element(Kind);
    }
    add(Body, Field::Memoization, Session.Memoization);
    addSet(Body, Field::GranularityNs, Session.GranularityNs);
    add(Body, Field::TimeUnitNs, Session.TimeUnitNs);
    addSet(Body, Field::Buffer, Session.Buffer);
    addSet(Body, Field::Clock, Session.Clock);
  });
}

void TraceWriter::writeEvents(const BatchStart &Start, const uint8_t *Records,
                              size_t SizeBytes) {
  packet(schema::Packet::Events, [&](protozero::pbf_writer &Body) {
    using Field = schema::EventBatch;
    addSet(Body, Field::FirstTimeNs, Start.TimeNs);
    addSet(Body, Field::FirstInterval, Start.Interval);
    addSet(Body, Field::FirstEntity, Start.Entity);
    addSet(Body, Field::FirstLocation, Start.Location);
    addSet(Body, Field::Depth, Start.Depth);
    // The records are varints already: a packed field's very bytes.
    Body.add_bytes(Field::Record.Number,
                   reinterpret_cast<const char *>(Records), SizeBytes);
  });
}

bool TraceWriter::writeDictionary(const StringTable &Strings) {
  DictionaryEntry Name;
  while (StringsWritten != Strings.size()) {
    DictionaryEntries Entries(Strings, StringBytesWritten);
    uint32_t Last = StringsWritten;
    bool IsKept =
        packet(schema::Packet::Dictionary, [&](protozero::pbf_writer &Body) {
          using Batch = schema::DictionaryBatch;
          add(Body, Batch::FirstId,
              Strings.ordinalsBefore() + StringsWritten + 1);
          size_t Written = 0, End = Buffer.size();
          while (Written < DictionaryPacketBytes && Entries.next(Name)) {
            ++Last;
            Written += Name.MarkedName.size() + Name.MarkerCount * 4 + 4;
            End = putEntry(Buffer, End, Name);
          }
          Buffer.resize(End);
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
  return writeLocationTable(schema::Packet::Locations, FirstId, Locations);
}

size_t TraceWriter::writeDeclarationLocations(uint32_t FirstId,
                                              const LocationRows &Locations) {
  return writeLocationTable(schema::Packet::DeclarationLocations, FirstId,
                            Locations);
}

size_t TraceWriter::writeLocationTable(BodyField Table, uint32_t FirstId,
                                       const LocationRows &Locations) {
  using Field = schema::LocationBatch;
  const std::vector<LocationRow> &Rows = Locations.Rows;
  const LocationDetailRow *Detail = Locations.Details.data();
  const LocationDetailRow *LastDetail = Detail + Locations.Details.size();
  return inPackets(Rows, [&](const LocationRow *Begin, const LocationRow *End) {
    return packet(Table, [&](protozero::pbf_writer &Body) {
      auto First = static_cast<uint32_t>(Begin - Rows.data());
      add(Body, Field::FirstId, FirstId + First);
      addColumn(Body, Field::File, Begin, End,
                [](const LocationRow &R) { return R.File.Value; });
      addColumn(Body, Field::Line, Begin, End,
                [](const LocationRow &R) { return R.LineNo; });
      addColumn(Body, Field::Column, Begin, End,
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
  using Field = schema::InclusionBatch;
  return inPackets(Rows, [&](const InclusionRow *Begin,
                             const InclusionRow *End) {
    return packet(schema::Packet::Inclusions, [&](protozero::pbf_writer &Body) {
      add(Body, Field::FirstId,
          FirstId + static_cast<uint32_t>(Begin - Rows.data()));
      addColumn(Body, Field::Path, Begin, End,
                [](const InclusionRow &R) { return R.Path.Value; });
      addColumn(Body, Field::IncludedFrom, Begin, End,
                [](const InclusionRow &R) { return R.IncludedFrom; });
      addColumn(Body, Field::Line, Begin, End,
                [](const InclusionRow &R) { return R.LineNo; });
      addColumn(Body, Field::Column, Begin, End,
                [](const InclusionRow &R) { return R.ColumnNo; });
      addColumn(Body, Field::IsSystem, Begin, End,
                [](const InclusionRow &R) { return R.IsSystem; });
    });
  });
}

size_t TraceWriter::writeEntities(uint32_t FirstId,
                                  const std::vector<EntityRow> &Rows) {
  using Field = schema::EntityBatch;
  return inPackets(Rows, [&](const EntityRow *Begin, const EntityRow *End) {
    return packet(schema::Packet::Entities, [&](protozero::pbf_writer &Body) {
      add(Body, Field::FirstId,
          FirstId + static_cast<uint32_t>(Begin - Rows.data()));
      addColumn(Body, Field::Name, Begin, End,
                [](const EntityRow &R) { return R.Name.Value; });
      addColumn(Body, Field::TemplateSet, Begin, End,
                [](const EntityRow &R) { return R.TemplateSet.Value; });
      addColumn(Body, Field::DeclaredAt, Begin, End,
                [](const EntityRow &R) { return R.DeclaredAt; });
      addColumn(Body, Field::Kind, Begin, End,
                [](const EntityRow &R) { return R.Kind; });
      // Declared nowhere is said by no column. Readers of 1.0 need the other
      // one, which then has zeros.
      auto IsDeclared = [](const EntityRow &R) { return R.Declaration != 0; };
      if (std::any_of(Begin, End, IsDeclared))
        addColumn(Body, Field::Declaration, Begin, End,
                  [](const EntityRow &R) { return R.Declaration; });
    });
  });
}

size_t TraceWriter::writeMemoizedHits(const std::vector<MemoizedRow> &Rows) {
  using Field = schema::MemoizedHits;
  return inPackets(Rows, [&](const MemoizedRow *Begin, const MemoizedRow *End) {
    return packet(schema::Packet::MemoizedHits,
                  [&](protozero::pbf_writer &Body) {
                    addColumn(Body, Field::Entity, Begin, End,
                              [](const MemoizedRow &R) { return R.Entity; });
                    addColumn(Body, Field::Hits, Begin, End,
                              [](const MemoizedRow &R) { return R.Hits; });
                  });
  });
}

size_t TraceWriter::writeFunctions(uint32_t FirstId,
                                   const std::vector<FunctionRow> &Rows) {
  using Field = schema::FunctionBatch;
  return inPackets(Rows, [&](const FunctionRow *Begin, const FunctionRow *End) {
    return packet(schema::Packet::Functions, [&](protozero::pbf_writer &Body) {
      add(Body, Field::FirstId,
          FirstId + static_cast<uint32_t>(Begin - Rows.data()));
      addColumn(Body, Field::Entity, Begin, End,
                [](const FunctionRow &R) { return R.Entity; });
      addColumn(Body, Field::Owner, Begin, End,
                [](const FunctionRow &R) { return R.Owner; });
      addColumn(Body, Field::NameHash, Begin, End,
                [](const FunctionRow &R) { return R.NameHash; });
      addColumn(Body, Field::Linkage, Begin, End,
                [](const FunctionRow &R) { return R.Link; });
      addColumn(Body, Field::IrInstructions, Begin, End,
                [](const FunctionRow &R) { return R.IrInstructions; });
    });
  });
}

template <class SizeField>
size_t
TraceWriter::writeFunctionSizes(SizeField Size,
                                const std::vector<FunctionSizeRow> &Rows) {
  return inPackets(
      Rows, [&](const FunctionSizeRow *Begin, const FunctionSizeRow *End) {
        return packet(
            schema::Packet::FunctionSizes, [&](protozero::pbf_writer &Body) {
              addColumn(Body, schema::FunctionSizes::Function, Begin, End,
                        [](const FunctionSizeRow &R) { return R.Function; });
              addColumn(Body, Size, Begin, End,
                        [](const FunctionSizeRow &R) { return R.Size; });
            });
      });
}

size_t TraceWriter::writeMachineInstructions(
    const std::vector<FunctionSizeRow> &Rows) {
  return writeFunctionSizes(schema::FunctionSizes::MachineInstructions, Rows);
}

size_t TraceWriter::writeObjectBytes(const std::vector<FunctionSizeRow> &Rows) {
  return writeFunctionSizes(schema::FunctionSizes::ObjectBytes, Rows);
}

void TraceWriter::writeMemory(uint64_t Interval, uint32_t Depth,
                              uint64_t PeakRssBytes) {
  using Field = schema::MemorySamples;
  packet(schema::Packet::MemorySamples, [&](protozero::pbf_writer &Body) {
    auto Itself = [](auto Number) { return Number; };
    addColumn(Body, Field::Interval, &Interval, &Interval + 1, Itself);
    addColumn(Body, Field::Depth, &Depth, &Depth + 1, Itself);
    addColumn(Body, Field::PeakRssBytes, &PeakRssBytes, &PeakRssBytes + 1,
              Itself);
  });
}

void TraceWriter::writeFooter(const FooterInfo &Footer) {
  packet(schema::Packet::Footer, [&Footer](protozero::pbf_writer &Body) {
    using Field = schema::Footer;
    add(Body, Field::ExitState, Footer.State);
    addSet(Body, Field::EndTimeNs, Footer.EndTimeNs);
    addSet(Body, Field::PeakRssBytes, Footer.PeakRssBytes);
    addSet(Body, Field::UserTimeNs, Footer.UserTimeNs);
    addSet(Body, Field::SystemTimeNs, Footer.SystemTimeNs);
    addSet(Body, Field::EventsRecorded, Footer.EventsRecorded);
    addSet(Body, Field::EventsDropped, Footer.EventsDropped);
    addSet(Body, Field::EventsElided, Footer.EventsElided);
    addSet(Body, Field::MemoizedHits, Footer.MemoizedHits);
    for (const std::string &Path : Footer.ModuleInputs)
      add(Body, Field::ModuleInputs, Path);
    addSet(Body, Field::Signal, Footer.Signal);
    addSet(Body, Field::FragmentsDropped, Footer.FragmentsDropped);
    addSet(Body, Field::FirstShortName, Footer.FirstShortName);
    addSet(Body, Field::Pass, Footer.Pass);
    addSet(Body, Field::Backend, Footer.Backend);
    addSet(Body, Field::CodeBytes, Footer.CodeBytes);
    if (const std::vector<uint32_t> &Whole = Footer.WholeNames; !Whole.empty())
      addColumn(Body, Field::WholeNames, Whole.data(),
                Whole.data() + Whole.size(), [](uint32_t Id) { return Id; });
    addSet(Body, Field::Hook, Footer.Hook);
    addSet(Body, Field::FailedInside, Footer.FailedInside);
    if (const auto &Open = Footer.OpenLines; !Open.empty()) {
      const auto *Begin = Open.data(), *End = Open.data() + Open.size();
      addColumn(Body, Field::OpenLocations, Begin, End,
                [](const auto &Each) { return Each.first; });
      addColumn(Body, Field::OpenLines, Begin, End,
                [](const auto &Each) { return Each.second; });
    }
    addSet(Body, Field::RanOutOfMemory, Footer.RanOutOfMemory);
  });
}

} // namespace instantrace
