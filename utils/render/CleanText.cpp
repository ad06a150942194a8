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
  appendReplacing(
      Out, Text,
      [](std::string_view Character, bool IsWellFormed) {
        return !IsWellFormed || isControl(Character) || isForbidden(Character);
      },
      [&Out](std::string_view Character, bool IsWellFormed) {
        if (IsWellFormed && isControl(Character))
          appendPrintable(Out, Character);
        else
          Out.append(ReplacementCharacter);
      });
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
