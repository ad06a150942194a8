/// \file
/// What a command is to the command line: how it is added, run and ends.
///
/// Flow: utils/commands -> [CommandRun] -> CommandLine -> main's exit code
#pragma once

#include "runtime/base/Result.h"

#include <functional>

// Its header takes seconds to compile, which Main.cpp is spared.
namespace CLI {
class App;
} // namespace CLI

namespace instantrace {

inline constexpr int ExitSuccess = 0;
inline constexpr int ExitBadInput = 1;
inline constexpr int ExitUsage = 2;
inline constexpr int ExitOverBudget = 3; ///< of diff and budget

/// The exit code that an error ends the tool with.
inline int exitCode(const Error &E) {
  return E.Kind == ErrorKind::Usage ? ExitUsage : ExitBadInput;
}

/// Runs a command with the options that were parsed.
using CommandRun = std::function<Result<int>()>;

/// Adds one command to the application and returns how to run it.
using CommandAdder = CommandRun (*)(CLI::App &App);

} // namespace instantrace
