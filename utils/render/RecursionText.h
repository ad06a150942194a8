/// \file
/// Depth and recursion as text for people or as records for scripts.
///
/// Flow:   RecursionReport -> [RecursionText] -> stdout
#pragma once

#include "utils/analysis/chains/Recursion.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

namespace instantrace {

/// Both write the first \p Wanted of each table (0: all).
void writeRecursionText(Output &Out, const Trace &T,
                        const RecursionReport &Report, size_t Wanted,
                        const NameStyle &Style, const Terminal &Term);
void writeRecursionRecords(Output &Out, RecordFormat Format, const Trace &T,
                           const RecursionReport &Report, size_t Wanted,
                           const NameStyle &Style);

} // namespace instantrace
