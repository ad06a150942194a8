/// \file
/// Turns intervals into cost per template, specialization, class, namespace,
/// library, kind, file, line or function.
///
/// Flow:   CostSink -> [CostTable] -> sort, CostText | JSON
/// Leaves: reading files, names as text, columns
///
/// Every nanosecond of the root intervals is the self time of exactly one row,
/// so the rows' self times add up to TotalNs to the nanosecond. Rows whose
/// name is in parentheses hold what is no template work, and the row (filtered)
/// what the filter does not select; short leaves are where the interval is that
/// they were in.
///
/// Instantrace's own work (kind Profiling) may be inside anything, and would be
/// charged to whatever it happens to be in. So it has a row of its own, and the
/// inclusive times of all others are without it.
///
/// What LLVM does for a function is self time of the function's row. By place,
/// that is the row of the instantiation that made it (FunctionHomes.h).
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/names/RowName.h"
#include "utils/analysis/view/TraceFilter.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace instantrace {

struct TieText;

enum class CostKey {
  Template,
  Specialization,
  Class,
  Namespace,
  Library,
  Kind,
  File,      ///< that asked for it (point of instantiation)
  Directory, ///< of that file
  Line,      ///< in that file
  Header,    ///< that was being read, or that who asked was in
  UserFrame,
  Function, ///< that LLVM was given
  Unit,     ///< the source that was compiled; no table of a page
};

/// The words for them, most asked for first.
struct CostKeyName {
  const char *Name;
  CostKey Key;
};
inline constexpr CostKeyName CostKeyNames[] = {
    {"template", CostKey::Template},
    {"specialization", CostKey::Specialization},
    {"class", CostKey::Class},
    {"namespace", CostKey::Namespace},
    {"library", CostKey::Library},
    {"kind", CostKey::Kind},
    {"file", CostKey::File},
    {"directory", CostKey::Directory},
    {"line", CostKey::Line},
    {"header", CostKey::Header},
    {"user-frame", CostKey::UserFrame},
    {"function", CostKey::Function},
};

/// By which number of CostColumns.def rows are sorted, or by name.
enum class CostOrder {
#define INSTANTRACE_ROW_NUMBER(Id, ...) Id,
#define INSTANTRACE_BACKEND_NUMBER(Id, ...) Id,
#define INSTANTRACE_DERIVED_NUMBER(Id, ...) Id,
#include "utils/analysis/costs/CostColumns.def"
  Name,
};

/// What comes after the frontend. Times are part of the self time, but for the
/// estimate.
struct BackendCost {
#define INSTANTRACE_BACKEND_NUMBER(Id, Member, ...) uint64_t Member = 0;
#include "utils/analysis/costs/CostColumns.def"

  /// In the optimizer and after it.
  uint64_t timeNs() const { return OptimizeNs + GenerateNs; }
  /// Time of an interval of that kind, which is one of a function.
  void addTime(EventKind Kind, uint64_t Ns) {
    (Kind == EventKind::MachineCode ? GenerateNs : OptimizeNs) += Ns;
  }

  BackendCost &operator+=(const BackendCost &More);
};

/// Of one function: its sizes, and what became of it.
BackendCost costOf(const Sequence &S, const Function &F);

/// Of few rows, of none in most traces, and there may be millions of rows.
class RareBackendCost {
public:
  RareBackendCost() = default;
  RareBackendCost(const RareBackendCost &Other)
      : Kept(Other.Kept ? std::make_unique<BackendCost>(*Other.Kept)
                        : nullptr) {}
  RareBackendCost(RareBackendCost &&) noexcept = default;
  RareBackendCost &operator=(RareBackendCost Other) noexcept {
    Kept = std::move(Other.Kept);
    return *this;
  }
  ~RareBackendCost() = default;

  const BackendCost &get() const {
    static constexpr BackendCost None;
    return Kept ? *Kept : None;
  }
  bool isThere() const { return static_cast<bool>(Kept); }
  BackendCost &edit() {
    if (!Kept)
      Kept = std::make_unique<BackendCost>();
    return *Kept;
  }
  void add(const RareBackendCost &More) {
    if (More.Kept)
      edit() += *More.Kept;
  }

private:
  std::unique_ptr<BackendCost> Kept;
};

struct CostRow {
  RowName Name;
  NameKey Key;
  std::string_view Kind; // with the largest self time; ties by number
#define INSTANTRACE_ROW_NUMBER(Id, Member, ...) uint64_t Member = 0;
#include "utils/analysis/costs/CostColumns.def"

  RareBackendCost Backend;

  const BackendCost &backend() const { return Backend.get(); }
  uint64_t frontendNs() const {
    return SelfNs - backend().OptimizeNs - backend().GenerateNs;
  }

  /// Adds each number of the same row of another compile.
  void addNumbers(const CostRow &More);
  /// Adds those of a different row: what both have in common is in none.
  void addApart(const CostRow &More);
};

/// A part of a row's self time.
struct KindSelf {
  EventKind Kind;
  uint64_t SelfNs;
};

/// CostRow::Kind; none: leaves that were elided.
std::optional<EventKind> largestKind(const std::vector<KindSelf> &Kinds);
std::string_view kindText(std::optional<EventKind> Kind);

struct CostTable {
  std::vector<CostRow> Rows;                // in no order
  std::vector<CostRow> OtherWork;           // set apart by takeOtherWork()
  std::vector<std::vector<KindSelf>> Kinds; // of the rows, if asked for
  uint64_t TotalNs = 0; // of the root intervals of all sequences
  /// Instantrace's own, whatever the filter selects; part of TotalNs.
  uint64_t ProfilingNs = 0;
  uint64_t ElidedCount = 0;
  uint64_t ElidedNs = 0;
  uint64_t DroppedCount = 0;
  bool HasBackend = false;      // a compile has what LLVM did
  uint64_t IrGenerationNs = 0;  // exact
  uint64_t UnknownEmission = 0; // compiles that do not tell what was kept
  uint64_t CodeBytes = 0;       // of the objects, where known
  uint64_t PeakRssBytes = 0;    // of the largest compile, where known

  /// What the compiles take without Instantrace: the whole of shares.
  uint64_t compileNs() const { return TotalNs - ProfilingNs; }
};

/// Whether rows depend on what is learned from the names of all traces.
bool needsLearnedScopes(CostKey Key);

/// What adds up of those rows that are names and selected.
template <class Predicate>
CostRow sumOfNamedRows(const CostTable &Table, Predicate Selects) {
  CostRow Sum;
  for (const CostRow &Row : Table.Rows)
    if (Row.Name.Fixed.empty() && Selects(Row))
      Sum.addApart(Row);
  return Sum;
}

/// By what rows are sorted; 0 for all by name.
uint64_t valueOf(const CostRow &Row, CostOrder Order);

/// Puts the first Wanted rows (0: all) in order, largest first, by name where
/// equal; the order of the others is not specified. So are all rows of other
/// work that were set apart.
void sortCosts(CostTable &Table, const Trace &T, CostOrder Order,
               size_t Wanted);
/// The same where names are not those of one trace.
using TieOfCosts = std::function<TieText(const CostRow &)>;
void sortCosts(CostTable &Table, CostOrder Order, size_t Wanted,
               const TieOfCosts &Tie);

} // namespace instantrace
