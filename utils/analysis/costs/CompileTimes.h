/// \file
/// When the compiles of a build ran, as their traces say it.
///
/// Flow:  Sequence -> [CompileTimes] -> BuildSchedule
/// Units: nanoseconds since 1970
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_COMPILETIMES_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_COMPILETIMES_H

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/BuildSchedule.h"

#include <cstdint>
#include <vector>

namespace instantrace {

/// Whatever a trace says, the end is not before the begin. Requires: it has a
/// session.
CompileTimes compileTimes(const Sequence &S);

/// Which compiles ran inside another one of their process, as those of modules
/// do. \p Pids are theirs.
std::vector<bool> innerCompiles(const std::vector<CompileTimes> &Times,
                                const std::vector<uint32_t> &Pids);

} // namespace instantrace

#endif
