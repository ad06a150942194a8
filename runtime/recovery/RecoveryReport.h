/// \file
/// What became of one leftover.
///
/// Flow:   RecoveredTrace -> [RecoveryReport] -> whoever says it
#pragma once

#include "runtime/recovery/BufferRecovery.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct RecoveryReport {
  enum OutcomeKind : uint8_t {
    Failed,    ///< Error says why
    Recovered, ///< into Output
    Skipped,   ///< its compile runs, and nobody asked for it by name
    Finished,  ///< its compile ended well; Output is its trace
  };

  std::string Input, Output;
  std::string Kept; ///< the complete trace that was not overwritten
  std::string Error;
  std::vector<std::string> Problems;
  OutcomeKind Outcome = Failed;
  bool IsRunning = false;
  bool IsComplete = false; ///< the compiler itself wrote the footer
  uint32_t Pid = 0;
  uint32_t Signal = 0;
  uint64_t Events = 0, OpenIntervals = 0;
  MissingNames Missing;
  uint64_t FragmentsDropped = 0, EventsDropped = 0;

  /// What the trace says, as it is written.
  void take(RecoveredTrace &Trace);
};

} // namespace instantrace
