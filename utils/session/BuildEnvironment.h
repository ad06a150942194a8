/// \file
/// What `record` adds to the environment of a build, so that each Clang in it
/// loads the plugin and finds the collector.
///
/// Flow: ours, BuildSettings -> [buildEnvironment] -> the build's
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct BuildSettings {
  std::string
      Override;       ///< of CCC_OVERRIDE_OPTIONS, as `--print-override` has it
  std::string Traces; ///< the folder, absolute
  std::string Socket; ///< of the collector
  std::string CacheLog; ///< for ccache, if it has none from the environment
  bool IgnoresCaches = false;
};

/// \p Ours: "NAME=value" each, and so is what is returned.
std::vector<std::string> buildEnvironment(const std::vector<std::string> &Ours,
                                          const BuildSettings &Settings);

/// Of this process.
std::vector<std::string> ownEnvironment();

/// Empty: it is not there.
std::string variableOf(const std::vector<std::string> &Environment,
                       std::string_view Name);

/// The user's edits stay, and are made first. "#", which stands before all and
/// keeps Clang from telling of each, is theirs to leave out.
std::string joinedOverride(const std::string &Users, const std::string &Ours);

} // namespace instantrace
