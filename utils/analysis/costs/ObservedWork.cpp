#include "utils/analysis/costs/ObservedWork.h"

using namespace instantrace;

ObservedWork &ObservedWork::operator+=(const ObservedWork &Other) {
  Compiles += Other.Compiles;
  Instantiations += Other.Instantiations;
  Untimed += Other.Untimed;
  return *this;
}

ObservedWork instantrace::observedWork(const Sequence &S,
                                       const ObservedWork &All) {
  if (!S.Session || S.Session->Hook != "observer")
    return {};
  return {1, All.Instantiations, All.Untimed};
}

ObservedWork instantrace::observedWork(const Sequence &S) {
  ObservedWork All;
  for (const Interval &I : S.Intervals)
    if (I.Kind == EventKind::TemplateInstantiation)
      All.add(I);
  return observedWork(S, All);
}

ObservedWork instantrace::observedWork(const Trace &T) {
  ObservedWork Work;
  for (const Sequence &S : T.Sequences)
    Work += observedWork(S);
  return Work;
}
