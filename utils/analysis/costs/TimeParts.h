/// \file
/// Where the time of a build went, in a handful of parts.
///
/// Flow:   costs by kind, of parsing by header -> [TimeParts] -> report
///
/// The parts add up to the whole. Whose a header is, its path says
/// (PathRules.h, libraryOf): one of no library is of one's own code.
#pragma once

#include "utils/analysis/costs/Costs.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

enum class TimePart {
  OwnFiles,      ///< parsing files that belong to no library
  SystemHeaders, ///< of the C++ library, the C library, the compiler, ...
  Libraries,     ///< all other headers
  Instantiating, ///< template work, see isTemplateWork()
  ConstantEvaluation,
  CodeGeneration,
  Profiler,
  Other,
};
inline constexpr size_t TimePartCount = 8;

/// Nanoseconds by TimePart.
using TimeParts = std::array<uint64_t, TimePartCount>;

/// `own-files` and so on: for records.
std::string_view timePartName(TimePart Part);

/// Where a row of costs by kind belongs; parsing is OwnFiles, whatever the
/// file.
TimePart timePartOfKind(const CostRow &Row);

/// Costs by kind, and by header those of parsing alone; \p Names are
/// those of the rows.
TimeParts timeParts(const Trace &Names, const CostTable &ByKind,
                    const CostTable &Inclusions);

} // namespace instantrace
