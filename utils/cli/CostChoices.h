/// \file
/// The words for --by and --sort of the commands that show cost tables.
#ifndef INSTANTRACE_UTILS_CLI_COSTCHOICES_H
#define INSTANTRACE_UTILS_CLI_COSTCHOICES_H

#include "utils/analysis/costs/Costs.h"
#include "utils/cli/Choices.h"

#include <cstddef>
#include <iterator>

namespace instantrace {

struct CostKeyChoices {
  Choice<CostKey> All[std::size(CostKeyNames) + 1];

  constexpr CostKeyChoices() : All() {
    size_t At = 0;
    for (const CostKeyName &Known : CostKeyNames)
      All[At++] = {Known.Name, Known.Key};
    // What it was called first.
    All[At] = {"instantiation", CostKey::Specialization};
  }
};
inline constexpr CostKeyChoices CostKeyWords;
inline constexpr auto &CostKeys = CostKeyWords.All;

inline constexpr Choice<CostOrder> CostOrders[] = {
    {"self", CostOrder::Self},
    {"inclusive", CostOrder::Inclusive},
    {"count", CostOrder::Count},
    {"memoized", CostOrder::Memoized},
    {"ast", CostOrder::Ast},
    {"name", CostOrder::Name},
    {"frontend", CostOrder::Frontend},
    {"optimize", CostOrder::Optimize},
    {"generate", CostOrder::Generate},
    {"bytes", CostOrder::Bytes},
    {"functions", CostOrder::Functions},
    {"inlined-away", CostOrder::InlinedAway},
};

} // namespace instantrace

#endif
