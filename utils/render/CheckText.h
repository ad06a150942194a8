/// \file
/// Costs of constraints and candidates, as text for people or as records for
/// scripts.
///
/// Flow:   CheckCosts -> [CheckText] -> stdout
#pragma once

#include "utils/analysis/costs/CheckCosts.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace instantrace {

/// A number of a row: how often steps of these kinds happened.
struct CheckColumn {
  std::string_view Title, Field;
  size_t Width;
  std::vector<EventKind> Kinds;
};
std::vector<CheckColumn> checkColumns(CheckFamily Family);

/// Both write the first \p Wanted rows (0: all).
void writeCheckText(Output &Out, const Trace &T, const CheckCosts &Costs,
                    CheckFamily Family, size_t Wanted, const NameStyle &Style,
                    const Terminal &Term);
void writeCheckRecords(Output &Out, RecordFormat Format, const Trace &T,
                       const CheckCosts &Costs, CheckFamily Family,
                       size_t Wanted, const NameStyle &Style);

} // namespace instantrace
