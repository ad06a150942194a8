/// \file
/// `instantrace index`: the file that answers questions at once.
///
/// Flow: TraceInputs -> makeIndex -> x.itx
#include "utils/cli/InputProgress.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/index/TraceIndex.h"
#include "utils/open/TraceInputs.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct IndexOptions {
  std::vector<std::string> Inputs;
  std::string Into;
  bool IsForced = false;
};

Result<int> runIndex(const IndexOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs));
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
  INSTANTRACE_TRY(makeIndex(Files, Into, Opts.IsForced, Seen));
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
  Command->add_flag("--force", Opts->IsForced,
                    "replace a file that is no index");
  Command->footer(
      R"(An index is opened by mapping it, and answers each question in microseconds,
however large the traces are. One can be of a whole build: all traces of a
folder. It is replaced at once, when the new one is whole. `at` and
`replay` ask it, and make it where there is none, or one of other traces. All
other commands read the traces.

proto/INDEX.md documents the file, `instantrace verify a.itx` checks it, and
instantrace/Index.h is a library that reads it.

Examples:
  instantrace index a.itrace
  instantrace index -o build.itx build/)");
  return [Opts] { return runIndex(*Opts); };
}
