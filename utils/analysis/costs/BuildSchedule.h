/// \file
/// When the compiles of a build ran, what its time hangs on, and what that time
/// would be if compiles were shorter.
///
/// Flow:  begin and end of each compile -> [BuildSchedule] -> critical path,
///        time of the build
/// Model: as many compiles at once as there were at most, in the order in which
///        they began. One that began while as many ran as ever had waited for a
///        place, and takes the first that is free; one that began while a place
///        was free had waited for something else, and still begins as long
///        after the compile that had ended last before it. With the times that
///        were measured this gives the build that was measured, exactly
/// Units: nanoseconds, since any moment
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace instantrace {

struct CompileTimes {
  uint64_t BeginNs = 0, EndNs = 0;
  uint64_t durationNs() const { return EndNs - BeginNs; }
};

class BuildSchedule {
public:
  /// In any order; indexes below are into \p Compiles. One that takes no time,
  /// or less, takes a nanosecond. Requires: one at least.
  explicit BuildSchedule(std::vector<CompileTimes> Compiles);

  const std::vector<CompileTimes> &compiles() const { return Compiles; }
  /// From the first begin to the last end.
  uint64_t wallNs() const { return wallIf({}); }
  /// Of all compiles together.
  uint64_t busyNs() const;
  /// Between the first begin and the last end, while none ran.
  uint64_t idleNs() const;
  size_t mostAtOnce() const { return Most; }

  /// The last compile to end, the one that ended last before that began, and so
  /// on; from the first to the last.
  std::vector<size_t> criticalPath() const;

  /// wallNs(), if each compile were shorter by as much (not below 0). Empty:
  /// none is. \p Built: those that are made again, while the others are up to
  /// date and nothing waits for them; empty: all.
  uint64_t wallIf(const std::vector<uint64_t> &SavedNs,
                  const std::vector<bool> &Built = {}) const;

private:
  struct Begin {
    size_t Compile;
    std::optional<size_t> After; ///< had ended last; none: the first
    uint64_t WaitNs = 0;         ///< since then
    bool HadToQueue = false;     ///< for a place
  };

  std::vector<CompileTimes> Compiles;
  std::vector<Begin> Order; ///< by begin
  size_t Most = 0;
};

} // namespace instantrace
