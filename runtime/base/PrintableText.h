/// \file
/// Text for a terminal: control characters, which could move the cursor or fake
/// a line, appear as \xNN.
#ifndef INSTANTRACE_RUNTIME_BASE_PRINTABLETEXT_H
#define INSTANTRACE_RUNTIME_BASE_PRINTABLETEXT_H

#include <string>
#include <string_view>

namespace instantrace {

void appendPrintable(std::string &Out, std::string_view Text);

inline std::string printableText(std::string_view Text) {
  std::string Out;
  appendPrintable(Out, Text);
  return Out;
}

} // namespace instantrace

#endif
