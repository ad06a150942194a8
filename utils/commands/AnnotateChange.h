/// \file
/// `annotate --format`: what a code review is to say of a change.
///
/// Flow: two TraceArguments, a diff -> LineSink -> [annotateChange]
///       -> ChangeAnnotations -> stdout
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/view/TraceFilter.h"
#include "utils/render/ChangeAnnotations.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct ChangeToAnnotate {
  std::vector<std::string> New, Old; ///< traces of a build each
  std::string Diff;                  ///< its path; - is the standard input
  uint64_t LeastGrowth = 100;        ///< of a place's intervals
  size_t Most = 0;                   ///< annotations; 0: all
  ReviewService For = ReviewService::GitHub;
};

/// The exit code is 0 whatever grew: bounds are for `diff` and `budget`.
Result<int> annotateChange(const ChangeToAnnotate &Change,
                           const TraceFilter &Filter);

} // namespace instantrace
