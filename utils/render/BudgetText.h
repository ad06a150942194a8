/// \file
/// Bounds and what they were compared with, for people, scripts and job
/// summaries.
///
/// Flow:   Budget -> [BudgetText] -> stdout
#pragma once

#include "utils/analysis/costs/Budget.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// A bound of a budget must hold; one of --fail-on must not.
struct JudgedBound {
  Bound Limit;
  BoundCheck Check;
  bool IsKept = false;
};

/// "1,234", "12.3 s", "+5.0 %", by the bound's unit.
std::string valueText(const Bound &B, double Value);

/// A line per bound: "exceeded  count <= 1200: found 1,234".
void writeBounds(Output &Out, const std::vector<JudgedBound> &Bounds,
                 const Terminal &Term);
/// The same as a table of Markdown.
void writeBoundsMarkdown(Output &Out, const std::vector<JudgedBound> &Bounds);
void writeBoundRecords(Output &Out, RecordFormat Format,
                       const std::vector<JudgedBound> &Bounds);
/// The rows of that, where they are a part of something else.
std::string boundsJson(const std::vector<JudgedBound> &Bounds);

/// Escapes what Markdown would take for its own, inside a code span of a table.
std::string markdownCode(std::string_view Text);

} // namespace instantrace
