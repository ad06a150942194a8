#include "utils/analysis/costs/ObservedWork.h"

using namespace instantrace;

ObservedWork &ObservedWork::operator+=(const ObservedWork &Other) {
  Compiles += Other.Compiles;
  Instantiations += Other.Instantiations;
  Untimed += Other.Untimed;
  return *this;
}

ObservedWork instantrace::observedWork(const Sequence &S) {
  ObservedWork Work;
  if (!S.Session || S.Session->Hook != "observer")
    return Work;
  Work.Compiles = 1;
  for (const Interval &I : S.Intervals) {
    if (I.Kind != EventKind::TemplateInstantiation)
      continue;
    ++Work.Instantiations;
    Work.Untimed += !I.Open && I.EndNs == I.BeginNs;
  }
  return Work;
}

ObservedWork instantrace::observedWork(const Trace &T) {
  ObservedWork Work;
  for (const Sequence &S : T.Sequences)
    Work += observedWork(S);
  return Work;
}
