#include "utils/render/JsonText.h"

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

size_t instantrace::utf8Length(std::string_view Text) {
  auto At = [Text](size_t I) {
    return I < Text.size() ? static_cast<unsigned char>(Text[I]) : 0u;
  };
  auto Within = [&](size_t I, unsigned Low, unsigned High) {
    return At(I) >= Low && At(I) <= High;
  };
  unsigned First = At(0);
  if (First < 0x80)
    return 1;
  if (First >= 0xC2 && First <= 0xDF)
    return Within(1, 0x80, 0xBF) ? 2 : 0;
  if (First >= 0xE0 && First <= 0xEF) {
    unsigned Low = First == 0xE0 ? 0xA0 : 0x80;
    unsigned High = First == 0xED ? 0x9F : 0xBF;
    return Within(1, Low, High) && Within(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (First >= 0xF0 && First <= 0xF4) {
    unsigned Low = First == 0xF0 ? 0x90 : 0x80;
    unsigned High = First == 0xF4 ? 0x8F : 0xBF;
    return Within(1, Low, High) && Within(2, 0x80, 0xBF) &&
                   Within(3, 0x80, 0xBF)
               ? 4
               : 0;
  }
  return 0;
}

void instantrace::appendJsonString(std::string &Out, std::string_view Text) {
  Out.push_back('"');
  size_t Plain = 0; // where the stretch that needs no change begins
  for (size_t I = 0; I < Text.size();) {
    auto Byte = static_cast<unsigned char>(Text[I]);
    bool Escaped = Byte < 0x20 || Byte == '"' || Byte == '\\';
    size_t Length = Byte < 0x80 ? 1 : utf8Length(Text.substr(I));
    if (!Escaped && Length != 0) {
      I += Length;
      continue;
    }
    Out.append(Text.substr(Plain, I - Plain));
    if (Escaped)
      appendEscape(Out, Byte);
    else
      Out.append("\xef\xbf\xbd");
    Plain = ++I;
  }
  Out.append(Text.substr(Plain));
  Out.push_back('"');
}
