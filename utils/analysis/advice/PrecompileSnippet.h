/// \file
/// Lines for a build that make a precompiled header.
///
/// Flow: names of headers, as "<vector>" or a path -> [PrecompileSnippet] ->
///       Precompile
#pragma once

#include <set>
#include <string>
#include <vector>

namespace instantrace {

/// \p Objects: folders of CMake's targets. C is in no trace, and would get what
/// is precompiled for C++ as well.
bool hasCSources(const std::set<std::string> &Objects);

/// For one target. Several, of which none has a source in C, share one.
std::string cmakeSnippet(const std::set<std::string> &Targets,
                         const std::set<std::string> &Objects,
                         const std::vector<std::string> &Includes);
std::string mesonSnippet(const std::string &Target,
                         const std::vector<std::string> &Includes);
/// Commands.
std::string compilerSnippet(const std::vector<std::string> &Includes);

} // namespace instantrace
