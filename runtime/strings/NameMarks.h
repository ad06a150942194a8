/// \file
/// What stands in a name for the arguments of a template.
#pragma once

#include <string_view>

namespace instantrace {

/// In the name of a template, `Grow<$>`.
inline constexpr std::string_view TemplateArguments = "<$>";
/// In a short name, `Grow<…>`, until the whole one is written.
inline constexpr std::string_view ShortArguments = "<\xe2\x80\xa6>";

} // namespace instantrace
