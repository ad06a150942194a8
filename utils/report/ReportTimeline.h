/// \file
/// Which compile ran when: who ran beside whom, and what the end waited for.
///
/// Flow:   Trace -> CompileTimes, BuildSchedule -> [ReportTimeline] ->
///         ReportModel
///
/// The critical path is that of `critical-path`. Of too many compiles, the
/// longest and those on the path are in the picture, and the sum of the others.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/report/ReportTexts.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace instantrace {

struct TimelineUnit {
  uint32_t Name = 0;               // ReportTexts: the input
  uint64_t BeginNs = 0, EndNs = 0; // since the first began
  uint32_t Lane = 0;               // no two of a lane ran at once
  bool IsCritical = false;
  uint64_t WaitNs = 0; // on the path: since the end of the one before
  uint64_t CodeNs = 0; // of code generation, with which a compile ends
};

struct ReportTimeline {
  bool HasTimes = false; // if not, the rest is empty
  uint64_t WallNs = 0, BusyNs = 0, IdleNs = 0;
  size_t MostAtOnce = 0;
  size_t CriticalUnits = 0;
  std::vector<TimelineUnit> Units; // by begin
  uint64_t OtherUnits = 0, OtherNs = 0;
  /// Of equal parts of the wall time: for how long compiles ran in it,
  /// together.
  std::vector<uint64_t> BusyOfPart;
};

/// Compiles inside others (of modules) are parts of these. Without times where
/// a compile does not say when it began. \p CodeNs has a number for each.
ReportTimeline reportTimeline(const Trace &T,
                              const std::vector<uint64_t> &CodeNs,
                              size_t MostUnits, ReportTexts &Texts);

} // namespace instantrace
