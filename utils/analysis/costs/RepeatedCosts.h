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
/// A row that every compile instantiates inside another one, for nine tenths of
/// its time or more, has its time in that of the other one as well.
///
/// What has an unnamed namespace in its name is left out: under equal names
/// each compile has one of its own.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CostFeed.h"
#include "utils/analysis/costs/MergedCosts.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// Inside what the specializations of each compile are instantiated.
class InstantiationNesting final : public IntervalListener {
public:
  struct Row {
    uint32_t Open = 0;
    uint32_t Around = 0; ///< name of what was around it at first; 0: nothing
    uint64_t Ns = 0, InsideNs = 0; ///< in all, and inside that
    bool IsSeen = false;

    /// Names lead to others that end later, so never in a circle.
    uint32_t mostlyInside() const {
      return InsideNs >= Ns - Ns / 10 ? Around : 0;
    }
  };
  void enterSequence(const Sequence &Entered) override;
  void begin(const Interval &I) override;
  void end(const Interval &I, uint64_t InclusiveNs) override;

  std::vector<std::vector<Row>> Compiles; ///< by sequence, then by name

private:
  const Sequence *S = nullptr;
  std::vector<uint32_t> Open; ///< names; 0: not known
};

/// What is kept of one compile.
struct UnitCosts {
  /// What another compile may have, too.
  struct Row {
    RowName Name;
    NameKey Key;
    EntityKind Kind;
    uint64_t InclusiveNs;
    NameKey Around; ///< inside what it is; empty: nothing, or several
  };
  std::string Source; ///< as its command says; otherwise the trace
  std::vector<Row> Rows;
  uint64_t TotalNs = 0;
};

/// The others are of the compile with that index.
UnitCosts unitCosts(const Trace &T, uint32_t Index,
                    const CostTable &BySpecialization,
                    const std::vector<InstantiationNesting::Row> &Nesting);

struct RepeatedRow {
  RowName Name; ///< in RepeatedCosts::names()
  EntityKind Kind = EntityKind::Unknown;
  uint64_t Units = 0;
  uint64_t InclusiveNs = 0; ///< in all
  uint64_t LeastNs = 0;     ///< in its home
  uint32_t Home = 0;        ///< of RepeatedCosts::unit()
  NameKey Key, Around;
  /// Number of the row that it is inside of, when all are taken.
  uint32_t Outer = NoIndex;

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
