/// \file
/// How deep instantiations go, and which templates recur.
///
/// Flow:   Trace -> [Recursion] -> depth
///
/// *Depth* is how many intervals of template work are inside one another, which
/// is what Clang's -ftemplate-depth limits. *Recursion* goes on over late
/// bodies as well, from a body to who asked for it: f<3> asks for f<2>, which
/// runs when f<3> has ended.
///
/// A recursion of N steps is linear if it needs about N specializations, and
/// quadratic if it needs about N * N / 2. The deepest recursion of a template
/// is looked at: its N, and how many specializations were instantiated for the
/// first time from its outermost one on. A linear recursion is often quadratic
/// nevertheless, in what each step has to copy: that shows in the length of the
/// names, whose arguments grow.
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_RECURSION_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_RECURSION_H

#include "utils/analysis/names/RowName.h"
#include "utils/analysis/view/TraceFilter.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// The deepest way from one template to another; equal ones are one.
struct DeepChain {
  uint64_t Depth = 0;
  RowName Outermost, Innermost;
  std::string Place;        ///< `file:line` that asked for the outermost
  RowName MostFrequent;     ///< the template that is on the way most often
  uint64_t Frequency = 0;   ///< how often
  uint64_t InclusiveNs = 0; ///< of the outermost
};

enum class RecursionGrowth { Short, Linear, Between, Quadratic };
std::string_view growthName(RecursionGrowth Growth);

/// Of one template set.
struct RecursionRow {
  RowName Template;
  uint64_t Depth = 0;           ///< specializations in the deepest recursion
  uint64_t Specializations = 0; ///< that this one instantiated first
  uint64_t Recursions = 0;      ///< of any depth above 1
  uint64_t Total = 0;           ///< specializations in all of the trace
  uint64_t SelfNs = 0;          ///< of all intervals of the template
  uint64_t ShortestBytes = 0;   ///< of the names in the deepest one
  uint64_t LongestBytes = 0;
  RowName Innermost; ///< of the deepest one

  RecursionGrowth growth() const;
  /// Each recursion is linear, and there are so many that all are quadratic.
  bool isRepeated() const;
  /// The names grow with the number of steps.
  bool hasGrowingNames() const;
};

struct RecursionReport {
  std::vector<DeepChain> Chains;        ///< deepest first
  std::vector<RecursionRow> Recursions; ///< deepest first
};

/// Of the compile that the filter and the templates have entered, in no order:
/// sums are of it alone.
std::vector<RecursionRow> recursionsOf(const Trace &T, uint32_t Index,
                                       TraceFilter &Filter,
                                       EntityGroups &Templates);

/// Of what the filter selects; names of chains as templates.
RecursionReport findRecursion(const Trace &T, TraceFilter &Filter);

} // namespace instantrace

#endif
