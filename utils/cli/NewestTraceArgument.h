/// \file
/// Traces that need not be named, of commands that only look at them: the
/// newest below the current folder, which is said.
///
/// Flow: command line -> [NewestTraceArgument] -> TraceArguments
#pragma once

#include "runtime/base/Result.h"
#include "utils/cli/Command.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace instantrace {

/// addTraceArguments(), of which there may be none.
CLI::Option *addTracesOrNewest(CLI::App &Command,
                               std::vector<std::string> &Paths);

/// How the help of an argument that is no addTracesOrNewest() says it.
inline constexpr const char *NewestIfNone =
    "; none means the newest below this folder";

/// Puts the newest trace below the current folder, or its session, into
/// \p Paths if they are empty, and says so. Errors: there is none.
Result<void> nameNewestTrace(std::vector<std::string> &Paths);

/// Puts the two newest sessions below the current folder into \p Paths if they
/// are empty, the older one first, and says so. Errors: there are no two.
Result<void> nameNewestSessions(std::vector<std::string> &Paths);

/// The last of \p Words, which is \p What ("a name"), or the first one if that
/// alone is no trace; the others are traces, and if there are none, the newest
/// becomes one. Errors: the only word is a trace itself, or a folder of traces.
Result<std::string> takeLastWord(std::vector<std::string> &Words,
                                 const std::string &What);

/// How to run a command of such traces.
template <class Options>
CommandRun runOnTraces(const std::shared_ptr<Options> &Opts,
                       Result<int> (*Run)(const Options &)) {
  return [Opts, Run]() -> Result<int> {
    INSTANTRACE_TRY(nameNewestTrace(Opts->Inputs));
    return Run(*Opts);
  };
}

} // namespace instantrace
