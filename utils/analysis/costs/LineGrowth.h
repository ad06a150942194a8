/// \file
/// What lines that a change replaced cost before, and what those in their place
/// cost now.
///
/// Flow:   annotateChange() -> [LineGrowth] -> ChangeAnnotations
#pragma once

#include "utils/analysis/costs/LineCosts.h"

#include <cstdint>
#include <string>

namespace instantrace {

/// What some lines asked for, with everything inside.
struct RequestedWork {
  uint64_t Count = 0; ///< intervals
  uint64_t InclusiveNs = 0;
};

struct LineGrowth {
  std::string Path; ///< of the new file
  LineRange Lines;
  RequestedWork Old, New;

  /// Of the count: 0 if it shrank.
  uint64_t grownBy() const {
    return New.Count > Old.Count ? New.Count - Old.Count : 0;
  }
};

} // namespace instantrace
