/// \file
/// What `instantrace summary` says of traces, as an index has it: a row for
/// each template, class, file and so on, and how headers were reached.
///
/// Flow:    costs() -> IndexSummary -> [encodeSummary] -> section SUMM
///          section SUMM -> [SummaryReader] -> costs as they were
/// Layout:  proto/INDEX.md, "The summary"
/// Strings: offsets in STRD, as everywhere in an index
/// Hostile: a reader checks each number before it uses it; strings are checked
///          by who expands them
#ifndef INSTANTRACE_RUNTIME_INDEX_INDEXSUMMARY_H
#define INSTANTRACE_RUNTIME_INDEX_INDEXSUMMARY_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace::index {

/// What a row is called.
struct SummaryName {
  enum class Form : uint8_t {
    Fixed, ///< no name of the source, such as "(parsing)"
    Text,  ///< a path
    Name,  ///< an entry, or its begin
  };
  uint64_t String = 0;
  uint64_t MarkedBytes = UINT64_MAX; ///< of the entry's marked name; all
  uint32_t LineNo = 0;               ///< 0: none
  Form Is = Form::Fixed;
};

struct SummaryRow {
  /// A row of leaves that were too short for an interval.
  static constexpr uint8_t ElidedKind = UINT8_MAX;
  enum Number : uint8_t {
    Count,
    Definitions,
    Memoized,
    SelfNs,
    InclusiveNs,
    RequestedNs,
    AstBytes,
    Elided,
    NumberLimit
  };
  enum BackendNumber : uint8_t {
    OptimizeNs,
    GenerateNs,
    IrGenerationEstimateNs,
    IrInstructions,
    MachineInstructions,
    ObjectBytes,
    Given,
    Emitted,
    InlinedAway,
    BackendLimit
  };
  SummaryName Name;
  uint8_t Kind = 0; ///< EventKind, or ElidedKind
  bool HasBackend = false;
  std::array<uint64_t, NumberLimit> Numbers = {};
  std::array<uint64_t, BackendLimit> Backend = {};
};

struct SummaryTable {
  /// What a row may stand for, numbered from 0.
  static constexpr uint32_t TableLimit = 12;
  enum Total : uint8_t {
    TotalNs,
    ElidedCount,
    ElidedNs,
    DroppedCount,
    HasBackend,
    IrGenerationNs,
    UnknownEmission,
    CodeBytes,
    TotalLimit
  };
  std::array<uint64_t, TotalLimit> Totals = {};
  std::vector<SummaryRow> Rows; ///< in no order
};

/// A way that a file was included, from an outer one.
struct SummaryInclusion {
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t Outer = None; ///< an earlier one
  uint64_t Path = 0;     ///< string
  uint32_t LineNo = 0;
  uint64_t Count = 0;
  uint64_t InclusiveNs = 0;
};

struct SummaryTrace {
  uint64_t Path = 0; ///< string, when the index was made
  bool IsIncomplete = false;
};

/// What two builds are matched by.
struct SummaryCompile {
  enum String : uint8_t {
    Path,   ///< of the source file, absolute as far as it is known
    Object, ///< the name of the file
    Target,
    Hook, ///< that the compile was recorded by
    StringLimit
  };
  static constexpr uint64_t NoString = 0; ///< none begins there
  std::array<uint64_t, StringLimit> Strings = {};
};

/// Of all traces.
struct SummaryAbout {
  std::vector<SummaryTrace> Traces;
  uint64_t Sequences = 0;
  /// Of compiles recorded by hook=observer: how many, their instantiations, and
  /// those that were counted and not timed.
  std::array<uint64_t, 3> Observed = {};
  /// In the order of the index; none in a file of version 1.1.
  std::vector<SummaryCompile> Compiles;
};

struct IndexSummary {
  SummaryAbout About;
  std::vector<SummaryInclusion> Inclusions;
  std::map<uint32_t, SummaryTable> Tables; ///< by what a row stands for
};

std::string encodeSummary(const IndexSummary &S);

/// Of the bytes of a section, which must outlive it.
class SummaryReader {
public:
  explicit SummaryReader(std::string_view Bytes) : Bytes(Bytes) {}

  /// Each is false, with a fault, where the bytes are damaged. A table that is
  /// not there is.
  bool about(SummaryAbout &Into);
  bool inclusions(std::vector<SummaryInclusion> &Into);
  bool table(uint32_t Number, SummaryTable &Into);
  /// The numbers of all tables.
  bool tables(std::vector<uint32_t> &Into);

  /// What was found instead, and from which byte on.
  const std::string &found() const { return Found; }
  const std::string &expected() const { return Expected; }
  uint64_t faultByte() const { return FaultAt; }

private:
  bool open();
  bool part(uint32_t Number);
  bool fault(const char *What, const char *Wanted);
  bool number(uint64_t &Into);
  bool number(uint32_t &Into);
  /// Of what has at least \p BytesEach.
  bool count(uint64_t BytesEach, uint64_t &Into);
  bool name(uint8_t Flags, SummaryName &Into);
  bool row(SummaryRow &Into);
  bool endOfPart();

  struct Part {
    uint32_t Number;
    uint64_t Begin, End;
  };
  std::string_view Bytes;
  bool IsOpen = false;
  std::vector<Part> Parts;
  uint64_t At = 0, End = 0;
  std::string Found, Expected;
  uint64_t FaultAt = 0;
};

} // namespace instantrace::index

#endif
