/// \file
/// `instantrace replay`: a debugger of what was recorded, forwards and back.
///
/// Flow: IndexArguments -> Replay -> Debugger -> ReplayText
///       -ex, -x, stdin -> Console -> Debugger
#include "utils/cli/ColorOption.h"
#include "utils/cli/IndexArguments.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/commands/Commands.h"
#include "utils/commands/Recording.h"
#include "utils/commands/Replaying.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NameText.h"
#include "utils/replay/Console.h"
#include "utils/replay/FollowedCompile.h"
#include "utils/replay/Interrupt.h"
#include "utils/replay/ReplayCompletion.h"
#include "utils/replay/ReplayText.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace instantrace;

namespace {

struct ReplayOptions {
  std::vector<std::string> Inputs;
  ReplaySession Session;
  NameStyle Names;
  std::vector<std::string> Build; ///< to be recorded first
};

/// Until it is left. \p More is what Debugger::follow() has; empty: nothing
/// comes.
Result<int> debug(Replay &R, InstantiationIndex::NameParts Parts,
                  const ReplaySession &Session, Debugger::MoreFunction More) {
  ReplayText Answers;
  InterruptCatcher Catcher;
  Debugger D(R, Answers, Parts, Session.SourceRoots);
  if (More)
    D.follow(std::move(More));
  ReplayCompletion Words(R);
  Console::Options Running = Session.Running;
  Running.Complete = [&](std::string_view Line) {
    return Words.complete(Line);
  };
  return Console(D, Answers, Running).run();
}

Result<int> runReplay(const ReplayOptions &Opts) {
  if (!Opts.Inputs.empty() && !Opts.Build.empty())
    return usageError(makeError({}, "a trace and a --",
                                "traces, or -- and a command to record first"));
  INSTANTRACE_TRY_ASSIGN(InstantiationIndex::NameParts Parts,
                         namePartsOf(Opts.Names));
  std::vector<std::string> Inputs = Opts.Inputs;
  if (!Opts.Build.empty()) {
    INSTANTRACE_TRY_ASSIGN(std::string Folder, recordBuild(Opts.Build));
    printNote("recorded in " + Folder);
    Inputs = {Folder};
  } else {
    INSTANTRACE_TRY(nameNewestTrace(Inputs));
  }
  INSTANTRACE_TRY_ASSIGN(InstantiationIndex X, readIndexArguments(Inputs));
  INSTANTRACE_TRY_ASSIGN(Replay R, Replay::make(X));
  R.makeTables();
  return debug(R, Parts, Opts.Session, {});
}

} // namespace

Result<int> instantrace::replayRunning(const std::string &BufferPath,
                                       const std::string &FinalPath,
                                       const NameStyle &Names,
                                       const ReplaySession &Session) {
  INSTANTRACE_TRY_ASSIGN(InstantiationIndex::NameParts Parts,
                         namePartsOf(Names));
  FollowedCompile Compile(BufferPath, FinalPath);
  INSTANTRACE_TRY_ASSIGN(InstantiationIndex X, Compile.read());
  INSTANTRACE_TRY_ASSIGN(Replay R, Replay::make(X));
  R.goTo(R.timeline().end());
  return debug(R, Parts, Session, [&] {
    Result<bool> IsMore = Compile.waitForMore(X);
    if (IsMore && !*IsMore && Compile.wasKilled())
      printNote(BufferPath +
                ": the compiler was killed; this is all that it recorded");
    return IsMore;
  });
}

void instantrace::addReplayOptions(CLI::App &Command, ReplaySession &Into) {
  auto Add = [&](const char *Name, bool IsFile, const char *Help) {
    Command
        .add_option_function<std::string>(
            Name,
            [&Into, IsFile](const std::string &Text) {
              Into.Running.First.push_back({IsFile, Text});
            },
            Help)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->trigger_on_parse();
  };
  Add("-x,--command", true,
      "run the debugger's commands of this file first; may be repeated");
  Add("--eval-command", false,
      "run this command first; may be repeated. -ex COMMAND is the same");
  Command.add_flag("--batch", Into.Running.IsBatch,
                   "leave after these, or with 1 when one fails");
  addSourceRootOption(Command, Into.SourceRoots);
}

CommandRun instantrace::addReplay(CLI::App &App) {
  auto Opts = std::make_shared<ReplayOptions>();
  CLI::App *Command = App.add_subcommand(
      "replay", "Debug what was recorded: step, run to breakpoints, and back.");
  Command
      ->add_option("trace", Opts->Inputs,
                   "traces, or a folder of them, or an index; or -- and a "
                   "command, which is recorded first")
      ->type_name("[TRACE...] | -- COMMAND...");
  // Of what is behind a --; a colon comes first, since no value is empty.
  Command
      ->add_option_function<std::vector<std::string>>(
          "--build",
          [Opts](const std::vector<std::string> &Words) {
            for (const std::string &Word : Words)
              Opts->Build.push_back(Word.substr(1));
          })
      ->group("")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  addReplayOptions(*Command, Opts->Session);
  addColorOption(*Command);
  addNameOptions(*Command, Opts->Names);
  Command->footer(
      R"(Steps through the begins and ends of what was recorded as a debugger steps
through a program, in both directions and without a compile; the commands have
the names that gdb gives them. `help` lists them, and `help COMMAND` says more.
Without commands on the command line, they are read from the keyboard,
or the standard input. The answers come from the index of the traces, which is
made beside them if there is none; see `instantrace index --help`.

Exit code: that of `quit`, or 0; with --batch 1 when a command failed.

Examples:
  instantrace replay a.itrace
  instantrace replay -ex 'break std::vector' -ex run -ex bt --batch a.itrace
  instantrace replay -x script build/
  instantrace replay -- clang++ -c a.cpp)");
  return [Opts] { return runReplay(*Opts); };
}
