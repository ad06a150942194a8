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

size_t instantrace::findLogCommand(std::string_view Text, bool IsLineBegin) {
  size_t Begin = Text.find_first_not_of(" \t");
  if (Begin == Text.npos)
    return Text.npos;
  if (isLogCommand(Text.substr(Begin), IsLineBegin))
    return Begin;
  for (size_t At = Text.find("##"); At != Text.npos;
       At = Text.find("##", At + 1))
    if (isLogCommand(Text.substr(At), false))
      return At;
  return Text.npos;
}
