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
    if (Text[In] == '\\') {
      In += 2;
    } else if (Text.substr(In).starts_with("[:")) {
      const size_t End = Text.find(']', In + 2);
      In = End != Text.npos && Text[End - 1] == ':' ? End + 1 : In + 1;
    } else {
      ++In;
    }
  }
  return std::min(In + 1, Text.size());
}

/// Whether something in it changes what comes behind, such as (?i), or is
/// longer than it looks, such as \Q.
bool hasMore(std::string_view Text) {
  for (size_t At = 0; At < Text.size(); ++At) {
    const std::string_view Rest = Text.substr(At);
    if (Rest.starts_with("(*") ||
        (Rest.starts_with("(?") && !Rest.starts_with("(?:")))
      return true;
    if (Rest.front() != '\\' || ++At == Text.size())
      continue;
    constexpr std::string_view OneByte = "dDsSwWbBAzZhHvVRntr";
    if (std::isalnum(uint8_t(Text[At])) &&
        OneByte.find(Text[At]) == OneByte.npos)
      return true;
  }
  return false;
}

/// At a {: whether it repeats what is in front. Else it is a byte as any other.
bool isRepetition(std::string_view Text) {
  const size_t End = Text.find_first_not_of("0123456789, ", 1);
  return End != Text.npos && Text[End] == '}';
}

} // namespace

std::string instantrace::literalOf(std::string_view Pattern) {
  constexpr std::string_view Regex = "regex:", Glob = "glob:";
  if (Pattern.starts_with(Glob))
    return {};
  if (Pattern.starts_with(Regex))
    Pattern.remove_prefix(Regex.size());
  if (hasMore(Pattern))
    return {};
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
    if (C == '{' && !isRepetition(Pattern.substr(At)))
      return {};
    // Of a+ there is one, but its + may be of a group.
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
    // \w, \b and the like mean something.
    if (IsEscaped && std::isalnum(uint8_t(Meant))) {
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
