/// \file
/// Suggestions that `advise --try` tried on a session: trials.json, beside
/// session.json.
///
/// Flow:   TrialHistory <-> [TrialFile] <-> trials.json
/// Layout: docs/use/record.md
/// Errors: "PATH: found, expected"
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/advice/TrialHistory.h"
#include "utils/session/RecordedSession.h"

#include <string>

namespace instantrace {

/// Empty where nothing was tried. \p Session is what \p Folder has.
Result<TrialHistory> readTrials(const std::string &Folder,
                                const RecordedSession &Session);

/// Anew, at once or not at all.
Result<void> writeTrials(const std::string &Folder,
                         const TrialHistory &History);

} // namespace instantrace
