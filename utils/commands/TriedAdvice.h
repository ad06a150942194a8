/// \file
/// What `advise --try` does behind the suggestions, and what it keeps.
///
/// Flow: suggestions -> [TriedAdvice] -> suggestions with results; a diff;
///       trials.json of the session <-> [SessionTrials] -> advise, report
#pragma once

#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/analysis/advice/TrialHistory.h"

#include <string>
#include <vector>

namespace instantrace {

/// Tries the first \p Count. \p Signal: what ended it; 0: nothing did.
Result<void> trySuggestions(size_t Count,
                            const std::vector<RecordedCompile> &Compiles,
                            Suggestions &All, int &Signal);

/// What was tried of a session. A note says what of it cannot be read or kept.
class SessionTrials {
public:
  /// Empty, unless \p Inputs are one session.
  explicit SessionTrials(const std::vector<std::string> &Inputs);
  const TrialHistory &history() const { return History; }
  /// What \p All were tried, for later.
  void keep(const Suggestions &All, const Trace &Names);

private:
  std::string Folder; ///< empty: nothing is kept
  TrialHistory History;
};

/// Writes what paid to \p Path, relative to \p Root. The exit code.
Result<int> writePatch(const std::string &Path, std::string Root,
                       const std::vector<RecordedCompile> &Compiles,
                       const Suggestions &All);

} // namespace instantrace
