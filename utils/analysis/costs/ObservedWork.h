/// \file
/// What follows from the hook that a trace was recorded by.
///
/// Flow:   Trace -> [observedWork] -> notes of commands, header, report
/// Source: docs/design/hooks.md
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_OBSERVEDWORK_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_OBSERVEDWORK_H

#include "runtime/read/Trace.h"

namespace instantrace {

/// Of compiles recorded by hook=observer alone; all zero when there is none.
struct ObservedWork {
  uint64_t Compiles = 0;
  uint64_t Instantiations = 0; ///< intervals of that kind
  uint64_t Untimed = 0;        ///< those that were counted and not timed

  ObservedWork &operator+=(const ObservedWork &Other);
  /// Of any compile. Requires: the interval is a TemplateInstantiation.
  void add(const Interval &I) {
    ++Instantiations;
    Untimed += !I.Open && I.EndNs == I.BeginNs;
  }
};

ObservedWork observedWork(const Sequence &S);
/// \p All is of all its intervals.
ObservedWork observedWork(const Sequence &S, const ObservedWork &All);
ObservedWork observedWork(const Trace &T);

} // namespace instantrace

#endif
