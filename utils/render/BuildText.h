/// \file
/// What `record` says while a build runs and when it has ended.
///
/// Flow:   SessionFacts, CostSums -> [BuildText] -> standard error
#ifndef INSTANTRACE_UTILS_RENDER_BUILDTEXT_H
#define INSTANTRACE_UTILS_RENDER_BUILDTEXT_H

#include "utils/analysis/costs/CostSums.h"
#include "utils/render/Output.h"
#include "utils/render/Terminal.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct RunningCompile {
  std::string Trace; ///< "a-0123456789ab.itrace"
  uint64_t SinceNs = 0;
};

struct BuildStatus {
  uint64_t Ended = 0;
  std::vector<RunningCompile> Running;
  std::string Costliest; ///< template so far; empty: nobody knows yet
};

/// One line of at most so many columns, what matters most first.
std::string buildStatusText(const BuildStatus &Status, size_t Columns);

/// A unit as a row.
struct BuildUnit {
  std::string_view Source;
  uint64_t WallNs = 0;
};

/// Three tables: templates, headers, units; as many rows of each as fit into so
/// many lines, but two at least and five at most. 0 lines: there is no limit.
void writeBuildTables(Output &Out, const CostSums &Costs,
                      std::vector<BuildUnit> Units, size_t Lines,
                      const Terminal &Term);

/// The name of what a trace is of: without folder, hash and ending.
std::string unitOfTrace(std::string_view Trace);

} // namespace instantrace

#endif
