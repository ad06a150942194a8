/// \file
/// The numbers of a row of costs as a table, for who adds, sorts, compares or
/// writes them all alike.
///
/// Flow: CostColumns.def -> [CostColumns] -> CostText, DiffText, the page
#pragma once

#include "utils/analysis/costs/Costs.h"

#include <cstddef>
#include <string_view>

namespace instantrace {

enum class CostUnit { Count, Time, Estimate, Bytes };

/// Whether different rows have parts in common, so that their sum is nothing.
enum class CostAdds { OverRows, OverCompiles };

struct CostColumn {
  CostOrder Order;
  CostUnit Unit;
  CostAdds Adds;
  unsigned Rank;         ///< from the left; 0: only when it is sorted by
  std::string_view Word; ///< of --sort; its key in the page
  std::string_view Json;
  std::string_view OldJson, NewJson; ///< where two builds are compared
  std::string_view Title;            ///< in text
  std::string_view Help;
  size_t Width; ///< of the column in text
  uint64_t (*Value)(const CostRow &Row);
  bool IsBackend; ///< shown where a compile has what LLVM did

  bool isTime() const {
    return Unit == CostUnit::Time || Unit == CostUnit::Estimate;
  }
};

inline constexpr CostColumn CostColumns[] = {
#define INSTANTRACE_COST_COLUMN(Id, Expression, Unit, Adds, Word, Json, Title, \
                                Width, Rank, Help, IsBackend)                  \
  {CostOrder::Id,  CostUnit::Unit,                                             \
   CostAdds::Adds, Rank,                                                       \
   Word,           Json,                                                       \
   "old_" Json,    "new_" Json,                                                \
   Title,          Help,                                                       \
   Width,          [](const CostRow &Row) { return uint64_t(Row.Expression); },                                 \
   IsBackend},
#define INSTANTRACE_ROW_NUMBER(Id, Member, ...)                                \
  INSTANTRACE_COST_COLUMN(Id, Member, __VA_ARGS__, false)
#define INSTANTRACE_BACKEND_NUMBER(Id, Member, ...)                            \
  INSTANTRACE_COST_COLUMN(Id, backend().Member, __VA_ARGS__, true)
#define INSTANTRACE_DERIVED_NUMBER(Id, Member, ...)                            \
  INSTANTRACE_COST_COLUMN(Id, Member(), __VA_ARGS__, true)
#include "utils/analysis/costs/CostColumns.def"
#undef INSTANTRACE_COST_COLUMN
};

/// Null: that of the name, which is no number.
constexpr const CostColumn *costColumn(CostOrder Order) {
  return Order == CostOrder::Name ? nullptr
                                  : &CostColumns[static_cast<size_t>(Order)];
}

} // namespace instantrace
