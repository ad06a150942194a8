/// \file
/// Reads traces one after the other, each without its events in memory and as
/// often as somebody needs to see these.
///
/// Flow:   files -> [TraceStreams] -> streamTrace -> TraceSink
/// Errors: those of TraceInputs; a file that changes while it is read
/// Memory: what a trace has besides its events, and one packet. The bytes as
///         well of what comes through a pipe, is compressed or was left by a
///         killed compile; the model of what is of another profiler
#ifndef INSTANTRACE_UTILS_INPUT_TRACESTREAMS_H
#define INSTANTRACE_UTILS_INPUT_TRACESTREAMS_H

#include "runtime/base/Result.h"
#include "runtime/read/TraceReader.h"
#include "utils/input/EachTrace.h"
#include "utils/input/InputObserver.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace instantrace {

/// What is done with a trace whose events a sink has got. It may ask for them
/// again, for another sink.
using EventsAgain = std::function<Result<void>(TraceSink &Events)>;
using StreamUse = std::function<Result<void>(
    const Trace &T, const InputIdentity &Of, const EventsAgain &Again)>;

struct StreamSpec {
  unsigned Reads = 1; ///< how often events are wanted, the first time included
  bool AreHashed = false; ///< InputIdentity::Hash is wanted
};

/// Of each trace, the events go to \p First, and then \p Use is called. Fails
/// as forEachTrace() does, and when \p Use fails.
Result<void> forEachStream(const std::vector<std::string> &Files,
                           InputObserver &Seen, const StreamSpec &Spec,
                           TraceSink &First, const StreamUse &Use);

/// One of them. The last two may be told how far it is: of a pipe the bytes
/// that have come, and then how many of all are done.
Result<void>
streamFile(const std::string &Path, InputObserver &Seen,
           const ByteProgress &WhileItComes,
           const std::function<void(uint64_t Done, uint64_t All)> &At,
           Trace &Into, TraceSink &Events);

/// The events of a trace that has them.
void feedAll(Trace &T, TraceSink &Events);

} // namespace instantrace

#endif
