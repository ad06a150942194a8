/// \file
/// How a header is written in an #include, and whether its library means it to
/// be.
///
/// Flow:   path of a file -> [IncludeNames] -> Precompile, HeaderFacts
#pragma once

#include <string>
#include <string_view>

namespace instantrace {

/// As it is written between the brackets: behind the last folder `include`, and
/// past `c++/12`.
std::string includeName(std::string_view Path);

/// A folder such as `detail`, `impl` or `bits` behind the last folder
/// `include`, or a name that says the same.
bool isInternalPath(std::string_view Path);

} // namespace instantrace
