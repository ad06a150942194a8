/// \file
/// Recording a build for a command that goes on with what was recorded.
///
/// Flow: command -> [recordBuild] (Record.cpp) -> folder of a session
#ifndef INSTANTRACE_UTILS_COMMANDS_RECORDING_H
#define INSTANTRACE_UTILS_COMMANDS_RECORDING_H

#include "runtime/base/Result.h"

#include <string>
#include <vector>

namespace instantrace {

/// As `record -q` does, into a new folder of its usual name, which is returned;
/// the build may fail, but not to start. Errors: there can be no session, or
/// there is no compile in it.
Result<std::string> recordBuild(const std::vector<std::string> &Command);

} // namespace instantrace

#endif
