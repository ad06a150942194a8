/// \file
/// The schema of the trace file: every message, field and enumerator of
/// proto/trace.proto by number, name and type, here and nowhere else in the
/// code.
///
/// Flow:   Schema.h -> writer, readers, SQL tables, JSON, text
/// Layout: proto/trace.proto says what each means; a test compares the two
/// Leaves: event kinds (EventKinds.def), the grammar of event records
///         (Record.h), values (FieldWriter.h, FieldReader.h)
///
/// A field is `schema::Session::Pid`, an enumerator `EntityKind::Class`.
#pragma once

#include "runtime/format/SchemaField.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace instantrace {

// The tables. clang-format would make text of them.
// clang-format off

// Fields: name, number, how many, type, name in the file, and the type's name
// where it has one.

#define INSTANTRACE_TRACE(F)                                                   \
  F(Packet,             1, Repeated, Message, "packet", "Packet")

#define INSTANTRACE_PACKET_BODIES(F)                                           \
  F(FileHeader,         1, Single, Message, "file_header", "FileHeader")       \
  F(Session,            2, Single, Message, "session", "Session")              \
  F(Dictionary,         3, Single, Message, "dictionary", "DictionaryBatch")   \
  F(Locations,          4, Single, Message, "locations", "LocationBatch")      \
  F(Entities,           5, Single, Message, "entities", "EntityBatch")         \
  F(Events,             6, Single, Message, "events", "EventBatch")            \
  F(MemoizedHits,       7, Single, Message, "memoized_hits", "MemoizedHits")   \
  F(Footer,             8, Single, Message, "footer", "Footer")                \
  F(DeclarationLocations, 9, Single, Message,                                  \
    "declaration_locations", "LocationBatch")                                  \
  F(Inclusions,        10, Single, Message, "inclusions", "InclusionBatch")    \
  F(Functions,         11, Single, Message, "functions", "FunctionBatch")      \
  F(FunctionSizes,     12, Single, Message, "function_sizes", "FunctionSizes") \
  F(MemorySamples,     13, Single, Message, "memory_samples", "MemorySamples")

#define INSTANTRACE_PACKET(F)                                                  \
  INSTANTRACE_PACKET_BODIES(F)                                                 \
  F(SequenceId,        14, Single, Uint32,  "sequence_id")                     \
  F(Checksum,          15, Single, Fixed32, "checksum")

#define INSTANTRACE_FILE_HEADER(F)                                             \
  F(Magic,              1, Single, Bytes,   "magic")                           \
  F(FormatMajor,        2, Single, Uint32,  "format_major")                    \
  F(FormatMinor,        3, Single, Uint32,  "format_minor")

#define INSTANTRACE_SESSION(F)                                                 \
  F(ToolVersion,        1, Single, Bytes,   "tool_version")                    \
  F(ClangVersion,       2, Single, Bytes,   "clang_version")                   \
  F(Argv,               3, Repeated, Bytes, "argv")                            \
  F(WorkingDirectory,   4, Single, Bytes,   "working_directory")               \
  F(Input,              5, Single, Bytes,   "input")                           \
  F(Object,             6, Single, Bytes,   "object")                          \
  F(Triple,             7, Single, Bytes,   "triple")                          \
  F(LanguageStandard,   8, Single, Bytes,   "language_standard")               \
  F(OptimizationLevel,  9, Single, Bytes,   "optimization_level")              \
  F(Pid,               10, Single, Uint32,  "pid")                             \
  F(RealtimeNs,        11, Single, Fixed64, "realtime_ns")                     \
  F(MonotonicNs,       12, Single, Fixed64, "monotonic_ns")                    \
  F(PchInputs,         13, Repeated, Bytes, "pch_inputs")                      \
  F(ModuleInputs,      14, Repeated, Bytes, "module_inputs")                   \
  F(Hook,              15, Single, Bytes,   "hook")                            \
  F(RecordedKinds,     16, Repeated, Uint32, "recorded_kinds")                 \
  F(Memoization,       17, Single, Enum,    "memoization", "MemoizationMode")  \
  F(GranularityNs,     18, Single, Uint64,  "granularity_ns")                  \
  F(TimeUnitNs,        19, Single, Uint32,  "time_unit_ns")                    \
  F(Buffer,            20, Single, Bytes,   "buffer")                          \
  F(Clock,             21, Single, Bytes,   "clock")

#define INSTANTRACE_DICTIONARY_ENTRY(F)                                        \
  F(MarkedName,         1, Single, Bytes,   "marked_name")                     \
  F(MarkerIds,          2, Repeated, Uint32, "marker_ids")                     \
  F(Part,               3, Single, Enum,    "part", "NamePart")

#define INSTANTRACE_DICTIONARY_BATCH(F)                                        \
  F(FirstId,            1, Single, Uint32,  "first_id")                        \
  F(Entry,              2, Repeated, Message, "entry", "DictionaryEntry")

#define INSTANTRACE_LOCATION_BATCH(F)                                          \
  F(FirstId,            1, Single, Uint32,  "first_id")                        \
  F(File,               2, Repeated, Uint32, "file")                           \
  F(Line,               3, Repeated, Sint32, "line")                           \
  F(Column,             4, Repeated, Uint32, "column")                         \
  F(Detail,             5, Repeated, Message, "detail", "LocationDetail")

#define INSTANTRACE_LOCATION_DETAIL(F)                                         \
  F(Element,            1, Single, Uint32,  "element")                         \
  F(Inclusion,          2, Single, Uint32,  "inclusion")                       \
  F(Macro,              3, Single, Uint32,  "macro")                           \
  F(SpellingFile,       4, Single, Uint32,  "spelling_file")                   \
  F(SpellingLine,       5, Single, Uint32,  "spelling_line")                   \
  F(SpellingColumn,     6, Single, Uint32,  "spelling_column")                 \
  F(ExpansionEndLine,   7, Single, Uint32,  "expansion_end_line")              \
  F(ExpansionEndColumn, 8, Single, Uint32,  "expansion_end_column")            \
  F(PhysicalFile,       9, Single, Uint32,  "physical_file")                   \
  F(PhysicalLine,      10, Single, Uint32,  "physical_line")

#define INSTANTRACE_INCLUSION_BATCH(F)                                         \
  F(FirstId,            1, Single, Uint32,  "first_id")                        \
  F(Path,               2, Repeated, Uint32, "path")                           \
  F(IncludedFrom,       3, Repeated, Uint32, "included_from")                  \
  F(Line,               4, Repeated, Uint32, "line")                           \
  F(Column,             5, Repeated, Uint32, "column")                         \
  F(IsSystem,           6, Repeated, Bool,  "is_system")

#define INSTANTRACE_ENTITY_BATCH(F)                                            \
  F(FirstId,            1, Single, Uint32,  "first_id")                        \
  F(Name,               2, Repeated, Sint32, "name")                           \
  F(TemplateSet,        3, Repeated, Sint32, "template_set")                   \
  F(DeclaredAt,         4, Repeated, Uint32, "declared_at")                    \
  F(Kind,               5, Repeated, Enum,  "kind", "EntityKind")              \
  F(Declaration,        6, Repeated, Uint32, "declaration")

#define INSTANTRACE_EVENT_BATCH(F)                                             \
  F(FirstTimeNs,        1, Single, Uint64,  "first_time_ns")                   \
  F(FirstInterval,      2, Single, Uint64,  "first_interval")                  \
  F(FirstEntity,        3, Single, Uint32,  "first_entity")                    \
  F(FirstLocation,      4, Single, Uint32,  "first_location")                  \
  F(Depth,              5, Single, Uint32,  "depth")                           \
  F(Record,             6, Repeated, Uint64, "record")

#define INSTANTRACE_MEMOIZED_HITS(F)                                           \
  F(Entity,             1, Repeated, Uint32, "entity")                         \
  F(Hits,               2, Repeated, Uint64, "hits")

#define INSTANTRACE_FUNCTION_BATCH(F)                                          \
  F(FirstId,            1, Single, Uint32,  "first_id")                        \
  F(Entity,             2, Repeated, Uint32, "entity")                         \
  F(Owner,              3, Repeated, Enum,  "owner", "FunctionOwner")          \
  F(NameHash,           4, Repeated, Fixed64, "name_hash")                     \
  F(Linkage,            5, Repeated, Enum,  "linkage", "Linkage")              \
  F(IrInstructions,     6, Repeated, Uint32, "ir_instructions")

#define INSTANTRACE_FUNCTION_SIZES(F)                                          \
  F(Function,           1, Repeated, Uint32, "function")                       \
  F(MachineInstructions, 2, Repeated, Uint32, "machine_instructions")          \
  F(ObjectBytes,        3, Repeated, Uint64, "object_bytes")

#define INSTANTRACE_MEMORY_SAMPLES(F)                                          \
  F(Interval,           1, Repeated, Uint64, "interval")                       \
  F(Depth,              2, Repeated, Uint32, "depth")                          \
  F(PeakRssBytes,       3, Repeated, Uint64, "peak_rss_bytes")

#define INSTANTRACE_FOOTER(F)                                                  \
  F(ExitState,          1, Single, Enum,    "exit_state", "ExitState")         \
  F(EndTimeNs,          2, Single, Uint64,  "end_time_ns")                     \
  F(PeakRssBytes,       3, Single, Uint64,  "peak_rss_bytes")                  \
  F(UserTimeNs,         4, Single, Uint64,  "user_time_ns")                    \
  F(SystemTimeNs,       5, Single, Uint64,  "system_time_ns")                  \
  F(EventsRecorded,     6, Single, Uint64,  "events_recorded")                 \
  F(EventsDropped,      7, Single, Uint64,  "events_dropped")                  \
  F(EventsElided,       8, Single, Uint64,  "events_elided")                   \
  F(MemoizedHits,       9, Single, Uint64,  "memoized_hits")                   \
  F(ModuleInputs,      10, Repeated, Bytes, "module_inputs")                   \
  F(Signal,            11, Single, Uint32,  "signal")                          \
  F(FragmentsDropped,  12, Single, Uint64,  "fragments_dropped")               \
  F(FirstShortName,    13, Single, Uint32,  "first_short_name")                \
  F(Pass,              14, Single, Bytes,   "pass")                            \
  F(Backend,           15, Single, Bytes,   "backend")                         \
  F(CodeBytes,         16, Single, Uint64,  "code_bytes")                      \
  F(WholeNames,        17, Repeated, Uint32, "whole_names")                    \
  F(Hook,              18, Single, Bytes,   "hook")                            \
  F(FailedInside,      19, Single, Uint64,  "failed_inside")                   \
  F(OpenLocations,     20, Repeated, Uint32, "open_locations")                 \
  F(OpenLines,         21, Repeated, Uint32, "open_lines")                     \
  F(RanOutOfMemory,    22, Single, Bool,    "ran_out_of_memory")

#define INSTANTRACE_MESSAGES(M)                                                \
  M(Trace,              INSTANTRACE_TRACE)                                     \
  M(Packet,             INSTANTRACE_PACKET)                                    \
  M(FileHeader,         INSTANTRACE_FILE_HEADER)                               \
  M(Session,            INSTANTRACE_SESSION)                                   \
  M(DictionaryEntry,    INSTANTRACE_DICTIONARY_ENTRY)                          \
  M(DictionaryBatch,    INSTANTRACE_DICTIONARY_BATCH)                          \
  M(LocationBatch,      INSTANTRACE_LOCATION_BATCH)                            \
  M(LocationDetail,     INSTANTRACE_LOCATION_DETAIL)                           \
  M(InclusionBatch,     INSTANTRACE_INCLUSION_BATCH)                           \
  M(EntityBatch,        INSTANTRACE_ENTITY_BATCH)                              \
  M(EventBatch,         INSTANTRACE_EVENT_BATCH)                               \
  M(MemoizedHits,       INSTANTRACE_MEMOIZED_HITS)                             \
  M(FunctionBatch,      INSTANTRACE_FUNCTION_BATCH)                            \
  M(FunctionSizes,      INSTANTRACE_FUNCTION_SIZES)                            \
  M(MemorySamples,      INSTANTRACE_MEMORY_SAMPLES)                            \
  M(Footer,             INSTANTRACE_FOOTER)

// Enumerators: name, number, name in the file, name shown to people.

#define INSTANTRACE_MEMOIZATION_MODES(V)                                       \
  V(Unknown,            0, "MEMOIZATION_UNKNOWN",       "unknown")             \
  V(Count,              1, "MEMOIZATION_COUNT",         "count")               \
  V(Events,             2, "MEMOIZATION_EVENTS",        "events")              \
  V(Off,                3, "MEMOIZATION_OFF",           "off")

#define INSTANTRACE_NAME_PARTS(V)                                              \
  V(Text,               0, "NAME_PART_TEXT",            "")                    \
  V(DefaultArguments,   1, "NAME_PART_DEFAULT_ARGUMENTS", "default-arguments") \
  V(Parameters,         2, "NAME_PART_PARAMETERS",      "parameters")          \
  V(TemplateHead,       3, "NAME_PART_TEMPLATE_HEAD",   "head")

#define INSTANTRACE_ENTITY_KINDS(V)                                            \
  V(Unknown,            0, "ENTITY_UNKNOWN",            "unknown")             \
  V(Class,              1, "ENTITY_CLASS",              "class")               \
  V(Function,           2, "ENTITY_FUNCTION",           "function")            \
  V(Variable,           3, "ENTITY_VARIABLE",           "variable")            \
  V(Alias,              4, "ENTITY_ALIAS",              "alias")               \
  V(Concept,            5, "ENTITY_CONCEPT",            "concept")             \
  V(TemplateParameter,  6, "ENTITY_TEMPLATE_PARAMETER", "template parameter")  \
  V(FunctionParameter,  7, "ENTITY_FUNCTION_PARAMETER", "function parameter")  \
  V(File,               8, "ENTITY_FILE",               "file")                \
  V(ClassTemplate,      9, "ENTITY_CLASS_TEMPLATE",     "class template")      \
  V(FunctionTemplate,  10, "ENTITY_FUNCTION_TEMPLATE",  "function template")   \
  V(Enum,              11, "ENTITY_ENUM",               "enum")                \
  V(Other,             12, "ENTITY_OTHER",              "other")

#define INSTANTRACE_FUNCTION_OWNERS(V)                                         \
  V(Itself,             0, "FUNCTION_OWNER_ITSELF",     "itself")              \
  V(Enclosing,          1, "FUNCTION_OWNER_ENCLOSING",  "enclosing")           \
  V(Name,               2, "FUNCTION_OWNER_NAME",       "name")

#define INSTANTRACE_LINKAGES(V)                                                \
  V(Unknown,            0, "LINKAGE_UNKNOWN",           "unknown")             \
  V(External,           1, "LINKAGE_EXTERNAL",          "external")            \
  V(Internal,           2, "LINKAGE_INTERNAL",          "internal")            \
  V(LinkOnce,           3, "LINKAGE_LINK_ONCE",         "link-once")           \
  V(Weak,               4, "LINKAGE_WEAK",              "weak")                \
  V(AvailableExternally, 5, "LINKAGE_AVAILABLE_EXTERNALLY",                    \
    "available-externally")

#define INSTANTRACE_EXIT_STATES(V)                                             \
  V(Unknown,            0, "EXIT_STATE_UNKNOWN",        "unknown")             \
  V(Success,            1, "EXIT_STATE_SUCCESS",        "success")             \
  V(Errors,             2, "EXIT_STATE_ERRORS",         "errors")              \
  V(FatalError,         3, "EXIT_STATE_FATAL_ERROR",    "fatal error")         \
  V(Interrupted,        4, "EXIT_STATE_INTERRUPTED",    "interrupted")

// Enumerations: name, type that holds it, enumerators. One that a reader keeps
// as it found it, of a newer version too, has the 32 bits of the file.
#define INSTANTRACE_ENUMERATIONS(E)                                            \
  E(MemoizationMode, uint32_t, INSTANTRACE_MEMOIZATION_MODES)                  \
  E(NamePart,        uint8_t,  INSTANTRACE_NAME_PARTS)                         \
  E(EntityKind,      uint8_t,  INSTANTRACE_ENTITY_KINDS)                       \
  E(ExitState,       uint32_t, INSTANTRACE_EXIT_STATES)                        \
  E(FunctionOwner,   uint8_t,  INSTANTRACE_FUNCTION_OWNERS)                    \
  E(Linkage,         uint8_t,  INSTANTRACE_LINKAGES)

// clang-format on

// What is made of the tables.

namespace schema {

#define INSTANTRACE_FIELD(Id, Number, Quantity, Kind, ...)                     \
  static constexpr Field<Count::Quantity, Type::Kind> Id{Number, __VA_ARGS__};
#define INSTANTRACE_FIELD_ROW(Id, Number, Quantity, Kind, ...) Id.row(),
#define INSTANTRACE_MESSAGE(Id, Table)                                         \
  struct Id {                                                                  \
    Table(INSTANTRACE_FIELD) static constexpr FieldRow Rows[] = {              \
      Table(INSTANTRACE_FIELD_ROW)                                             \
    };                                                                         \
  };
INSTANTRACE_MESSAGES(INSTANTRACE_MESSAGE)
#undef INSTANTRACE_MESSAGE
#undef INSTANTRACE_FIELD_ROW
#undef INSTANTRACE_FIELD

inline constexpr MessageRow Messages[] = {
#define INSTANTRACE_MESSAGE_ROW(Id, Table) {#Id, Id::Rows},
    INSTANTRACE_MESSAGES(INSTANTRACE_MESSAGE_ROW)
#undef INSTANTRACE_MESSAGE_ROW
};

#define INSTANTRACE_ENUMERATOR_ROW(Id, Number, Name, Shown)                    \
  {Number, Name, Shown},
#define INSTANTRACE_ENUMERATOR_ROWS(Id, Holder, Table)                         \
  inline constexpr EnumeratorRow Id##Rows[] = {                                \
      Table(INSTANTRACE_ENUMERATOR_ROW)};
INSTANTRACE_ENUMERATIONS(INSTANTRACE_ENUMERATOR_ROWS)
#undef INSTANTRACE_ENUMERATOR_ROWS
#undef INSTANTRACE_ENUMERATOR_ROW

inline constexpr EnumerationRow Enumerations[] = {
#define INSTANTRACE_ENUMERATION_ROW(Id, Holder, Table) {#Id, Id##Rows},
    INSTANTRACE_ENUMERATIONS(INSTANTRACE_ENUMERATION_ROW)
#undef INSTANTRACE_ENUMERATION_ROW
};

} // namespace schema

// Each enumeration, shownName() of it, and its enumerator by number or,
// for a number of a newer version, another one.
#define INSTANTRACE_ENUMERATOR(Id, Number, Name, Shown) Id = Number,
#define INSTANTRACE_ENUMERATION(Id, Holder, Table)                             \
  enum class Id : Holder { Table(INSTANTRACE_ENUMERATOR) };                    \
  constexpr std::string_view shownName(Id Value) {                             \
    return schema::shownName(schema::Id##Rows, static_cast<uint64_t>(Value));  \
  }                                                                            \
  constexpr Id knownOr(uint64_t Number, Id Otherwise) {                        \
    return schema::findEnumerator(schema::Id##Rows, Number)                    \
               ? static_cast<Id>(Number)                                       \
               : Otherwise;                                                    \
  }
INSTANTRACE_ENUMERATIONS(INSTANTRACE_ENUMERATION)
#undef INSTANTRACE_ENUMERATION
#undef INSTANTRACE_ENUMERATOR

/// What a packet holds.
enum class PacketBody : uint8_t {
  None = 0, ///< or one of a newer minor version
#define INSTANTRACE_PACKET_BODY(Id, Number, ...) Id = Number,
  INSTANTRACE_PACKET_BODIES(INSTANTRACE_PACKET_BODY)
#undef INSTANTRACE_PACKET_BODY
};

constexpr bool isPacketBody(uint32_t Number) {
  switch (Number) {
#define INSTANTRACE_PACKET_BODY(Id, Number, ...) case Number:
    INSTANTRACE_PACKET_BODIES(INSTANTRACE_PACKET_BODY)
#undef INSTANTRACE_PACKET_BODY
    return true;
  default:
    return false;
  }
}

/// One past the largest number, for arrays by body.
inline constexpr size_t PacketBodyLimit = [] {
  size_t Limit = 0;
  for (const schema::FieldRow &Row : schema::Packet::Rows)
    if (isPacketBody(Row.Number))
      Limit = std::max<size_t>(Limit, Row.Number + 1);
  return Limit;
}();

} // namespace instantrace
