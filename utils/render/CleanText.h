/// \file
/// Text that every consumer of our files takes, whatever bytes a name has.
///
/// Control characters, a NUL above all, cannot be in XML at all and break the
/// lines of other formats; bytes that are no UTF-8 can be in nothing. So both
/// are replaced before a format does its own quoting: the first by `\xNN`, as
/// in the texts for people, the second by U+FFFD.
#pragma once

#include "runtime/strings/Dictionary.h"

#include <string>
#include <string_view>

namespace instantrace {

/// Appends without control characters and line ends, and as valid UTF-8.
void appendClean(std::string &Out, std::string_view Text);

inline std::string cleanText(std::string_view Text) {
  std::string Clean;
  appendClean(Clean, Text);
  return Clean;
}

/// Quotes text that is clean, for elements and attributes in double quotes.
void appendXml(std::string &Out, std::string_view Clean);

/// A name, clean. One that is longer ends in `…` and a hash of the whole, so
/// that two long names that begin alike are not the same.
std::string boundedName(const Dictionary &Names, NameId Name,
                        const NameStyle &Style, size_t LimitBytes);

} // namespace instantrace
