#include "runtime/recovery/RecoveryReport.h"

#include <utility>

using namespace instantrace;

void RecoveryReport::take(RecoveredTrace &Trace) {
  const Sequence &S = Trace.Content;
  Events = S.EventCount;
  OpenIntervals = S.OpenCount;
  Missing = S.missingNames();
  FragmentsDropped = Trace.FragmentsDropped;
  EventsDropped = Trace.EventsDropped;
  Signal = Trace.Signal;
  IsComplete = S.Footer && !S.Footer->isInterrupted();
  Problems = std::move(Trace.Problems);
}
