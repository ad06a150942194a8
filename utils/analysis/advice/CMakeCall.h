/// \file
/// The calls in a project's files by which CMake made the targets of a build.
///
/// Flow:   CMakeReply (utils/session) -> [CMakeTargets] -> Precompile
/// Units:  lines from 1
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace instantrace {

/// A call of add_executable() or add_library(), in a file below the project's
/// folder.
struct CMakeCall {
  std::string Build, Source; ///< top folders, absolute
  std::string File;          ///< in the top folder of the sources
  uint32_t LineNo = 0;
  std::string Function; ///< or macro, around it; empty: none
  /// Where that ends, or otherwise the loop around it; 0: there is none.
  uint32_t EndLineNo = 0;
  std::string Target;         ///< as the call writes it, "${Name}"
  std::set<std::string> Made; ///< names of targets

  std::string path() const { return Source + "/" + File; }
};

/// By name, the target's call: of those that make several.
using CMakeTargets = std::map<std::string, const CMakeCall *>;

/// Gives the targets of the build to which the folder of a target's objects
/// belongs; null: CMake says nothing of it.
using CMakeReader =
    std::function<const CMakeTargets *(const std::string &Objects)>;

} // namespace instantrace
