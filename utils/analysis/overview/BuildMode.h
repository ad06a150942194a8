/// \file
/// Whether a build as a whole would gain from a precompiled header, modules or
/// a unity build.
///
/// Flow:   OverviewSums -> [chooseBuildMode] -> AdviceText
/// Leaves: which headers, to the advice `precompile`
///
/// What a unit reads or instantiates from a line that others have as well is
/// done again in each. A precompiled header and modules save the reading; a
/// unity build saves both, and has its penalty where one source changes. Lines
/// that only say the same count for nothing, so it is a lower limit.
#pragma once

#include "utils/analysis/overview/Overview.h"

#include <cstdint>
#include <string>

namespace instantrace {

enum class BuildMode { None, PrecompiledHeader, Modules, Unity };

struct BuildModeChoice {
  BuildMode Mode = BuildMode::None;
  uint64_t SystemNs = 0;       ///< reading system headers again
  uint64_t OwnNs = 0;          ///< reading the program's headers again
  uint64_t InstantiatedNs = 0; ///< instantiating again what they have
  uint64_t CodeNs = 0;         ///< all code generation
  uint64_t TotalNs = 0;
};

BuildModeChoice chooseBuildMode(const OverviewSums &Sums);

/// "precompiled header", as a word for people and scripts.
std::string_view buildModeName(BuildMode Mode);
/// Why, in one sentence, and what each mode costs when something changes.
std::string buildModeReason(const BuildModeChoice &Choice);
std::string buildModePenalties();

} // namespace instantrace
