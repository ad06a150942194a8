#include "utils/analysis/view/FunctionHomes.h"

using namespace instantrace;

FunctionHomes::FunctionHomes(const Sequence &S,
                             const std::vector<EntityId> &Others)
    : EntityCount(S.Entities.size()) {
  for (const Function &F : S.Functions)
    mark(F.Entity);
  for (EntityId Id : Others)
    mark(Id);
}

FunctionHomes::FunctionHomes(const Sequence &S)
    : FunctionHomes(S, std::vector<EntityId>()) {
  for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
    begin(IntervalId{Index}, S.Intervals[Index]);
    end(IntervalId{Index}, S.Intervals[Index]);
  }
}
