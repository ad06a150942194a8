/// \file
/// Statistics and groups of names as text for people or as JSON.
///
/// Flow: nameStatistics(), longestNames(), groupNames() -> [NameReportText]
///       -> stdout
#pragma once

#include "utils/analysis/names/NameStatistics.h"
#include "utils/render/Output.h"
#include "utils/render/Terminal.h"

#include <string_view>

namespace instantrace {

void writeNameReport(Output &Out, const Trace &T, const NameReport &Report,
                     const std::vector<EntityName> &Longest,
                     const NameStyle &Style, const Terminal &Term);
void writeNameReportJson(Output &Out, const Trace &T, const NameReport &Report,
                         const std::vector<EntityName> &Longest,
                         const NameStyle &Style);

/// Both write the first Wanted rows (0: all). What heads the last column.
void writeNameGroups(Output &Out, const Trace &T,
                     const std::vector<NameGroupRow> &Rows, size_t Wanted,
                     std::string_view What, const NameStyle &Style,
                     const Terminal &Term);
void writeNameGroupsJson(Output &Out, const Trace &T,
                         const std::vector<NameGroupRow> &Rows, size_t Wanted,
                         std::string_view What, const NameStyle &Style);

/// One line or one JSON object per name.
void writeName(Output &Out, const Trace &T, const EntityName &Name,
               const NameStyle &Style);
void writeNameJson(Output &Out, const Trace &T, const EntityName &Name,
                   const NameStyle &Style);

} // namespace instantrace
