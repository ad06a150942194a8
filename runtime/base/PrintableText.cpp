#include "runtime/base/PrintableText.h"

using namespace instantrace;

void instantrace::appendPrintable(std::string &Out, std::string_view Text) {
  constexpr char Digits[] = "0123456789abcdef";
  for (char C : Text) {
    auto Byte = static_cast<unsigned char>(C);
    if (Byte >= 0x20 && Byte != 0x7F) {
      Out.push_back(C);
      continue;
    }
    Out.append("\\x");
    Out.push_back(Digits[Byte >> 4]);
    Out.push_back(Digits[Byte & 15]);
  }
}
