/// \file
/// What a trace says besides its intervals, as an index has it: a few tables of
/// numbers for each compile, so that whoever needs all of a compile need not
/// read its trace.
///
/// Flow:    trace -> CompileTables -> [encodeTable] -> sections TDIR, TABL
///          section TABL -> [decodeTable] -> CompileTables -> a trace again
/// Layout:  proto/INDEX.md, "The tables"
/// Ids:     as in the trace: entities, locations, names and inclusions from 1,
///          0 is none. Intervals are numbered from 0 in their compile
/// Hostile: numbers are within what their column may have, and refer to rows
///          that there are; what they mean beyond that is for who uses them
#ifndef INSTANTRACE_RUNTIME_INDEX_INDEXTABLES_H
#define INSTANTRACE_RUNTIME_INDEX_INDEXTABLES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace::index {

enum class Table : uint8_t {
  About,     ///< one row: AboutNumber
  Texts,     ///< of the session and of the end
  Names,     ///< the dictionary
  Locations, ///< of events
  LocationDetails,
  Declarations, ///< locations of entities
  DeclarationDetails,
  Inclusions,
  Entities,
  WholeNames,
  Elided,
  Memoized,
  Functions,
  Instants,
  Places,          ///< location by location, that of the index
  RecordEntities,  ///< of intervals whose entity is not the first of its kind
  RecordLocations, ///< likewise
  RecordHits,
  Profiling, ///< intervals that are Instantrace's own work
};
inline constexpr size_t TableLimit = 19;

/// What a column has, and what it must be below.
enum class Holds : uint8_t {
  Number64,
  Number32,
  Number8,
  String, ///< offset in STRD + 1; 0: none
  Record, ///< of the compile
  Entity, ///< of the index
  Place,  ///< location of the index + 1; 0: none
  Before, ///< number of a row before, from 1; 0: none
  Around, ///< record + 1, or a number of records
  Text,   ///< TextOf
};

struct TableColumn {
  const char *Name;
  bool IsDelta; ///< as the difference to the row before
  Holds What;
};

namespace columns {
inline constexpr bool Delta = true, Plain = false;
inline constexpr TableColumn About[] = {{"number", Plain, Holds::Number64}};
inline constexpr TableColumn Texts[] = {{"what", Plain, Holds::Text},
                                        {"string", Delta, Holds::String}};
inline constexpr TableColumn Names[] = {{"string", Delta, Holds::String},
                                        {"same", Plain, Holds::Before}};
inline constexpr TableColumn Locations[] = {{"file", Delta, Holds::Number32},
                                            {"line", Delta, Holds::Number32},
                                            {"column", Plain, Holds::Number32}};
inline constexpr TableColumn Details[] = {
    {"location", Delta, Holds::Number32},
    {"inclusion", Plain, Holds::Number32},
    {"macro", Plain, Holds::Number32},
    {"spelling file", Plain, Holds::Number32},
    {"spelling line", Plain, Holds::Number32},
    {"spelling column", Plain, Holds::Number32},
    {"end line", Plain, Holds::Number32},
    {"end column", Plain, Holds::Number32},
    {"physical file", Plain, Holds::Number32},
    {"physical line", Plain, Holds::Number32}};
inline constexpr TableColumn Inclusions[] = {
    {"path", Delta, Holds::Number32},
    {"from", Plain, Holds::Before},
    {"line", Plain, Holds::Number32},
    {"column", Plain, Holds::Number32},
    {"is system", Plain, Holds::Number8}};
inline constexpr TableColumn Entities[] = {
    {"name", Delta, Holds::Number32},
    {"template set", Delta, Holds::Number32},
    {"declared at", Delta, Holds::Number32},
    {"kind", Plain, Holds::Number8},
    {"entity", Delta, Holds::Entity}};
inline constexpr TableColumn WholeNames[] = {
    {"entity", Delta, Holds::Number32}};
inline constexpr TableColumn Elided[] = {{"inside", Delta, Holds::Record},
                                         {"count", Plain, Holds::Number64},
                                         {"time", Plain, Holds::Number64}};
inline constexpr TableColumn Memoized[] = {{"entity", Delta, Holds::Number32},
                                           {"hits", Plain, Holds::Number64}};
inline constexpr TableColumn Functions[] = {
    {"entity", Delta, Holds::Number32},
    {"instructions", Plain, Holds::Number32},
    {"hash", Plain, Holds::Number64},
    {"object bytes", Plain, Holds::Number64},
    {"machine instructions", Plain, Holds::Number32},
    {"owner", Plain, Holds::Number8},
    {"linkage", Plain, Holds::Number8}};
inline constexpr TableColumn Instants[] = {
    {"time", Delta, Holds::Number64},       {"entity", Delta, Holds::Number32},
    {"location", Delta, Holds::Number32},   {"parent", Delta, Holds::Around},
    {"begun before", Delta, Holds::Around}, {"kind", Plain, Holds::Number8}};
inline constexpr TableColumn Places[] = {{"location", Delta, Holds::Place}};
inline constexpr TableColumn RecordIds[] = {{"record", Delta, Holds::Record},
                                            {"id", Plain, Holds::Number32}};
inline constexpr TableColumn RecordHits[] = {{"record", Delta, Holds::Record},
                                             {"hits", Plain, Holds::Number64}};
inline constexpr TableColumn Profiling[] = {{"record", Delta, Holds::Record}};
} // namespace columns

struct TableKind {
  const char *Name;
  std::span<const TableColumn> Columns;
};
/// By Table; the names are those of proto/INDEX.md.
inline constexpr TableKind TableKinds[TableLimit] = {
    {"about", columns::About},
    {"texts", columns::Texts},
    {"names", columns::Names},
    {"locations", columns::Locations},
    {"location details", columns::Details},
    {"declarations", columns::Locations},
    {"declaration details", columns::Details},
    {"inclusions", columns::Inclusions},
    {"entities", columns::Entities},
    {"whole names", columns::WholeNames},
    {"elided leaves", columns::Elided},
    {"memoized", columns::Memoized},
    {"functions", columns::Functions},
    {"instants", columns::Instants},
    {"places", columns::Places},
    {"entities of records", columns::RecordIds},
    {"locations of records", columns::RecordIds},
    {"hits in records", columns::RecordHits},
    {"profiling", columns::Profiling},
};

/// Rows of the table About, in this order.
enum class AboutNumber : uint8_t {
  FileIndex,
  FileBytes,
  FilePackets,
  FormatMinor,
  DictionaryBytes,
  EventCount,
  FirstShortName,
  HasSession,
  Pid,
  RealtimeNs,
  MonotonicNs,
  GranularityNs,
  TimeUnitNs,
  Memoization,
  HasFooter,
  State,
  EndTimeNs,
  PeakRssBytes,
  UserTimeNs,
  SystemTimeNs,
  EventsRecorded,
  EventsDropped,
  EventsElided,
  MemoizedHits,
  Signal,
  FragmentsDropped,
  CodeBytes,
};
inline constexpr size_t AboutNumberLimit = 27;

/// What a row of the table Texts is.
enum class TextOf : uint8_t {
  ToolVersion,
  ClangVersion,
  Argument,
  PchInput,
  ModuleInput,
  WorkingDirectory,
  Input,
  Object,
  Triple,
  LanguageStandard,
  OptimizationLevel,
  Hook,
  Buffer,
  Clock,
  Pass,
  Backend,
};
inline constexpr uint64_t TextLimit = 16;

/// Rows of one compile, all columns of a row one after the other.
using TableRows = std::vector<uint64_t>;
using CompileTables = std::array<TableRows, TableLimit>;

constexpr size_t columnCount(Table Of) {
  return TableKinds[static_cast<size_t>(Of)].Columns.size();
}

/// A table as it grows, in the bytes that the file has.
class TableBytes {
public:
  explicit TableBytes(Table Of) : Of(Of) {}
  /// As many numbers as there are columns.
  void add(std::span<const uint64_t> Row);
  /// Ends the life of the table, and begins that of another.
  std::string take();

private:
  Table Of;
  std::string Bytes;
  std::array<uint64_t, 16> Before = {};
};

std::string encodeTable(Table Of, const TableRows &Rows);

/// What numbers must be below.
struct TableLimits {
  uint64_t StringBytes = 0, Records = 0, Entities = 0, Places = 0;
};

/// What is wrong with a table.
struct TableFault {
  uint64_t AtByte = 0;
  std::string Found, Expected;
};

/// False: \p Why says what is wrong.
bool decodeTable(Table Of, std::string_view Bytes, const TableLimits &Limits,
                 TableRows &Into, TableFault &Why);

} // namespace instantrace::index

#endif
