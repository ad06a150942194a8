/// \file
/// Times as people write them.
#ifndef INSTANTRACE_UTILS_CLI_DURATION_H
#define INSTANTRACE_UTILS_CLI_DURATION_H

#include "runtime/base/Result.h"

#include <cstdint>
#include <string>

namespace instantrace {

/// "1500", "20us", "1.5ms", "2s" in nanoseconds; a number alone is those.
Result<uint64_t> parseDuration(const std::string &Text);

} // namespace instantrace

#endif
