/// \file
/// Who asked for something, out to the line in user code.
///
/// Flow:   Trace, NameQuery, TraceFilter -> [RequestChains] -> why
/// Leaves: what is a user frame, to UserFrame
///
/// From an interval the way goes outwards over who asked for it: its requester
/// if it is a late body, its parent otherwise. It ends at the first location
/// outside system headers, or where nobody asked. Equal ways are one chain; in
/// a recursion, what is between two equal frames is left out, so that none of
/// MostFrames in a row is there twice, and a recursion of any depth is one
/// chain.
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_REQUESTCHAINS_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_REQUESTCHAINS_H

#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/names/NameQuery.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/SelfTimes.h"
#include "utils/analysis/view/TraceFilter.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace instantrace {

class ChainTree;

struct RequestFrame {
  RowName What;        ///< the template, or the file that is included
  std::string Place;   ///< `file:line` that asked for it; empty: none is known
  bool IsLate = false; ///< a body that was asked for here and came later
  bool IsInclusion = false; ///< of the file that What is
  uint64_t LeftOut = 0;     ///< stands for so many frames and says nothing else
};

/// More frames of a chain are left out in its middle. As many as templates may
/// be within each other unless -ftemplate-depth says otherwise.
inline constexpr size_t MostFrames = 1024;

struct RequestChain {
  uint32_t Node = UINT32_MAX; ///< its first frame in the tree; none: no frames
  uint64_t Count = 0;
  uint64_t Definitions = 0;
  uint64_t Memoized = 0; ///< uses again, where each is an event of its own
  uint64_t SelfNs = 0;
  uint64_t InclusiveNs = 0; ///< of outermost ones
  RareBackendCost Backend;  ///< of functions that were instantiated there
};

struct RequestReport {
  std::vector<RequestChain> Chains; ///< most inclusive time first
  RequestChain Total;               ///< without frames
  uint64_t Entities = 0;            ///< that were meant, with events or not
  uint64_t CountedHits = 0;         ///< uses again that have no place

  /// What was asked for first, at most MostFrames and one for the others. Made
  /// for each chain when it is shown, since chains share their frames and would
  /// have many times the trace's size.
  std::vector<RequestFrame> frames(const RequestChain &Chain) const;
  std::shared_ptr<const ChainTree> Tree; ///< the trace must outlive it
};

/// \p Times are those of a sequence that lacks some intervals, by sequence.
/// Of the intervals that both select, at the filter's level of detail. What
/// LLVM did for a function is at the chain of the instantiation that made it;
/// that of a function of no template is in the total alone.
RequestReport requestChains(const Trace &T, NameQuery &Query,
                            TraceFilter &Filter, EntityLevel Level,
                            const std::vector<IntervalTimes> *Times = nullptr);

} // namespace instantrace

#endif
