/// \file
/// Which instantiation made a function that LLVM was given.
///
/// Flow:   Sequence, or its events -> [FunctionHomes] -> costs, tree, why,
///         annotate
///
/// What LLVM does for a function has no place in the source. The instantiation
/// that defined its entity has one, and who asked for that. A function that no
/// template was instantiated to has none.
#pragma once

#include "runtime/read/ById.h"
#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

/// True for what LLVM did for one function.
inline bool isFunctionWork(const Interval &I) {
  return eventGroup(I.Kind) == EventGroup::Backend && I.Entity;
}

/// Something for the instantiation that defined an entity; if none has so far,
/// for its first one.
template <class Frame> class HomeFrames {
public:
  /// Both of all intervals, in their order.
  void begin(IntervalId Id, const Interval &I, const Frame &F) {
    if (I.Entity && isTemplateWork(I.Kind))
      take(Id, I.Entity, F, false);
  }
  void end(IntervalId Id, const Interval &I, const Frame &F) {
    if (I.Definition && I.Entity && isTemplateWork(I.Kind))
      take(Id, I.Entity, F, true);
  }
  /// Null: nothing was instantiated to it. Valid until the next call.
  const Frame *find(EntityId Entity) {
    const Home &H = ByEntity[Entity.Value];
    return H.Id ? &H.Is : nullptr;
  }

private:
  struct Home {
    IntervalId Id;
    bool Defines = false;
    Frame Is;
  };
  void take(IntervalId Id, EntityId Entity, const Frame &F, bool Defines) {
    Home &Known = ByEntity[Entity.Value];
    if (Defines == Known.Defines ? Id.Value < Known.Id.Value : Defines)
      Known = {Id, Defines, F};
  }

  ById<Home> ByEntity;
};

class FunctionHomes {
public:
  FunctionHomes() = default;
  /// Looks at all intervals.
  explicit FunctionHomes(const Sequence &S);
  /// Before the first event, of a compile that has its tables. \p Others are
  /// functions that its table lacks.
  FunctionHomes(const Sequence &S, const std::vector<EntityId> &Others);

  /// Of all intervals, in their order: LLVM works on what was instantiated
  /// before.
  void begin(IntervalId Id, const Interval &I) {
    if (!I.Entity)
      return;
    if (isFunctionWork(I))
      mark(I.Entity);
    else if (isTemplateWork(I.Kind))
      Entities[I.Entity.Value].First.takeIfEarlier(Id, I.Location);
  }
  void end(IntervalId Id, const Interval &I) {
    if (I.Definition && I.Entity && isTemplateWork(I.Kind))
      Entities[I.Entity.Value].Defining.takeIfEarlier(Id, I.Location);
  }

  /// The first instantiation that defined the entity; if none did, the first
  /// one at all. None: nothing was instantiated to it.
  IntervalId of(EntityId Entity) const { return homeOf(Entity).Id; }
  /// Who asked for that instantiation; maybe none.
  LocationId placeOf(EntityId Entity) const { return homeOf(Entity).Location; }
  /// What LLVM did for a function, as if it were done where that was asked for.
  Interval atHome(Interval Work) const {
    Work.Location = placeOf(Work.Entity);
    return Work;
  }
  /// True if LLVM was given a function that the entity pays for.
  bool isFunction(EntityId Entity) const {
    return Entity && Entities.get(Entity.Value).IsFunction;
  }
  bool isEmpty() const { return !HasFunctions; }

private:
  struct Instantiation {
    IntervalId Id;
    LocationId Location;
    void takeIfEarlier(IntervalId Other, LocationId Place) {
      if (Other.Value < Id.Value)
        *this = {Other, Place};
    }
  };
  struct OfEntity {
    Instantiation First, Defining;
    bool IsFunction = false;
  };

  /// An entity that the trace does not define has no row to be found by.
  void mark(EntityId Entity) {
    if (Entity.Value == 0 || Entity.Value > EntityCount)
      return;
    Entities[Entity.Value].IsFunction = true;
    HasFunctions = true;
  }
  Instantiation homeOf(EntityId Entity) const {
    if (!isFunction(Entity))
      return {};
    const OfEntity Is = Entities.get(Entity.Value);
    return Is.Defining.Id ? Is.Defining : Is.First;
  }

  ById<OfEntity> Entities;
  size_t EntityCount = 0;
  bool HasFunctions = false;
};

} // namespace instantrace
