/// \file
/// When nothing of a build was compiled, and what was linked meanwhile.
///
/// Flow:  begin and end of each compile, links -> [buildGaps] -> critical
/// Units: nanoseconds, since any moment
#pragma once

#include "utils/analysis/costs/BuildSchedule.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct LinkTimes {
  std::string Output;
  CompileTimes Times;
};

struct BuildGap {
  CompileTimes Times;
  bool IsFirst = false, IsLast = false; ///< before all compiles, or after them
  struct Part {
    size_t Link = 0; ///< index
    uint64_t Ns = 0; ///< of it inside
  };
  std::vector<Part> Links; ///< the longest first
};

/// The longest first. \p Whole is the build, which what is outside of it makes
/// longer. A link that ends before it begins is none.
std::vector<BuildGap> buildGaps(std::vector<CompileTimes> Compiles,
                                const std::vector<LinkTimes> &Links,
                                CompileTimes Whole);

} // namespace instantrace
