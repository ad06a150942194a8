/// \file
/// Where the debugger's commands come from: the command line, scripts, and
/// whoever sits at the keyboard.
///
/// Flow:   -ex, -x, stdin -> [Console] -> Debugger -> exit code
#pragma once

#include "utils/replay/Debugger.h"
#include "utils/replay/LineEditor.h"

#include <string>
#include <vector>

namespace instantrace {

class Console {
public:
  /// What the command line says is to be run first, in its order.
  struct Beginning {
    bool IsFile = false;
    std::string Text; ///< a command, or the path of a script
  };
  struct Options {
    std::vector<Beginning> First;
    bool IsBatch = false; ///< leave after these, or with the first error
    LineEditor::Completer Complete;
  };

  /// Both must outlive the object.
  Console(Debugger &Source, ReplayText &Answers, const Options &Opts)
      : D(Source), Writer(Answers), Opts(Opts) {}

  /// Until it is left. The exit code, or that nothing more can be written.
  Result<int> run();

private:
  bool runOne(const Result<void> &Done);
  Result<void> runInput();
  Result<void> runKeyboard();

  Debugger &D;
  ReplayText &Writer;
  const Options &Opts;
  std::optional<Error> WriteFailure;
};

} // namespace instantrace
