#include "utils/analysis/view/FunctionHomes.h"

using namespace instantrace;

FunctionHomes::FunctionHomes(const Sequence &S) {
  FunctionWork Work;
  for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
    Work.begin(IntervalId{Index}, S.Intervals[Index]);
    Work.end(IntervalId{Index}, S.Intervals[Index]);
  }
  *this = FunctionHomes(S, Work);
}

FunctionHomes::FunctionHomes(const Sequence &S, const FunctionWork &Work) {
  // Of an interrupted compile functions may be missing that have intervals. An
  // entity that the trace does not define has no row to be found by.
  auto Mark = [&](uint32_t Entity) {
    if (!S.entity({Entity}))
      return;
    IsFunction.resize(S.Entities.size() + 1);
    IsFunction[Entity] = true;
  };
  for (const Function &F : S.Functions)
    Mark(F.Entity.Value);
  Work.Of.forEach([&](uint32_t Entity, const FunctionWork::OfEntity &Is) {
    if (Is.IsFunction)
      Mark(Entity);
  });
  if (IsFunction.empty())
    return;
  Homes.resize(IsFunction.size());
  for (uint32_t Entity = 1; Entity != Homes.size(); ++Entity)
    if (IsFunction[Entity]) {
      FunctionWork::OfEntity Is = Work.Of.get(Entity);
      Homes[Entity] = Is.Defining.Id ? Is.Defining : Is.First;
    }
}
