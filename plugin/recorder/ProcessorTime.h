/// \file
/// When the compiling thread did not run.
///
/// Flow:   Recorder::nowNs() -> [ProcessorTime] -> Wait -> EventEncoder
/// Source: CLOCK_THREAD_CPUTIME_ID, which takes a system call: it is read only
///         where two readings of the other clock are so far apart that the
///         thread may have lost its processor in between
/// Errors: what is lost in shorter pieces is found at the next reading, and
///         counts there as far as it fits. Less than ShortestWaitNs waits for
///         more of it
/// Threads: the one that compiles
#pragma once

#include "plugin/recorder/Clock.h"

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace instantrace {

/// The thread did not run for so long, just before \p TimeNs, which is on the
/// clock that leaves such times out. Both are multiples of TimeUnitNs.
struct Wait {
  uint64_t TimeNs, LengthNs;
};

/// \p ThreadClock is another for tests alone.
template <class ThreadClock> class TimeOnProcessor {
public:
  /// Shorter than what the kernel gives a thread at a time. Two events are
  /// seldom so far apart (utils/bench/load_truth.py).
  static constexpr uint64_t LongestUnseenNs = 50'000;
  static constexpr uint64_t ShortestWaitNs = 5'000;

  /// Times are of CLOCK_MONOTONIC. \p BeforeNs: when that was asked last; 0:
  /// never.
  static bool mayHaveWaited(uint64_t BeforeNs, uint64_t NowNs) {
    return NowNs - BeforeNs > LongestUnseenNs;
  }
  /// How much of the time between the two it did not run; 0: it did. The first
  /// call is the begin.
  uint64_t findWait(uint64_t BeforeNs, uint64_t NowNs) {
    if (BeforeNs == 0)
      OffsetNs = NowNs - ThreadClock::nowNs();
    auto Missing = static_cast<int64_t>(NowNs - OffsetNs - WaitedNs -
                                        ThreadClock::nowNs());
    if (Missing < static_cast<int64_t>(ShortestWaitNs))
      return 0;
    uint64_t FoundNs = roundedToTimeUnit(
        std::min(static_cast<uint64_t>(Missing), NowNs - BeforeNs));
    WaitedNs += FoundNs;
    return FoundNs;
  }

private:
  uint64_t OffsetNs = 0; ///< from the thread's clock to the other
  uint64_t WaitedNs = 0;
};

struct KernelThreadClock {
  static uint64_t nowNs() {
    return instantrace::nowNs(CLOCK_THREAD_CPUTIME_ID);
  }
};

using ProcessorTime = TimeOnProcessor<KernelThreadClock>;

} // namespace instantrace
