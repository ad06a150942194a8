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

namespace instantrace {

/// All that IndexBuilder::Tables::More takes. \p FileIndex numbers the files of
/// all traces of the index, of which \p File is that of the sequence.
index::CompileTables sequenceTables(const Sequence &S, const TraceInput &File,
                                    uint64_t FileIndex, IndexBuilder &Strings);

} // namespace instantrace

#endif
