#include "utils/analysis/view/ObservedWork.h"

using namespace instantrace;

ObservedWork &ObservedWork::operator+=(const ObservedWork &Other) {
  Compiles += Other.Compiles;
  Instantiations += Other.Instantiations;
  Untimed += Other.Untimed;
  return *this;
}

ObservedWork instantrace::observedWork(const Sequence &S,
                                       const ObservedWork &All) {
  // Behind the name is why it was not another.
  if (!S.Session || (S.Session->Hook != "observer" &&
                     !S.Session->Hook.starts_with("observer: ")))
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

EventSink &ObservedEvents::beginSequence(uint32_t Index) {
  Events = &Sink.beginSequence(Index);
  OfSequence = {};
  const Sequence &S = T.Sequences[Index];
  // All others are not worth a look at each of their events.
  return observedWork(S, {}).Compiles == 0 ? *Events : *this;
}

void ObservedEvents::endSequence(Sequence &S) {
  All += observedWork(S, OfSequence);
  Sink.endSequence(S);
}

void ObservedEvents::end(IntervalId Id, const Interval &I,
                         const ElidedLeaves &Leaves) {
  if (I.Kind == EventKind::TemplateInstantiation)
    OfSequence.add(I);
  Events->end(Id, I, Leaves);
}
