/// \file
/// The text of session.json, taken apart.
///
/// Flow:   session.json -> [parseSession] -> RecordedSession
/// Errors: "PATH: found, expected"; members that are not there, or of another
///         type, are empty
/// Memory: twice the text, and what isSessionShaped() lets through
#pragma once

#include "runtime/base/Result.h"
#include "utils/session/RecordedSession.h"

#include <string>
#include <string_view>

namespace instantrace {

/// Of JSON of a session that this tool knows, which isSessionShaped(). Errors
/// name \p Path.
Result<RecordedSession> parseSession(std::string_view Text,
                                     const std::string &Path);

} // namespace instantrace
