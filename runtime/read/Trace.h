/// \file
/// The model: what one or more trace files say, ready for analyses.
///
/// Flow:   TraceReader -> [Trace] -> analyses, dump, exporters
/// Layout: proto/trace.proto (where every number's unit and clock is defined)
/// Leaves: decoding, names as text (Dictionary)
///
/// Traces have millions of intervals, so an interval is 48 bytes, intervals
/// are one array in the order of their begins (parents precede children) and
/// rare properties live beside it.
#pragma once

#include "runtime/format/EventKind.h"
#include "runtime/format/Schema.h"
#include "runtime/read/TraceIssue.h"
#include "runtime/strings/Dictionary.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// 0 is none, else 1-based; defined or not: an interrupted compile may refer
/// to entities and locations it had no time to describe.
struct EntityId {
  uint32_t Value = 0;
  explicit operator bool() const { return Value != 0; }
};

/// Of one of the two tables that a sequence has: where events happened, and
/// where entities are declared. Both number from 1; bit 31 tells them apart.
struct LocationId {
  static constexpr uint32_t DeclarationBit = uint32_t(1) << 31;

  uint32_t Value = 0;
  explicit operator bool() const { return Value != 0; }

  /// None for 0. Requires: Number < DeclarationBit.
  static LocationId declaration(uint32_t Number) {
    return {Number == 0 ? 0 : Number | DeclarationBit};
  }
  bool isDeclaration() const { return Value & DeclarationBit; }
  /// In its table, from 1.
  uint32_t number() const { return Value & ~DeclarationBit; }
};

/// Index into Sequence::Intervals.
struct IntervalId {
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t Value = None;
  explicit operator bool() const { return Value != None; }
  friend bool operator==(IntervalId, IntervalId) = default;
};

/// LineNo 0: no line; File without text: no file.
struct Location {
  NameId File;
  uint32_t LineNo = 0;
  uint32_t ColumnNo = 0;
};

/// 0 is none, else 1-based.
struct InclusionId {
  uint32_t Value = 0;
  explicit operator bool() const { return Value != 0; }
  friend bool operator==(InclusionId, InclusionId) = default;
};

/// One entering of a file. Includer is smaller than the own id, so going
/// outwards ends.
struct Inclusion {
  NameId Path;
  InclusionId Includer; // none: a main file, a command-line input, no file
  uint32_t LineNo = 0;  // of the #include, in Includer; 0: none
  uint32_t ColumnNo = 0;
  bool IsSystem = false;
};

/// What few locations have: those in macros, under #line, in a file that is
/// entered more than once. The fields of proto LocationDetail.
struct LocationDetail {
  uint32_t Number = 0; // of the location, in its table
  InclusionId In;      // none: the first inclusion of the location's file
  NameId Macro;        // whose expansion begins at the location
  NameId SpellingFile; // of the token inside the macro
  uint32_t SpellingLineNo = 0;
  uint32_t SpellingColumnNo = 0;
  uint32_t ExpansionEndLineNo = 0;
  uint32_t ExpansionEndColumnNo = 0;
  NameId PhysicalFile; // with its line, where #line says otherwise
  uint32_t PhysicalLineNo = 0;
};

/// Locations of number 1, 2, ...
struct LocationTable {
  std::vector<Location> Rows;
  std::vector<LocationDetail> Details; // by number
};

struct Entity {
  NameId Name;
  NameId TemplateSet;    // equal to Name: no specialization
  LocationId DeclaredAt; // in traces of 1.0 no declaration location
  EntityKind Kind = EntityKind::Unknown;
};

struct Interval {
  uint64_t BeginNs = 0;
  uint64_t EndNs = 0;    // the last event's time while Open
  uint64_t AstBytes = 0; // without the intervals inside
  EntityId Entity;
  LocationId Location;
  IntervalId Parent;
  IntervalId Requester;
  uint32_t MemoizedLow = 0;
  uint16_t MemoizedHigh = 0;
  EventKind Kind{};
  bool Open : 1 = true;        // no end was recorded
  bool Definition : 1 = false; // completed the definition of its entity
  bool HasElided : 1 = false;

  uint64_t durationNs() const { return EndNs - BeginNs; }
  /// Hits directly inside: more than a compile of days can have.
  static constexpr uint64_t MostMemoized = (uint64_t(1) << 48) - 1;
  uint64_t memoized() const {
    return uint64_t(MemoizedHigh) << 32 | MemoizedLow;
  }
  void setMemoized(uint64_t Hits) {
    MemoizedLow = static_cast<uint32_t>(Hits);
    MemoizedHigh = static_cast<uint16_t>(Hits >> 32);
  }
};
static_assert(sizeof(Interval) == 48, "millions of these are in memory");

/// Leaves below the granularity, directly inside one interval.
struct ElidedLeaves {
  IntervalId Inside;
  uint64_t Count = 0;
  uint64_t SumNs = 0;
};

struct Instant {
  uint64_t TimeNs = 0;
  EntityId Entity;
  LocationId Location;
  IntervalId Parent;
  uint32_t BegunBefore = 0; // intervals begun before it: its place among them
  EventKind Kind{};
};

/// Id is its index plus 1. The fields of proto FunctionBatch and FunctionSizes.
struct Function {
  EntityId Entity;
  uint32_t IrInstructions = 0;
  uint64_t NameHash = 0;
  uint64_t ObjectBytes = 0;         // 0: not in the object, or not known
  uint32_t MachineInstructions = 0; // 0: no machine code was made of it
  FunctionOwner Owner = FunctionOwner::Itself;
  Linkage Link = Linkage::Unknown;
};

struct MemoizedHits {
  EntityId Entity;
  uint64_t Hits = 0;
};

/// The most memory that the process had had when so many intervals had begun
/// and so many of them were open.
struct MemorySample {
  uint64_t IntervalsBefore = 0;
  uint32_t Depth = 0;
  uint64_t PeakRssBytes = 0;
};

/// What was compiled, by what, and when; the fields of proto Session.
struct TraceSession {
  std::string ToolVersion;
  std::string ClangVersion;
  std::vector<std::string> Argv, PchInputs, ModuleInputs;
  std::string WorkingDirectory;
  std::string Input;
  std::string Object;
  std::string Triple;
  std::string LanguageStandard;
  std::string OptimizationLevel;
  std::string Hook;
  std::string Buffer; // how events were kept: "file", "private: REASON", ...
  std::string Clock;  // what times were read from: "tsc", "monotonic", ...
  uint32_t Pid = 0;
  uint64_t RealtimeNs = 0;
  uint64_t MonotonicNs = 0;
  uint64_t GranularityNs = 0;
  uint32_t TimeUnitNs = 1;
  MemoizationMode Memoization = MemoizationMode::Unknown;
};

/// The fields of proto Footer, but for its modules and hook, which are in the
/// session, and Sequence::FirstShortName, WholeNames and OpenLines.
struct TraceFooter {
  ExitState State = ExitState::Unknown;
  uint64_t EndTimeNs = 0;
  uint64_t PeakRssBytes = 0;
  uint64_t UserTimeNs = 0;
  uint64_t SystemTimeNs = 0;
  uint64_t EventsRecorded = 0;
  uint64_t EventsDropped = 0;
  uint64_t EventsElided = 0;
  uint64_t MemoizedHits = 0;
  uint32_t Signal = 0; // that ended the compiler; 0: none or unknown
  uint64_t FragmentsDropped = 0;
  std::string Pass;       // of the optimizer, that was running when killed
  std::string Backend;    // "functions", "passes", "off", "...: REASON"
  uint64_t CodeBytes = 0; // of the object's sections; 0: not known
  /// Interval of template work that an error came in, plus 1; 0: there was
  /// none.
  uint64_t FailedInside = 0;
  bool RanOutOfMemory = false; // it asked for memory and got none

  /// True if the compiler had no time to write a footer and `recover` did:
  /// intervals may be open and entities without a name.
  bool isInterrupted() const { return State == ExitState::Interrupted; }
};

/// Numbers of entities.
struct MissingNames {
  uint64_t None = 0;
  uint64_t Short = 0; ///< have no more than `vector<…>`

  MissingNames &operator+=(const MissingNames &More) {
    None += More.None;
    Short += More.Short;
    return *this;
  }
};

/// What times of events are: those on a processor leave out the times in which
/// the thread did not run, of which no trace before 1.7 tells.
enum class EventClock : uint8_t { Processor, Wall };

/// One compiler process.
struct Sequence {
  uint32_t Id = 0;
  uint32_t FileIndex = 0; // into Trace::Files
  uint32_t FormatMinor = 0;
  std::optional<TraceSession> Session;
  std::optional<TraceFooter> Footer; // none: the sequence is incomplete
  std::string BuildFolder;           // of the trace; empty: not known
  Dictionary Names;
  uint64_t DictionaryBytes = 0; // of its batches, as they are in the file
  LocationTable Locations;      // of events
  LocationTable DeclarationLocations;
  std::vector<Inclusion> Inclusions;               // of id 1, 2, ...
  std::map<uint32_t, InclusionId> FirstInclusions; // by path
  std::vector<Entity> Entities;                    // of id 1, 2, ...
  std::vector<Interval> Intervals;  // by begin: parents precede children
  std::vector<Instant> Instants;    // by time
  std::vector<ElidedLeaves> Elided; // by interval
  std::vector<MemoizedHits> Memoized;
  std::vector<Function> Functions;  // that LLVM was given; of id 1, 2, ...
  std::vector<MemorySample> Memory; // in the order of events
  std::vector<EntityId> StreamedEntities; // of events that are not kept
  uint64_t LastTimeNs = 0;                // of the last event
  uint64_t WaitedNs = 0;  // until then, while the thread did not run
  uint64_t WaitCount = 0; // records of that, which are no Instants
  EventClock Clock = EventClock::Processor; // of all times above
  uint64_t EventCount = 0;                  // begins, ends and instants
  uint64_t OpenCount = 0;                   // intervals without an end
  uint32_t FirstShortName = 0; // entity from which on names are short; 0: none
  std::vector<uint32_t> WholeNames;       // entities above whose names are not
  std::map<uint32_t, uint32_t> OpenLines; // of the main file, by location

  /// Of the file: those of waiting as well, which differ from run to run.
  uint64_t recordCount() const { return EventCount + WaitCount; }
  /// False for a recorder that did not know when the thread ran: all times are
  /// those on the wall.
  bool knowsWaits() const { return FormatMinor >= 7; }
  /// When the last event came, by the clock on the wall.
  uint64_t lastWallNs() const {
    return Clock == EventClock::Wall ? LastTimeNs : LastTimeNs + WaitedNs;
  }
  /// How long the thread ran until then.
  uint64_t processorNs() const { return lastWallNs() - WaitedNs; }
  /// Null when the id is 0 or the trace does not define it. Valid until the
  /// sequence changes.
  const Entity *entity(EntityId Id) const {
    return Id && Id.Value <= Entities.size() ? &Entities[Id.Value - 1]
                                             : nullptr;
  }
  /// The compile was killed before the entity had any name. Not what has none
  /// in the source.
  bool isNameLost(EntityId Id) const {
    const Entity *E = entity(Id);
    if (!E)
      return static_cast<bool>(Id);
    bool MayBeShort = FirstShortName != 0 && Id.Value >= FirstShortName;
    return !Names.contains(E->Name) && (E->Name || MayBeShort);
  }
  const Location *location(LocationId Id) const {
    const std::vector<Location> &Rows = table(Id).Rows;
    uint32_t Number = Id.number();
    return Number != 0 && Number <= Rows.size() ? &Rows[Number - 1] : nullptr;
  }
  const Inclusion *inclusion(InclusionId Id) const {
    return Id && Id.Value <= Inclusions.size() ? &Inclusions[Id.Value - 1]
                                               : nullptr;
  }
  /// Null when there is nothing to say beyond the location itself.
  const LocationDetail *detail(LocationId Id) const;
  /// None when the trace does not say, as no trace before 1.2 does.
  InclusionId inclusionOf(LocationId Id) const;
  /// False when not known.
  bool isSystem(LocationId Id) const;
  /// Zero counts when nothing was elided in the interval.
  ElidedLeaves elidedIn(IntervalId Id) const;
  /// Entities that an event or a memoized hit is about and that lack their
  /// whole name, each counted once. Reads all events.
  MissingNames missingNames() const;

private:
  const LocationTable &table(LocationId Id) const {
    return Id.isDeclaration() ? DeclarationLocations : Locations;
  }
};

/// One input; its sequences are those whose FileIndex names it.
struct TraceInput {
  std::string Name;
  uint64_t SizeBytes = 0;
  uint64_t PacketCount = 0;
  std::vector<TraceIssue> Issues;
  uint64_t IssuesNotKept = 0;

  /// Null when the file was read to its end. Valid as long as Issues.
  const TraceIssue *damage() const;
};

struct Trace {
  EventClock Clock = EventClock::Processor; // of what is read into it
  std::string BuildFolder; // likewise: where the build ran; empty: as the first
  std::vector<TraceInput> Files;
  std::vector<Sequence> Sequences;

  void append(Trace More);

  /// One line for everything that is missing from the trace: damage, missing
  /// footers, dropped events, names whose text is refused. Empty: the trace is
  /// complete.
  std::vector<std::string> losses() const;
};

/// TraceFooter::Signal of a crash by a signal that the compiler did not tell.
inline constexpr uint32_t CrashSignal = UINT32_MAX;

/// "signal 11 (SIGSEGV)", by the numbers of this machine; without the name for
/// one it does not know. "a crash" for CrashSignal.
std::string signalText(uint32_t Signal);

} // namespace instantrace
