/// \file
/// Which instantiation made a function that LLVM was given.
///
/// Flow:   Sequence -> [FunctionHomes] -> costs, tree, why, annotate
///
/// What LLVM does for a function has no place in the source. The instantiation
/// that defined its entity has one, and who asked for that. A function that no
/// template was instantiated to has none.
#ifndef INSTANTRACE_UTILS_ANALYSIS_VIEW_FUNCTIONHOMES_H
#define INSTANTRACE_UTILS_ANALYSIS_VIEW_FUNCTIONHOMES_H

#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

/// True for what LLVM did for one function.
inline bool isFunctionWork(const Interval &I) {
  return eventGroup(I.Kind) == EventGroup::Backend && I.Entity;
}

class FunctionHomes {
public:
  FunctionHomes() = default;
  /// Looks at all intervals if the sequence has any function, at none
  /// otherwise.
  /// The sequence must outlive this.
  explicit FunctionHomes(const Sequence &S);

  /// The first instantiation that defined the entity; if none did, the first
  /// one at all. None: nothing was instantiated to it.
  IntervalId of(EntityId Entity) const {
    return Entity && Entity.Value < Homes.size() ? Homes[Entity.Value]
                                                 : IntervalId{};
  }
  /// Who asked for that instantiation; maybe none.
  LocationId placeOf(EntityId Entity) const {
    IntervalId Home = of(Entity);
    return Home ? S->Intervals[Home.Value].Location : LocationId{};
  }
  /// What LLVM did for a function, as if it were done where that was asked for.
  Interval atHome(Interval Work) const {
    Work.Location = placeOf(Work.Entity);
    return Work;
  }
  /// True if LLVM was given a function that the entity pays for.
  bool isFunction(EntityId Entity) const {
    return Entity && Entity.Value < IsFunction.size() &&
           IsFunction[Entity.Value];
  }
  bool isEmpty() const { return IsFunction.empty(); }

private:
  const Sequence *S = nullptr;
  std::vector<IntervalId> Homes; // by entity, as are the next
  std::vector<bool> IsFunction;
};

} // namespace instantrace

#endif
