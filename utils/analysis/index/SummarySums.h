/// \file
/// Adds up what `summary` shows of traces, one after the other, for an index.
///
/// Flow:    CostSink -> MergedCosts -> [SummarySums]
///          -> IndexBuilder::setSummary
/// Memory:  rows; the trace may go when it was added
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_SUMMARYSUMS_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_SUMMARYSUMS_H

#include "runtime/index/IndexBuilder.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/costs/ObservedWork.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
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
  /// \p Learned is from all traces, and outlives the sums; null: there is only
  /// one trace.
  explicit SummarySums(const LearnedScopes *Learned) : Learned(Learned) {}

  /// The trace has its tables; \p Feed gives its events to a sink.
  Result<void> add(const Trace &T,
                   const std::function<Result<void>(TraceSink &)> &Feed);
  /// Ends the life of the sums.
  index::IndexSummary take(IndexBuilder &Strings);

private:
  struct Input {
    std::string Path;
    bool IsIncomplete;
  };
  const LearnedScopes *Learned;
  MergedNames Names;
  std::map<CostKey, MergedCosts> Tables;
  IncludeChains Chains;
  std::vector<Input> Inputs;
  struct Compile {
    std::string Path, Object, Target, Hook;
  };
  std::vector<Compile> Compiles;
  ObservedWork Observed;
};

} // namespace instantrace

#endif
