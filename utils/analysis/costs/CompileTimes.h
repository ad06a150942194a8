/// \file
/// When the compiles of a build ran, as their traces say it.
///
/// Flow:  Sequence -> [CompileTimes] -> BuildSchedule
/// Units: nanoseconds since 1970
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/BuildSchedule.h"

#include <cstdint>
#include <vector>

namespace instantrace {

/// Whatever a trace says, the end is not before the begin. Requires: it has a
/// session.
CompileTimes compileTimes(const Sequence &S);

/// Equal for compiles of one process. In containers many have one pid; a module
/// that a compile builds on the way has its command line as well. -ftime-trace
/// has neither, and nothing of such modules: its compiles differ by their
/// input.
uint64_t processKey(const TraceSession &Session);

/// Which compiles ran inside another one of their process, as those of modules
/// do. \p Processes are their keys.
std::vector<bool> innerCompiles(const std::vector<CompileTimes> &Times,
                                const std::vector<uint64_t> &Processes);

} // namespace instantrace
