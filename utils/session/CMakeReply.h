/// \file
/// What CMake says of the targets of a build, if somebody has asked it to: an
/// editor, or who made the file .cmake/api/v1/query/codemodel-v2 in the build's
/// folder before CMake ran.
///
/// Flow:   .cmake/api/v1/reply -> [CMakeReply] -> CMakeTargets
/// Layout: cmake-file-api(7), codemodel version 2
/// Errors: one for each build whose reply cannot be used, which is then as if
///         it were not there
/// Memory: one file of the reply at a time, of 256 MiB in all
///
/// Anybody may have written the reply. A call that its file does not have where
/// the reply says so does not count.
#pragma once

#include "utils/analysis/advice/CMakeCall.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace instantrace {

class CMakeReply {
public:
  /// Must not outlive this. One thread may use it.
  CMakeReader reader() {
    return [this](const std::string &Objects) { return targets(Objects); };
  }
  const std::vector<std::string> &problems() const { return Problems; }

private:
  const CMakeTargets *targets(const std::string &Objects);

  std::map<std::string, CMakeTargets> ByFolder; ///< of replies
  std::deque<CMakeCall> Calls;
  std::vector<std::string> Problems;
};

} // namespace instantrace
