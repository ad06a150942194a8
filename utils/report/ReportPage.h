/// \file
/// The page of a report without its data, as the build put it together.
///
/// Flow: utils/report/page, d3 -> EmbedPage.cmake -> [ReportPage] -> `report`
#pragma once

#include <string_view>

namespace instantrace {

/// What comes before the JSON and what comes after it.
extern const std::string_view ReportPageBegin, ReportPageEnd;

} // namespace instantrace
