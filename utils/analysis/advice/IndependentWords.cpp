#include "utils/analysis/advice/IndependentWords.h"

#include "utils/analysis/advice/SourceLexer.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace instantrace;

namespace {

bool isAnyOf(const SourceToken &T, std::string_view Characters) {
  return Characters.find(T.Text[0]) != Characters.npos;
}

class BodyText {
public:
  explicit BodyText(const std::vector<SourceToken> &Tokens)
      : Tokens(Tokens), Depends(Tokens.size()) {}

  std::optional<double> independentShare(size_t Name) {
    const std::string_view Word = Tokens[Name].Text;
    size_t Begin = bodyAfter(Name);
    // It may only be declared here.
    for (; Begin == Tokens.size() && ++Name < Tokens.size();)
      if (Tokens[Name].Text == Word &&
          (Tokens[Name - 1].IsWord || isAnyOf(Tokens[Name - 1], ":>&*")))
        Begin = bodyAfter(Name);
    if (Begin == Tokens.size())
      return {};
    const size_t End = closing(Begin);
    for (size_t I = 0; I != Name; ++I)
      if (Tokens[I].Text == "template")
        addParameters(I + 1);
    const std::set<std::string_view> Types = Names;
    for (size_t I = 0; I < End; I = isOther(I, Name) ? closing(I) : I + 1)
      if (Types.contains(Tokens[I].Text))
        addDeclared(I + 1);
    for (size_t I = Begin; I < End; I = markStatement(I, End))
      ;
    for (size_t I = Begin; I != End; ++I)
      if (Tokens[I].Text == "for" || Tokens[I].Text == "while")
        markLoop(I);
    double Independent = 0, All = 0;
    for (size_t I = Begin; I != End; ++I) {
      All += Tokens[I].IsWord;
      Independent += Tokens[I].IsWord && !Depends[I];
    }
    return All == 0 ? 0 : Independent / All;
  }

private:
  /// Past the bracket that closes that one; of another token, past it.
  size_t closing(size_t I) const {
    for (int Depth = 0; I < Tokens.size(); ++I) {
      Depth += isAnyOf(Tokens[I], "({[");
      Depth -= isAnyOf(Tokens[I], ")}]");
      if (Depth <= 0)
        return I + 1;
    }
    return I;
  }

  /// Its brace; the number of tokens: none follows the name.
  size_t bodyAfter(size_t I) const {
    while (I < Tokens.size() && !isAnyOf(Tokens[I], ";{"))
      I = closing(I);
    return I < Tokens.size() && isAnyOf(Tokens[I], "{") ? I : Tokens.size();
  }

  /// Whether it begins parameters or a body of another function.
  bool isOther(size_t I, size_t Name) const {
    return I < Name && closing(I) <= Name &&
           (isAnyOf(Tokens[I], "(") ||
            (isAnyOf(Tokens[I], "{") && I != 0 &&
             (isAnyOf(Tokens[I - 1], ")") || Tokens[I - 1].Text == "const" ||
              Tokens[I - 1].Text == "noexcept")));
  }

  /// `<class T, int N = 3>`; those of other templates, too, which rarely name
  /// something else here.
  void addParameters(size_t I) {
    std::string_view Last;
    for (int Depth = 0; I < Tokens.size(); ++I) {
      Depth += isAnyOf(Tokens[I], "<");
      if (Depth == 0)
        return;
      const bool Ends = Depth == 1 && isAnyOf(Tokens[I], ",=>");
      if (Ends && !Last.empty() && Last != "class" && Last != "typename")
        Names.insert(Last);
      if (Ends || Tokens[I].IsWord)
        Last = Ends ? std::string_view() : Tokens[I].Text;
      Depth -= isAnyOf(Tokens[I], ">");
    }
  }

  /// `T Name`, `std::array<T, 4> &Name`, which may be a member.
  void addDeclared(size_t I) {
    std::string_view Last;
    for (; I < Tokens.size(); ++I) {
      if (Tokens[I].IsWord)
        Last = Tokens[I].Text == "const" ? Last : Tokens[I].Text;
      else if (isAnyOf(Tokens[I], "<>"))
        Last = {};
      else if (!isAnyOf(Tokens[I], Last.empty() ? "&*:.," : "&*:."))
        break;
    }
    if (!Last.empty())
      Names.insert(Last);
  }

  /// Gives the begin of the next one.
  size_t markStatement(size_t Begin, size_t BodyEnd) {
    size_t End = Begin;
    bool IsDependent = false;
    for (; End < BodyEnd && !isAnyOf(Tokens[End], ";{}"); ++End)
      IsDependent |= Names.contains(Tokens[End].Text);
    for (size_t I = Begin; I != End && IsDependent; ++I) {
      Depends[I] = true;
      if (Tokens[I].Text == "auto") // `auto &[A, B] =`
        for (size_t J = I + 1; J != End && !isAnyOf(Tokens[J], "=:("); ++J)
          if (Tokens[J].IsWord)
            Names.insert(Tokens[J].Text);
    }
    return End + 1;
  }

  void markLoop(size_t Begin) {
    size_t End = closing(Begin + 1);
    while (End < Tokens.size() && !isAnyOf(Tokens[End], ";{"))
      End = closing(End);
    const auto First = Depends.begin() + static_cast<ptrdiff_t>(Begin),
               Past = Depends.begin() + static_cast<ptrdiff_t>(std::min(
                                            closing(End), Tokens.size()));
    if (std::find(First, Past, true) != Past)
      std::fill(First, Past, true);
  }

  const std::vector<SourceToken> &Tokens;
  std::vector<bool> Depends;        ///< by token
  std::set<std::string_view> Names; ///< parameters, what is declared with one
};

} // namespace

std::optional<double> instantrace::independentWords(std::string_view Source,
                                                    uint32_t LineNo,
                                                    uint32_t ColumnNo) {
  const size_t Place = sourceOffset(Source, LineNo, ColumnNo);
  std::vector<SourceToken> Tokens;
  size_t Name = 0;
  SourceLexer Lexer(Source);
  for (SourceToken Next; Lexer.next(Next); Tokens.push_back(Next))
    if (Next.Begin == Place)
      Name = Tokens.size();
  if (Name == 0)
    return {};
  return BodyText(Tokens).independentShare(Name);
}
