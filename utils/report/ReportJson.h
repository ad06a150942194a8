/// \file
/// A report's data as JSON that can stand in a page.
///
/// Flow:   ReportModel -> [ReportJson] -> ReportPage
/// Layout: columns beside one another, since names of fields would be most of
///         it; texts by their number in `texts`
#pragma once

#include "utils/report/ReportModel.h"

#include <string>

namespace instantrace {

/// Has no `<`, so that nothing in it ends the element that it is in.
std::string reportJson(const ReportModel &Model);

/// What the texts alone take of it.
uint64_t reportTextBytes(const ReportModel &Model);

} // namespace instantrace
