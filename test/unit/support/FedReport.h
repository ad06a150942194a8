/// \file
/// Feeds made traces to a report, in all rounds.
#pragma once

#include "utils/open/TraceStreams.h"
#include "utils/report/ReportModel.h"

namespace instantrace::test {

/// \p Old may be null.
inline void feedReport(Reporter &Into, const Trace &New, const Trace *Old) {
  auto Feed = [&Into](Trace T, ReportSideOf Side) {
    ReportPart Part(Into, Side, T);
    feedAll(T, Part.events());
    Part.finish(T);
    Into.add(Part);
  };
  Feed(New, ReportSideOf::New);
  if (Old)
    Feed(*Old, ReportSideOf::Old);
  Into.endSums();
  Feed(New, ReportSideOf::New);
  if (Old)
    Feed(*Old, ReportSideOf::Old);
  Into.endPaths();
}

} // namespace instantrace::test
