#include "utils/analysis/view/FunctionHomes.h"

using namespace instantrace;

FunctionHomes::FunctionHomes(const Sequence &S) : S(&S) {
  // Of an interrupted compile functions may be missing that have intervals. An
  // entity that the trace does not define has no row to be found by.
  auto Mark = [&](EntityId Entity) {
    if (!S.entity(Entity))
      return;
    IsFunction.resize(S.Entities.size() + 1);
    IsFunction[Entity.Value] = true;
  };
  for (const Function &F : S.Functions)
    Mark(F.Entity);
  for (const Interval &I : S.Intervals)
    if (isFunctionWork(I))
      Mark(I.Entity);
  if (IsFunction.empty())
    return;
  Homes.resize(S.Entities.size() + 1);
  std::vector<bool> IsDefined(Homes.size());
  for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    if (!isFunction(I.Entity) || !isTemplateWork(I.Kind) ||
        IsDefined[I.Entity.Value])
      continue;
    if (I.Definition || !Homes[I.Entity.Value])
      Homes[I.Entity.Value] = IntervalId{Index};
    IsDefined[I.Entity.Value] = I.Definition;
  }
}
