/// \file
/// Whether a file that is to be replaced says that an export or a report of
/// ours made it.
///
/// Flow:   -o FILE -> [EarlierOutput] -> ExportOutput
/// Errors: "PATH: found KIND, expected"; a source, most likely, or another
///         program's; or of a format that has no place for who made it: folded
///         stacks, and the messages of Perfetto and pprof
#pragma once

#include "runtime/base/Result.h"

#include <string>
#include <string_view>

namespace instantrace {

/// Fails where a file has the name \p Path that does not say so, unless it is
/// empty.
Result<void> checkReplacesOurs(const std::string &Path);

/// That failure, of a file that begins with \p Found.
Error noEarlierOutput(const std::string &Path, std::string_view Found);

} // namespace instantrace
