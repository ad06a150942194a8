/// \file
/// The debugger on what a running compile has done so far.
///
/// Flow: `attach --replay` -> [replayRunning] (Replay.cpp) -> Console
#ifndef INSTANTRACE_UTILS_COMMANDS_REPLAYING_H
#define INSTANTRACE_UTILS_COMMANDS_REPLAYING_H

#include "runtime/base/Result.h"
#include "runtime/strings/Dictionary.h"

#include <string>

namespace instantrace {

/// Of the buffer of a compile. `continue` at its end waits for what comes,
/// which is read from \p FinalPath once the compile has ended. The exit code.
Result<int> replayRunning(const std::string &BufferPath,
                          const std::string &FinalPath, const NameStyle &Names);

} // namespace instantrace

#endif
