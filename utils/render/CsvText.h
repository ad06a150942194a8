/// \file
/// A field of a CSV file.
///
/// Source: RFC 4180
#ifndef INSTANTRACE_UTILS_RENDER_CSVTEXT_H
#define INSTANTRACE_UTILS_RENDER_CSVTEXT_H

#include <string>
#include <string_view>

namespace instantrace {

/// In quotes where it needs them.
inline void appendCsv(std::string &Out, std::string_view Field) {
  if (Field.find_first_of(",\"\n\r") == Field.npos) {
    Out.append(Field);
    return;
  }
  Out.push_back('"');
  for (char C : Field) {
    if (C == '"')
      Out.push_back('"');
    Out.push_back(C);
  }
  Out.push_back('"');
}

} // namespace instantrace

#endif
