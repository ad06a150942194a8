/// \file
/// Which names are meant by one that somebody typed.
#pragma once

#include "runtime/strings/NameMarks.h"

#include <string>
#include <string_view>

namespace instantrace {

/// Whether \p Name is \p Typed or ends with it as a whole part of the name.
inline bool isNameOrEnd(std::string_view Name, std::string_view Typed) {
  if (!Name.ends_with(Typed) || Typed.empty())
    return false;
  std::string_view Before = Name.substr(0, Name.size() - Typed.size());
  return Before.empty() || Before.ends_with("::") || Typed.starts_with("::");
}

/// The name of a template set without the `<$>` that stands for arguments.
inline std::string nameOfSet(std::string_view Set) {
  std::string Name;
  for (size_t Index = 0; Index < Set.size();) {
    if (Set.substr(Index).starts_with(TemplateArguments)) {
      Index += TemplateArguments.size();
    } else {
      Name.push_back(Set[Index++]);
    }
  }
  return Name;
}

} // namespace instantrace
