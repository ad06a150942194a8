/// \file
/// A field of a CSV file.
///
/// Source: RFC 4180; OWASP, "CSV Injection"
#pragma once

#include <string>
#include <string_view>

namespace instantrace {

/// Whether a spreadsheet takes a cell that begins like \p Text for a formula:
/// also by a full-width sign, and after a tab or line end, which it skips.
inline bool beginsFormula(std::string_view Text) {
  for (std::string_view Begin :
       {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"})
    if (Text.starts_with(Begin))
      return true;
  return false;
}

/// With a ' before what a spreadsheet would take for a formula, which it takes
/// for "this is text". One that separates cells by semicolons or tabs, as many
/// languages have it, begins a cell after each, and a quote there is part of
/// its syntax.
inline std::string withoutFormulas(std::string_view Field) {
  std::string Guarded;
  bool IsBegin = true;
  for (size_t I = 0; I != Field.size(); ++I) {
    char C = Field[I];
    if (IsBegin && beginsFormula(Field.substr(I)))
      Guarded.push_back('\'');
    IsBegin = C == ';' || C == '\t' || C == '\n' || C == '\r' ||
              (IsBegin && (C == '"' || C == ' '));
    Guarded.push_back(C);
  }
  return Guarded;
}

/// Text, guarded, and in quotes where it needs them: other separators than the
/// comma are ordinary text, but where one of them had to be guarded.
inline void appendCsv(std::string &Out, std::string_view Text) {
  std::string Field = withoutFormulas(Text);
  std::string_view Special =
      Field.size() == Text.size() ? ",\"\n\r" : ",;\"\t\n\r";
  if (Field.find_first_of(Special) == Field.npos) {
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
