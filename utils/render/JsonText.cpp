#include "utils/render/JsonText.h"

#include "runtime/base/LogCommands.h"
#include "runtime/base/PrintableText.h"
#include "runtime/base/Utf8.h"

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
  auto isEscaped = [](std::string_view Character) {
    return isControl(Character) || Character == "\"" || Character == "\\";
  };
  Out.push_back('"');
  auto quote = [&](std::string_view Piece) {
    appendReplacing(
        Out, Piece,
        [&](std::string_view Character, bool IsWellFormed) {
          return !IsWellFormed || isEscaped(Character) ||
                 isHiddenCharacter(Character);
        },
        [&](std::string_view Character, bool IsWellFormed) {
          if (!IsWellFormed)
            Out.append(ReplacementCharacter);
          else if (isEscaped(Character))
            appendEscape(Out, static_cast<unsigned char>(Character.front()));
          else
            appendPrintable(Out, Character); // as JSON escapes it
        });
  };
  // A line of JSON begins with a bracket, but some logs look further.
  breakLogCommands(Text, /*IsLineBegin=*/false, quote, [&Out](char Character) {
    appendEscape(Out, static_cast<unsigned char>(Character));
  });
  Out.push_back('"');
}

void instantrace::appendTexts(std::string &Out,
                              const std::vector<std::string> &Texts) {
  Out.push_back('[');
  for (size_t I = 0; I != Texts.size(); ++I) {
    if (I != 0)
      Out.push_back(',');
    appendJsonString(Out, Texts[I]);
  }
  Out.push_back(']');
}
