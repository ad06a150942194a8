/// \file
/// Lines of a change that cost more, in a compile or by more compiles, as a
/// code review shows them.
///
/// Flow:   LineGrowth, RebuildGrowth -> [ChangeAnnotations] -> stdout, read by a
///         CI service
/// Source: GitHub's workflow commands; GitLab's report of code quality, which
///         is Code Climate's
#pragma once

#include "utils/analysis/advice/Rebuilds.h"
#include "utils/analysis/costs/LineGrowth.h"
#include "utils/render/Output.h"

#include <vector>

namespace instantrace {

enum class ReviewService { GitHub, GitLab, Markdown };

/// An #include that has more compiles read a file; or, without a file, all that
/// the change makes others compile again.
struct RebuildGrowth {
  std::string Path; ///< of the new file, and a line in it
  LineRange Lines;
  std::string Included;
  RebuildCost Old, New;
};

/// Markdown has nothing where nothing grew. In the order given: GitHub shows
/// the first ten warnings of a step, and the first ten notices, which rebuilds
/// are.
void writeChangeAnnotations(Output &Out, ReviewService For,
                            const std::vector<LineGrowth> &Grown,
                            const std::vector<RebuildGrowth> &Rebuilt);

} // namespace instantrace
