/// \file
/// Works out once what several tables of costs need of each event.
///
/// Flow:   events -> [CostFeed] -> KeyCosts, an IntervalListener
/// Memory: open intervals, and some bytes for each entity
///
/// Self and inclusive time have their definition here. What only later events
/// say waits for them: whether an entity is ever defined, to the end of the
/// compile; where a function was instantiated, to LLVM's work on it.
#pragma once

#include "runtime/read/EventSink.h"
#include "runtime/read/LookAhead.h"
#include "utils/analysis/costs/KeyCosts.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace instantrace {

/// Who else needs times of intervals.
class IntervalListener {
public:
  virtual ~IntervalListener() = default;
  /// The next intervals are of that one, which has its tables.
  virtual void enterSequence(const Sequence &) = 0;
  virtual void begin(const Interval &I) = 0;
  /// Of the innermost one; \p InclusiveNs is without Instantrace's own work.
  virtual void end(const Interval &I, uint64_t InclusiveNs) = 0;
};

/// Of one sequence.
class CostFeed : public EventSink {
public:
  /// All must outlive it; the sequence has its tables, and \p Filter has
  /// entered the trace. \p Other may be null.
  CostFeed(const Trace &T, uint32_t Index, const LookAhead &Ahead,
           std::span<KeyCosts> Tables, TraceFilter &Filter,
           IntervalListener *Other = nullptr);
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
    uint64_t FilteredNs = 0;  ///< inside, of outermost ones
    bool IsFirst = false;     ///< instantiation of its entity
    bool IsSelected = true;
    bool IsCodeGeneration = false;
    CodeGenerationParts Parts; ///< of a CodeGeneration
  };

  /// Of an entity.
  enum class Seen : uint8_t { No, Instantiated, Defined };

  bool selects(const Interval &I, EntityId Owner);

  FunctionHomes Homes;
  bool NeedsHomes;
  std::span<KeyCosts> Tables;
  TraceFilter &Filter;
  IntervalListener *Other;
  WorkFrames Frames;
  std::vector<OpenInterval> Open;
  ById<Seen> Entities; ///< of kind TemplateInstantiation
};

} // namespace instantrace
