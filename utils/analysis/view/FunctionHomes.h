/// \file
/// Which instantiation made a function that LLVM was given.
///
/// Flow:   Sequence -> [FunctionHomes] -> costs, tree, why, annotate
///         events -> [FunctionWork] -> FunctionHomes
///
/// What LLVM does for a function has no place in the source. The instantiation
/// that defined its entity has one, and who asked for that. A function that no
/// template was instantiated to has none.
#ifndef INSTANTRACE_UTILS_ANALYSIS_VIEW_FUNCTIONHOMES_H
#define INSTANTRACE_UTILS_ANALYSIS_VIEW_FUNCTIONHOMES_H

#include "runtime/read/ById.h"
#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

/// True for what LLVM did for one function.
inline bool isFunctionWork(const Interval &I) {
  return eventGroup(I.Kind) == EventGroup::Backend && I.Entity;
}

/// What the events of a sequence say of that, when the tables may not be there
/// yet.
class FunctionWork {
public:
  void begin(IntervalId Id, const Interval &I) {
    if (!I.Entity)
      return;
    if (isFunctionWork(I))
      Of[I.Entity.Value].IsFunction = true;
    else if (isTemplateWork(I.Kind))
      Of[I.Entity.Value].First.takeIfEarlier(Id, I.Location);
  }
  void end(IntervalId Id, const Interval &I) {
    if (I.Definition && I.Entity && isTemplateWork(I.Kind))
      Of[I.Entity.Value].Defining.takeIfEarlier(Id, I.Location);
  }

private:
  friend class FunctionHomes;
  struct Instantiation {
    IntervalId Id;
    LocationId At;
    void takeIfEarlier(IntervalId Other, LocationId Place) {
      if (Other.Value < Id.Value)
        *this = {Other, Place};
    }
  };
  struct OfEntity {
    Instantiation First, Defining;
    bool IsFunction = false;
  };
  ById<OfEntity> Of;
};

class FunctionHomes {
public:
  FunctionHomes() = default;
  /// Looks at all intervals.
  explicit FunctionHomes(const Sequence &S);
  /// \p Work has seen all of them.
  FunctionHomes(const Sequence &S, const FunctionWork &Work);

  /// The first instantiation that defined the entity; if none did, the first
  /// one at all. None: nothing was instantiated to it.
  IntervalId of(EntityId Entity) const {
    return Entity && Entity.Value < Homes.size() ? Homes[Entity.Value].Id
                                                 : IntervalId{};
  }
  /// Who asked for that instantiation; maybe none.
  LocationId placeOf(EntityId Entity) const {
    return of(Entity) ? Homes[Entity.Value].At : LocationId{};
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
  /// Calls \p Use(IntervalId) for each home.
  template <class Function> void forEachHome(Function Use) const {
    for (const FunctionWork::Instantiation &Home : Homes)
      if (Home.Id)
        Use(Home.Id);
  }

private:
  std::vector<FunctionWork::Instantiation> Homes; // by entity, as is the next
  std::vector<bool> IsFunction;
};

} // namespace instantrace

#endif
