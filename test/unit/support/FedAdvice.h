/// \file
/// Feeds a made trace to the rules of advice, in all rounds.
#pragma once

#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/open/TraceStreams.h"

namespace instantrace::test {

struct Advised : AdviceReport {
  Trace Names;
};

inline Advised findAdvice(const Trace &T, const TraceFilter &Filter,
                          const AdviceSpec &Spec) {
  AdviceFinder Finder(Filter, Spec);
  auto add = [&] {
    Trace Fed = T;
    AdviceSink Sink(Finder, Fed);
    feedAll(Fed, Sink);
    Finder.add(Sink.take(Fed));
  };
  add();
  if (Finder.endFirst())
    add();
  return {Finder.take(), Finder.names()};
}

} // namespace instantrace::test
