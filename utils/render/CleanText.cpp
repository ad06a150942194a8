#include "utils/render/CleanText.h"

#include "runtime/base/PrintableText.h"
#include "runtime/base/Utf8.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

/// Hidden ones, and what XML cannot have.
bool isForbidden(std::string_view Character) {
  return isHiddenCharacter(Character) || Character == "\xef\xbf\xbe" ||
         Character == "\xef\xbf\xbf";
}

} // namespace

void instantrace::appendClean(std::string &Out, std::string_view Text) {
  constexpr std::string_view Replacement = "\xef\xbf\xbd";
  size_t Plain = 0; // where the stretch that needs no change begins
  for (size_t I = 0; I < Text.size();) {
    auto Byte = static_cast<unsigned char>(Text[I]);
    bool IsControl = Byte < 0x20 || Byte == 0x7F;
    size_t Length = Byte < 0x80 ? 1 : utf8Length(Text.substr(I));
    std::string_view Character = Text.substr(I, Length);
    if (!IsControl && Length != 0 && !isForbidden(Character)) {
      I += Length;
      continue;
    }
    Out.append(Text.substr(Plain, I - Plain));
    if (IsControl)
      appendPrintable(Out, Character);
    else
      Out.append(Replacement);
    I += Length == 0 ? 1 : Length;
    Plain = I;
  }
  Out.append(Text.substr(Plain));
}

std::string instantrace::boundedName(const Dictionary &Names, NameId Name,
                                     const NameStyle &Style,
                                     size_t LimitBytes) {
  std::string Whole;
  bool IsWhole = Names.expand(Name, Style, Whole, LimitBytes);
  std::string Text = cleanText(Whole);
  if (!IsWhole)
    Text += fmt::format("#{:016x}", Names.key(Name).Hash);
  return Text;
}
