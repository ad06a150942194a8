/// \file
/// Costs of constraints and candidates, as text for people or as records for
/// scripts.
///
/// Flow:   checkCosts() -> [CheckText] -> stdout
#ifndef INSTANTRACE_UTILS_RENDER_CHECKTEXT_H
#define INSTANTRACE_UTILS_RENDER_CHECKTEXT_H

#include "utils/analysis/costs/CheckCosts.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

namespace instantrace {

/// Both write the first \p Wanted rows (0: all).
void writeCheckText(Output &Out, const Trace &T, const CheckCosts &Costs,
                    CheckFamily Family, size_t Wanted, const NameStyle &Style,
                    const Terminal &Term);
void writeCheckRecords(Output &Out, RecordFormat Format, const Trace &T,
                       const CheckCosts &Costs, CheckFamily Family,
                       size_t Wanted, const NameStyle &Style);

} // namespace instantrace

#endif
