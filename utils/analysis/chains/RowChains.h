/// \file
/// Who asked for what is in the rows of cost tables, for many rows at once.
///
/// Flow:    OpenWays -> [chainNodes] -> [rowChains] of a table -> report
/// Threads: chainNodes() makes the tree; after it, any number may ask for the
///          chains of different tables
///
/// The numbers are those of `why`: intervals, outermost ones for inclusive
/// times. Of each row, the chains with the most inclusive time are kept, and
/// the sum of the others.
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_ROWCHAINS_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_ROWCHAINS_H

#include "utils/analysis/chains/OpenWays.h"
#include "utils/analysis/costs/RowIndex.h"

#include <algorithm>
#include <unordered_map>
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

  void fold(const RowChain &Other) {
    ++OtherChains;
    Others.add(Other);
  }
  /// Adds all but the first \p Most to the others.
  void fold(size_t Most) {
    for (size_t I = Most; I < Chains.size(); ++I)
      fold(Chains[I]);
    Chains.resize(std::min(Most, Chains.size()));
  }
};

using RowChains = std::unordered_map<NameKey, ChainsOfRow, NameKeyHash>;

/// Of each interval and instant that has its part in rows, where its chain
/// begins; None: of all others.
struct ChainNodes {
  struct OfSequence {
    std::vector<uint32_t> Intervals, Instants;
  };
  std::vector<OfSequence> Sequences;
};

/// \p Tree becomes that of the trace.
ChainNodes chainNodes(const Trace &T, TraceFilter &Filter, ChainTree &Tree);

struct WantedRows {
  CostKey By;
  RowKeys Keys;
};

/// At most \p Most chains of each row that is wanted. \p Nodes are of that
/// tree.
/// \p Learned is of the trace.
RowChains rowChains(const Trace &T, const ChainNodes &Nodes,
                    const WantedRows &Wanted, size_t Most,
                    const ChainTree &Tree, const LearnedScopes &Learned);

} // namespace instantrace

#endif
