/// \file
/// Costs over the compiles of a build, added up one after the other, so that a
/// build of any size needs the memory of one compile and of its names.
///
/// Flow: CompileCostSink -> [CostSums] -> BuildText
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTSUMS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTSUMS_H

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/costs/MergedCosts.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct SumRow {
  std::string Name; ///< the first SumNameBytes of it
  uint64_t SelfNs = 0, InclusiveNs = 0;
  uint64_t Count = 0;
  uint64_t Compiles = 0;   ///< in how many of them
  bool IsFixed = false;    ///< "(parsing)" and the like, no name of the source
  RareBackendCost Backend; ///< its times are part of SelfNs

  SumRow &operator+=(const SumRow &More);
};

/// Enough for any line of a terminal.
inline constexpr size_t SumNameBytes = 4096;

class CostSums {
public:
  /// What rows are kept of.
  static constexpr std::array<CostKey, 2> Keys = {CostKey::Template,
                                                  CostKey::Header};

  /// Of one compile a table for each of Keys, in their order. \p Names is what
  /// their rows are names of.
  void add(const std::vector<CostTable> &Of, const Trace &Names);

  uint64_t totalNs() const { return TotalNs; }
  uint64_t compiles() const { return Compiles; }
  /// A compile has what LLVM did.
  bool hasBackend() const { return HasBackend; }
  /// The first \p Wanted by self time, by name where equal. \p By is one of
  /// Keys. Names, or fixed rows.
  std::vector<SumRow> costliest(CostKey By, size_t Wanted,
                                bool AreFixed = false) const;
  /// The self times of all rows that are names.
  uint64_t namedNs(CostKey By) const;

private:
  using Table = std::unordered_map<NameKey, SumRow, NameKeyHash>;

  static size_t indexOf(CostKey By);

  std::array<Table, Keys.size()> Tables;
  uint64_t TotalNs = 0;
  uint64_t Compiles = 0;
  bool HasBackend = false;
};

} // namespace instantrace

#endif
