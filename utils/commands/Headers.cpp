/// \file
/// `instantrace headers`: what each header costs, who includes it, and what
/// that brings.
///
/// Flow: TraceArguments, TraceFilter -> HeaderSink, IncludeChains ->
///       HeaderTable -> HeaderText -> stdout
#include "utils/analysis/costs/HeaderTable.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/cli/Choices.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/open/TimeTraceReader.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/HeaderText.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace instantrace;

namespace {

constexpr Choice<HeaderOrder> HeaderOrders[] = {
    {"inclusive", HeaderOrder::Inclusive},
    {"own", HeaderOrder::Own},
    {"alone", HeaderOrder::Alone},
    {"templates", HeaderOrder::Instantiates},
    {"units", HeaderOrder::Units},
    {"name", HeaderOrder::Name},
};

struct HeadersOptions {
  std::vector<std::string> Inputs;
  std::string Header;
  HeaderOrder Order = HeaderOrder::Inclusive;
  FilterSpec Filter;
  OutputOptions Output;
};

/// What one trace adds.
class HeadersPart final : public NotedStream {
public:
  HeadersPart(const std::string &Wanted, const TraceFilter &Filter,
              bool NeedsChains)
      : Headers(T, Wanted, Filter, NeedsChains ? &Chains : nullptr) {}

  TraceSink &events() override { return Headers; }
  void finish() override {
    Notes.add(T, Observed);
    TimeTraces.add(T);
    T = {};
  }
  const HeaderSums &sums() const { return Headers.Sums; }

  IncludeChains Chains;
  TimeTraceCount TimeTraces;

private:
  HeaderSink Headers;
};

Result<int> runHeaders(const HeadersOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs));
  bool IsDetailed = !Opts.Header.empty();
  bool NeedsChains = IsDetailed || Opts.Output.Records;
  std::string Wanted = IsDetailed ? normalPath(Opts.Header) : "";
  HeaderSums Sums;
  IncludeChains Chains;
  TimeTraceCount TimeTraces;
  INSTANTRACE_TRY_ASSIGN(TraceNotes Notes,
                         streamEachTrace(
                             Files,
                             [&] {
                               return std::make_unique<HeadersPart>(
                                   Wanted, Filter, NeedsChains);
                             },
                             [&](const HeadersPart &Part) -> Result<void> {
                               Sums.add(Part.sums());
                               Chains.add(Part.Chains);
                               TimeTraces += Part.TimeTraces;
                               return {};
                             },
                             /*AreFailuresTold=*/true));
  if (Sums.compiles().empty())
    return noCompile();
  HeaderTable Table(Sums, Wanted);
  // A header is what a line includes, and -ftime-trace has no lines.
  if (Table.Rows.empty() && TimeTraces.areAll())
    return makeError("",
                     "only compiles by -ftime-trace, which does not tell "
                     "the line of an #include",
                     "one that Instantrace recorded; `instantrace summary "
                     "--by=header` has the time in each file and what is "
                     "around it");
  if (IsDetailed && Table.Rows.empty())
    return makeError(
        "", "no header '" + Opts.Header + "' that a compile includes",
        "a path that `instantrace headers` shows, or its last parts");
  size_t Rows = IsDetailed ? 0 : Opts.Output.Rows;
  Table.sort(Opts.Order, Rows);
  Table.Clock = Notes.clock();
  Output Out(stdout);
  if (Opts.Output.Records)
    writeHeaderRecords(Out, *Opts.Output.Records, Table, Chains, IsDetailed,
                       Rows);
  else if (IsDetailed)
    writeHeaderDetails(Out, Table, Chains, Opts.Output.Rows,
                       standardOutputTerminal());
  else
    writeHeaderTable(Out, Table, Rows, standardOutputTerminal());
  return Out.finish();
}

} // namespace

CommandRun instantrace::addHeaders(CLI::App &App) {
  auto Opts = std::make_shared<HeadersOptions>();
  Opts->Output.Rows = 15;
  CLI::App *Command = App.add_subcommand(
      "headers", "Show what each header costs, who includes it, and what that "
                 "brings.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command
      ->add_option("--of", Opts->Header,
                   "this header in detail: its path, or the last parts of "
                   "that")
      ->check([](const std::string &Path) {
        return Path.empty() ? "found an empty path, expected that of a header"
                            : std::string();
      });
  addChoice(*Command, "--sort", HeaderOrders, Opts->Order,
            "largest first, inclusive by default");
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "headers, or lines of each list");
  Command->footer(
      R"(Columns, of all given compiles together:
  inclusive  from begin to end of the file, with what it includes and has
             instantiated at once. Where a file has a guard, the first to
             include it has its time
  own        its text alone
  alone      what would not be read without it: files that no compile reaches on
             a way around it, by the ways of all these compiles. An upper limit,
             for a guard hides the further ways
  templates  what its text has instantiated outside of templates, with all that
             needs and with late bodies
  times      how often it was read
  units      in how many compiles
  from       lines that include it

With --of, below the header: the lines that include it, what it includes and
instantiates, and the chains of #includes from the main file on. Filters select
headers. Main files are not in the table.

Examples:
  instantrace headers build/
  instantrace headers --no-system --sort=alone session/
  instantrace headers --of=vector session/
  instantrace headers --json -n 0 session/ > headers.json)");
  return runOnTraces(Opts, runHeaders);
}
