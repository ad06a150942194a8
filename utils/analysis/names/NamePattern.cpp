#include "utils/analysis/names/NamePattern.h"

#include "utils/analysis/names/JitRegex.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <regex.h>
#include <vector>

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

/// What a regular expression has at most, with each part counted as often as it
/// is repeated: the matcher has a state for each.
constexpr uint64_t MostParts = 100000;

/// Counts them. A back reference, with which a match may take time without
/// bounds, has no end of them. Whether it is well-formed is regcomp()'s to say.
uint64_t countParts(std::string_view Regex) {
  std::vector<uint64_t> Groups = {0}; // sums
  uint64_t Last = 0;                  // the part that may be repeated
  auto add = [&](uint64_t Parts) {
    Last = std::min(Parts, 2 * MostParts);
    Groups.back() = std::min(Groups.back() + Last, 2 * MostParts);
  };
  for (size_t I = 0; I < Regex.size(); ++I) {
    char C = Regex[I];
    if (C == '\\' && I + 1 < Regex.size()) {
      ++I;
      add(Regex[I] >= '1' && Regex[I] <= '9' ? 2 * MostParts : 1);
    } else if (C == '[') {
      // A ] in front is one of the set.
      size_t From = I + 1 + (I + 1 < Regex.size() && Regex[I + 1] == '^');
      I = std::min(Regex.find(']', From + 1), Regex.size());
      add(1);
    } else if (C == '(') {
      Groups.push_back(0);
    } else if (C == ')' && Groups.size() != 1) {
      uint64_t Inner = std::max<uint64_t>(Groups.back(), 1);
      Groups.pop_back();
      add(Inner);
    } else if (C == '{') {
      uint64_t Times = 1, Number = 0;
      for (++I; I < Regex.size() && Regex[I] != '}'; ++I) {
        bool IsDigit = Regex[I] >= '0' && Regex[I] <= '9';
        Number =
            IsDigit ? std::min<uint64_t>(Number * 10 + uint64_t(Regex[I] - '0'),
                                         2 * MostParts)
                    : 0;
        Times = std::max(Times, Number);
      }
      Groups.back() -= std::min(Groups.back(), Last);
      add(Last * Times);
    } else {
      add(1);
    }
  }
  uint64_t Sum = 0;
  for (uint64_t Group : Groups)
    Sum += Group;
  return Sum;
}

} // namespace

struct NamePattern::Compiled {
  regex_t Regex{};
  bool IsCompiled = false;
  std::unique_ptr<const JitRegex> Fast; ///< null: there is none
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
  if (countParts(Expression) > MostParts)
    return Error{"'" + Expression +
                 "' is no regular expression to be matched in time: found back "
                 "references, or more than " +
                 std::to_string(MostParts) +
                 " parts with repetition, expected neither"};
  auto Regex = std::make_shared<Compiled>();
  if (int Code = regcomp(&Regex->Regex, Expression.c_str(),
                         REG_EXTENDED | REG_NOSUB)) {
    char Reason[256];
    regerror(Code, &Regex->Regex, Reason, sizeof Reason);
    return Error{"'" + Expression + "' is not a regular expression: " + Reason};
  }
  Regex->IsCompiled = true;
  Regex->Fast = JitRegex::make(Expression.c_str()); // as regcomp() reads it
  Pattern.Regex = std::move(Regex);
  return Pattern;
}

bool NamePattern::matches(std::string_view Name) const {
  if (!Regex)
    return matchesGlob(Glob, Name);
  if (Regex->Fast)
    if (std::optional<bool> Is = Regex->Fast->matches(Name))
      return *Is;
  // The range, and not the text up to a NUL, which a name may have.
  regmatch_t Range{};
  Range.rm_so = 0;
  Range.rm_eo = static_cast<regoff_t>(Name.size());
  return regexec(&Regex->Regex, Name.data() ? Name.data() : "", 1, &Range,
                 REG_STARTEND) == 0;
}
