/// \file
/// `instantrace at`: what was being instantiated at a time, by a line, and
/// inside one interval.
///
/// Flow: IndexArguments -> stacksAt | stackAfter | lineOf | subtreeOf ->
///       IndexText -> stdout
#include "utils/analysis/index/IndexQuestions.h"
#include "utils/cli/Amounts.h"
#include "utils/cli/IndexArguments.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/IndexText.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct AtOptions {
  std::vector<std::string> Inputs;
  std::string Time, Line;
  std::optional<uint64_t> Event;
  std::optional<uint32_t> Compile; // from 1
  std::optional<uint32_t> Under;
  uint64_t MaxDepth = 0;
  OutputOptions Output;
};

Result<int> showLine(const AtOptions &Opts, const InstantiationIndex &X,
                     InstantiationIndex::NameParts Parts) {
  INSTANTRACE_TRY_ASSIGN(IndexLine Line, lineOf(X, Opts.Line, Parts));
  return Opts.Output.print(writeLineText, writeLineRecords, Line,
                           Opts.Output.Rows);
}

Result<int> showUnder(const AtOptions &Opts, const InstantiationIndex &X,
                      InstantiationIndex::NameParts Parts) {
  INSTANTRACE_TRY_ASSIGN(
      IndexSubtree Tree,
      subtreeOf(X, *Opts.Under, {Opts.MaxDepth, Opts.Output.Rows}, Parts));
  return Opts.Output.print(writeSubtreeText, writeSubtreeRecords, Tree);
}

Result<int> runAt(const AtOptions &Opts) {
  uint64_t TimeNs = 0;
  if (!Opts.Time.empty()) {
    Result<uint64_t> Parsed = parseDuration(Opts.Time);
    if (!Parsed)
      return usageError(Error{"--time: " + Parsed.error().Message});
    TimeNs = *Parsed;
  }
  if (Opts.Time.empty() && Opts.Line.empty() && !Opts.Event && !Opts.Under)
    return usageError(
        makeError({}, "no question", "--time, --event, --line or --under"));
  if (Opts.Compile == 0)
    return usageError(makeError("--compile", "0", "a number from 1"));
  std::optional<uint32_t> Compile;
  if (Opts.Compile)
    Compile = *Opts.Compile - 1;
  INSTANTRACE_TRY_ASSIGN(InstantiationIndex::NameParts Parts,
                         namePartsOf(Opts.Output.style()));
  INSTANTRACE_TRY_ASSIGN(InstantiationIndex X, readIndexArguments(Opts.Inputs));
  if (Opts.Under)
    return showUnder(Opts, X, Parts);
  if (!Opts.Line.empty())
    return showLine(Opts, X, Parts);
  std::vector<IndexStack> Stacks;
  if (Opts.Event) {
    INSTANTRACE_TRY_ASSIGN(IndexStack Stack,
                           stackAfter(X, Compile, *Opts.Event, Parts));
    Stacks.push_back(std::move(Stack));
  } else {
    INSTANTRACE_TRY_ASSIGN(Stacks, stacksAt(X, Compile, TimeNs, Parts));
  }
  return Opts.Output.print(writeStackText, writeStackRecords, Stacks);
}

} // namespace

CommandRun instantrace::addAt(CLI::App &App) {
  auto Opts = std::make_shared<AtOptions>();
  CLI::App *Command = App.add_subcommand(
      "at", "Show what was being instantiated at a time, by a line, or inside "
            "one interval.");
  Command->add_option("trace", Opts->Inputs,
                      std::string("traces, or a folder of them, or an index") +
                          NewestIfNone);
  CLI::Option *Time = Command->add_option(
      "--time", Opts->Time,
      "at this time since the begin of the compile, such as 1.5ms; a number "
      "alone is nanoseconds");
  CLI::Option *Event = Command->add_option(
      "--event", Opts->Event, "after this begin or end of an interval, from 0");
  CLI::Option *Line =
      Command
          ->add_option("--line", Opts->Line,
                       "by this line, FILE:LINE; the end of a path will do")
          ->excludes(Time)
          ->excludes(Event);
  Event->excludes(Time);
  CLI::Option *Under =
      Command
          ->add_option("--under", Opts->Under,
                       "inside this record, in its order; a number that the "
                       "other questions show")
          ->excludes(Time)
          ->excludes(Event)
          ->excludes(Line);
  Command
      ->add_option("--max-depth", Opts->MaxDepth,
                   "with --under: leave out what is deeper than this below the "
                   "record; 0 means no limit (default)")
      ->needs(Under);
  Command->add_option("--compile", Opts->Compile,
                      "only this compile, from 1 in the order of the traces");
  addOutputOptions(*Command, Opts->Output, "rows");
  Command->footer(
      R"(The answer comes from the index of the traces, which is made beside them if
there is none; see `instantrace index --help`.

For a time it is the stack: the intervals that were open, innermost first. One
that begins at the time is open, one that ends then is not. `requested by` is
what had queued a body that Clang instantiated late. --event counts the begins
and ends of a compile, in the order of `dump`, without instants. What is --under
a record are the intervals inside it, each indented below the one that it is in.

Columns:
  record     number of the interval in the index, for --under
  begin      since the begin of the compile
  inclusive  from begin to end; of a line, that of outermost intervals
  self       time without the intervals inside
  first      the first of the records

Examples:
  instantrace at --time 1ms a.itrace
  instantrace at --event 1000 --json a.itrace
  instantrace at --line a.cpp:12 build/
  instantrace at --under 1500 --max-depth 1 a.itrace)");
  return runOnTraces(Opts, runAt);
}
