/// \file
/// Makes the index of traces, and finds the one that there is.
///
/// Flow:   traces -> [TraceIndex] -> IndexBuilder -> x.itx -> commands
/// Errors: "PATH: reason"; a trace that is damaged at its begin
/// Memory: one trace at a time, beside what an IndexBuilder needs
#pragma once

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"
#include "runtime/index/IndexBuilder.h"
#include "utils/open/InputObserver.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

/// Of what findTraces() gives: the bytes of the files, not their names.
Result<IndexIdentity> identityOf(const std::vector<std::string> &Files);

/// Where an index is looked for and made: x.itx for x.itrace, instantrace.itx
/// in a folder. Empty: there is no such place, since there are several traces
/// or one that comes through a pipe.
std::string usualIndexPath(const std::vector<std::string> &Paths);

/// Replaces the file at once, when all of it is written, and nothing but an
/// index unless \p IsForced. Then \p Seen is warned of what is missing from the
/// traces.
Result<void> makeIndex(const std::vector<std::string> &Files,
                       const std::string &Into, bool IsForced,
                       InputObserver &Seen);

/// That of the only path if it is an index itself, that of the usual path if it
/// is of these traces, or a new one, which is kept there if that is possible.
/// \p Made says in a line what was made and why; empty: nothing. Traces have
/// the names by which they were found.
Result<InstantiationIndex> openIndex(const std::vector<std::string> &Paths,
                                     InputObserver &Seen, std::string &Made);

/// A new one of files, which is not kept.
Result<InstantiationIndex>
openPassingIndex(const std::vector<std::string> &Files, InputObserver &Seen);

/// Whether a file begins as an index does.
bool isIndex(const std::string &Path);

/// One that is being written, and locked (flock) as long, or was left by who
/// was killed meanwhile: by its name and its begin.
bool isUnfinishedIndex(const std::string &Path);

} // namespace instantrace
