/// \file
/// Recording a build for a command that goes on with what was recorded.
///
/// Flow: command -> [recordBuild] (Record.cpp) -> folder of a session
#pragma once

#include "runtime/base/Result.h"
#include "utils/session/BuildProcess.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// What became of it.
struct Recorded {
  int Code = 0;                ///< to end with, if the build could not be run
  std::string Folder;          ///< of the session, as it is shown
  std::optional<BuildEnd> End; ///< none: Code says why, and has been explained
};

/// As `record -o OUTPUT` does, without the screen at the end.
Result<Recorded> recordInto(const std::string &Output,
                            const std::vector<std::string> &Command);

/// As `record -q` does, into a new folder of its usual name, which is returned;
/// the build may fail, but not to start. Errors: there can be no session, or
/// there is no compile in it.
Result<std::string> recordBuild(const std::vector<std::string> &Command);

} // namespace instantrace
