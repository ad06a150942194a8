/// \file
/// Compares what two hooks recorded of one compile, and says it in JSON.
///
/// Flow: Trace, Trace -> [compareHooks] -> SetTimes, Ranking, Coverage -> JSON
/// Errors: traces that are not two views of one whole compile
///
/// Times in the result are nanoseconds, shares are of 1.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/bench/hooks/OwnWork.h"

#include <string>
#include <vector>

namespace instantrace {

/// One JSON object. Takes our own work out of both traces (OwnWork.h).
Result<std::string> compareHooks(Trace &Callback, Trace &Observer,
                                 std::vector<StoppedClock::Span> OwnWork);

} // namespace instantrace
