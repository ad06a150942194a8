/// \file
/// `instantrace summary`: where the time went.
///
/// Flow: TraceArguments, TraceFilter -> sumBuild -> sortCosts -> CostText
///       -> stdout
#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/costs/OtherWork.h"
#include "utils/cli/CostChoices.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/SummedBuild.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/commands/Summarizing.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/CostText.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/HookText.h"
#include "utils/render/IncludeChainText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/render/TextTable.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

using namespace instantrace;

namespace {

struct SummaryOptions {
  std::vector<std::string> Inputs;
  std::optional<CostKey> Key; ///< none: the first screen, if nothing else asks
                              ///< for a table
  CostOrder Order = CostOrder::Self;
  bool IsTable = false; ///< an option asks for one
  FilterSpec Filter;
  OutputOptions Output;
  FILE *Into = stdout;
};

/// Chains below a header in a table, with their lines, and in a record.
constexpr size_t ChainsShown = 3, LinesShown = 3, ChainsRecorded = 1000;

/// In lines of so many columns; in a record a line each.
std::vector<std::string> chainLines(const IncludeChainList &List,
                                    std::optional<size_t> Columns) {
  std::vector<std::string> Lines;
  for (const IncludeChain &Chain : List.Chains) {
    std::string Head =
        groupedText(Chain.Count) + " x, " + timeText(Chain.InclusiveNs);
    if (!Columns) {
      Lines.push_back(Head + ", from " + includeChainRecord(Chain));
      continue;
    }
    Head += ": ";
    size_t Used = columnsOf(Head);
    for (const std::string &Line : includeChainLines(
             Chain, *Columns - std::min(*Columns, Used), LinesShown)) {
      Lines.push_back(Head + Line);
      Head.assign(Used, ' ');
    }
  }
  if (List.OtherChains != 0)
    Lines.push_back("and over " + counted(List.OtherChains, "other chain"));
  return Lines;
}

CostKey keyOf(const SummaryOptions &Opts) {
  return Opts.Key.value_or(CostKey::Template);
}

bool isForPeople(const SummaryOptions &Opts) { return !Opts.Output.Records; }

/// Scripts get one list, in the order they asked for; so does who asks for all
/// kinds of work.
bool setsApart(const SummaryOptions &Opts) {
  return isForPeople(Opts) && keyOf(Opts) != CostKey::Kind;
}

void arrange(CostTable &Table, const Trace &Names, const SummaryOptions &Opts) {
  if (setsApart(Opts))
    takeOtherWork(Table);
  sortCosts(Table, Names, Opts.Order, Opts.Output.Rows);
}

struct ShownSummary {
  CostSource Source;
  CostTable Table;
  std::optional<IncludeChains> Chains; ///< with CostKey::Header
};

Result<int> show(const SummaryOptions &Opts, ShownSummary Parts) {
  CostTableStyle Style{
      nameOf(CostKeys, keyOf(Opts)), Opts.Output.style(), Opts.Order, {}};
  Terminal Term =
      Opts.Into == stderr ? standardErrorTerminal() : standardOutputTerminal();
  if (Parts.Chains)
    Style.Below = [&](const CostRow &Row) {
      bool IsForPeople = isForPeople(Opts);
      return chainLines(
          Parts.Chains->chainsTo(Row.Name.Text.text(),
                                 IsForPeople ? ChainsShown : ChainsRecorded),
          IsForPeople ? std::optional(columnsLeft(Term, BelowIndent))
                      : std::nullopt);
    };
  Output Out(Opts.Into);
  if (isForPeople(Opts))
    writeCostTable(Out, Parts.Source, Parts.Table, Opts.Output.Rows, Style,
                   Term);
  else
    writeCostRecords(Out, *Opts.Output.Records, Parts.Source, Parts.Table,
                     Opts.Output.Rows, Style, "chains");
  return Out.finish();
}

Result<int> runSummary(const SummaryOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  if (!Opts.Key && Filter.selectsAll() && !Opts.IsTable)
    return showOverview(
        {Opts.Inputs, Opts.Output.style(), Opts.Output.Records.has_value()});
  SessionLacks Lacks;
  INSTANTRACE_TRY_ASSIGN(
      std::vector<std::string> Files,
      findTraceArguments(Opts.Inputs, NamedTwice::CountOnce, &Lacks));
  BuildTraces Traces{std::move(Files), Opts.Inputs};
  INSTANTRACE_TRY_ASSIGN(
      SummedBuild Sum,
      sumBuild(Traces,
               {{keyOf(Opts)}, Filter, keyOf(Opts) == CostKey::Header}));
  arrange(Sum.Tables.front(), Sum.Names.trace(), Opts);
  CostSource Source{Sum.Names.trace(),
                    inputsText(Sum.Files),
                    Sum.Files.size(),
                    Sum.Notes.sequences(),
                    Sum.Notes.isIncomplete() ||
                        Sum.Files.size() != Traces.Files.size(),
                    Lacks.Unprofiled};
  return show(Opts, {std::move(Source), std::move(Sum.Tables.front()),
                     std::move(Sum.Chains)});
}

} // namespace

Result<int> instantrace::summarize(const std::vector<std::string> &Inputs,
                                   CostKey Key, size_t Rows, FILE *Into) {
  SummaryOptions Opts;
  Opts.Inputs = Inputs;
  Opts.Key = Key;
  Opts.Output.Rows = Rows;
  Opts.Into = Into;
  return runSummary(Opts);
}

CommandRun instantrace::addSummary(CLI::App &App) {
  auto Opts = std::make_shared<SummaryOptions>();
  CLI::App *Command = App.add_subcommand(
      "summary", "Show where the time went, which lines cost most and what to "
                 "do; or a table of templates, headers, lines, ...");
  addTracesOrNewest(*Command, Opts->Inputs);
  addChoice(*Command, "--by", CostKeys, Opts->Key,
            "a table, and what a row of it stands for");
  addChoice(*Command, "--sort", CostOrders, Opts->Order,
            "largest first, self by default");
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "rows");
  Command->footer(
      R"(Without options, one screen: where the time went, your most expensive lines,
what to do, and what to run next. A line has the time of all that comes from it;
an #include has that of all that is read through it, but for what is in another
row. A line of less than 2 % in a header of yours counts for the #include of it,
and the same #include in several places is one row (+4: in four more places).
--json has the same (docs/use/analyses.md).

With --by, --sort, -n, --csv or a filter, a table, of templates if --by says
nothing else. Its columns:
  self       time in the row itself, without the instantiations inside; the
             self times of all rows add up to the total, but for the row
             (profiling), which is in no total but that of --json and --csv
  inclusive  time with everything inside, from begin to end, except the row
             (profiling), the instrumentation overhead; recursion is counted
             once. A body that Clang instantiates late counts where it runs;
             requested_ns in the JSON is the part that the row requested
  count      specializations that were instantiated, by their definitions; 1
             for one that was only declared. In rows of other work, intervals
  memoized   how often a finished instantiation was used again
  AST        memory that Clang allocated for the syntax tree
  elided     leaves below the granularity in the row; their time is in the row
             (elided), or in that of the unit
Where a trace has what LLVM did for functions, also, in wide terminals and
--json beside the others (docs/use/analyses.md):
  frontend, optimize, generate
             the self time in Clang, in LLVM's optimizer, and in making machine
             code and the object of it; the three add up to self
  bytes      of the functions in the object
  functions  that are in the object
  inlined    functions that were made and optimized, and inlined everywhere or
             dropped
  ~IR gen    an estimate, in no other column of this row: Clang's making of
             LLVM's IR, the row (IR generation), shared out by the IR's size
Rows in parentheses belong to no group, such as (no class). What is not template
work, such as parsing and what the filters leave out, is one sentence below the
table; --by=kind, --json and --csv have it in their rows.

With --by=
  class      a class has itself and its members, but not its nested classes
  namespace  the innermost namespace
  library    by the path of the file that declares the template: the folder
             after the last `include`, or after `third_party` and the like
  file, directory, line
             that requested it (the point of instantiation); file inclusion
             counts for the included file, or the line of the #include
  header     work done while the header was read, without the files that it
             includes; late bodies count where they were requested. Below it,
             the chains of #includes that reached it, from the file that
             was compiled inwards
  user-frame the line outside system headers that the work comes from: the
             first one on the way outwards along the requests; for a system
             header itself, the line of the #include
  function   what LLVM was given; all other work is (no function)
  unit       the source that was compiled; frontend is then up to the end of
             the source, and generate has all after it but for optimize, with
             the making of IR, at -O0 as well
What LLVM does for a function counts by place where the function was
instantiated.

Examples:
  instantrace summary build/
  instantrace summary --by=template a.itrace
  instantrace summary --by=specialization --sort=inclusive -n 50 a.itrace
  instantrace summary --by=library build/
  instantrace summary --by=unit --sort=generate build/
  instantrace summary --by=function --sort=bytes a.itrace
  instantrace summary --no-system --min-time=1ms a.itrace
  instantrace summary --json -n 0 build/ > costs.json)");
  return [Run = runOnTraces(Opts, runSummary), Opts, Command] {
    for (const char *Option : {"--sort", "-n", "--csv"})
      Opts->IsTable |= Command->count(Option) != 0;
    return Run();
  };
}
