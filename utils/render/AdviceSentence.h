/// \file
/// A suggestion in one sentence: a verb, what, and where.
///
/// Flow:   Suggestion -> [adviceSentence] -> OverviewText
/// Leaves: evidence, doubts and lines to write, to AdviceText
#pragma once

#include "utils/analysis/advice/Advice.h"

#include <functional>
#include <string>

namespace instantrace {

/// How a path, with or without a line, is shown.
using ShownPath = std::function<std::string(const std::string &Path)>;

/// No full stop. Names have at most \p NameColumns.
std::string adviceSentence(const Suggestion &S, const Trace &T,
                           const NameStyle &Style, size_t NameColumns,
                           const ShownPath &Shown);

} // namespace instantrace
