/// \file
/// Headers of a build in the order of their costs, and what goes with each.
///
/// Flow:   HeaderSums -> [HeaderTable] -> HeaderText -> headers
/// Leaves: chains of #includes, to IncludeChains
///
/// Where a file has a guard, who is first pays for it, so that the inclusive
/// time of a header depends on the order of #includes. *Alone* does not: it is
/// the time of the files that a compile reads on no way around the header, by
/// all ways that any of the compiles has taken (the files that the header
/// dominates in that graph).
#pragma once

#include "utils/analysis/costs/HeaderSums.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

enum class HeaderOrder { Inclusive, Own, Alone, Instantiates, Units, Name };

/// A file that includes a header or is included by it, or a template.
struct HeaderDetail {
  std::string_view Name; ///< of the sums
  uint32_t LineNo = 0;   ///< of the #include; 0: none
  HeaderPartSums Sums;

  std::string text() const;
};

struct HeaderRow {
  const HeaderSums::File *File; ///< of the sums
  uint64_t AloneNs = 0;         ///< would not be spent without it
};

struct HeaderTable {
  /// Of those that are included and selected, and are within \p Wanted, unless
  /// that is empty. \p Sums must outlive it.
  HeaderTable(const HeaderSums &Sums, const std::string &Wanted);

  /// Puts the first \p Wanted rows (0: all) in order, largest first, by name
  /// where equal.
  void sort(HeaderOrder Order, size_t Wanted);

  // Of one row, costliest first; valid as long as the sums are.
  std::vector<HeaderDetail> includers(const HeaderRow &Row) const;
  std::vector<HeaderDetail> includes(const HeaderRow &Row) const;
  std::vector<HeaderDetail> templates(const HeaderRow &Row) const;

  const HeaderSums &Sums;
  std::vector<HeaderRow> Rows;
  EventClock Clock = EventClock::Processor; ///< that times are of
};

} // namespace instantrace
