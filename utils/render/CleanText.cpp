#include "utils/render/CleanText.h"

#include "runtime/base/LogCommands.h"
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
  auto clean = [&Out](std::string_view Piece) {
    appendReplacing(
        Out, Piece,
        [](std::string_view Character, bool IsWellFormed) {
          return !IsWellFormed || isControl(Character) ||
                 isForbidden(Character);
        },
        [&Out](std::string_view Character, bool IsWellFormed) {
          if (IsWellFormed && isControl(Character))
            appendPrintable(Out, Character);
          else
            Out.append(ReplacementCharacter);
        });
  };
  // Formats of lines are printed to the logs of CI jobs as well.
  breakLogCommands(
      Text, Out.empty() || Out.back() == '\n', clean,
      [&Out](char Character) { Out += Character == ':' ? "\\x3a" : "\\x23"; });
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

void instantrace::appendXml(std::string &Out, std::string_view Clean) {
  for (char C : Clean) {
    switch (C) {
    case '&':
      Out.append("&amp;");
      break;
    case '<':
      Out.append("&lt;");
      break;
    case '>':
      Out.append("&gt;");
      break;
    case '"':
      Out.append("&quot;");
      break;
    default:
      Out.push_back(C);
    }
  }
}
