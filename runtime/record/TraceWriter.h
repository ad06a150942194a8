/// \file
/// Turns what the recorder has into the packets of one sequence.
///
/// Flow:    ChunkWriter, StringTable, tables -> TraceWriter -> PacketSink
/// Layout:  proto/trace.proto, proto/FORMAT.md; runtime/format/Schema.h
/// Errors:  those of the sink
/// Threads: one
#pragma once

#include "runtime/format/EventChunk.h"
#include "runtime/format/EventFilter.h"
#include "runtime/format/Schema.h"
#include "runtime/record/PacketSink.h"
#include "runtime/strings/StringTable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct SessionInfo {
  std::string ClangVersion, WorkingDirectory, Input, Object, Triple;
  std::string LanguageStandard, OptimizationLevel, Hook;
  std::string Buffer; ///< "file", "memfd", "private", or "...: REASON"
  std::string Clock;  ///< "tsc", "cntvct", "monotonic", or "monotonic: REASON"
  std::vector<std::string> Argv, PchInputs, ModuleInputs;
  uint32_t Pid = 0;
  uint64_t RealtimeNs = 0, MonotonicNs = 0;
  EventFilter Filter;
  MemoizationMode Memoization = MemoizationMode::Count;
  uint64_t GranularityNs = 0;
  uint32_t TimeUnitNs = 1;
};

struct FooterInfo {
  ExitState State = ExitState::Success;
  uint64_t EndTimeNs = 0, PeakRssBytes = 0, UserTimeNs = 0, SystemTimeNs = 0;
  uint64_t EventsRecorded = 0, EventsDropped = 0, EventsElided = 0;
  uint64_t MemoizedHits = 0;
  std::vector<std::string> ModuleInputs; ///< first loaded after the session
  uint32_t Signal = 0;                   ///< that ended the compiler; 0: none
  uint64_t FragmentsDropped = 0;         ///< records whose rest never came
  uint32_t FirstShortName = 0; ///< entity; 0: the names of all are whole
  std::string Pass;            ///< that ran when the compiler was killed
  std::string Backend;         ///< "functions", "passes", "off", "...: REASON"
  uint64_t CodeBytes = 0;      ///< of the object's sections; 0: not known
  uint64_t FailedInside = 0;   ///< interval of the error, plus 1; 0: none
  std::vector<uint32_t> WholeNames; ///< entities from FirstShortName on, sorted
  /// Locations without a row, and their lines in the main file.
  std::vector<std::pair<uint32_t, uint32_t>> OpenLines;
  bool RanOutOfMemory = false; ///< an allocation of the compiler failed
  std::string Hook; ///< the session's is not the one any more; empty: it is
};

struct LocationRow {
  NameId File;
  uint32_t LineNo = 0, ColumnNo = 0;
};

/// What a location has beyond its row. An id or number 0: nothing to say.
struct LocationDetailRow {
  uint32_t Element = 0;   ///< index of the row; ascending
  uint32_t Inclusion = 0; ///< 0: the first one with the location's file
  NameId Macro;           ///< whose expansion begins at the location
  NameId SpellingFile;    ///< of the token inside the macro
  uint32_t SpellingLineNo = 0, SpellingColumnNo = 0;
  uint32_t ExpansionEndLineNo = 0, ExpansionEndColumnNo = 0;
  NameId PhysicalFile; ///< with its line, where #line says otherwise
  uint32_t PhysicalLineNo = 0;
};

/// Locations of consecutive ids.
struct LocationRows {
  std::vector<LocationRow> Rows;
  std::vector<LocationDetailRow> Details;
};

struct InclusionRow {
  NameId Path;
  uint32_t IncludedFrom = 0;         ///< an earlier inclusion's id; 0: none
  uint32_t LineNo = 0, ColumnNo = 0; ///< of the #include
  bool IsSystem = false;
};

struct EntityRow {
  NameId Name, TemplateSet;
  uint32_t DeclaredAt = 0; ///< location id; all rows use this or Declaration
  EntityKind Kind = EntityKind::Unknown;
  uint32_t Declaration = 0; ///< id in the table of declaration locations
};

struct MemoizedRow {
  uint32_t Entity;
  uint64_t Hits;
};

struct FunctionRow {
  uint32_t Entity = 0;
  FunctionOwner Owner = FunctionOwner::Itself;
  Linkage Link = Linkage::Unknown;
  uint64_t NameHash = 0;       ///< hashBytes() of the linkage name
  uint32_t IrInstructions = 0; ///< before any pass
};

/// A number of a function that is known later than the function.
struct FunctionSizeRow {
  uint32_t Function; ///< id
  uint64_t Size;
};

class TraceWriter {
public:
  /// The sink must outlive the writer. \p SequenceId is not 0.
  TraceWriter(PacketSink &Sink, uint32_t SequenceId)
      : Sink(Sink), SequenceId(SequenceId) {}

  void writeHeader(const SessionInfo &Session);
  void writeEvents(const BatchStart &Start, const uint8_t *Records,
                   size_t SizeBytes);
  /// Writes the entries that were interned since the last call. False: the sink
  /// lost some, and they are written with the next call.
  bool writeDictionary(const StringTable &Strings);
  // Of the rest, how many rows the sink kept, from the first.

  /// Of events: ids follow the order in which events introduce them.
  size_t writeLocations(uint32_t FirstId, const LocationRows &Locations);
  /// Of entities' declarations, a table of its own.
  size_t writeDeclarationLocations(uint32_t FirstId,
                                   const LocationRows &Locations);
  /// Before the first locations that are in them.
  size_t writeInclusions(uint32_t FirstId,
                         const std::vector<InclusionRow> &Rows);
  size_t writeEntities(uint32_t FirstId, const std::vector<EntityRow> &Rows);
  size_t writeMemoizedHits(const std::vector<MemoizedRow> &Rows);
  size_t writeFunctions(uint32_t FirstId, const std::vector<FunctionRow> &Rows);
  size_t writeMachineInstructions(const std::vector<FunctionSizeRow> &Rows);
  size_t writeObjectBytes(const std::vector<FunctionSizeRow> &Rows);
  /// The most that the process had had in memory when so many intervals had
  /// begun, and so many of them were open.
  void writeMemory(uint64_t Interval, uint32_t Depth, uint64_t PeakRssBytes);
  void writeFooter(const FooterInfo &Footer);

private:
  using BodyField = schema::Field<schema::Count::Single, schema::Type::Message>;

  /// \p Build gets the writer of the message that is \p Body.
  template <class BuildFunction>
  bool packet(BodyField Body, BuildFunction Build);
  size_t writeLocationTable(BodyField Table, uint32_t FirstId,
                            const LocationRows &Locations);

  template <class SizeField>
  size_t writeFunctionSizes(SizeField Size,
                            const std::vector<FunctionSizeRow> &Rows);

  PacketSink &Sink;
  uint32_t SequenceId;
  uint32_t StringsWritten = 0;
  size_t StringBytesWritten = 0; ///< of the table's heap
  std::string Buffer;            ///< of one packet, kept for its capacity
};

} // namespace instantrace
