/// \file
/// Perfetto's own format: a process and track per compile, interned names.
///
/// Flow:   walkExport -> [PerfettoSequence] -> packets -> ExportOutput
/// Layout: test/viewers/perfetto.proto names the fields that are written
/// Source: Perfetto, protos/perfetto/trace/*.proto. Every packet has its
///         sequence's id; interned ids are per sequence and defined in the
///         packet that first uses them; slices are nested by their order
///
/// Deeper than 512 slices the trace processor ends the wrong ones, so that is a
/// limit that no option lifts (PerfettoDepth). An interval without an end has
/// none here either, which Perfetto shows as "did not end".
#include "utils/export/ExportJob.h"
#include "utils/export/RequestFlows.h"
#include "utils/render/CleanText.h"
#include "utils/render/SessionHeader.h"

#include <protozero/pbf_writer.hpp>

#include <unordered_map>
#include <utility>

using namespace instantrace;
using protozero::pbf_writer;

namespace {

// Trace, and its TracePacket
constexpr uint32_t TracePacket = 1;
constexpr uint32_t PacketClockSnapshot = 6, PacketTimestamp = 8,
                   PacketSequenceId = 10, PacketTrackEvent = 11,
                   PacketInterned = 12, PacketSequenceFlags = 13,
                   PacketClockId = 58, PacketTrackDescriptor = 60;
constexpr uint32_t ClocksSequence =
    UINT32_MAX; // those of compiles count from 1
constexpr uint32_t IncrementalStateCleared = 1, NeedsIncrementalState = 2;
// ClockSnapshot, and its Clock
constexpr uint32_t SnapshotClock = 1, SnapshotPrimary = 2;
constexpr uint32_t ClockId = 1, ClockTime = 2;
constexpr uint32_t RealtimeClock = 1, MonotonicClock = 3, BootClock = 6;
// TrackDescriptor, and its ProcessDescriptor, ThreadDescriptor,
// CounterDescriptor
constexpr uint32_t TrackUuid = 1, TrackName = 2, TrackProcess = 3,
                   TrackThread = 4, TrackParent = 5, TrackCounter = 8;
constexpr uint32_t ProcessPid = 1, ProcessName = 6, ProcessLabels = 8;
constexpr uint32_t ThreadPid = 1, ThreadTid = 2, ThreadName = 5;
constexpr uint32_t CounterUnit = 3, UnitBytes = 3;
// TrackEvent
constexpr uint32_t EventCategoryIid = 3, EventAnnotation = 4, EventType = 9,
                   EventNameIid = 10, EventTrack = 11, EventCounterValue = 30,
                   EventLocationIid = 34, EventFlow = 47,
                   EventTerminatingFlow = 48;
enum Type { Begin = 1, End = 2, InstantEvent = 3, Counter = 4 };
// DebugAnnotation
constexpr uint32_t AnnotationNameIid = 1, AnnotationBool = 2,
                   AnnotationUint = 3, AnnotationString = 6;
// InternedData, and its entries
constexpr uint32_t InternedCategory = 1, InternedName = 2,
                   InternedAnnotation = 3, InternedLocation = 4;
constexpr uint32_t EntryIid = 1, EntryName = 2;
constexpr uint32_t LocationFile = 2, LocationLine = 4;

/// Ids of one kind on one sequence. 0 is none.
class Interning {
public:
  /// The id, and whether it is new.
  std::pair<uint64_t, bool> id(uint64_t Key) {
    auto [Entry, IsNew] = Ids.try_emplace(Key, Ids.size() + 1);
    return {Entry->second, IsNew};
  }

private:
  std::unordered_map<uint64_t, uint64_t> Ids;
};

class PerfettoSequence {
public:
  PerfettoSequence(ExportOutput &Out, const ExportJob &Job,
                   ExportFrames &Frames, size_t Index, uint64_t StartNs)
      : Out(Out), Job(Job), S(Job.T.Sequences[Index]), Frames(Frames),
        Index(Index), StartNs(StartNs), Flows(S, Index, Job.Plan) {}

  void descriptors() {
    packet(0, 0, [this](pbf_writer &Packet) {
      Packet.add_uint32(PacketSequenceFlags, IncrementalStateCleared);
      pbf_writer Track(Packet, PacketTrackDescriptor);
      Track.add_uint64(TrackUuid, uuid(Process));
      describeProcess(Track);
    });
    packet(0, 0, [this](pbf_writer &Packet) {
      pbf_writer Track(Packet, PacketTrackDescriptor);
      Track.add_uint64(TrackUuid, uuid(Slices));
      Track.add_uint64(TrackParent, uuid(Process));
      pbf_writer Thread(Track, TrackThread);
      Thread.add_int32(ThreadPid, pid());
      Thread.add_int32(ThreadTid, pid());
      Thread.add_string(ThreadName, "frontend");
    });
    packet(0, 0, [this](pbf_writer &Packet) {
      pbf_writer Track(Packet, PacketTrackDescriptor);
      Track.add_uint64(TrackUuid, uuid(Memory));
      Track.add_uint64(TrackParent, uuid(Process));
      Track.add_string(TrackName, "syntax tree");
      pbf_writer Bytes(Track, TrackCounter);
      Bytes.add_enum(CounterUnit, UnitBytes);
    });
    memory(0);
  }

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    uint32_t Frame = Frames.frameFor(I);
    event(Begin, I.BeginNs, [&](pbf_writer &Event, pbf_writer &Interned) {
      name(Event, Interned, Frame, Frames[Frame].Kind);
      location(Event, Interned, I.Location);
      annotate(Event, Interned, Id);
      if (std::exchange(IsFirst, false))
        annotateCompile(Event, Interned);
      for (const RequestFlows::Flow &F : Flows.flowsFrom(Id))
        Event.add_fixed64(EventFlow, flow(F.Requested));
      if (RequestFlows::hasEnd(S, Index, Job.Plan, Id))
        Event.add_fixed64(EventTerminatingFlow, flow(Id.Value));
    });
  }

  void end(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    if (!I.Open)
      event(End, I.EndNs, [](pbf_writer &, pbf_writer &) {});
    AstBytes += I.AstBytes;
    if (I.AstBytes != 0)
      memory(I.EndNs);
  }

  void fold(const Fold &F) {
    event(Begin, F.BeginNs, [&](pbf_writer &Event, pbf_writer &Interned) {
      name(Event, Interned, Frames.fixed(FoldedFrame), FoldedFrame);
      annotate(Event, Interned, "intervals", AnnotationUint, F.Intervals);
    });
    uint64_t EndNs = F.BeginNs + F.DurationNs;
    event(End, EndNs, [](pbf_writer &, pbf_writer &) {});
    AstBytes += F.AstBytes;
    if (F.AstBytes != 0)
      memory(EndNs);
  }

  void instant(const Instant &I) {
    uint32_t Frame = Frames.frameFor(I);
    event(InstantEvent, I.TimeNs, [&](pbf_writer &Event, pbf_writer &Interned) {
      name(Event, Interned, Frame, Frames[Frame].Kind);
      location(Event, Interned, I.Location);
    });
  }

private:
  enum Track : uint64_t { Process = 1, Slices = 2, Memory = 3 };

  // Both are made up: real pids repeat in a build, and tracks would be merged.
  uint64_t uuid(Track Shown) const { return (uint64_t(Index) + 1) * 4 + Shown; }
  int32_t pid() const { return static_cast<int32_t>(Index) + 1; }
  /// By where the arrow ends, which only one does.
  uint64_t flow(uint32_t End) const {
    return (uint64_t(Index) + 1) << 32 | End;
  }

  void describeProcess(pbf_writer &Track) {
    pbf_writer Described(Track, TrackProcess);
    Described.add_int32(ProcessPid, pid());
    Described.add_string(ProcessName, inputText(Job.T, S));
    if (S.Session)
      Described.add_string(ProcessLabels,
                           "pid " + std::to_string(S.Session->Pid));
  }

  /// On the first slice: there is no place for remarks on the whole that the
  /// viewers show.
  void annotateCompile(pbf_writer &Event, pbf_writer &Interned) {
    if (S.Session) {
      text(Event, Interned, "command", commandText(*S.Session));
      text(Event, Interned, "clang", cleanText(S.Session->ClangVersion));
    }
    for (const std::string &Line : missingFrom(Job))
      text(Event, Interned, "missing", Line);
  }

  void memory(uint64_t TimeNs) {
    packet(NeedsIncrementalState, TimeNs, [this](pbf_writer &Packet) {
      pbf_writer Event(Packet, PacketTrackEvent);
      Event.add_enum(EventType, Counter);
      Event.add_uint64(EventTrack, uuid(Memory));
      Event.add_int64(EventCounterValue, static_cast<int64_t>(AstBytes));
    });
  }

  template <class Build>
  void event(Type EventClass, uint64_t TimeNs, Build BuildEvent) {
    EventBytes.clear();
    InternedBytes.clear();
    {
      pbf_writer Event(EventBytes);
      pbf_writer Interned(InternedBytes);
      Event.add_enum(EventType, EventClass);
      Event.add_uint64(EventTrack, uuid(Slices));
      BuildEvent(Event, Interned);
    }
    packet(NeedsIncrementalState, TimeNs, [this](pbf_writer &Packet) {
      if (!InternedBytes.empty())
        Packet.add_message(PacketInterned, InternedBytes);
      Packet.add_message(PacketTrackEvent, EventBytes);
    });
  }

  template <class Build>
  void packet(uint32_t Flags, uint64_t TimeNs, Build BuildPacket) {
    pbf_writer File(Out.buffer());
    {
      pbf_writer Packet(File, TracePacket);
      Packet.add_uint64(PacketTimestamp, StartNs + TimeNs);
      Packet.add_uint32(PacketSequenceId, static_cast<uint32_t>(Index) + 1);
      if (Flags != 0)
        Packet.add_uint32(PacketSequenceFlags, Flags);
      Packet.add_uint32(PacketClockId, MonotonicClock);
      BuildPacket(Packet);
    }
    Out.lineDone();
  }

  static void intern(pbf_writer &Interned, uint32_t Field, uint64_t Iid,
                     std::string_view Text) {
    pbf_writer Entry(Interned, Field);
    Entry.add_uint64(EntryIid, Iid);
    Entry.add_string(EntryName, Text.data(), Text.size());
  }

  void name(pbf_writer &Event, pbf_writer &Interned, uint32_t Frame,
            std::string_view Category) {
    auto [NameIid, IsNewName] = Names.id(Frame);
    if (IsNewName)
      intern(Interned, InternedName, NameIid, Frames[Frame].Name);
    Event.add_uint64(EventNameIid, NameIid);
    // A view into one of the fixed names of kinds: its address tells them
    // apart.
    auto [CategoryIid, IsNewCategory] =
        Categories.id(reinterpret_cast<uintptr_t>(Category.data()));
    if (IsNewCategory)
      intern(Interned, InternedCategory, CategoryIid, Category);
    Event.add_uint64(EventCategoryIid, CategoryIid);
  }

  void location(pbf_writer &Event, pbf_writer &Interned, LocationId Id) {
    const Location *L = S.location(Id);
    if (!L)
      return;
    uint32_t File = Frames.file(L->File);
    auto [Iid, IsNew] = Locations.id(uint64_t(File) << 32 | L->LineNo);
    if (IsNew) {
      pbf_writer Entry(Interned, InternedLocation);
      Entry.add_uint64(EntryIid, Iid);
      std::string_view Name = Frames.fileName(File);
      Entry.add_string(LocationFile, Name.data(), Name.size());
      Entry.add_uint32(LocationLine, L->LineNo);
    }
    Event.add_uint64(EventLocationIid, Iid);
  }

  void annotate(pbf_writer &Event, pbf_writer &Interned, IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    auto Number = [&](const char *Name, uint64_t Value) {
      if (Value != 0)
        annotate(Event, Interned, Name, AnnotationUint, Value);
    };
    if (const Location *L = S.location(I.Location))
      Number("column", L->ColumnNo);
    if (const Entity *E = S.entity(I.Entity))
      declaration(Event, Interned, E->DeclaredAt);
    Number("ast_bytes", I.AstBytes);
    Number("memoized", I.memoized());
    if (I.Definition)
      annotate(Event, Interned, "definition", AnnotationBool, 1);
    if (!I.HasElided)
      return;
    ElidedLeaves Leaves = S.elidedIn(Id);
    Number("elided_count", Leaves.Count);
    Number("elided_ns", Leaves.SumNs);
  }

  void declaration(pbf_writer &Event, pbf_writer &Interned, LocationId Id) {
    const Location *L = S.location(Id);
    if (!L)
      return;
    std::string Place(Frames.fileName(Frames.file(L->File)));
    Place += ":" + std::to_string(L->LineNo);
    text(Event, Interned, "declared", Place);
  }

  void text(pbf_writer &Event, pbf_writer &Interned, const char *Name,
            const std::string &Value) {
    pbf_writer Annotation(Event, EventAnnotation);
    Annotation.add_uint64(AnnotationNameIid, annotation(Interned, Name));
    Annotation.add_string(AnnotationString, Value);
  }

  void annotate(pbf_writer &Event, pbf_writer &Interned, const char *Name,
                uint32_t Field, uint64_t Value) {
    pbf_writer Annotation(Event, EventAnnotation);
    Annotation.add_uint64(AnnotationNameIid, annotation(Interned, Name));
    Annotation.add_uint64(Field, Value);
  }

  uint64_t annotation(pbf_writer &Interned, std::string_view Name) {
    auto [Iid, IsNew] =
        Annotations.id(reinterpret_cast<uintptr_t>(Name.data()));
    if (IsNew)
      intern(Interned, InternedAnnotation, Iid, Name);
    return Iid;
  }

  ExportOutput &Out;
  const ExportJob &Job;
  const Sequence &S;
  ExportFrames &Frames;
  size_t Index;
  uint64_t StartNs;
  RequestFlows Flows;
  Interning Names, Categories, Locations, Annotations;
  uint64_t AstBytes = 0; // so far
  bool IsFirst = true;
  std::string EventBytes, InternedBytes;
};

} // namespace

namespace {

/// Our times count from the begin of the first compile, by a clock that
/// Perfetto has to know for its own; the time of day is what that moment was.
void writeClocks(ExportOutput &Out, const Trace &T) {
  uint64_t FirstNs = UINT64_MAX;
  for (const Sequence &S : T.Sequences)
    FirstNs = std::min(FirstNs, S.Session ? S.Session->RealtimeNs : 0);
  pbf_writer File(Out.buffer());
  pbf_writer Packet(File, TracePacket);
  Packet.add_uint32(PacketSequenceId, ClocksSequence);
  pbf_writer Snapshot(Packet, PacketClockSnapshot);
  auto Add = [&Snapshot](uint32_t Id, uint64_t Ns) {
    pbf_writer Clock(Snapshot, SnapshotClock);
    Clock.add_uint32(ClockId, Id);
    Clock.add_uint64(ClockTime, Ns);
  };
  Add(MonotonicClock, 0);
  Add(BootClock, 0);
  if (FirstNs != 0 && FirstNs != UINT64_MAX)
    Add(RealtimeClock, FirstNs);
  Snapshot.add_enum(SnapshotPrimary, MonotonicClock);
}

} // namespace

static void writePerfetto(ExportOutput &Out, const ExportJob &Job) {
  writeClocks(Out, Job.T);
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameOnly);
  std::vector<uint64_t> Starts = startsOf(Job.T);
  for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index) {
    Frames.enterSequence(Index);
    PerfettoSequence Events(Out, Job, Frames, Index, Starts[Index]);
    Events.descriptors();
    walkExport(Job.T.Sequences[Index], Index, Job.Plan, Events);
  }
}

const ExportFormat instantrace::PerfettoFormat = {
    .Name = "perfetto",
    .Description = "ui.perfetto.dev and its trace processor: timeline, SQL",
    .Defaults = {.MaxDepth = PerfettoDepth},
    .ViewerDepth = PerfettoDepth,
    .Write = toFile<writePerfetto>,
};
