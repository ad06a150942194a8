/// \file
/// A field of a CSV file.
///
/// Source: RFC 4180; OWASP, "CSV Injection"
#ifndef INSTANTRACE_UTILS_RENDER_CSVTEXT_H
#define INSTANTRACE_UTILS_RENDER_CSVTEXT_H

#include <string>
#include <string_view>

namespace instantrace {

/// Text, in quotes where it needs them. A spreadsheet takes what begins like a
/// formula for one, so there is a ' before it, which it takes for "this is
/// text".
inline void appendCsv(std::string &Out, std::string_view Field) {
  std::string Guarded;
  if (!Field.empty() &&
      std::string_view("=+-@\t\r").find(Field.front()) != Field.npos) {
    Guarded.append("'").append(Field);
    Field = Guarded;
  }
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
