/// \file
/// A text as a gzip file.
///
/// Source: zlib.h; RFC 1952
#pragma once

#include <string>
#include <string_view>

namespace instantrace {

/// \p Level: of zlib, from 1, the fastest, to 9. Empty: there is no memory.
std::string gzipped(std::string_view Text, int Level);

} // namespace instantrace
