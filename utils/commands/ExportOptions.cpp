#include "utils/commands/ExportOptions.h"

#include "utils/commands/FilterOptions.h"
#include "utils/commands/NameOptions.h"

#include <charconv>
#include <map>

using namespace instantrace;

namespace {

constexpr const char *LimitGroup = "Limits";

const std::map<std::string, ExportMetric> Metrics = {
    {"time", ExportMetric::Time},
    {"count", ExportMetric::Count},
    {"memory", ExportMetric::Memory},
};

} // namespace

Result<uint64_t> instantrace::parseDuration(const std::string &Text) {
  static const std::map<std::string, double> UnitsNs = {
      {"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  double Value = 0;
  const char *End = Text.data() + Text.size();
  auto [Rest, Failed] =
      std::from_chars(Text.data(), End, Value, std::chars_format::fixed);
  auto Unit = UnitsNs.find(std::string(Rest, End));
  // A century is more than any compile takes, and fits.
  constexpr double LimitNs = 3.2e18;
  if (Failed != std::errc() || Unit == UnitsNs.end() || !(Value >= 0) ||
      Value * Unit->second > LimitNs)
    return Error{"found '" + Text +
                 "', expected a time such as 500ns, 20us, 1.5ms or 2s"};
  return static_cast<uint64_t>(Value * Unit->second);
}

void LimitOptions::addTo(CLI::App &Command) {
  addFilterOptions(Command, Filter);
  Command
      .add_option("--max-depth", MaxDepth,
                  "fold what is inside so many intervals; 0 means no limit")
      ->group(LimitGroup);
  Command
      .add_option("--max-events", MaxEvents,
                  "keep so many of the longest intervals and fold the others; "
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
  return TraceFilter::make(Spec);
}

CLI::Option *instantrace::addMetricOption(CLI::App &Command,
                                          ExportMetric &Metric) {
  return Command
      .add_option_function<std::string>(
          "--metric",
          [&Metric](const std::string &Name) { Metric = Metrics.at(Name); },
          "time in ns (default), count of intervals, or memory: bytes of the "
          "syntax tree")
      ->check(CLI::IsMember({"time", "count", "memory"}));
}

void instantrace::addExportNameOptions(CLI::App &Command, NameStyle &Style,
                                       uint64_t &LimitBytes) {
  Command
      .add_option("--max-name", LimitBytes,
                  "cut longer names after so many bytes (default 1024); a hash "
                  "of the whole follows")
      ->check(CLI::Range(16, 1 << 20))
      ->group("Names");
  addNameOptions(Command, Style);
}
