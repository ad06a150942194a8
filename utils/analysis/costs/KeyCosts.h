/// \file
/// Costs by one key, of the sequences of a trace one after the other.
///
/// Flow:   SequenceFacts -> [KeyCosts] -> CostTable
///
/// costs() is one of these over all sequences. Who needs several tables gives
/// each the same facts, and may do so on a thread for each.
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_KEYCOSTS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_KEYCOSTS_H

#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/costs/SequenceFacts.h"

namespace instantrace {

class KeyCosts {
public:
  /// All must outlive this, and the trace not change. \p Filter is entered.
  KeyCosts(const Trace &T, CostKey By, TraceFilter &Filter,
           const LearnedScopes *Learned);

  /// Requires: indices ascend, and the facts are of that sequence.
  void add(uint32_t Index, const SequenceFacts &Facts);
  /// With the kinds of rows if they are to be kept. Ends the life of this.
  CostTable take(bool AreKindsKept);

private:
  const Trace &T;
  TraceFilter &Filter;
  RowIndex Rows;
  CostTable Table;
};

} // namespace instantrace

#endif
