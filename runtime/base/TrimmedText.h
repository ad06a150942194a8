/// \file
/// Text without the blanks around it.
#pragma once

#include <string_view>

namespace instantrace {

inline std::string_view trimmed(std::string_view Text) {
  constexpr std::string_view Space = " \t\r\n";
  size_t Begin = Text.find_first_not_of(Space);
  if (Begin == std::string_view::npos)
    return {};
  return Text.substr(Begin, Text.find_last_not_of(Space) + 1 - Begin);
}

} // namespace instantrace
