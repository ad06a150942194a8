/// \file
/// What a trace says besides its intervals, for an index.
///
/// Flow:   Sequence -> [sequenceTables] -> IndexBuilder -> x.itx
///         x.itx -> IndexedTrace -> the same Sequence
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_SEQUENCETABLES_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_SEQUENCETABLES_H

#include "runtime/index/IndexBuilder.h"
#include "runtime/read/Trace.h"

#include <cstdint>
#include <vector>

namespace instantrace {

/// What IndexBuilder::Tables::More takes, but for the table About. \p Elided
/// are the leaves of intervals, in any order.
index::CompileTables sequenceTables(const Sequence &S,
                                    std::vector<ElidedLeaves> Elided,
                                    IndexBuilder &Strings);

/// When all of the file is read. \p FileIndex numbers the files of all traces
/// of the index, of which \p File is that of the sequence.
index::TableRows aboutSequence(const Sequence &S, const TraceInput &File,
                               uint64_t FileIndex);

} // namespace instantrace

#endif
