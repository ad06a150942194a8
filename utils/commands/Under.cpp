/// \file
/// `instantrace under`: everything below one interval.
///
/// Flow: IndexArguments -> subtreeOf -> IndexText -> stdout
#include "utils/analysis/index/IndexQuestions.h"
#include "utils/cli/IndexArguments.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/commands/Commands.h"
#include "utils/render/IndexText.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <memory>

using namespace instantrace;

namespace {

struct UnderOptions {
  std::vector<std::string> Arguments; // the last one is the record
  uint64_t MaxDepth = 0;
  OutputOptions Output;
};

Result<int> runUnder(const UnderOptions &Opts) {
  std::vector<std::string> Inputs = Opts.Arguments;
  Result<std::string> Last = takeLastWord(Inputs, "the number of a record");
  if (!Last)
    return Last.error();
  const std::string &Number = *Last;
  uint32_t Record = 0;
  const char *End = Number.data() + Number.size();
  auto Parsed = std::from_chars(Number.data(), End, Record);
  if (Parsed.ec != std::errc() || Parsed.ptr != End)
    return usageError(makeError({}, "'" + Number + "'",
                                "the number of a record, as `at` shows it"));
  Result<InstantiationIndex::NameParts> Parts =
      namePartsOf(Opts.Output.style());
  if (!Parts)
    return Parts.error();
  Result<InstantiationIndex> X = readIndexArguments(Inputs);
  if (!X)
    return X.error();
  Result<IndexSubtree> Tree =
      subtreeOf(*X, Record, {Opts.MaxDepth, Opts.Output.Rows}, *Parts);
  if (!Tree)
    return Tree.error();
  Output Out(stdout);
  if (Opts.Output.Records)
    writeSubtreeRecords(Out, *Opts.Output.Records, *Tree);
  else
    writeSubtreeText(Out, *Tree, standardOutputTerminal());
  return Out.finish();
}

} // namespace

CommandRun instantrace::addUnder(CLI::App &App) {
  auto Opts = std::make_shared<UnderOptions>();
  Opts->Output.Rows = 50;
  CLI::App *Command = App.add_subcommand(
      "under", "Show what one interval instantiated, in its order.");
  Command
      ->add_option("trace", Opts->Arguments,
                   "traces, as for `at`; then the number of a record")
      ->type_name("[TRACE...] RECORD")
      ->required()
      ->expected(1, 1 << 20);
  Command->add_option("--max-depth", Opts->MaxDepth,
                      "leave out what is deeper than this below the record; 0 "
                      "means no limit (default)");
  addOutputOptions(*Command, Opts->Output, "records");
  Command->footer(
      R"(RECORD is a number that `instantrace at` shows. What is under a record are the
intervals inside it, each on a line, indented below the one that it is in. The
answer comes from the index, as that of `at`, and takes time for what is shown.

Columns:
  record     number of the interval in the index
  begin      since the begin of the compile
  inclusive  from begin to end
  self       time without the intervals inside

Examples:
  instantrace under a.itrace 1500
  instantrace under --max-depth 1 -n 0 --json a.itrace 0)");
  return [Opts] { return runUnder(*Opts); };
}
