/// \file
/// `instantrace flamegraph`: a picture of where the time went.
///
/// Flow: TraceArguments -> ExportPlan -> FlameGraph -> SVG file
#include "utils/export/FlameGraph.h"

#include "utils/cli/ExportOptions.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/CleanText.h"
#include "utils/render/Diagnostics.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct FlamegraphCommandOptions {
  std::vector<std::string> Inputs;
  std::string Output;
  LimitOptions Limits;
  ExportMetric Metric = ExportMetric::Time;
  uint64_t NameLimitBytes = 0; // as is affordable
  NameStyle Names;
  FlameGraphOptions Picture;
};

/// A picture of more levels is taller than anybody scrolls.
constexpr ExportLimits PictureLimits{0, 256, 0};

Result<int> runFlamegraph(const FlamegraphCommandOptions &Opts) {
  Result<TraceFilter> Filter = Opts.Limits.filter();
  if (!Filter)
    return Filter.error();
  Result<Trace> T = readTraceArguments(Opts.Inputs);
  if (!T)
    return T.error();
  ExportLimits Limits = Opts.Limits.limits(PictureLimits, 0);
  Limits.HasFilter = !Filter->selectsAll();
  ExportPlan Plan(*T, Limits, *Filter);
  std::string Removed = removalText(Plan.removed(), Limits);
  if (!Removed.empty())
    printWarning(Removed);
  FlameGraphOptions Picture = Opts.Picture;
  if (Picture.Title.empty() && !T->Sequences.empty())
    Picture.Title = inputText(*T, T->Sequences.front());
  if (T->Sequences.size() > 1 && Opts.Picture.Title.empty())
    Picture.Title +=
        " and " + std::to_string(T->Sequences.size() - 1) + " more";
  Picture.Title = cleanText(Picture.Title);
  uint64_t NameBytes = nameLimitBytes(Opts.NameLimitBytes, *T, ExportedNames);
  ExportOutput Out(Opts.Output);
  writeFlameGraph(Out, {*T, Plan, Limits, Opts.Names, NameBytes, Opts.Metric},
                  Picture);
  return Out.finish();
}

} // namespace

CommandRun instantrace::addFlamegraph(CLI::App &App) {
  auto Opts = std::make_shared<FlamegraphCommandOptions>();
  CLI::App *Command = App.add_subcommand(
      "flamegraph", "Draw where the time went, as an SVG file for a browser.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command
      ->add_option("-o,--output", Opts->Output,
                   "the file, which appears when it is complete; - is stdout")
      ->required();
  addMetricOption(*Command, Opts->Metric);
  Command->add_option("--title", Opts->Picture.Title,
                      "the title of the picture (default: what was compiled)");
  Command
      ->add_option("--width", Opts->Picture.WidthPixels,
                   "width in pixels (default 1200)")
      ->check(CLI::Range(200, 20000));
  Command->add_flag("--icicle", Opts->Picture.Inverted,
                    "draw the roots at the top");
  Opts->Limits.addTo(*Command);
  addExportNameOptions(*Command, Opts->Names, Opts->NameLimitBytes);
  Command->footer(
      R"(Equal intervals inside equal ones are one box, as wide as its share of the
whole. Boxes narrower than a third of a pixel are merged with their neighbours.
In a browser, a click zooms, / searches, Esc goes back. The file needs no other
file and no network. By default, --max-depth=256.

Examples:
  instantrace flamegraph -o a.svg a.itrace
  instantrace flamegraph --metric=memory --icicle -o build.svg build/)");
  return runOnTraces(Opts, runFlamegraph);
}
