/// \file
/// Which compiles are made again when a file changes, and what that costs.
///
/// Flow:   HeaderFacts, of all compiles -> [Rebuilds] -> touch, critical-path
///
/// A compile is made again when a file that it read changes, or one that was
/// read for a precompiled header or a module that it uses. Links are not in it:
/// a trace has none. The time of day of the compiles gives how many ran at
/// once; a compile without one counts, but waits for nothing and nobody.
///
/// What an #include that is removed changes is an estimate: HeaderFacts says
/// what is known of the other ways to a file.
#pragma once

#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/costs/BuildSchedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace instantrace {

struct RebuildCost {
  uint64_t Units = 0;
  uint64_t Ns = 0;     ///< of all of them
  uint64_t WallNs = 0; ///< with as many at once as the build had
};

using CompileSet = std::vector<bool>; ///< by compile

class Rebuilds {
public:
  /// \p H has finished, has a compile at least, and must outlive it.
  explicit Rebuilds(HeaderFacts &H);

  HeaderFacts &headers() const { return H; }
  CompileSet all() const { return CompileSet(H.compileCount(), true); }
  /// Of any of \p Files, once \p Changes are made.
  CompileSet readers(const std::vector<FileNumber> &Files,
                     const std::vector<CompileChange> &Changes = {}) const;
  /// \p SavedNs: by how much each compile is shorter; empty: none is.
  RebuildCost cost(const CompileSet &Built,
                   const std::vector<uint64_t> &SavedNs = {}) const;

  /// An #include that is left out, and a file that is read through it.
  struct Cut {
    HeaderFacts::Removal IsRemoved;
    FileNumber File;
  };
  /// Who reads the file of each all the same.
  std::vector<CompileSet> readersWithout(const std::vector<Cut> &Cuts) const;
  /// By compile, the text of what is no longer read.
  std::vector<uint64_t> savedNs(const HeaderFacts::Removal &IsRemoved) const;

  /// Use a precompiled header or a module that none of the compiles made: what
  /// is in it is not known.
  uint64_t usersOfUnknown() const { return UsersOfUnknown; }
  bool hasTimeOfDay() const { return Schedule.has_value(); }

private:
  void spread(CompileSet &Built) const;

  HeaderFacts &H;
  std::vector<std::vector<size_t>> Makers; ///< of what each compile uses
  uint64_t UsersOfUnknown = 0;
  std::vector<std::optional<size_t>> Place; ///< of each, in the schedule
  std::optional<BuildSchedule> Schedule;
};

} // namespace instantrace
