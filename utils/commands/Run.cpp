/// \file
/// `instantrace run`: compiles, and shows what templates cost in it.
///
/// Flow: command -> probeCompiler -> recordInto (Record.cpp) -> summarize
///       (Summary.cpp) -> stderr, since the standard output is the compiler's
#include "utils/cli/BuildWords.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/CostChoices.h"
#include "utils/cli/Installation.h"
#include "utils/commands/Commands.h"
#include "utils/commands/Recording.h"
#include "utils/commands/Summarizing.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/Diagnostics.h"
#include "utils/session/CompilerProbe.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

using namespace instantrace;

namespace {

struct RunOptions {
  std::string Program;
  std::vector<std::string> Command;
  std::string Output;
  std::optional<CostKey> Key; ///< none: the first screen
  size_t Rows = 12;
};

/// Of a compile that cannot be profiled nothing is compiled. What is no
/// compiler by its name, such as make or ccache, is not asked.
Result<void> checkCompiler(const std::string &Program) {
  if (!isCompilerName(std::filesystem::path(Program).filename().native()))
    return {};
  const std::vector<int> Majors = installedClangs();
  Compiler C = probeCompiler(Program);
  // Whoever runs it says why it cannot be run.
  if (C.Kind == CompilerKind::Silent)
    return {};
  std::string Why = whyNoProfile(C, Majors);
  if (Why.empty())
    return {};
  if (C.Kind == CompilerKind::Clang)
    return Error{Program + " is " + Why + "; " + moduleTodo(C.Major) +
                 ", or use Clang " + majorsText(Majors)};
  return makeError(
      Program, Why,
      "a Clang of a version that there is a module for: " + majorsText(Majors) +
          "; `instantrace doctor` says which are here");
}

Result<int> runRun(const RunOptions &Opts) {
  INSTANTRACE_TRY(checkCompiler(Opts.Command.front()));
  INSTANTRACE_TRY_ASSIGN(Recorded Done, recordInto(Opts.Output, Opts.Command));
  if (!Done.End)
    return Done.Code;
  showRecorded(Done.Folder, Opts.Key, Opts.Rows);
  return BuildProcess::endAs(*Done.End);
}

} // namespace

CommandRun instantrace::addRun(CLI::App &App) {
  auto Opts = std::make_shared<RunOptions>();
  CLI::App *Command = App.add_subcommand(
      "run", "Compile, and show where the time went and what to do.");
  Command
      ->add_option("command", Opts->Program,
                   "the compile, such as clang++ -c a.cpp, behind a --")
      ->required();
  Command->prefix_command();
  Command->add_option("-o,--output", Opts->Output,
                      "the folder for the trace: one that is not there yet, or "
                      "an empty one (default: instantrace-DATE-TIME)");
  addChoice(*Command, "--by", CostKeys, Opts->Key,
            "what a row stands for, template by default");
  Command->add_option("-n,--limit", Opts->Rows,
                      "how many rows to show; 0 means all (default 12)");
  addColorOption(*Command);
  Command->footer(
      R"(The command is run as it is, with its own output, signals and exit code, which
is that of run, too; a Clang in it loads the plugin without being told to, and
the object is the same as without. What templates cost is shown on the standard
error, when the compile has ended. The trace stays in the folder that is named
there, for every command that takes traces. It may be a whole build as well,
which `instantrace record` says more about.

A compiler that cannot be profiled, such as g++, is not run; that is exit
code 1. `instantrace doctor` says which Clangs can be.

Examples:
  instantrace run -- clang++ -c a.cpp
  instantrace run --by=header -o traces -- clang++ -O2 -c a.cpp -o a.o)");
  return [Opts, Command]() -> Result<int> {
    Opts->Command = buildWords(Opts->Program, Command->remaining());
    return runRun(*Opts);
  };
}
