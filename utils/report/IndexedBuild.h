/// \file
/// What a page says of a large build from its index: sums of all compiles, and
/// the intervals of those that took longest.
///
/// Flow:   InstantiationIndex -> [IndexedBuild] -> Reporter
/// Errors: what is damaged, by place; an index without a summary
/// Memory: rows of tables, and the intervals that are wanted
///
/// Tables, inclusions, parts of the time and the timeline are those of all
/// compiles, to the last digit. What needs intervals (call paths, chains of
/// requests, checks, advice) is of some, and the page says of which.
#ifndef INSTANTRACE_UTILS_REPORT_INDEXEDBUILD_H
#define INSTANTRACE_UTILS_REPORT_INDEXEDBUILD_H

#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/TimeParts.h"
#include "utils/analysis/index/IndexedCosts.h"
#include "utils/export/CostWalk.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace instantrace {

struct IndexedBuild {
  IndexedCosts Costs;
  std::vector<CostTable> Tables; ///< by CostKeyNames; names are Costs.names()'
  IncludeChains Inclusions;
  TimeParts Parts{};
  /// All compiles; intervals and names of those that are looked into.
  Trace T;
  /// By compile; none: it is looked into.
  std::vector<std::optional<ExportCost>> Unopened;
  size_t OpenedCount = 0;
  uint64_t OpenedNs = 0;

  uint64_t totalNs() const { return Tables.front().TotalNs; }

  /// Looks into the compiles that took longest, as long as they have no more
  /// than \p MostIntervals, and into one at least. The index must outlive it.
  static Result<IndexedBuild> read(const InstantiationIndex &X,
                                   uint64_t MostIntervals);
};

} // namespace instantrace

#endif
