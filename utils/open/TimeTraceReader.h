/// \file
/// Reads what Clang's -ftime-trace writes into the model, and trusts nothing in
/// it.
///
/// Flow:   bytes -> [TimeTraceReader] -> Trace
/// Source: LLVM's TimeProfiler, whose events are complete ones ("X"), but for
///         Source from Clang 18 on, which has a begin and an end ("b", "e")
/// Lacks:  who asked, places (but for -ftime-trace-verbose), memoized hits,
///         late bodies' requesters, and what is shorter than its granularity,
///         500 us where nothing else was said; that time is in what surrounds
///         it
/// Errors: a file is refused as a whole, with the byte or the number of the
///         event, what was found and what is expected. Events of other names,
///         of which there are hundreds, are left out
///
/// Times are whole microseconds, so that an event may seem to end after the one
/// around it; it then ends with that. One that ends later still is an issue. A
/// file is one compile: what its threads did is one after the other.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

/// Of compiles that are read, how many tell less than ours.
class TimeTraceCount {
public:
  void add(const Trace &T);
  TimeTraceCount &operator+=(const TimeTraceCount &More);
  /// What they do not tell; empty when there is none.
  std::string note() const;
  /// There are some, and no others.
  bool areAll() const { return Count != 0 && Count == All; }

private:
  uint64_t Count = 0, All = 0;
  uint64_t Old = 0; ///< with files that are not where they were included
  uint64_t Cut = 0; ///< events
  bool HasMicrosoftNames = false;
};

/// True for what begins as a JSON object with events does, however it goes on.
bool isTimeTrace(std::string_view Bytes);

/// Appends one TraceInput and its sequence.
/// Bytes need not outlive the call. After an error, nothing is to be made of
/// Into.
Result<void> readTimeTrace(std::string_view Bytes, const std::string &Name,
                           Trace &Into);

} // namespace instantrace
