/// \file
/// Who asked for what is in the rows of a cost table, for many rows at once.
///
/// Flow:   RowIndex, ChainTree -> [RowChains] -> report
///
/// The numbers are those of `why`: intervals, outermost ones for inclusive
/// times. Of each row, the chains with the most inclusive time are kept, and
/// the sum of the others.
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_ROWCHAINS_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_ROWCHAINS_H

#include "utils/analysis/chains/ChainTree.h"
#include "utils/analysis/costs/Costs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace instantrace {

struct RowChain {
  uint32_t Node = ChainTree::None; // None: a sum of several
  uint64_t Count = 0;
  uint64_t Memoized = 0; // uses again, where each is an event of its own
  uint64_t SelfNs = 0;
  uint64_t InclusiveNs = 0;

  void add(const RowChain &Other) {
    Count += Other.Count;
    Memoized += Other.Memoized;
    SelfNs += Other.SelfNs;
    InclusiveNs += Other.InclusiveNs;
  }
};

struct ChainsOfRow {
  std::vector<RowChain> Chains; // most inclusive time first
  uint64_t OtherChains = 0;
  RowChain Others;

  /// Adds all but the first \p Most to the others.
  void fold(size_t Most) {
    for (size_t I = Most; I < Chains.size(); ++I) {
      ++OtherChains;
      Others.add(Chains[I]);
    }
    Chains.resize(std::min(Most, Chains.size()));
  }
};

using RowKeys = std::unordered_set<NameKey, NameKeyHash>;
using RowChains = std::unordered_map<NameKey, ChainsOfRow, NameKeyHash>;

/// \p Tree must be of the same trace, and may be used again. At most \p Most
/// chains of each row of \p Wanted.
RowChains rowChains(const Trace &T, CostKey By, const RowKeys &Wanted,
                    size_t Most, TraceFilter &Filter, ChainTree &Tree);

} // namespace instantrace

#endif
