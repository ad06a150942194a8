/// \file
/// `instantrace who`: who instantiates a template, from the index.
///
/// Flow: IndexArguments -> askersOf -> IndexText -> stdout
#include "utils/analysis/index/IndexQuestions.h"
#include "utils/cli/IndexArguments.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/commands/Commands.h"
#include "utils/render/IndexText.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct WhoOptions {
  std::vector<std::string> Arguments; // the last one is the name
  OutputOptions Output;
};

Result<int> runWho(const WhoOptions &Opts) {
  std::vector<std::string> Inputs = Opts.Arguments;
  Result<std::string> Last = takeLastWord(Inputs, "a name");
  if (!Last)
    return Last.error();
  const std::string &Name = *Last;
  Result<InstantiationIndex::NameParts> Parts =
      namePartsOf(Opts.Output.style());
  if (!Parts)
    return Parts.error();
  Result<InstantiationIndex> X = readIndexArguments(Inputs);
  if (!X)
    return X.error();
  Result<IndexAskers> Askers = askersOf(*X, Name, *Parts);
  if (!Askers)
    return Askers.error();
  Output Out(stdout);
  if (Opts.Output.Records)
    writeAskersRecords(Out, *Opts.Output.Records, *Askers, Opts.Output.Rows);
  else
    writeAskersText(Out, *Askers, Opts.Output.Rows, standardOutputTerminal());
  return Out.finish();
}

} // namespace

CommandRun instantrace::addWho(CLI::App &App) {
  auto Opts = std::make_shared<WhoOptions>();
  CLI::App *Command = App.add_subcommand(
      "who", "Show what instantiates a template, at once, from the index.");
  Command
      ->add_option("trace", Opts->Arguments, "traces, as for `at`; then a name")
      ->type_name("[TRACE...] NAME")
      ->required()
      ->expected(1, 1 << 20);
  addOutputOptions(*Command, Opts->Output, "rows");
  Command->footer(
      R"(NAME is a specialization, with or without its default arguments and parameters,
or a template as `summary` shows it, such as 'std::vector<$>'; exactly that one.
`why` takes patterns and shows whole chains, and reads the trace for them; the
answer here comes from the index, as that of `at`.

A row is what instantiated it directly, and the line: the interval around it, or
what had queued a body that Clang instantiated late. In brackets is what is no
instantiation, such as [Parsing] for what the source itself asked for.

Columns:
  inclusive  of the outermost of the row's intervals, from begin to end
  self       time without the intervals inside
  count      intervals
  first      the first of them, for `under`

Examples:
  instantrace who a.itrace 'std::vector<int>'
  instantrace who --json build/ 'lib::Parser<$>')");
  return [Opts] { return runWho(*Opts); };
}
