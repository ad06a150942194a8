/// \file
/// What headers cost, as a table, and one of them in detail.
///
/// Flow: HeaderTable, IncludeChains -> [HeaderText] -> headers
#pragma once

#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/HeaderTable.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

namespace instantrace {

void writeHeaderTable(Output &Out, const HeaderTable &Table, size_t Wanted,
                      const Terminal &Term);
/// With who includes it, what it includes and has instantiated, and the chains
/// that lead to it; so many lines of each.
void writeHeaderDetails(Output &Out, const HeaderTable &Table,
                        IncludeChains &Chains, size_t Wanted,
                        const Terminal &Term);
/// \p IsDetailed: what they instantiate was counted.
void writeHeaderRecords(Output &Out, RecordFormat Format,
                        const HeaderTable &Table, IncludeChains &Chains,
                        bool IsDetailed, size_t Wanted);

} // namespace instantrace
