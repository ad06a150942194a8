/// \file
/// The `instantrace` tool: parse the command line, run one command, report.
///
/// Flow: argv -> commands/ -> input/ -> analysis/ -> render/ -> stdout
#include "utils/cli/CommandLine.h"
#include "utils/commands/Commands.h"
#include "utils/render/Diagnostics.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

using namespace instantrace;

int main(int Argc, char **Argv) {
  // `instantrace dump x | head` ends as quietly as any filter does, also under
  // a parent that ignores or blocks the signal.
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t BrokenPipe;
  sigemptyset(&BrokenPipe);
  sigaddset(&BrokenPipe, SIGPIPE);
  sigprocmask(SIG_UNBLOCK, &BrokenPipe, nullptr);
  try {
    Result<int> Code = runCommandLine(AllCommands, Argc, Argv);
    if (Code)
      return *Code;
    printError(Code.error().Message);
    for (const Error &Other : Code.error().Others)
      printError(Other.Message);
    return exitCode(Code.error());
  } catch (const std::bad_alloc &) {
    printError("out of memory");
  } catch (const std::exception &E) {
    printError(E.what());
  }
  return ExitBadInput;
}
