/// \file
/// What several compiles of a build instantiate again: how often, for how long
/// in all, and in which of them it costs least.
///
/// Flow:    CompileCostSink -> [unitCosts], on any thread -> [RepeatedCosts] ->
///          repeated
/// Memory:  of each specialization a row, whatever the number of compiles
///
/// If one compile instantiated it for all, that one would best be its *home*,
/// where it costs least, since most of what it needs is there already; the
/// times in all others are what could be saved at most. Only bodies of
/// functions and variables can be had in that way ([temp.explicit]); a class is
/// instantiated wherever it is used, unless its header is precompiled.
///
/// What has an unnamed namespace in its name is left out: under equal names
/// each compile has one of its own.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/MergedCosts.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// What is kept of one compile.
struct UnitCosts {
  /// What another compile may have, too.
  struct Row {
    RowName Name;
    NameKey Key;
    EntityKind Kind;
    uint64_t InclusiveNs;
  };
  std::string Source; ///< as its command says; otherwise the trace
  std::vector<Row> Rows;
  uint64_t TotalNs = 0;
};

/// \p BySpecialization is of the compile with that index.
UnitCosts unitCosts(const Trace &T, uint32_t Index,
                    const CostTable &BySpecialization);

struct RepeatedRow {
  RowName Name; ///< in RepeatedCosts::names()
  EntityKind Kind = EntityKind::Unknown;
  uint64_t Units = 0;
  uint64_t InclusiveNs = 0; ///< in all
  uint64_t LeastNs = 0;     ///< in its home
  uint32_t Home = 0;        ///< of RepeatedCosts::unit()

  uint64_t savedNs() const { return InclusiveNs - LeastNs; }
};

class RepeatedCosts {
public:
  /// The next compiles are of the trace with these names.
  void enterTrace(const Trace &Entered) { Names.enterTrace(Entered); }
  void add(const UnitCosts &Costs);
  /// Of two compiles or more; the first \p Wanted (0: all) in order, those that
  /// could save most first, by name where equal. Ends the life of the rows.
  std::vector<RepeatedRow> take(size_t Wanted);

  const Trace &names() const { return Names.trace(); }
  const std::string &unit(uint32_t Number) const { return Units[Number]; }
  uint64_t compiles() const { return Units.size(); }
  uint64_t totalNs() const { return TotalNs; }

private:
  MergedNames Names;
  std::vector<RepeatedRow> Rows;
  std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey;
  std::vector<std::string> Units; ///< their sources
  uint64_t TotalNs = 0;
};

} // namespace instantrace
