/// \file
/// A cost table as text for people or as one JSON object.
///
/// Flow:   costs(), sortCosts() -> [CostText] -> stdout
#ifndef INSTANTRACE_UTILS_RENDER_COSTTEXT_H
#define INSTANTRACE_UTILS_RENDER_COSTTEXT_H

#include "utils/analysis/Costs.h"
#include "utils/render/Output.h"
#include "utils/render/Terminal.h"

namespace instantrace {

/// "1.23 s", "45.6 ms", "7.89 µs", "12 ns": three digits.
std::string timeText(uint64_t Ns);
/// "1.23 GB", "45.6 MB", "7.89 kB", "12 B".
std::string sizeText(uint64_t Bytes);
/// "1,234,567".
std::string groupedText(uint64_t Value);

/// Both write the first Shown rows (0: all). What heads the last column.
void writeCostTable(Output &Out, const Trace &T, const CostTable &Table,
                    size_t Shown, std::string_view What, const NameStyle &Style,
                    const Terminal &Term);
void writeCostJson(Output &Out, const Trace &T, const CostTable &Table,
                   size_t Shown, const NameStyle &Style);

} // namespace instantrace

#endif
