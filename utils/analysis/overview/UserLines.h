/// \file
/// The lines of a program that cost most, so that no two rows have a part of
/// the time in common.
///
/// Flow:   OverviewSums -> [userLines] -> OverviewText
/// Leaves: the text of the lines
///
/// A line has the time of all that comes from it (UserFrame.h): an #include of
/// a system header that of all that is read through it. In a header of the
/// program, lines that are too small for a row of their own count for the
/// #include of that header (as the heavy hitters of a hierarchy do), in
/// proportion to the time of each where there are several. The same #include in
/// several places is one row.
#pragma once

#include "utils/analysis/overview/Overview.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct UserLine {
  std::string Path; ///< normal
  std::string WorkingDirectory;
  uint32_t LineNo = 0;
  std::string Included; ///< file; empty: the line is no #include
  uint64_t Others = 0;  ///< places with the same #include, in the time as well
  uint64_t Ns = 0;
  uint64_t Units = 0; ///< compiles
};

/// In a header of the program, a line of less is part of the #include.
inline constexpr double RowPercent = 2;

/// Largest first.
std::vector<UserLine> userLines(const OverviewSums &Sums);

} // namespace instantrace
