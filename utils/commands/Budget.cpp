/// \file
/// `instantrace budget`: whether a build keeps the bounds of a file.
///
/// Flow: budget file, traces -> sumBuild -> check -> BudgetText, exit code
#include "utils/analysis/costs/Budget.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/SummedBuild.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/open/FileKind.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/BudgetText.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct BudgetOptions {
  std::string File;
  std::vector<std::string> Inputs;
  std::optional<RecordFormat> Records;
  bool Markdown = false;
};

Result<int> runBudget(const BudgetOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(std::string Text, readBytes(Opts.File));
  if (std::string Kind = kindOfNoText(Text); !Kind.empty())
    return makeError(Opts.File, Kind, "a text of bounds, one per line");
  INSTANTRACE_TRY_ASSIGN(std::vector<Bound> Bounds,
                         parseBudget(Text, Opts.File));
  if (Bounds.empty())
    return makeError(Opts.File, "no bound", "a line such as 'count <= 1200'");
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs));
  BuildTraces Traces{std::move(Files), Opts.Inputs, Unreadable::IsError};
  INSTANTRACE_TRY_ASSIGN(TraceFilter Everything, TraceFilter::make({}));
  INSTANTRACE_TRY_ASSIGN(SummedBuild Sum,
                         sumBuild(Traces, {{CostKey::Template}, Everything}));
  BuildCosts Build{Sum.Names.trace(), Sum.Tables.front()};
  std::vector<JudgedBound> Judged;
  bool AreKept = true;
  for (const Bound &B : Bounds) {
    INSTANTRACE_TRY(checkable(B, Build));
    BoundCheck C = check(B, Build, nullptr);
    Judged.push_back({B, C, C.IsTrue});
    AreKept &= C.IsTrue;
  }
  Output Out(stdout);
  if (Opts.Records)
    writeBoundRecords(Out, *Opts.Records, Judged);
  else if (Opts.Markdown)
    writeBoundsMarkdown(Out, Judged);
  else
    writeBounds(Out, Judged, standardOutputTerminal());
  INSTANTRACE_TRY(Out.finish());
  return AreKept ? ExitSuccess : ExitOverBudget;
}

} // namespace

CommandRun instantrace::addBudget(CLI::App &App) {
  auto Opts = std::make_shared<BudgetOptions>();
  CLI::App *Command = App.add_subcommand(
      "budget", "Check a build against the bounds in a file.");
  Command->add_option("file", Opts->File, "the bounds, one per line")
      ->required();
  addTraceArguments(*Command, Opts->Inputs);
  addRecordOptions(*Command, Opts->Records, "bounds");
  addMarkdownOption(*Command, Opts->Markdown);
  addColorOption(*Command);
  Command->footer(
      R"(Each line of the file is a condition that must hold; # begins a comment:
  count <= 12000               specializations of all templates
  count(^std::vector<) <= 40   ... of the templates whose names match
  self(glob:boost::*) < 800ms  time in those, without what is inside
  ast <= 300MB                 memory for the syntax tree
  time < 12s                   time of the whole compiles
  optimize < 4s                time in LLVM's optimizer; as well generate
                               (machine code), frontend: of the templates'
                               functions
  bytes <= 20MB                of them in the objects; functions: how many
  memory <= 2GB                peak of the largest compile
Counts are the same in every run of one compiler on one source. Times are not:
leave room for noise. For growth against another build, see diff --fail-on.

Exit code 3 if a bound is exceeded.

Examples:
  instantrace budget ci/templates.budget build/
  instantrace budget --markdown ci/templates.budget a.itrace >> summary.md)");
  return [Opts] { return runBudget(*Opts); };
}
