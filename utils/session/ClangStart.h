/// \file
/// Whether a process of Clang compiles C++ without the plugin, and why, by its
/// command line and its environment.
///
/// Flow:   ForeignCompiles -> [ClangStart] -> sources, reason
/// Leaves: C, which leaves no trace with the plugin either; command lines in
///         response files, which are not opened
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// The name of the program that all modes of Clang's driver are: "clang",
/// "clang-22".
bool isClangProgram(std::string_view FileName);

/// What a driver or a -cc1 with \p Arguments compiles as C++; empty: it does
/// something else, such as to preprocess or to link.
std::vector<std::string>
clangSources(const std::vector<std::string> &Arguments);

/// Whether a process was made for one job of a driver.
bool isClangJob(const std::vector<std::string> &Arguments);

/// Reasons begin with it, and are what session.json calls such compiles:
/// "Clang (environment cleared)".
inline constexpr std::string_view ClangWithout = "Clang (";

/// Why a process does not load the plugin; empty: it does, by whatever path.
std::string whyWithoutPlugin(const std::vector<std::string> &Arguments,
                             const std::vector<std::string> &Environment);

/// What to do so that those of such a reason are recorded.
std::string_view remedyFor(std::string_view Reason);

} // namespace instantrace
