/// \file
/// Whether a file that is to be replaced is an earlier output of the same kind.
///
/// Flow:   -o FILE, begin of what is to be written -> [EarlierOutput] ->
///         ExportOutput
/// Errors: "PATH: found KIND, expected"; a source, most likely, or another
///         program's
#ifndef INSTANTRACE_UTILS_INPUT_EARLIEROUTPUT_H
#define INSTANTRACE_UTILS_INPUT_EARLIEROUTPUT_H

#include "runtime/base/Result.h"

#include <string>
#include <string_view>

namespace instantrace {

/// Fails where something else has the name \p Path than what begins as \p Head
/// does, or an empty file.
Result<void> checkReplacesOwnKind(const std::string &Path,
                                  std::string_view Head);

/// That failure, of a file that begins with \p Found.
Error noEarlierOutput(const std::string &Path, std::string_view Found);

} // namespace instantrace

#endif
