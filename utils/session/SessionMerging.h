/// \file
/// One session of several: of the parts of a build, or of what several machines
/// built of it.
///
/// Flow:   folders of sessions -> [mergeSessions] -> a folder of all traces,
/// and
///         session.json
/// Layout: docs/use/record.md
/// Errors: "PATH: found, expected", before anything is written; after that the
///         new folder is gone again
///
/// Traces are copied. A name that two sessions have gets a number behind it.
/// Times, counts and problems are added up; what was built, where and when is
/// kept of each session, as it was written.
#ifndef INSTANTRACE_UTILS_SESSION_SESSIONMERGING_H
#define INSTANTRACE_UTILS_SESSION_SESSIONMERGING_H

#include "runtime/base/Result.h"
#include "utils/input/InputObserver.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct MergedSession {
  uint64_t Sessions = 0, Traces = 0, Bytes = 0;
};

/// \p Into is as SessionFolder::make() takes it.
Result<MergedSession> mergeSessions(const std::vector<std::string> &Folders,
                                    const std::string &Into,
                                    InputObserver &Seen);

} // namespace instantrace

#endif
