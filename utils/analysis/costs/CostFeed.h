/// \file
/// Finds out once what several tables of costs need of each event.
///
/// Flow:   events -> [CostFeed] -> KeyCosts, an IntervalListener
/// Memory: open intervals, and a byte for each entity
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTFEED_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTFEED_H

#include "runtime/read/EventSink.h"
#include "utils/analysis/costs/KeyCosts.h"
#include "utils/analysis/costs/SequenceFacts.h"

#include <cstdint>
#include <span>
#include <vector>

namespace instantrace {

/// Who else needs times of intervals.
class IntervalListener {
public:
  virtual ~IntervalListener() = default;
  virtual void begin(const Interval &I) = 0;
  /// Of the innermost one; \p InclusiveNs is without Instantrace's own work.
  virtual void end(const Interval &I, uint64_t InclusiveNs) = 0;
};

/// Of one sequence.
class CostFeed : public EventSink {
public:
  /// All must outlive it. \p Other may be null.
  CostFeed(uint32_t Index, const SequenceFacts &Facts,
           std::span<KeyCosts> Tables, IntervalListener *Other = nullptr);
  CostFeed(const CostFeed &) = delete;
  CostFeed &operator=(const CostFeed &) = delete;

  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override;
  void instant(const Instant &I) override;
  /// Once, behind the last event.
  void finish();

private:
  struct OpenInterval {
    uint64_t ChildrenNs = 0;
    uint64_t ProfilingNs = 0; ///< inside
    bool IsFirstOfUndefined = false;
    bool IsCodeGeneration = false;
    CodeGenerationParts Parts; ///< of a CodeGeneration
  };

  const SequenceFacts &Facts;
  std::span<KeyCosts> Tables;
  IntervalListener *Other;
  std::vector<OpenInterval> Open;
  ById<char> IsCounted; ///< entities that none defined
};

/// Of a sequence that has its events.
void feedCosts(const Trace &T, uint32_t Index, std::span<KeyCosts> Tables,
               IntervalListener *Other = nullptr);

/// A table for each of \p Keys, all of one walk over the trace. Filters
/// remember what they are asked, so \p Filter is copied.
std::vector<CostTable> costTables(const Trace &T, std::span<const CostKey> Keys,
                                  const TraceFilter &Filter,
                                  const LearnedScopes *Learned = nullptr,
                                  bool AreKindsKept = false);

} // namespace instantrace

#endif
