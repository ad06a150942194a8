#include "utils/analysis/advice/FunctionCosts.h"

using namespace instantrace;

FunctionCosts::FunctionCosts(const CompileFacts &C) : S(C.S) {
  const Sequence &S = *C.S;
  for (size_t Index = 0; Index != S.Intervals.size(); ++Index)
    if (S.Intervals[Index].Kind == EventKind::CodeGeneration)
      WholeNs += C.InclusiveNs[Index];
  if (S.Functions.empty())
    return;
  Homes = FunctionHomes(S);
  Costs.resize(S.Entities.size() + 1);
  uint64_t FunctionsNs = 0;
  for (size_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    if (!isFunctionWork(I) || !S.entity(I.Entity))
      continue;
    Costs[I.Entity.Value].addTime(I.Kind, C.SelfNs[Index]);
    FunctionsNs += C.SelfNs[Index];
  }
  if (FunctionsNs != 0 && WholeNs > FunctionsNs)
    WholePerFunctions =
        static_cast<double>(WholeNs) / static_cast<double>(FunctionsNs);
  for (const Function &F : S.Functions)
    if (S.entity(F.Entity))
      Costs[F.Entity.Value] += costOf(S, F);
}
