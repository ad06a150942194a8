#include "utils/replay/PatternLiteral.h"

#include <algorithm>
#include <cctype>

using namespace instantrace;

namespace {

/// Behind a set in brackets, in which a ] in front is one of it, and [: has one
/// of its own.
size_t behindSet(std::string_view Text, size_t At) {
  size_t In = At + 1;
  In += In < Text.size() && Text[In] == '^';
  In += In < Text.size() && Text[In] == ']';
  while (In < Text.size() && Text[In] != ']') {
    char Class = In + 1 < Text.size() ? Text[In + 1] : '\0';
    if (Text[In] == '[' && (Class == ':' || Class == '.' || Class == '=')) {
      size_t End = Text.find(std::string{Class, ']'}, In + 2);
      In = End == Text.npos ? Text.size() : End + 2;
    } else {
      ++In;
    }
  }
  return std::min(In + 1, Text.size());
}

} // namespace

std::string instantrace::literalOf(std::string_view Pattern) {
  constexpr std::string_view Regex = "regex:", Glob = "glob:";
  if (Pattern.starts_with(Glob))
    return {};
  if (Pattern.starts_with(Regex))
    Pattern.remove_prefix(Regex.size());
  Pattern = Pattern.substr(0, Pattern.find('\0')); // as regcomp() reads it
  std::string Longest, Run;
  auto End = [&] {
    if (Run.size() > Longest.size())
      Longest = Run;
    Run.clear();
  };
  size_t Groups = 0;
  for (size_t At = 0; At < Pattern.size();) {
    const char C = Pattern[At];
    bool IsEscaped = C == '\\' && At + 1 < Pattern.size();
    if (C == '|')
      return {}; // and one in a group is of that alone
    if (C == '[') {
      End();
      At = behindSet(Pattern, At);
      continue;
    }
    if (C == '(' && !IsEscaped) {
      End();
      // All of it, which may be optional.
      for (Groups = 1, ++At; At < Pattern.size() && Groups != 0;) {
        if (Pattern[At] == '\\')
          At += 2;
        else if (Pattern[At] == '[')
          At = behindSet(Pattern, At);
        else
          Groups += Pattern[At] == '(', Groups -= Pattern[At++] == ')';
      }
      continue;
    }
    // Of a+ there is one, but of a+? perhaps not.
    if (C == '*' || C == '?' || C == '{' || C == '+') {
      if (!Run.empty())
        Run.pop_back();
      End();
      At = C == '{' ? std::min(Pattern.find('}', At), Pattern.size() - 1) + 1
                    : At + 1;
      continue;
    }
    if (C == '.' || C == '^' || C == '$' || C == ')') {
      End();
      ++At;
      continue;
    }
    const char Meant = IsEscaped ? Pattern[At + 1] : C;
    // \w, \b, \< and the like mean something.
    if (C == '\\' && (!IsEscaped || !std::ispunct(uint8_t(Meant)) ||
                      std::string_view("<>`'").find(Meant) != Pattern.npos)) {
      End();
      At += 2;
      continue;
    }
    Run += Meant;
    At += IsEscaped ? 2 : 1;
  }
  End();
  return Longest;
}
