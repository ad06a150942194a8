/// \file
/// The rows of a cost table that are not template work, and what people call
/// them.
///
/// Flow:   CostTable -> [takeOtherWork] -> sortCosts, CostText
#pragma once

#include "utils/analysis/costs/Costs.h"

#include <string>
#include <string_view>

namespace instantrace {

/// What people call a row of that name, such as "parsing"; empty: it is
/// template work, if of no group. Scripts get the name of the row.
std::string_view otherWorkWords(std::string_view Row);
/// That in brackets, as in a list of names; the name itself without such words.
std::string otherWorkName(std::string_view Row);

/// Moves those rows from Rows to OtherWork.
void takeOtherWork(CostTable &Table);

} // namespace instantrace
