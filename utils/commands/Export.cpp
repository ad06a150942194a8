/// \file
/// `instantrace export`: traces in the formats of other tools.
///
/// Flow: TraceArguments -> ExportPlan -> one format of utils/export -> file
#include "utils/cli/ExportOptions.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/export/ExportJob.h"
#include "utils/render/Diagnostics.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

using namespace instantrace;

namespace {

struct ExportOptions {
  std::vector<std::string> Inputs;
  std::string Format;
  std::string Output;
  LimitOptions Limits;
  ExportMetric Metric = ExportMetric::Time;
  CLI::Option *MetricOption = nullptr;
  uint64_t NameLimitBytes = 0; // as is affordable
  NameStyle Names;
};

const ExportFormat &formatNamed(const std::string &Name) {
  return *std::find_if(
      exportFormats().begin(), exportFormats().end(),
      [&Name](const ExportFormat &Format) { return Name == Format.Name; });
}

Result<int> runExport(const ExportOptions &Opts) {
  const ExportFormat &Format = formatNamed(Opts.Format);
  if (Opts.MetricOption->count() != 0 && !Format.HasMetric)
    return usageError("--metric: " + Opts.Format +
                      " has no single number per stack; it has all of them");
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, Opts.Limits.filter());
  INSTANTRACE_TRY_ASSIGN(Trace T, readTraceArguments(Opts.Inputs));
  ExportLimits Limits = Opts.Limits.limits(Format.Defaults, Format.ViewerDepth);
  Limits.HasFilter = !Filter.selectsAll();
  ExportPlan Plan(T, Limits, Filter);
  std::string Removed = removalText(Plan.removed(), Limits);
  if (!Removed.empty())
    printWarning(Removed);
  uint64_t NameBytes = nameLimitBytes(Opts.NameLimitBytes, T, ExportedNames);
  return Format.Write({T, Plan, Limits, Opts.Names, NameBytes, Opts.Metric},
                      Opts.Output);
}

std::string formatList() {
  std::string Text = "Formats, and what reads them:\n";
  for (const ExportFormat &Format : exportFormats()) {
    std::string Name = Format.Name;
    Text += "  " + Name + std::string(12 - Name.size(), ' ') +
            Format.Description + "\n";
    auto Default = [&Text](const char *Option, uint64_t Value) {
      if (Value != 0)
        Text += "              by default, " + std::string(Option) + "=" +
                std::to_string(Value) + "\n";
    };
    Default("--max-depth", Format.Defaults.MaxDepth);
    Default("--max-events", Format.Defaults.MaxEvents);
  }
  return Text;
}

} // namespace

CommandRun instantrace::addExport(CLI::App &App) {
  auto Opts = std::make_shared<ExportOptions>();
  CLI::App *Command = App.add_subcommand(
      "export", "Write traces in a format that another tool reads.");
  addTracesOrNewest(*Command, Opts->Inputs);
  std::vector<std::string> Names;
  for (const ExportFormat &Format : exportFormats())
    Names.push_back(Format.Name);
  Command->add_option("--format,--to", Opts->Format, "the format, see below")
      ->required()
      ->check(CLI::IsMember(Names));
  Command
      ->add_option("-o,--output", Opts->Output,
                   "the file, which appears when it is complete; - is stdout")
      ->required();
  Opts->Limits.addTo(*Command);
  Opts->MetricOption = addMetricOption(*Command, Opts->Metric);
  addExportNameOptions(*Command, Opts->Names, Opts->NameLimitBytes);
  Command->footer(formatList() +
                  R"(
Intervals that a limit or a filter leaves out are folded: neighbours become one
interval (folded), which has their time and their number. The output and a
warning say how much was folded.

Examples:
  instantrace export --format=perfetto -o a.pftrace a.itrace
  instantrace export --format=chrome --min-time=100us -o build.json build/
  instantrace export --format=flamegraph -o a.svg a.itrace
  instantrace export --format=folded -o - a.itrace | flamegraph.pl > b.svg)");
  return runOnTraces(Opts, runExport);
}
