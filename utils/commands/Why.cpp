/// \file
/// `instantrace why`: who asked for a template.
///
/// Flow: TraceArguments, NameQuery -> RequestSink -> MergedRequests ->
/// RequestText -> stdout
#include "utils/analysis/chains/RequestChains.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NamedPart.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/QuestionTraces.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/RequestText.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <tuple>
#include <utility>

using namespace instantrace;

namespace {

struct WhyOptions {
  std::vector<std::string> Arguments; // the last one is the name
  FilterSpec Filter;
  OutputOptions Output;
};

std::string unknownName(const std::vector<std::string> &Similar,
                        const std::string &Name) {
  std::string Text = "nothing is called '" + Name + "'";
  if (Similar.empty())
    return Text + "; `instantrace summary --by=template` shows names, and "
                  "glob:PATTERN or regex:EXPRESSION find some";
  for (size_t I = 0; I != Similar.size(); ++I)
    Text += (I == 0 ? "; did you mean " : ", ") + Similar[I];
  return Text + "?";
}

Result<int> runWhy(const WhyOptions &Opts) {
  std::vector<std::string> Inputs = Opts.Arguments;
  INSTANTRACE_TRY_ASSIGN(std::string Name, takeLastWord(Inputs, "a name"));
  INSTANTRACE_TRY_ASSIGN_AS(usageError, NameQuery Query, NameQuery::make(Name));
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  const EntityLevel Level = Opts.Filter.Level;
  QuestionTraces Traces(Inputs);
  INSTANTRACE_TRY(Traces.find(needsLearnedScopes(Level)));
  MergedNames Names;
  MergedRequests Merged;
  INSTANTRACE_TRY(Traces.stream(
      [&] {
        return std::make_unique<NamedPart<RequestSink>>(Query, Filter, Level,
                                                        Traces.scopes());
      },
      [&](NamedPart<RequestSink> &Part) -> Result<void> {
        Names.enterTrace(Part.T);
        Merged.add(std::move(Part.Taken), Names);
        return {};
      }));
  RequestReport Report = Merged.take(Names.trace());
  if (Report.Entities == 0)
    return Error{unknownName(Report.Similar, Name)};
  return Opts.Output.print(writeRequestText, writeRequestRecords, Names.trace(),
                           Report, Name, Opts.Output.Rows, Opts.Output.style());
}

} // namespace

CommandRun instantrace::addWhy(CLI::App &App) {
  auto Opts = std::make_shared<WhyOptions>();
  Opts->Filter.Level = EntityLevel::Template;
  CLI::App *Command = App.add_subcommand(
      "why", "Show what requested a template, out to the line in your code.");
  Command
      ->add_option("trace", Opts->Arguments,
                   "traces, as for the other commands; then the name")
      ->type_name("[TRACE...] NAME")
      ->required()
      ->expected(1, 1 << 20);
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "chains");
  Command->footer(
      R"(NAME is a name as the tool prints it: std::vector<int> for a specialization,
std::vector<$> for a template set, or without template arguments for all
specializations. glob:PATTERN and regex:EXPRESSION are compared with whole
names, default arguments included.

A chain begins with what was requested and goes on with what requested it, each
with its line. `late` marks a body that Clang instantiated at the end; the next
line is what had requested it. A chain ends at the first line outside system
headers. A frame that repeats in a recursion is shown once. --level says what a
frame is, template by default.

Columns:
  inclusive  time with everything inside, of outermost intervals
  self       time without the instantiations inside
  count      intervals; Clang often has two for one class
  memoized   further uses, if the trace has each of them (memoization=events)
  optimize, generate, bytes, inlined
             what LLVM did for the functions that a chain instantiated, where a
             trace has it: time in the optimizer and in machine code, bytes in
             the object, functions inlined away

Examples:
  instantrace why a.itrace 'std::vector<int>'
  instantrace why --level=specialization build/ 'std::tuple<$>'
  instantrace why --csv -n 0 a.itrace 'glob:boost::*')");
  return [Opts] { return runWhy(*Opts); };
}
