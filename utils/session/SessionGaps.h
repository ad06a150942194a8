/// \file
/// What an answer about a session lacks, by what session.json says of it.
///
/// Flow:   findTraces -> InputProgress -> [sessionGaps] -> a note, `--json`
/// Leaves: processes that may have been of another build, which `record` says
///         once; traces that are damaged or end early, to Trace::losses()
#pragma once

#include "utils/session/RecordedSession.h"

#include <cstdint>
#include <string>

namespace instantrace {

struct SessionGaps {
  /// Compiles that are known of and have no trace. Not the runs of distcc and
  /// icecc, of which some have one.
  uint64_t Compiles = 0;
  /// "1 compile by GCC; ...", one line of some 2 kB at most; empty: nothing
  /// lacks
  std::string Text;
};

/// Of \p S, which readSession() has read in \p Folder.
SessionGaps sessionGaps(const RecordedSession &S, const std::string &Folder);

} // namespace instantrace
