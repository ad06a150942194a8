/// \file
/// Makes the index of traces, and finds the one that there is.
///
/// Flow:   traces -> [TraceIndex] -> IndexBuilder -> x.itx -> commands
/// Errors: "PATH: reason"; a trace that is damaged at its begin
/// Memory: one trace at a time, beside what an IndexBuilder needs
#ifndef INSTANTRACE_UTILS_INPUT_TRACEINDEX_H
#define INSTANTRACE_UTILS_INPUT_TRACEINDEX_H

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"
#include "runtime/index/IndexBuilder.h"
#include "utils/analysis/names/NameRules.h"
#include "utils/input/InputObserver.h"

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

/// The tables of a summary cost more than everything else in an index together,
/// and nobody but `summary` asks for them.
/// Tables are in each that is made, but not in one of an earlier version.
enum class IndexContent : uint8_t { Records, Tables, RecordsAndSummary };

/// Replaces the file at once, when all of it is written, and nothing but an
/// index unless \p IsForced. Then \p Seen is warned of what is missing from the
/// traces.
Result<void> makeIndex(const std::vector<std::string> &Files,
                       const std::string &Into, IndexContent Content,
                       const NameRules &Rules, bool IsForced,
                       InputObserver &Seen);

/// The rules by which an index was made, to be made by again. An error, with
/// its name, for one of a later version.
Result<NameRules> rulesOf(const InstantiationIndex &X);

/// That of the only path if it is an index itself, that of the usual path if it
/// is of these traces and has at least \p Content, or a new one, by the same
/// rules, which is kept there if that is possible. One whose rules cannot be
/// read is not replaced. \p Made says in a line what was made and why; empty:
/// nothing. Traces have the names by which they were found.
Result<InstantiationIndex> openIndex(const std::vector<std::string> &Paths,
                                     IndexContent Content, InputObserver &Seen,
                                     std::string &Made);

/// A new one of files, which is not kept.
Result<InstantiationIndex>
openPassingIndex(const std::vector<std::string> &Files, IndexContent Content,
                 InputObserver &Seen, const NameRules &Rules = {});

/// Whether a file begins as an index does.
bool isIndex(const std::string &Path);

/// One that is being written, and locked (flock) as long, or was left by who
/// was killed meanwhile: by its name and its begin.
bool isUnfinishedIndex(const std::string &Path);

} // namespace instantrace

#endif
