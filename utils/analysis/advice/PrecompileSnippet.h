/// \file
/// Lines for a build that make a precompiled header, or an object for several
/// programs.
///
/// Flow: names of headers, as "<vector>" or a path, or of a source ->
///       [PrecompileSnippet] -> Precompile, CompileOnce
#pragma once

#include "utils/analysis/advice/CMakeCall.h"
#include "utils/analysis/advice/Trial.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace instantrace {

/// \p Objects: folders of CMake's targets. C is in no trace, and would get what
/// is precompiled for C++ as well.
bool hasCSources(const std::set<std::string> &Objects);

struct CMakeGroup {
  const std::set<std::string> &Targets; ///< names
  const std::set<std::string> &Objects;
  const CMakeCall *Call; ///< that makes all of them, and maybe others; or null
};

/// For one target. Several, of which none has a source in C, share one. More
/// than \p MostNames are cut.
std::string cmakeSnippet(const CMakeGroup &For,
                         const std::vector<std::string> &Includes,
                         size_t MostNames = SIZE_MAX);
/// Lines of CMake to where a call is, or a comment that says so.
SourceEdit cmakeEdit(const CMakeCall &Call, const std::string &Lines);
std::string cmakePlace(const CMakeCall &Call);
/// \p Sources, as CMake's call for the targets would name them, are compiled
/// once, and linked to each. \p IsOfSystem: what they include.
/// \p Definition: for all of their sources; empty: none.
std::string objectLibrarySnippet(const std::set<std::string> &Targets,
                                 const std::set<std::string> &Objects,
                                 const std::vector<std::string> &Sources,
                                 bool IsOfSystem,
                                 const std::string &Definition = {});
std::string mesonSnippet(const std::string &Target,
                         const std::vector<std::string> &Includes);
/// Commands.
std::string compilerSnippet(const std::vector<std::string> &Includes);

} // namespace instantrace
