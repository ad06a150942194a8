/// \file
/// What `advise --try` does behind the suggestions.
///
/// Flow: suggestions -> [TriedAdvice] -> suggestions with results; a diff
#pragma once

#include "utils/analysis/advice/AdviceFinder.h"

#include <string>
#include <vector>

namespace instantrace {

/// Tries the first \p Count. \p Signal: what ended it; 0: nothing did.
Result<void> trySuggestions(size_t Count,
                            const std::vector<RecordedCompile> &Compiles,
                            Suggestions &All, int &Signal);

/// Writes what paid to \p Path, relative to \p Root. The exit code.
Result<int> writePatch(const std::string &Path, std::string Root,
                       const std::vector<RecordedCompile> &Compiles,
                       const Suggestions &All);

} // namespace instantrace
