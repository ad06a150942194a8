/// \file
/// `instantrace summary`: where the time went.
///
/// Flow: TraceArguments, TraceFilter -> costs -> sortCosts -> CostText ->
/// stdout
#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/cli/CostChoices.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/CostText.h"
#include "utils/render/Output.h"

#include <memory>
#include <optional>

using namespace instantrace;

namespace {

struct SummaryOptions {
  std::vector<std::string> Inputs;
  CostKey By = CostKey::Template;
  CostOrder Order = CostOrder::Self;
  FilterSpec Filter;
  OutputOptions Output;
};

/// Chains below a header in a table; records have all.
constexpr size_t ChainsShown = 3;

/// People know their files by their names, and have little room.
std::string chainText(const IncludeChain &Chain, bool IsForPeople) {
  std::string Text = groupedText(Chain.Count) + " x, " +
                     timeText(Chain.InclusiveNs) + ", from ";
  for (size_t I = 0; I != Chain.Steps.size(); ++I) {
    const std::string &Step = Chain.Steps[I];
    size_t Slash = IsForPeople ? Step.rfind('/') : Step.npos;
    Text.append(I == 0 ? "" : " < ");
    Text.append(Step, Slash == Step.npos ? 0 : Slash + 1);
  }
  return Text;
}

std::vector<std::string> chainLines(const std::vector<IncludeChain> &Chains,
                                    bool IsForPeople) {
  std::vector<std::string> Lines;
  for (const IncludeChain &Chain : Chains) {
    if (IsForPeople && Lines.size() == ChainsShown) {
      Lines.push_back("and over " + groupedText(Chains.size() - Lines.size()) +
                      " other chains");
      break;
    }
    Lines.push_back(chainText(Chain, IsForPeople));
  }
  return Lines;
}

Result<int> runSummary(const SummaryOptions &Opts) {
  Result<TraceFilter> Filter = usableFilter(Opts.Filter);
  if (!Filter)
    return Filter.error();
  Result<Trace> T = readTraceArguments(Opts.Inputs);
  if (!T)
    return T.error();
  CostTable Table = costs(*T, Opts.By, *Filter);
  sortCosts(Table, *T, Opts.Order, Opts.Output.Rows);
  CostTableStyle Style{nameOf(CostKeys, Opts.By), Opts.Output.style(), {}};
  bool IsForPeople = !Opts.Output.Records;
  std::optional<IncludeChains> Chains;
  if (Opts.By == CostKey::Header) {
    Chains.emplace(*T);
    Style.Below = [&](const CostRow &Row) {
      return chainLines(Chains->chainsTo(Row.Name.Text), IsForPeople);
    };
  }
  Output Out(stdout);
  if (IsForPeople)
    writeCostTable(Out, *T, Table, Opts.Output.Rows, Style,
                   standardOutputTerminal());
  else
    writeCostRecords(Out, *Opts.Output.Records, *T, Table, Opts.Output.Rows,
                     Style, "chains");
  return Out.finish();
}

} // namespace

CommandRun instantrace::addSummary(CLI::App &App) {
  auto Opts = std::make_shared<SummaryOptions>();
  CLI::App *Command = App.add_subcommand(
      "summary", "Show which templates, classes, namespaces, kinds of work, "
                 "files or lines cost most.");
  addTraceArguments(*Command, Opts->Inputs);
  addChoice(*Command, "--by", CostKeys, Opts->By,
            "what a row is, template by default");
  addChoice(*Command, "--sort", CostOrders, Opts->Order,
            "largest first, self by default");
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "rows");
  Command->footer(
      R"(Columns:
  self       time in the row itself, without the instantiations inside;
             the rows' self times add up to the total
  inclusive  time with everything inside, from begin to end, but for
             Instantrace's own work, the row (profiling); recursion
             is counted once. A body that Clang instantiates late counts
             where it runs; requested_ns in the JSON tells for how much
             of that a row is the one who asked
  count      specializations that were instantiated: definitions, and 1
             for one that was only declared; otherwise intervals
  memoized   how often a finished instantiation was used again
  AST        memory that Clang allocated for the syntax tree
  elided     leaves below the granularity in the row; their time is in
             the row (elided)
Rows in parentheses are what is no template work: phases of the compile,
file inclusion, leaves below the granularity; what has no such group, as
(no class); and (filtered), all that the filters leave out.

With --by=
  class      a class has itself and its members, but not its nested classes
  namespace  the innermost one
  library    by the path of the file that declares the template: the folder
             after the last `include`, or after `third_party` and the like
  file, directory, line
             that asked for it (the point of instantiation); file inclusion
             counts for the included file, or the line of the #include
  header     what was done while it was read and not in files that it includes;
             late bodies count for who asked for them. Below it, the
             #includes it was reached over
  user-frame the line outside system headers that it comes from: the first
             one on the way outwards over who asked for it; of a system
             header by itself, the line of the #include

Examples:
  instantrace summary a.itrace
  instantrace summary --by=specialization --sort=inclusive -n 50 a.itrace
  instantrace summary --by=library build/
  instantrace summary --no-system --min-time=1ms a.itrace
  instantrace summary --json -n 0 build/ > costs.json)");
  return [Opts] { return runSummary(*Opts); };
}
