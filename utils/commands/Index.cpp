/// \file
/// `instantrace index`: the file that answers questions at once.
///
/// Flow: TraceInputs -> makeIndex -> x.itx
#include "utils/analysis/names/NameRules.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/input/TraceIndex.h"
#include "utils/input/TraceInputs.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct IndexOptions {
  std::vector<std::string> Inputs;
  std::string Into;
  NameRulesSpec Rules;
  bool IsForced = false;
  bool HasNoSummary = false;
};

std::vector<std::string> transformNames() {
  std::vector<std::string> Names;
  for (const NameTransformName &Each : NameTransforms)
    Names.emplace_back(Each.Name);
  return Names;
}

Result<int> runIndex(const IndexOptions &Opts) {
  Result<NameRules> Rules = NameRules::make(Opts.Rules);
  if (!Rules)
    return Rules.error();
  Result<std::vector<std::string>> Files = findTraceArguments(Opts.Inputs);
  if (!Files)
    return Files.error();
  std::string Into =
      Opts.Into.empty() ? usualIndexPath(Opts.Inputs) : Opts.Into;
  if (Into.empty())
    return usageError(
        makeError({},
                  Opts.Inputs.size() == 1
                      ? "a trace without a name"
                      : std::to_string(Opts.Inputs.size()) + " inputs",
                  "-o with the name of the index"));
  InputProgress Seen("indexing");
  IndexContent Content = Opts.HasNoSummary ? IndexContent::Records
                                           : IndexContent::RecordsAndSummary;
  if (Result<void> Made =
          makeIndex(*Files, Into, Content, *Rules, Opts.IsForced, Seen);
      !Made)
    return Made.error();
  return ExitSuccess;
}

} // namespace

CommandRun instantrace::addIndex(CLI::App &App) {
  auto Opts = std::make_shared<IndexOptions>();
  CLI::App *Command = App.add_subcommand(
      "index", "Make the index of traces, a file that answers questions.");
  addTraceArguments(*Command, Opts->Inputs);
  Command->add_option("-o,--output", Opts->Into,
                      "the index; by default a.itx for a.itrace, and "
                      "instantrace.itx in a folder");
  Command->add_flag("--no-summary", Opts->HasNoSummary,
                    "leave out what only `summary` and `diff` ask for, which "
                    "takes most of the time");
  CLI::Option *Transform = Command->add_option(
      "--transform", Opts->Rules.Transforms,
      "make one name of those that differ in a detail only; may be repeated");
  Transform->check(CLI::IsMember(transformNames()));
  CLI::Option *Map = Command->add_option(
      "--map", Opts->Rules.Maps,
      "OLD=NEW: paths below OLD are below NEW; may be repeated");
  CLI::Option *Merge = Command->add_option(
      "--merge", Opts->Rules.Merges,
      "PATTERN=NAME: template sets whose names match are one of that name; may "
      "be repeated");
  for (CLI::Option *Repeated : {Transform, Map, Merge})
    Repeated->take_all()->expected(1)->allow_extra_args(false);
  Command->add_flag("--force", Opts->IsForced,
                    "replace a file that is no index");
  Command->footer(
      R"(An index is opened by mapping it, and answers each question in microseconds,
however large the traces are. One can be of a whole build: all traces of a
folder, which are read twice for the summary. It is replaced at once, when the
new one is whole. `at` and `replay` make one without a summary
where there is none, and so do `why`, `tree`, `query` and `report` with --index;
`summary --index` and `diff --index` make one with it. None uses one that is of
other traces. All other commands read the traces, and so do those with --index
when they are run without it.

With --transform, --map and --merge, names and paths are changed when the index
is made. The rules are in the file, each question notes them, and two indexes
are compared only if they were made by the same ones.
  strip-inline-namespaces  std::__cxx11::string is std::string, and so on for
                           the inline namespaces of the standard libraries
  collapse-allocators      std::allocator<int> is std::allocator<$>
  collapse-defaults        default template arguments are left out
Patterns are those of --match; of several maps and merges the first that fits
counts.

proto/INDEX.md documents the file, `instantrace verify a.itx` checks it, and
instantrace/Index.h is a library that reads it.

Examples:
  instantrace index a.itrace
  instantrace index -o build.itx build/
  instantrace index --transform=strip-inline-namespaces a.itrace
  instantrace index --map /base=/src a.itrace
  instantrace index --merge 'glob:std::*map<$>=maps' a.itrace)");
  return [Opts] { return runIndex(*Opts); };
}
