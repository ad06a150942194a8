#include "utils/cli/ExportOptions.h"

#include "utils/cli/FilterOptions.h"
#include "utils/cli/NameOptions.h"

#include <map>

using namespace instantrace;

namespace {

constexpr const char *LimitGroup = "Limits";

const std::map<std::string, ExportMetric> ExportMetrics = {
    {"time", ExportMetric::Time},
    {"count", ExportMetric::Count},
    {"memory", ExportMetric::Memory},
};

} // namespace

void LimitOptions::addTo(CLI::App &Command) {
  addFilterOptions(Command, Filter);
  Command
      .add_option("--max-depth", MaxDepth,
                  "fold intervals nested deeper than this; 0 means no limit")
      ->group(LimitGroup);
  Command
      .add_option("--max-events", MaxEvents,
                  "keep this many intervals, the longest, and fold the others; "
                  "0 means no limit")
      ->group(LimitGroup);
}

ExportLimits LimitOptions::limits(const ExportLimits &Defaults,
                                  uint64_t ViewerDepth) const {
  ExportLimits Limits{Filter.MinTimeNs ? Filter.MinTimeNs : Defaults.MinNs,
                      MaxDepth.value_or(Defaults.MaxDepth),
                      MaxEvents.value_or(Defaults.MaxEvents)};
  if (ViewerDepth != 0 &&
      (Limits.MaxDepth == 0 || Limits.MaxDepth > ViewerDepth))
    Limits.MaxDepth = ViewerDepth;
  return Limits;
}

Result<TraceFilter> LimitOptions::filter() const {
  FilterSpec Spec = Filter;
  Spec.MinTimeNs = 0;
  return usableFilter(Spec);
}

CLI::Option *instantrace::addMetricOption(CLI::App &Command,
                                          ExportMetric &Metric) {
  return Command
      .add_option_function<std::string>(
          "--metric",
          [&Metric](const std::string &Name) {
            Metric = ExportMetrics.at(Name);
          },
          "time in ns (default), count of intervals, or memory: bytes of the "
          "syntax tree")
      ->check(CLI::IsMember({"time", "count", "memory"}));
}

void instantrace::addExportNameOptions(CLI::App &Command, NameStyle &Style,
                                       uint64_t &LimitBytes) {
  Command
      .add_option("--max-name", LimitBytes,
                  "cut names after this many bytes (default 1024, or less "
                  "where names are far larger than the traces); a hash of "
                  "the whole name follows")
      ->check(CLI::Range(16, 1 << 20))
      ->group("Names");
  addNameOptions(Command, Style);
}
