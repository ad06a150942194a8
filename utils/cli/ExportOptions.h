/// \file
/// The options of commands that export: limits, the metric, names.
///
/// Flow: command line -> [ExportOptions] -> ExportLimits -> ExportPlan
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/names/NameLimit.h"
#include "utils/analysis/view/ExportPlan.h"
#include "utils/analysis/view/TraceFilter.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace instantrace {

/// Longer names are cut, unless told otherwise: viewers show a line. Of each
/// name there may be a few texts at a time.
inline constexpr NameBudget ExportedNames = {1024, 128, 16, false};

struct LimitOptions {
  std::optional<uint64_t> MaxDepth, MaxEvents;
  FilterSpec Filter; // with --min-time

  /// Must live until the command has run.
  void addTo(CLI::App &Command);
  /// What was given, else the defaults; no more depth than ViewerDepth, if
  /// that is not 0.
  ExportLimits limits(const ExportLimits &Defaults, uint64_t ViewerDepth) const;
  /// Of everything but --min-time, which is a limit; as usableFilter().
  Result<TraceFilter> filter() const;
};

CLI::Option *addMetricOption(CLI::App &Command, ExportMetric &Metric);
void addExportNameOptions(CLI::App &Command, NameStyle &Style,
                          uint64_t &LimitBytes);

} // namespace instantrace
