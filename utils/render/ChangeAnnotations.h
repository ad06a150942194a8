/// \file
/// Lines of a change that cost more, as a code review shows them.
///
/// Flow:   LineGrowth -> [ChangeAnnotations] -> stdout, read by a CI service
/// Source: GitHub's workflow commands; GitLab's report of code quality, which
///         is Code Climate's
#pragma once

#include "utils/analysis/costs/LineGrowth.h"
#include "utils/render/Output.h"

#include <vector>

namespace instantrace {

enum class ReviewService { GitHub, GitLab };

/// In the order given: GitHub shows the first ten warnings of a step.
void writeChangeAnnotations(Output &Out, ReviewService For,
                            const std::vector<LineGrowth> &Grown);

} // namespace instantrace
