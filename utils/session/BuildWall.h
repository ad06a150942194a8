/// \file
/// What determines the duration of a build, by its traces.
///
/// Flow:    x.itrace... -> CompileCostSink, several at a time -> BuildSchedule,
///          what each template, header and unit takes of each compile
///          -> [BuildWall]
/// Errors:  of one trace are told to the observer, and the others count; none
///          that can be used, or one without a time of day
/// Memory:  names and rows of a trace in each thread, names of all, and twelve
///          bytes for each compile and row of it
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/costs/BuildSchedule.h"
#include "utils/open/InputObserver.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct WallUnit {
  std::string Source; ///< as the compiler was given it
  CompileTimes Times; ///< since 1970
};

/// What is gone if it takes no time.
struct WallSaving {
  std::string Name;
  uint64_t InclusiveNs = 0; ///< of all compiles together
  uint64_t SavedNs = 0;     ///< of the wall time; none if that would be longer
  uint64_t Units = 0;
};

struct BuildWall {
  std::vector<WallUnit> Units; ///< as in the schedule
  size_t InnerCompiles = 0;    ///< of modules inside these, left out
  BuildSchedule Schedule;
  /// Most saved first. Those that take longest in all were tried.
  std::vector<WallSaving> Templates, Headers, Sources;
};

/// \p Tried of each kind.
Result<BuildWall> readBuildWall(const std::vector<std::string> &Paths,
                                size_t Tried, InputObserver &Seen);

} // namespace instantrace
