/// \file
/// What every format is given, and the list of the formats.
///
/// Flow: options -> ExportLimits -> [ExportJob] -> one file per format here
#pragma once

#include "runtime/base/Result.h"
#include "utils/export/CallTree.h"
#include "utils/export/ExportOutput.h"

#include <span>
#include <string>

namespace instantrace {

struct ExportJob {
  const Trace &T;
  const ExportPlan &Plan;
  ExportLimits Limits;
  NameStyle Names;
  size_t NameLimitBytes;
  ExportMetric Metric = ExportMetric::Time;

  ExportFrames frames(ExportFrames::Says What) const {
    return ExportFrames(T, Names, NameLimitBytes, What);
  }
};

/// "12 intervals (1.5 ms) are folded: ..."; empty when nothing was removed.
std::string removalText(const RemovedEvents &Removed,
                        const ExportLimits &Limits);
/// What is missing from the job's output, a line each: the trace's own losses
/// and what the limits removed. Clean.
std::vector<std::string> missingFrom(const ExportJob &Job);

/// By sequence: nanoseconds from the begin of the first to its own begin, by
/// the clock of the day. All 0 if one of them does not know the time.
std::vector<uint64_t> startsOf(const Trace &T);

/// Of more than 512 slices inside one another, Perfetto ends the wrong ones.
/// The last one is for what is folded.
inline constexpr uint64_t PerfettoDepth = 511;

struct ExportFormat {
  const char *Name;
  const char *Description;
  ExportLimits Defaults = {};
  bool HasMetric = false;   // --metric chooses what its numbers are
  uint64_t ViewerDepth = 0; // its viewers take no more; 0: any
  /// To a file, or to "-".
  Result<int> (*Write)(const ExportJob &Job, const std::string &Path);
};

#define EXPORT_FORMAT(Name) extern const ExportFormat Name##Format;
#include "utils/export/ExportFormats.def"

std::span<const ExportFormat> exportFormats();

/// ExportFormat::Write of a format that is written from its begin to its end.
template <void (*Write)(ExportOutput &, const ExportJob &)>
Result<int> toFile(const ExportJob &Job, const std::string &Path) {
  ExportOutput Out(Path);
  Write(Out, Job);
  return Out.finish();
}

} // namespace instantrace
