#include "utils/render/JsonText.h"

#include "runtime/base/PrintableText.h"
#include "runtime/base/Utf8.h"

#include <algorithm>

using namespace instantrace;

namespace {

void appendEscape(std::string &Out, unsigned char Byte) {
  constexpr char Digits[] = "0123456789abcdef";
  switch (Byte) {
  case '"':
    Out.append("\\\"");
    return;
  case '\\':
    Out.append("\\\\");
    return;
  case '\n':
    Out.append("\\n");
    return;
  case '\t':
    Out.append("\\t");
    return;
  default:
    Out.append("\\u00");
    Out.push_back(Digits[Byte >> 4]);
    Out.push_back(Digits[Byte & 15]);
  }
}

} // namespace

void instantrace::appendJsonString(std::string &Out, std::string_view Text) {
  Out.push_back('"');
  size_t Plain = 0; // where the stretch that needs no change begins
  for (size_t I = 0; I < Text.size();) {
    auto Byte = static_cast<unsigned char>(Text[I]);
    bool Escaped = Byte < 0x20 || Byte == 0x7F || Byte == '"' || Byte == '\\';
    size_t Length = Byte < 0x80 ? 1 : utf8Length(Text.substr(I));
    bool IsHidden = Length > 1 && isHiddenCharacter(Text.substr(I, Length));
    if (!Escaped && !IsHidden && Length != 0) {
      I += Length;
      continue;
    }
    Out.append(Text.substr(Plain, I - Plain));
    if (Escaped)
      appendEscape(Out, Byte);
    else if (IsHidden)
      appendPrintable(Out, Text.substr(I, Length)); // as JSON escapes it
    else
      Out.append("\xef\xbf\xbd");
    I += std::max<size_t>(Length, 1);
    Plain = I;
  }
  Out.append(Text.substr(Plain));
  Out.push_back('"');
}
