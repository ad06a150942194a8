/// \file
/// Bounds that a build must keep, and whether it does.
///
/// Flow:   "count(glob:std::*) <= 1200" -> [parseBound] -> check -> exit code
/// Errors: what is no bound, with the place and what was expected
///
///   bound     = METRIC [ "(" PATTERN ")" ] COMPARISON [ "+" ] LIMIT
///   METRIC    = count | memoized | ast | self | time
///             | frontend | optimize | generate | bytes | functions
///   LIMIT     = NUMBER [ "%" | unit of the metric ]
///
/// A pattern selects templates by the name of their set; without one, a metric
/// is of all templates. `time` is of the whole compile. A `+` is in front of a
/// limit for the growth from an old build to a new one.
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/costs/CostColumns.h"
#include "utils/analysis/names/NamePattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// A column of the costs of templates, or a number of whole compiles.
enum class BoundMetric { Column, Time, Memory };

struct Bound {
  std::string Text; ///< as it was written, without spaces around it
  BoundMetric Metric = BoundMetric::Column;
  CostOrder Column = CostOrder::Count;
  std::optional<NamePattern> Pattern;
  bool IsLess = true, OrEqual = true; ///< what is compared with the limit
  double Limit = 0; ///< in the metric's unit (a count, bytes, ns) or percent
  bool IsGrowth = false, IsPercent = false;

  std::string_view metricWord() const;
  CostUnit unit() const;
  std::string relationText() const {
    return std::string(IsLess ? "<" : ">") + (OrEqual ? "=" : "");
  }
};

Result<Bound> parseBound(std::string_view Text);

/// A line each; empty ones and those that begin with `#` are comments. \p Name
/// is for messages: "budget.txt:3: found ..., expected ...".
Result<std::vector<Bound>> parseBudget(std::string_view Text,
                                       const std::string &Name);

/// What bounds are about, of one build: its costs by template.
struct BuildCosts {
  const Trace &T;
  const CostTable &ByTemplate;
};

/// What was compared. Of a growth by percent, \p Value is the percentage;
/// infinite when something came of nothing.
struct BoundCheck {
  double Value = 0;
  bool IsTrue = false;         ///< the comparison holds
  bool MatchesNothing = false; ///< no template has a name like that
};

/// Errors: a bound on what LLVM did, of a build that has none of it.
Result<void> checkable(const Bound &B, const BuildCosts &Build);

/// \p Old is null where there is no build before. Requires then: no growth.
BoundCheck check(const Bound &B, const BuildCosts &New, const BuildCosts *Old);

} // namespace instantrace
