#include "utils/analysis/names/JitRegex.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

using namespace instantrace;

namespace {

/// Reads an expression from its begin to its end.
class Translator {
public:
  explicit Translator(std::string_view Text) : Text(Text) {}

  std::optional<std::string> run() {
    while (At != Text.size())
      if (!part())
        return std::nullopt;
    if (Groups != 0 || Last == Part::Begin)
      return std::nullopt;
    return std::move(Out);
  }

private:
  /// What was before, and so whether a repetition may follow.
  enum class Part { Begin, Anchor, Atom, Repetition };

  char next() { return At == Text.size() ? '\0' : Text[At++]; }
  char peek() const { return At == Text.size() ? '\0' : Text[At]; }
  /// Without any meaning of its own.
  void addByte(char Byte) {
    char Hex[8];
    std::snprintf(Hex, sizeof(Hex), "\\x%02x", static_cast<uint8_t>(Byte));
    Out += std::isalnum(static_cast<unsigned char>(Byte)) ? std::string(1, Byte)
                                                          : Hex;
  }
  bool atom() {
    Last = Part::Atom;
    return true;
  }

  bool part() {
    const char C = next();
    switch (C) {
    case '\0': // regcomp() has read no further
      return false;
    case '.':
      Out += '.';
      return atom();
    // Elsewhere glibc takes some for those of a line, without REG_NEWLINE.
    case '^':
      Out += C;
      return Groups == 0 && std::exchange(Last, Part::Anchor) == Part::Begin;
    case '$':
      Out += C;
      Last = Part::Anchor;
      return Groups == 0 && (At == Text.size() || peek() == '|');
    case '|':
      Out += '|';
      return std::exchange(Last, Part::Begin) != Part::Begin;
    case '(':
      Out += "(?:";
      ++Groups;
      Last = Part::Begin;
      return true;
    case ')':
      Out += ')';
      if (Groups == 0 || Last == Part::Begin)
        return false;
      --Groups;
      return atom();
    case '*':
    case '+':
    case '?':
      Out += C;
      return std::exchange(Last, Part::Repetition) == Part::Atom;
    case '{':
      return bounds();
    case '[':
      return set();
    case '\\': {
      // Others mean something to glibc: \w, \b, \<, \', \1.
      constexpr std::string_view Meant = "^.[]$()|*+?{}\\:,/-_ &=~!@%#;\"";
      const char Quoted = next();
      if (Quoted == '\0' || Meant.find(Quoted) == Meant.npos)
        return false;
      addByte(Quoted);
      return atom();
    }
    default:
      addByte(C);
      return atom();
    }
  }

  bool number(uint32_t &Into) {
    constexpr uint32_t Most = 255;
    const size_t Begin = At;
    for (Into = 0; std::isdigit(static_cast<unsigned char>(peek()));)
      if ((Into = Into * 10 + static_cast<uint32_t>(next() - '0')) > Most)
        return false;
    return At != Begin;
  }

  bool bounds() {
    uint32_t Least = 0, Most = 0;
    const size_t Begin = At - 1;
    if (std::exchange(Last, Part::Repetition) != Part::Atom || !number(Least))
      return false;
    if (peek() == ',') {
      ++At;
      if (peek() != '}' && (!number(Most) || Most < Least))
        return false;
    }
    if (next() != '}')
      return false;
    Out += Text.substr(Begin, At - Begin);
    return true;
  }

  bool set() {
    Out += '[';
    if (peek() == '^')
      Out += next();
    for (bool IsFirst = true; IsFirst || peek() != ']'; IsFirst = false) {
      const char C = next();
      if (C == '\0')
        return false;
      if (C == '[' && (peek() == ':' || peek() == '.' || peek() == '=')) {
        if (!classOfSet())
          return false;
        continue;
      }
      addByte(C);
      if (peek() != '-' || At + 1 >= Text.size() || Text[At + 1] == ']')
        continue;
      ++At;
      const char To = next();
      if (To == '[' || To == '-' || static_cast<uint8_t>(To) < uint8_t(C) ||
          C == '-')
        return false;
      Out += '-';
      addByte(To);
      if (peek() == '-')
        return false;
    }
    ++At;
    Out += ']';
    return atom();
  }

  bool classOfSet() {
    constexpr std::string_view Known[] = {"alpha", "digit", "alnum", "upper",
                                          "lower", "space", "blank", "punct",
                                          "print", "graph", "cntrl", "xdigit"};
    const size_t End = Text.find(":]", At + 1);
    if (peek() != ':' || End == Text.npos)
      return false;
    const std::string_view Name = Text.substr(At + 1, End - At - 1);
    if (std::find(std::begin(Known), std::end(Known), Name) == std::end(Known))
      return false;
    Out += "[:" + std::string(Name) + ":]";
    At = End + 2;
    return peek() != '-' || (At + 1 < Text.size() && Text[At + 1] == ']');
  }

  const std::string_view Text;
  size_t At = 0;
  std::string Out;
  Part Last = Part::Begin;
  size_t Groups = 0; ///< that are open
};

/// What a match may do: a search that goes back and forth is for regexec(),
/// which does not.
constexpr uint32_t MostSteps = 5000;

/// Of this thread; where each match is, is not asked.
pcre2_match_data *matchData() {
  struct Data {
    pcre2_match_data *Is = pcre2_match_data_create(1, nullptr);
    ~Data() { pcre2_match_data_free(Is); }
  };
  thread_local Data Own;
  return Own.Is;
}

} // namespace

std::optional<std::string> instantrace::perlRegexOf(std::string_view Extended) {
  return Translator(Extended).run();
}

struct JitRegex::Code {
  pcre2_code *Is = nullptr;
  pcre2_match_context *Limits = nullptr;
  ~Code() {
    pcre2_code_free(Is);
    pcre2_match_context_free(Limits);
  }
};

JitRegex::JitRegex(std::unique_ptr<Code> Of) : C(std::move(Of)) {}
JitRegex::~JitRegex() = default;

std::unique_ptr<const JitRegex> JitRegex::make(std::string_view Extended) {
  const std::optional<std::string> Perl = perlRegexOf(Extended);
  if (!Perl)
    return nullptr;
  auto New = std::make_unique<Code>();
  int Reason = 0;
  PCRE2_SIZE Where = 0;
  // Bytes, as in the C locale; $ is the end alone, and . a line's end as well.
  New->Is = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(Perl->data()),
                          Perl->size(), PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY,
                          &Reason, &Where, nullptr);
  New->Limits = pcre2_match_context_create(nullptr);
  if (!New->Is || !New->Limits ||
      pcre2_jit_compile(New->Is, PCRE2_JIT_COMPLETE) != 0)
    return nullptr;
  pcre2_set_match_limit(New->Limits, MostSteps);
  return std::unique_ptr<const JitRegex>(new JitRegex(std::move(New)));
}

std::optional<bool> JitRegex::matches(std::string_view Name) const {
  // To glibc, . is no NUL.
  pcre2_match_data *Data = matchData();
  if (!Data || Name.find('\0') != Name.npos)
    return std::nullopt;
  const int Found = pcre2_jit_match(
      C->Is, reinterpret_cast<PCRE2_SPTR>(Name.data() ? Name.data() : ""),
      Name.size(), 0, 0, Data, C->Limits);
  // More than there is room for in Data is a match, too: 0.
  if (Found >= 0 || Found == PCRE2_ERROR_NOMATCH)
    return Found >= 0;
  return std::nullopt;
}
