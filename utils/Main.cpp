/// \file
/// The `instantrace` tool: parse the command line, run one command, report.
///
/// Flow: argv -> commands/ -> input/ -> analysis/ -> render/ -> stdout
#include "runtime/base/NewFile.h"
#include "utils/cli/CommandLine.h"
#include "utils/commands/Commands.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Pager.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <csignal>
#include <cstddef>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <string_view>

using namespace instantrace;

namespace {

/// Traces are read one after the other, and what one needed is what the next
/// one needs. Given back in between, it comes as new pages, which took a fifth
/// of the time of a build of many units (docs/measurements/record.md). Of one
/// large trace nothing changes: larger blocks are the system's own, and go back
/// to it at once.
void keepFreedMemory() {
#ifdef __GLIBC__
  constexpr int LargestKeptBytes = 4 << 20, MostKeptBytes = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, LargestKeptBytes);
  mallopt(M_TRIM_THRESHOLD, MostKeptBytes);
#endif
}

/// Whether \p Word calls the command \p Name: `critical-path` CriticalPath.
bool isCalled(std::string_view Name, std::string_view Word) {
  std::string Called;
  for (char C : Name) {
    const bool IsUpper = C >= 'A' && C <= 'Z';
    if (IsUpper && !Called.empty())
      Called += '-';
    Called += static_cast<char>(IsUpper ? C - 'A' + 'a' : C);
  }
  return Called == Word;
}

/// Makes the options of the one command that is called: those of all commands
/// took most of the time of a start. Three commands list all the others, and so
/// does the error for an unknown one.
Result<int> runCalled(int Argc, char **Argv) {
  const std::string_view Word = Argc > 1 ? Argv[1] : "";
  const bool IsAboutAll =
      Word == "help" || Word == "man" || Word == "completion";
  for (size_t I = 0; !IsAboutAll && I != std::size(AllCommands); ++I)
    if (isCalled(NamesOfCommands[I], Word))
      return runCommandLine({&AllCommands[I], 1}, Argc, Argv);
  return runCommandLine(AllCommands, Argc, Argv, GroupsOfCommands);
}

} // namespace

int main(int Argc, char **Argv) {
  keepFreedMemory();
  // `instantrace dump x | head` ends as quietly as any filter does, also under
  // a parent that ignores or blocks the signal.
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t BrokenPipe;
  sigemptyset(&BrokenPipe);
  sigaddset(&BrokenPipe, SIGPIPE);
  sigprocmask(SIG_UNBLOCK, &BrokenPipe, nullptr);
  // A file that may not grow further (ulimit -f) is an error like a full disk,
  // and whoever writes it cleans up.
  std::signal(SIGXFSZ, SIG_IGN);
  removeUnfinishedFilesAtEnd();
  isPagerAllowed() = true;
  try {
    Result<int> Code = runCalled(Argc, Argv);
    waitForPager(); // messages are seen behind it
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
