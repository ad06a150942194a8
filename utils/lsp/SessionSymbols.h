/// \file
/// The costliest templates of a session, to look for by name.
///
/// Flow:   traces -> CostSink, MergedCosts -> [readSessionSymbols] -> LspServer
/// Memory: names of all templates while they are read, then of those
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct EditorSymbol {
  std::string Name;
  std::string Path; ///< of the line that declares it
  uint32_t LineNo = 0;
  uint64_t SelfNs = 0, Count = 0;
};

inline constexpr size_t MostSymbols = 5000;

/// With the most self time first, as `summary --by=template` has them; those
/// whose place is not known are left out.
Result<std::vector<EditorSymbol>> readSessionSymbols(const std::string &Path);

} // namespace instantrace
