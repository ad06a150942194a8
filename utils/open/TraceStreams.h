/// \file
/// Reads traces one after the other, each without its events in memory.
///
/// Flow:   files -> [TraceStreams] -> streamTrace -> TraceSink
/// Errors: those of TraceInputs; a file that changes while it is read
/// Memory: what a trace has besides its events, and one packet. The bytes as
///         well of what comes through a pipe, is compressed or was left by a
///         killed compile; the model of what is of another profiler
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/TraceReader.h"
#include "utils/open/EachTrace.h"
#include "utils/open/InputObserver.h"
#include "utils/open/InputRounds.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace instantrace {

using StreamUse =
    std::function<Result<void>(const Trace &T, const InputIdentity &Identity)>;

/// Of each trace, \p Events gets all, and then \p Use is called. Fails
/// as forEachStreamed() does, and when \p Use fails.
Result<void> forEachStream(const std::vector<std::string> &Files,
                           InputObserver &Seen, TraceSink &Events,
                           const StreamUse &Use);

/// One of them. The last two may be told how far it is: of a pipe the bytes
/// that have come, and then how many of all are done. \p Rounds may be null.
Result<void>
streamFile(const std::string &Path, InputObserver &Seen,
           const ByteProgress &WhileItComes,
           const std::function<void(uint64_t Done, uint64_t All)> &Progress,
           Trace &Into, TraceSink &Events, InputRounds *Rounds = nullptr);

/// The events of a trace that has them.
void feedAll(Trace &T, TraceSink &Events);

} // namespace instantrace
