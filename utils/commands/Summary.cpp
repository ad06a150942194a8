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
#include "utils/render/Diagnostics.h"
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
  std::optional<TraceFilter> Filter = usableFilter(Opts.Filter);
  if (!Filter)
    return ExitUsage;
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
      return chainLines(Chains->of(Row.Name.Text), IsForPeople);
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
      "Columns:\n"
      "  self       time in the row itself, without the instantiations "
      "inside;\n"
      "             the rows' self times add up to the total\n"
      "  inclusive  time with everything inside, from begin to end, but for\n"
      "             Instantrace's own work, the row (profiling); recursion\n"
      "             is counted once. A body that Clang instantiates late "
      "counts\n"
      "             where it runs; requested_ns in the JSON tells for how "
      "much\n"
      "             of that a row is the one who asked\n"
      "  count      specializations that were instantiated: definitions, and "
      "1\n"
      "             for one that was only declared; otherwise intervals\n"
      "  memoized   how often a finished instantiation was used again\n"
      "  AST        memory that Clang allocated for the syntax tree\n"
      "  elided     leaves below the granularity in the row; their time is "
      "in\n"
      "             the row (elided)\n"
      "Rows in parentheses are what is no template work: phases of the "
      "compile,\n"
      "file inclusion, leaves below the granularity; what has no such group, "
      "as\n"
      "(no class); and (filtered), all that the filters leave out.\n"
      "\n"
      "With --by=\n"
      "  class      a class has itself and its members, but not its nested "
      "classes\n"
      "  namespace  the innermost one\n"
      "  library    by the path of the file that declares the template: the "
      "folder\n"
      "             after the last `include`, or after `third_party` and the "
      "like\n"
      "  file, directory, line\n"
      "             that asked for it (the point of instantiation); file "
      "inclusion\n"
      "             counts for the included file, or the line of the "
      "#include\n"
      "  header     what was done while it was read and not in files that it "
      "includes;\n"
      "             late bodies count for who asked for them. Below it, the\n"
      "             #includes it was reached over\n"
      "  user-frame the line outside system headers that it comes from: the "
      "first\n"
      "             one on the way outwards over who asked for it; of a "
      "system\n"
      "             header by itself, the line of the #include\n"
      "\n"
      "Examples:\n"
      "  instantrace summary a.itrace\n"
      "  instantrace summary --by=specialization --sort=inclusive -n 50 "
      "a.itrace\n"
      "  instantrace summary --by=library build/\n"
      "  instantrace summary --no-system --min-time=1ms a.itrace\n"
      "  instantrace summary --json -n 0 build/ > costs.json");
  return [Opts] { return runSummary(*Opts); };
}
