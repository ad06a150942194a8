/// \file
/// A trace of Templight, for templight-convert, Templar and metashell.
///
/// Flow:   walkExport -> [writeTemplight]
/// Layout: test/viewers/templight.proto
/// Source: Templight's templight_messages.proto and what templight-tools read:
///         one trace per file; a name before its first use, ids implicit from
///         0; a file's name with its first use; every begin has its end and
///         both places, since the reader keeps the last one it saw; memory
///         below 2 GiB, since it shifts an int
///
/// Phases and files are not of Templight's world: what is in them stands by
/// itself. Every distinct name is one entry of the dictionary, without parts.
#include "utils/export/ExportJob.h"
#include "utils/open/TemplightFields.h"
#include "utils/open/TemplightKinds.h"

#include <protozero/pbf_writer.hpp>

#include <algorithm>
#include <optional>
#include <unordered_map>

using namespace instantrace;
using protozero::pbf_writer;

namespace {

constexpr uint64_t MemoryLimitBytes = (uint64_t(1) << 31) - 1;

class TemplightEvents {
public:
  TemplightEvents(std::string &Trace, const Sequence &S, ExportFrames &Frames)
      : Writer(Trace), S(S), Frames(Frames) {}

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    beginEntry(I.Kind, I.Entity, I.Location, I.BeginNs, Frames.frameFor(I));
  }
  void end(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    MemoryBytes += I.AstBytes;
    endEntry(I.Kind, I.EndNs);
  }
  void instant(const Instant &I) {
    beginEntry(I.Kind, I.Entity, I.Location, I.TimeNs, Frames.frameFor(I));
    endEntry(I.Kind, I.TimeNs);
  }
  void fold(const Fold &F) {
    uint32_t Frame = Frames.fixed(FoldedFrame);
    beginEntry(EventKind::TemplateInstantiation, {}, {}, F.BeginNs, Frame);
    MemoryBytes += F.AstBytes;
    endEntry(EventKind::TemplateInstantiation, F.BeginNs + F.DurationNs);
  }

private:
  void beginEntry(EventKind Kind, EntityId Entity, LocationId Location,
                  uint64_t TimeNs, uint32_t Frame) {
    std::optional<uint32_t> Number = templightKind(Kind);
    if (!Number)
      return;
    uint32_t Name = nameOf(Frame);
    pbf_writer Entry(Writer, templight::TraceEntry);
    pbf_writer Begin(Entry, templight::EntryBegin);
    Begin.add_enum(templight::BeginKind, static_cast<int32_t>(*Number));
    {
      pbf_writer Named(Begin, templight::BeginName);
      Named.add_uint32(templight::NameDictionaryId, Name);
    }
    place(Begin, templight::BeginPlace, Location);
    Begin.add_double(templight::BeginTime, double(TimeNs) * 1e-9);
    memory(Begin, templight::BeginMemory);
    const instantrace::Entity *E = S.entity(Entity);
    place(Begin, templight::BeginOrigin, E ? E->DeclaredAt : LocationId{});
  }

  void endEntry(EventKind Kind, uint64_t TimeNs) {
    if (!templightKind(Kind))
      return;
    pbf_writer Entry(Writer, templight::TraceEntry);
    pbf_writer End(Entry, templight::EntryEnd);
    End.add_double(templight::EndTime, double(TimeNs) * 1e-9);
    memory(End, templight::EndMemory);
  }

  void memory(pbf_writer &Into, uint32_t Field) {
    Into.add_uint64(Field, std::min(MemoryBytes, MemoryLimitBytes));
  }

  /// Files are numbered by first use. No place is the file without a name.
  void place(pbf_writer &Into, uint32_t Field, LocationId Id) {
    const Location *L = S.location(Id);
    uint32_t File = L ? Frames.file(L->File) : 0;
    auto [Known, IsNew] =
        Files.try_emplace(File, static_cast<uint32_t>(Files.size()));
    pbf_writer Place(Into, Field);
    if (IsNew) {
      std::string_view Name = Frames.fileName(File);
      Place.add_string(templight::PlaceFile, Name.data(), Name.size());
    }
    Place.add_uint32(templight::PlaceFileId, Known->second);
    Place.add_uint32(templight::PlaceLine, L ? L->LineNo : 0);
    Place.add_uint32(templight::PlaceColumn, L ? L->ColumnNo : 0);
  }

  uint32_t nameOf(uint32_t Frame) {
    // A NUL would be a place for another name; clean text has none. Frames stay
    // where they are.
    std::string_view Text = Frames[Frame].Name;
    auto [Known, IsNew] =
        Names.try_emplace(Text, static_cast<uint32_t>(Names.size()));
    if (IsNew) {
      pbf_writer Entry(Writer, templight::TraceName);
      Entry.add_string(templight::EntryMarkedName, Text.data(), Text.size());
    }
    return Known->second;
  }

  pbf_writer Writer;
  const Sequence &S;
  ExportFrames &Frames;
  std::unordered_map<uint32_t, uint32_t> Files;
  std::unordered_map<std::string_view, uint32_t> Names;
  uint64_t MemoryBytes = 0; // of the syntax tree, so far
};

} // namespace

static Result<int> writeTemplight(const ExportJob &Job,
                                  const std::string &Path) {
  if (Job.T.Sequences.size() != 1)
    return makeError("templight",
                     std::to_string(Job.T.Sequences.size()) + " compiles",
                     "one: Templight's tools mix up the names of several in "
                     "one file");
  const Sequence &S = Job.T.Sequences.front();
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameOnly);
  Frames.enterSequence(0);
  // Its length comes before it, so it is built first.
  std::string Trace;
  {
    pbf_writer Writer(Trace);
    pbf_writer Header(Writer, templight::TraceHeader);
    Header.add_uint32(templight::HeaderVersion, templight::Version);
    Header.add_string(templight::HeaderSource, inputText(Job.T, S));
  }
  walkExport(S, 0, Job.Plan, TemplightEvents(Trace, S, Frames));
  ExportOutput Out(Path);
  pbf_writer Collection(Out.buffer());
  Collection.add_message(templight::CollectionTrace, Trace);
  return Out.finish();
}

const ExportFormat instantrace::TemplightFormat = {
    .Name = "templight",
    .Description = "templight-convert, Templar: template work of one compile",
    .Write = writeTemplight,
};
