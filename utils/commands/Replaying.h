/// \file
/// The debugger on what a running compile has done so far, and the options that
/// it has there as in `replay`.
///
/// Flow: `attach --replay` -> [replayRunning] (Replay.cpp) -> Console
#pragma once

#include "runtime/base/Result.h"
#include "runtime/strings/Dictionary.h"
#include "utils/replay/Console.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace instantrace {

/// Where commands come from and how they are answered.
struct ReplaySession {
  Console::Options Running;
  std::vector<std::string> SourceRoots;
};

/// Adds -x, -ex, --batch and --source-root. \p Into must live
/// until the command has run.
void addReplayOptions(CLI::App &Command, ReplaySession &Into);

/// Of the buffer of a compile. `continue` at its end waits for what comes,
/// which is read from \p FinalPath once the compile has ended. The exit code.
Result<int> replayRunning(const std::string &BufferPath,
                          const std::string &FinalPath, const NameStyle &Names,
                          const ReplaySession &Session);

} // namespace instantrace
