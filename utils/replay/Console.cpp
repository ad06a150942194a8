#include "utils/replay/Console.h"

#include "utils/replay/Interrupt.h"
#include "utils/replay/ScriptLines.h"

#include <cstdio>
#include <unistd.h>

using namespace instantrace;

namespace {

constexpr const char *Prompt = "(replay) ";
constexpr const char *CollectingPrompt = ">"; ///< as gdb's

} // namespace

/// True: it was done, and its answer written.
bool Console::runOne(const Result<void> &Done) {
  if (!Done)
    Writer.error(Done.error().Message);
  if (Result<void> Written = Writer.finish(); !Written)
    WriteFailure = Written.error();
  return static_cast<bool>(Done);
}

Result<int> Console::run() {
  constexpr int ErrorCode = 1;
  bool AllDone = true;
  for (const Beginning &B : Opts.First) {
    clearInterrupt();
    AllDone &= runOne(B.IsFile ? D.runScript(B.Text) : D.execute(B.Text));
    if (WriteFailure)
      return *WriteFailure;
    if (D.exitCode())
      return *D.exitCode();
    if (!AllDone && Opts.IsBatch)
      return ErrorCode;
  }
  if (Opts.IsBatch)
    return 0;
  if (Opts.First.empty())
    runOne(D.showPosition());
  INSTANTRACE_TRY(LineEditor::isPossible() ? runKeyboard() : runInput());
  if (WriteFailure)
    return *WriteFailure;
  return D.exitCode().value_or(0);
}

Result<void> Console::runKeyboard() {
  LineEditor Keyboard(Prompt, Opts.Complete);
  while (!WriteFailure && !D.exitCode()) {
    clearInterrupt();
    Keyboard.setPrompt(D.isCollecting() ? CollectingPrompt : Prompt);
    INSTANTRACE_TRY_ASSIGN(std::optional<std::string> Line, Keyboard.read());
    if (!Line)
      break;
    if (isInterrupted())
      D.stopCollecting();
    else
      runOne(D.executeTyped(*Line));
  }
  return {};
}

Result<void> Console::runInput() {
  ScriptLines Lines = ScriptLines::standardInput();
  // A terminal that cannot move its cursor.
  bool HasPrompt = ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO);
  while (!WriteFailure && !D.exitCode()) {
    clearInterrupt();
    if (HasPrompt) {
      std::fputs(D.isCollecting() ? CollectingPrompt : Prompt, stdout);
      std::fflush(stdout);
    }
    Result<std::optional<std::string>> Line = Lines.next();
    if (!Line && isInterrupted()) {
      D.stopCollecting();
      if (HasPrompt)
        std::fputs("\n", stdout);
      continue;
    }
    if (!Line)
      return Line.error();
    if (!*Line)
      break;
    runOne(D.executeTyped(**Line));
  }
  return {};
}
