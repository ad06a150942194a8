#include "runtime/base/LogCommands.h"

using namespace instantrace;

// C++17, as what the plugin uses.
static bool startsWith(std::string_view Text, std::string_view Begin) {
  return Text.substr(0, Begin.size()) == Begin;
}

static bool isLogCommand(std::string_view Text, bool IsLineBegin) {
  for (std::string_view Anywhere : {"##[", "##vso[", "##teamcity["})
    if (startsWith(Text, Anywhere))
      return true;
  if (!IsLineBegin || !startsWith(Text, "::"))
    return false;
  size_t End = Text.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", 2);
  if (End == Text.npos || End == 2)
    return false;
  // Behind the word, its parameters, and the end of both.
  return startsWith(Text.substr(End), "::") ||
         (Text[End] == ' ' && Text.find("::", End) != Text.npos);
}

/// Where \p Text goes on behind blanks, those of Unicode as well: runners trim
/// lines as .NET does.
static size_t skipBlanks(std::string_view Text) {
  static constexpr std::string_view Blanks[] = {" ",
                                                "\t",
                                                "\xC2\xA0",
                                                "\xE1\x9A\x80",
                                                "\xE2\x80\xAF",
                                                "\xE2\x81\x9F",
                                                "\xE3\x80\x80",
                                                "\xEF\xBB\xBF"};
  size_t Skipped = 0;
  while (Skipped != Text.size()) {
    std::string_view Rest = Text.substr(Skipped);
    size_t Length = 0;
    for (std::string_view Blank : Blanks)
      if (startsWith(Rest, Blank))
        Length = Blank.size();
    // U+2000 to U+200A
    if (startsWith(Rest, "\xE2\x80") && Rest.size() > 2 &&
        static_cast<unsigned char>(Rest[2]) <= 0x8A)
      Length = 3;
    if (Length == 0)
      break;
    Skipped += Length;
  }
  return Skipped;
}

size_t instantrace::findLogCommand(std::string_view Text, bool IsLineBegin) {
  size_t Begin = skipBlanks(Text);
  if (isLogCommand(Text.substr(Begin), IsLineBegin))
    return Begin;
  for (size_t Place = Text.find("##"); Place != Text.npos;
       Place = Text.find("##", Place + 1))
    if (isLogCommand(Text.substr(Place), false))
      return Place;
  return Text.npos;
}
