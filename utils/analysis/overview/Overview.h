/// \file
/// What a build cost at a glance: its parts, and each line of the program.
///
/// Flow:    events -> [OverviewSink] -> [OverviewSums], sums of other traces
///          -> UserLines, timeShares -> OverviewText
/// Leaves:  advice, to AdviceFinder, which is fed by the same pass
/// Threads: a sink for each trace; one thread adds them up
/// Memory:  lines of the program, and what HeaderSums has
#pragma once

#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/costs/HeaderSums.h"
#include "utils/analysis/view/SinkGroup.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// Where the time of a build went; a line of the first screen each.
enum class TimeShareKind : uint8_t {
  Headers,   ///< reading included files
  Templates, ///< instantiating them
  OwnFiles,  ///< the text of what was compiled, without what it includes
  Constants, ///< evaluating them, outside templates
  Code,      ///< code generation
  Other,
};

struct TimeShare {
  TimeShareKind Kind;
  uint64_t Ns = 0;
  unsigned Percent = 0; ///< those of all shares add up to 100
};

/// What has a line as its user frame (UserFrame.h).
struct UserLineSum {
  SharedText Path; ///< normal
  SharedText WorkingDirectory;
  uint32_t LineNo = 0;
  uint64_t Ns = 0;
  uint64_t Units = 0; ///< compiles
};

struct UnitMemory {
  std::string Input, WorkingDirectory;
  uint64_t PeakBytes = 0;
};

struct OverviewSums {
  HeaderSums Headers;
  std::unordered_map<NameKey, UserLineSum, NameKeyHash> Lines;
  std::array<uint64_t, 6> ShareNs{}; ///< by TimeShareKind
  /// Of each compile of one trace, without others that were added.
  std::vector<uint64_t> CodeNs;
  uint64_t ProfilingNs = 0; ///< our own work, in no other number
  uint64_t Units = 0;
  UnitMemory Largest;               ///< unit; 0 bytes: not known of any
  std::vector<uint64_t> PeaksBytes; ///< of units, where known, in no order
  uint64_t TraceBytes = 0;
  uint64_t FirstRealtimeNs = UINT64_MAX; ///< when the first compile began
  std::string Input;                     ///< of the first compile
  std::string WorkingDirectory;          ///< likewise

  uint64_t totalNs() const;
  /// Largest first, without those that round to nothing.
  std::vector<TimeShare> timeShares() const;
  /// How many of its units can be compiled at once in so much memory, whichever
  /// these are.
  uint64_t parallelUnits(uint64_t MemoryBytes) const;
  void add(const OverviewSums &More);
};

class OverviewSink {
public:
  /// \p T is what the trace is read into; it must outlive this. The filter is
  /// copied; null: all is counted.
  explicit OverviewSink(const Trace &T, const TraceFilter *Filter = nullptr);

  void addTo(SinkGroup &Group);
  /// Once, when all events have come.
  OverviewSums take();

private:
  OverviewSink(const Trace &T, const TraceFilter &Filter);

  const Trace &T;
  CompileCostSink Costs;
  HeaderSink Headers;
};

} // namespace instantrace
