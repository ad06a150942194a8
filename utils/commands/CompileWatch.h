/// \file
/// The compiles of a build while they run: since when, what they use, and the
/// end of those that use too much.
///
/// Flow:    Collector, /proc -> [CompileWatch] -> status line, signals
/// Threads: one
#pragma once

#include "utils/collector/Collector.h"
#include "utils/render/BuildText.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// What one compile may use; 0: no limit.
struct CompileLimits {
  uint64_t MemoryBytes = 0, TimeNs = 0;
  std::string Memory, Time; ///< the same, as somebody wrote it
};

class CompileWatch {
public:
  /// \p Limits must outlive it.
  explicit CompileWatch(const CompileLimits &Limits) : Limits(Limits) {}

  /// Looks at each four times a second at most, and ends those beyond a limit.
  void look(const Collector &Serving, uint64_t NowNs);
  /// Those that a look has seen, and what the long ones are doing.
  std::vector<RunningCompile> running(const Collector &Serving, uint64_t NowNs);
  /// The limit for which a process was ended, as an option; null: it was not.
  const std::string *endedBy(uint32_t ProcessId) const;

private:
  struct Watched {
    uint64_t SinceNs = 0;
    uint64_t ResidentBytes = 0; ///< when it was last shown
  };
  struct Stopped {
    std::string Why;
    uint64_t SinceNs = 0;
  };
  std::string limitReached(const CollectedCompile &Compile,
                           uint64_t LastedNs) const;

  const CompileLimits &Limits;
  uint64_t NextLookNs = 0;
  std::unordered_map<uint32_t, Watched> ByProcess;
  std::unordered_map<uint32_t, Stopped> StoppedByProcess;
};

} // namespace instantrace
