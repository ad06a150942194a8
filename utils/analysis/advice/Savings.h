/// \file
/// How much time goes away when some intervals are not needed any more.
///
/// Flow:   a rule marks intervals -> [savings] -> Suggestion
///
/// With an interval goes what is inside it, and the late bodies that it asked
/// for; but a class or a function that something else needs as well is only
/// instantiated elsewhere then. What a trace tells about that:
///  * a class is asked for again with each memoized hit. The first hit comes
///    from who had it instantiated, so one with a single hit goes for certain;
///  * of others it is not known who asked, but how many hits happened inside
///    what goes: when all could have, the class goes as well;
///  * nobody tells who else called a function, so a body may stay.
/// With a body goes what LLVM does for the function, and an estimate has of the
/// rest of code generation in proportion.
/// So a saving has three numbers: what goes for certain, what goes if nothing
/// else needs it, and an estimate in between, by the share of hits inside.
#pragma once

#include "runtime/read/Trace.h"

#include <cstdint>
#include <vector>

namespace instantrace {

struct FunctionCosts;

struct Saving {
  uint64_t LeastNs = 0;
  uint64_t EstimateNs = 0;
  uint64_t MostNs = 0;

  Saving &operator+=(const Saving &Other);
};

/// Of one compile, for all rules.
struct CompileFacts {
  explicit CompileFacts(const Sequence &S);

  const Sequence *S;
  std::vector<uint64_t> SelfNs;      ///< by interval; 0 for Profiling
  std::vector<uint64_t> InclusiveNs; ///< by interval
  std::vector<uint32_t> HitsIn;      ///< by interval: directly inside
  std::vector<uint64_t> HitsOf;      ///< by entity
  uint64_t TotalNs = 0;              ///< the sum of SelfNs

  /// Only who had it instantiated asked for the class. False when hits were
  /// not recorded.
  bool isUsedOnce(EntityId Class) const {
    return KnowsHits && HitsOf[Class.Value] <= 1;
  }
  bool KnowsHits = true;
};

inline uint64_t scaled(uint64_t Ns, double Factor) {
  return static_cast<uint64_t>(static_cast<double>(Ns) * Factor);
}

inline constexpr uint32_t NoRoot = UINT32_MAX;

/// What goes with one thing.
struct RootSaving {
  Saving Saves;
  Saving Backend;         ///< what LLVM does, part of Saves
  uint64_t Functions = 0; ///< that LLVM was given, and need not be if all goes
};

/// \p RootOf has, for each interval, which of \p Count things it would go away
/// with, or NoRoot. An interval inside one thing that is marked as another's
/// counts for that other.
std::vector<RootSaving> savings(const CompileFacts &C,
                                const FunctionCosts &Functions,
                                const std::vector<uint32_t> &RootOf,
                                size_t Count);

} // namespace instantrace
