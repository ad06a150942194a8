/// \file
/// Times and sizes as people write them.
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

/// "1500", "20us", "1.5ms", "2s" in nanoseconds; a number alone is those.
Result<uint64_t> parseDuration(const std::string &Text);
/// "100", "64kB", "1.5M": decimal units, as sizes are printed.
Result<uint64_t> parseSize(std::string_view Text);

} // namespace instantrace
