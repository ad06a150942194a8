/// \file
/// What each line of one file costs.
///
/// Flow:   Trace, TraceFilter -> [LineCosts] -> annotate
/// Leaves: the text of the lines
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_LINECOSTS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_LINECOSTS_H

#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/view/TraceFilter.h"

#include <map>
#include <string>
#include <vector>

namespace instantrace {

struct LineCost {
  uint64_t CausedNs = 0;       ///< self time of all that has it as user frame
  uint64_t InclusiveNs = 0;    ///< of outermost intervals that it asked for
  uint64_t InclusiveCount = 0; ///< of these, and of all inside
  uint64_t SelfNs = 0;         ///< of all that it asked for
  uint64_t Count = 0;
  uint64_t Memoized = 0; ///< hits inside these intervals
  /// Of functions that were instantiated for it; no part of the times above.
  BackendCost Requested;
  /// Of functions that are declared in the line.
  BackendCost Own;
};

struct FileCosts {
  /// Normal paths in the trace that the wanted one means; costs are only there
  /// if it is one.
  std::vector<std::string> Paths;
  bool AreAlike = false;        ///< they only end like the wanted one
  std::string WorkingDirectory; ///< of the first compile that has the file
  std::map<uint32_t, LineCost> Lines;
  LineCost Total;
  uint64_t TotalNs = 0; ///< of the root intervals of all sequences
  bool HasBackend = false;
};

/// Lines that have one cost, under the number of the first.
struct LineRange {
  uint32_t First = 0, Count = 0;
};

/// \p Wanted is a full path or some of its last components; of another
/// checkout, a full path that has the longest end in common with one of the
/// trace. Under #line, a file is both the one that was read and the one that
/// was named. \p Places, ascending, have costs instead of single lines; empty:
/// each line has its own.
FileCosts lineCosts(const Trace &T, const std::string &Wanted,
                    TraceFilter &Filter,
                    const std::vector<LineRange> &Places = {});

} // namespace instantrace

#endif
