/// \file
/// `instantrace tree`: what instantiates what.
///
/// Flow: TraceArguments, TraceFilter -> TreeSink -> MergedTree -> foldTree
///       -> TreeText -> stdout
#include "utils/analysis/chains/InstantiationTree.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NamedPart.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/QuestionTraces.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/TreeText.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

using namespace instantrace;

namespace {

struct TreeOptions {
  std::vector<std::string> Inputs;
  FilterSpec Filter;
  OutputOptions Output;
  uint64_t MaxDepth = 0;
  bool IsByRequest = false;
  bool HasAll = false;
};

Result<int> runTree(const TreeOptions &Opts) {
  // What --match selects is shown with all that is inside; what is short is
  // folded and not left out.
  FilterSpec FocusSpec;
  FocusSpec.Match = Opts.Filter.Match;
  FocusSpec.Level = Opts.Filter.Level;
  FilterSpec RestSpec = Opts.Filter;
  RestSpec.Match.clear();
  RestSpec.MinTimeNs = 0;
  INSTANTRACE_TRY_ASSIGN(TraceFilter Focus, usableFilter(FocusSpec));
  INSTANTRACE_TRY_ASSIGN(TraceFilter Rest, usableFilter(RestSpec));
  QuestionTraces Traces(Opts.Inputs);
  INSTANTRACE_TRY(Traces.find(needsLearnedScopes(Opts.Filter.Level)));
  const TreeSpec Spec{Opts.Filter.Level, Opts.IsByRequest, !Opts.HasAll};
  MergedNames Names;
  MergedTree Merged;
  INSTANTRACE_TRY(Traces.stream(
      [&] {
        return std::make_unique<NamedPart<TreeSink>>(Spec, Focus, Rest,
                                                     Traces.scopes());
      },
      [&](NamedPart<TreeSink> &Part) -> Result<void> {
        Names.enterTrace(Part.T);
        Merged.add(std::move(Part.Taken), Names);
        return {};
      }));
  InstantiationTree Tree = Merged.take();
  const Trace &T = Names.trace();
  return Opts.Output.print(
      writeTreeText, writeTreeRecords, T, Tree,
      foldTree(T, Tree,
               {Opts.Filter.MinTimeNs, Opts.MaxDepth, Opts.Output.Rows,
                !Opts.Output.Records && !Opts.HasAll}),
      Opts.Output.style());
}

} // namespace

CommandRun instantrace::addTree(CLI::App &App) {
  auto Opts = std::make_shared<TreeOptions>();
  Opts->Output.Rows = 30;
  CLI::App *Command = App.add_subcommand(
      "tree", "Show what instantiates what, costliest first.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command->add_option(
      "--max-depth", Opts->MaxDepth,
      "fold nodes that are deeper than this; 0 means no limit (default)");
  Command->add_flag("--all", Opts->HasAll,
                    "everything, where it ran: each specialization, parsing, "
                    "phases of the compile, generated code");
  Command->add_flag("--requested-by", Opts->IsByRequest,
                    "show bodies that Clang instantiates late below what "
                    "requested them, and what LLVM does for a function below "
                    "its instantiation, not where they ran");
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "nodes");
  Command->footer(
      R"(A node is a template, below what requested it; equal children of one parent are
one node, and so are the steps of a recursion. Where one way leads down and
nearly all time goes with it, only its first and last node are shown, with how
many there are between. With --all a node is a specialization, and parsing,
phases of the compile and generated code have nodes as well, where they ran or,
with --requested-by, below what requested them. --level says what a node is.

Here, --match says where the tree begins: at the outermost intervals that match,
with everything inside. When another filter leaves a node out, its children move
to its parent. What is shorter than --min-time is folded: JSON and CSV have
a row (folded) with its number and time below each node.

Columns:
  inclusive  time of the node and of all below it
  self       time of the node alone
  count      intervals
The kind of work is in brackets unless it is an instantiation.

Examples:
  instantrace tree a.itrace
  instantrace tree --match='^std::sort' --min-time=1ms a.itrace
  instantrace tree --all a.itrace)");
  Command->parse_complete_callback([Opts, Command] {
    if (Opts->HasAll)
      return;
    Opts->IsByRequest = true;
    if (Command->count("--kind") == 0)
      Opts->Filter.NoPhases = true;
    if (Command->count("--level") == 0)
      Opts->Filter.Level = EntityLevel::Template;
  });
  return runOnTraces(Opts, runTree);
}
