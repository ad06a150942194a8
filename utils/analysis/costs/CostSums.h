/// \file
/// Costs over the compiles of a build, added up one after the other, so that a
/// build of any size needs the memory of one compile and of its names.
///
/// Flow:    Trace of one compile -> costs -> [CostSums] -> BuildText
/// Threads: one for each CostSums; several are merged
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTSUMS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTSUMS_H

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/Costs.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
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

  void add(const Trace &T);
  void merge(CostSums &&More);

  uint64_t totalNs() const { return TotalNs; }
  uint64_t compiles() const { return Compiles; }
  /// A compile has what LLVM did.
  bool hasBackend() const { return HasBackend; }
  /// The first \p Wanted by self time, by name where equal. \p By is one of
  /// Keys. Names, or fixed rows.
  std::vector<SumRow> costliest(CostKey By, size_t Wanted,
                                bool AreFixed = false) const;
  /// All that are names, in no order.
  std::vector<SumRow> namedRows(CostKey By) const;
  /// The self times of all rows that are names.
  uint64_t namedNs(CostKey By) const;

private:
  struct RowKey {
    std::string Fixed;
    NameKey Name;
    friend auto operator<=>(const RowKey &, const RowKey &) = default;
  };
  using Table = std::map<RowKey, SumRow>;

  static size_t indexOf(CostKey By);

  std::array<Table, Keys.size()> Tables;
  uint64_t TotalNs = 0;
  uint64_t Compiles = 0;
  bool HasBackend = false;
};

} // namespace instantrace

#endif
