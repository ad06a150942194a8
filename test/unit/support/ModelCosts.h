/// \file
/// Costs of a trace that a test has made, by the sink that commands use.
#pragma once

#include "utils/analysis/costs/CostSink.h"
#include "utils/open/TraceStreams.h"

#include <span>
#include <utility>
#include <vector>

namespace instantrace::test {

inline std::vector<CostTable> costTables(const Trace &T,
                                         std::span<const CostKey> Keys,
                                         const TraceFilter &Filter,
                                         const LearnedScopes *Learned = nullptr,
                                         bool AreKindsKept = false) {
  Trace Fed = T;
  CostSink Costs(T, Keys, Filter, Learned);
  feedAll(Fed, Costs);
  return Costs.take(AreKindsKept);
}

inline CostTable costs(const Trace &T, CostKey Key, TraceFilter &Filter) {
  return std::move(costTables(T, {&Key, 1}, Filter).front());
}

/// Nothing is filtered.
inline CostTable costs(const Trace &T, CostKey Key) {
  TraceFilter Everything = *TraceFilter::make({});
  return costs(T, Key, Everything);
}

} // namespace instantrace::test
