/// \file
/// The words for --by and --sort of the commands that show cost tables.
#pragma once

#include "utils/analysis/costs/Costs.h"
#include "utils/cli/Choices.h"

#include <cstddef>
#include <iterator>

namespace instantrace {

struct CostKeyChoices {
  Choice<CostKey> All[std::size(CostKeyNames) + 2];

  constexpr CostKeyChoices() : All() {
    size_t Index = 0;
    for (const CostKeyName &Known : CostKeyNames)
      All[Index++] = {Known.Name, Known.Key};
    All[Index++] = {"unit", CostKey::Unit};
    // What it was called first.
    All[Index] = {"instantiation", CostKey::Specialization};
  }
};
inline constexpr CostKeyChoices CostKeyWords;
inline constexpr auto &CostKeys = CostKeyWords.All;

inline constexpr Choice<CostOrder> CostOrders[] = {
#define INSTANTRACE_ORDER(Id, Word) {Word, CostOrder::Id},
#define INSTANTRACE_ROW_NUMBER(Id, Member, Unit, Adds, Word, ...)              \
  INSTANTRACE_ORDER(Id, Word)
#define INSTANTRACE_BACKEND_NUMBER INSTANTRACE_ROW_NUMBER
#define INSTANTRACE_DERIVED_NUMBER INSTANTRACE_ROW_NUMBER
#include "utils/analysis/costs/CostColumns.def"
#undef INSTANTRACE_ORDER
    {"name", CostOrder::Name},
};

} // namespace instantrace
