#include "utils/replay/Console.h"

#include "utils/replay/Interrupt.h"
#include "utils/replay/ScriptLines.h"

using namespace instantrace;

/// True: it was done, and its answer written.
bool Console::runOne(Result<void> Done) {
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
  if (Opts.First.empty() && !Opts.IsJson)
    runOne(D.showPosition());
  if (Result<void> Read = runInput(); !Read)
    return Read.error();
  if (WriteFailure)
    return *WriteFailure;
  return D.exitCode().value_or(0);
}

Result<void> Console::runInput() {
  ScriptLines Lines = ScriptLines::standardInput();
  while (!WriteFailure && !D.exitCode()) {
    clearInterrupt();
    Result<std::optional<std::string>> Line = Lines.next();
    if (!Line && isInterrupted())
      continue;
    if (!Line)
      return Line.error();
    if (!*Line)
      break;
    runOne(Opts.IsJson ? D.execute(**Line) : D.executeTyped(**Line));
  }
  return {};
}
