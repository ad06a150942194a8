/// \file
/// Adds up what `summary` shows of traces, one after the other, for an index.
///
/// Flow:    Trace -> costs -> [SummarySums] -> IndexBuilder::setSummary
/// Memory:  rows, not intervals; the trace may go when it was added
///
/// All that costs() gives adds up over traces: rows are found by the keys of
/// their names, and the first trace that has one names it.
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_SUMMARYSUMS_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_SUMMARYSUMS_H

#include "runtime/index/IndexBuilder.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/Costs.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// The file has these numbers for what a row stands for.
constexpr uint32_t summaryNumber(CostKey By) {
  return static_cast<uint32_t>(By);
}
static_assert(summaryNumber(CostKey::Template) == 0 &&
                  summaryNumber(CostKey::Function) + 1 ==
                      index::SummaryTable::TableLimit,
              "proto/INDEX.md has the order");

class SummarySums {
public:
  /// Where the names of each sequence of a trace are in the file, by id.
  using Addresses = std::vector<std::vector<uint64_t>>;

  void add(const Trace &T, const Addresses &Names, IndexBuilder &Strings);
  index::IndexSummary take(IndexBuilder &Strings);

private:
  struct Sums {
    std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey;
    std::vector<std::vector<KindSelf>> Kinds; // of the rows
    index::SummaryTable Table;
  };
  static void addRow(Sums &To, const CostRow &Row,
                     const std::vector<KindSelf> &Kinds,
                     const index::SummaryName &Name);

  std::map<CostKey, Sums> Tables;
  IncludeChains Chains;
  index::SummaryAbout About;
};

} // namespace instantrace

#endif
