/// \file
/// `instantrace collect`: drains the buffers of running compiles.
///
/// Flow: socket -> CollectorSocket -> Collector -> one line per compile
#include "runtime/base/PrintableText.h"
#include "utils/collector/Collector.h"
#include "utils/commands/Commands.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/RecoveryLine.h"
#include "utils/system/FileDescriptor.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <memory>

using namespace instantrace;

namespace {

struct CollectOptions {
  std::string Socket;
  bool IsVerbose = false;
  bool ExitsWhenIdle = false;
};

volatile int IsStopped;

/// SIGINT and SIGTERM arrive only while the collector waits, so that neither
/// comes between two steps of a pass. Returns the mask for that wait.
sigset_t deferSignals() {
  struct sigaction Action = {};
  Action.sa_handler = [](int) { IsStopped = 1; };
  sigset_t Ours, Before;
  ::sigemptyset(&Ours);
  for (int Signal : {SIGINT, SIGTERM}) {
    ::sigaction(Signal, &Action, nullptr);
    ::sigaddset(&Ours, Signal);
  }
  ::sigprocmask(SIG_BLOCK, &Ours, &Before);
  ::sigdelset(&Before, SIGINT);
  ::sigdelset(&Before, SIGTERM);
  return Before;
}

Result<int> runCollect(const CollectOptions &Opts) {
  sigset_t DuringWait = deferSignals();
  allowManyDescriptors();
  INSTANTRACE_TRY_ASSIGN(CollectorSocket Socket,
                         CollectorSocket::listen(Opts.Socket));
  // A line at a time also when it is piped: somebody waits for the first.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("collecting at %s\n", printableText(Opts.Socket).c_str());
  CollectorEvents Events;
  Events.Ended = [&Opts](const RecoveryReport &Report) {
    for (const std::string &Problem : Report.Problems)
      printWarning(Report.Output + ": " + Problem);
    if (Opts.IsVerbose)
      std::fputs(Report.Outcome == RecoveryReport::Finished
                     ? (printableText(Report.Output) + ": complete\n").c_str()
                     : recoveryLine(Report).c_str(),
                 stdout);
  };
  Events.Failed = [](const Error &E) { printWarning(E.Message); };
  Collector(std::move(Socket), std::move(Events))
      .run(DuringWait, IsStopped, Opts.ExitsWhenIdle);
  return ExitSuccess;
}

} // namespace

CommandRun instantrace::addCollect(CLI::App &App) {
  auto Opts = std::make_shared<CollectOptions>();
  CLI::App *Command = App.add_subcommand(
      "collect", "Write the traces of running compiles for them.");
  Command
      ->add_option("socket", Opts->Socket,
                   "the Unix socket at which compiles reach the collector; "
                   "created here, and removed at the end")
      ->required();
  Command->add_flag("-v,--verbose", Opts->IsVerbose,
                    "print one line for each compile that ends");
  Command->add_flag("--exit-when-idle", Opts->ExitsWhenIdle,
                    "exit when the last compile has ended, once there was one");
  Command->footer(
      R"(Compiles with the plugin option collector=SOCKET hand their buffer to this
command, which appends what they record to their traces while they run. When a
compile is killed, its trace is finished at once, as recover would do it.
Compiles do not depend on the collector: without it, or when it is late, they
write their traces themselves. The collector runs until SIGINT or SIGTERM.

Examples:
  instantrace collect -v $XDG_RUNTIME_DIR/itrace.sock &
  export INSTANTRACE_COLLECTOR=$XDG_RUNTIME_DIR/itrace.sock
  ninja)");
  return [Opts] { return runCollect(*Opts); };
}
