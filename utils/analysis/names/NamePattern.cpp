#include "utils/analysis/names/NamePattern.h"

#include <regex.h>

using namespace instantrace;

namespace {

constexpr std::string_view GlobPrefix = "glob:", RegexPrefix = "regex:";

/// Linear in the name for each `*` of the pattern: where the rest does not fit,
/// the last `*` takes one byte more.
bool matchesGlob(std::string_view Glob, std::string_view Name) {
  constexpr size_t None = std::string_view::npos;
  size_t G = 0, N = 0, Star = None, StarName = 0;
  while (N != Name.size()) {
    bool IsEscaped = G + 1 < Glob.size() && Glob[G] == '\\';
    if (G != Glob.size() && Glob[G] == '*') {
      Star = G++;
      StarName = N;
      continue;
    }
    if (G != Glob.size() &&
        (IsEscaped ? Glob[G + 1] == Name[N]
                   : Glob[G] == '?' || Glob[G] == Name[N])) {
      G += IsEscaped ? 2 : 1;
      ++N;
      continue;
    }
    if (Star == None)
      return false;
    G = Star + 1;
    N = ++StarName;
  }
  while (G != Glob.size() && Glob[G] == '*')
    ++G;
  return G == Glob.size();
}

} // namespace

struct NamePattern::Compiled {
  regex_t Regex{};
  bool IsCompiled = false;
  ~Compiled() {
    if (IsCompiled)
      regfree(&Regex);
  }
};

Result<NamePattern> NamePattern::make(const std::string &Text) {
  NamePattern Pattern;
  if (Text.starts_with(GlobPrefix)) {
    Pattern.Glob = Text.substr(GlobPrefix.size());
    return Pattern;
  }
  std::string Expression =
      Text.starts_with(RegexPrefix) ? Text.substr(RegexPrefix.size()) : Text;
  auto Regex = std::make_shared<Compiled>();
  if (int Code = regcomp(&Regex->Regex, Expression.c_str(),
                         REG_EXTENDED | REG_NOSUB)) {
    char Reason[256];
    regerror(Code, &Regex->Regex, Reason, sizeof Reason);
    return Error{"'" + Expression + "' is not a regular expression: " + Reason};
  }
  Regex->IsCompiled = true;
  Pattern.Regex = std::move(Regex);
  return Pattern;
}

bool NamePattern::matches(std::string_view Name) const {
  if (!Regex)
    return matchesGlob(Glob, Name);
  // The range, and not the text up to a NUL, which a name may have.
  regmatch_t Range{};
  Range.rm_so = 0;
  Range.rm_eo = static_cast<regoff_t>(Name.size());
  return regexec(&Regex->Regex, Name.data() ? Name.data() : "", 1, &Range,
                 REG_STARTEND) == 0;
}
