#include "utils/render/NameElision.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace instantrace;

namespace {

constexpr std::string_view Ellipsis = "\xe2\x80\xa6";

bool isContinuation(char C) {
  return (static_cast<unsigned char>(C) & 0xC0) == 0x80;
}
bool isWord(char C) {
  return C == '_' || (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') ||
         (C >= 'A' && C <= 'Z') || static_cast<unsigned char>(C) >= 0x80;
}

/// Bytes at Name[I] whose angle brackets are not brackets: an operator's name,
/// a literal, an arrow, a comparison. 0 if there are none.
size_t opaqueLength(std::string_view Name, size_t I) {
  std::string_view Rest = Name.substr(I);
  constexpr std::string_view Keyword = "operator";
  if (Rest.starts_with(Keyword) && (I == 0 || !isWord(Name[I - 1]))) {
    // Longest first.
    for (std::string_view Symbol :
         {"<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "<", ">"})
      if (Rest.substr(Keyword.size()).starts_with(Symbol))
        return Keyword.size() + Symbol.size();
    return Keyword.size();
  }
  if (Rest.starts_with("->"))
    return 2;
  if (Rest[0] == '"' || (Rest[0] == '\'' && (I == 0 || !isWord(Name[I - 1])))) {
    for (size_t End = 1; End < Rest.size(); ++End) {
      if (Rest[End] == '\\')
        ++End;
      else if (Rest[End] == Rest[0])
        return End + 1;
    }
    return 0; // never closed: not a literal
  }
  // Clang puts spaces around a comparison, and one between closing brackets.
  if ((Rest[0] == '<' || Rest[0] == '>') && I >= 2 && Name[I - 1] == ' ' &&
      Name[I - 2] != '>' && Name[I - 2] != '<')
    return Rest.starts_with("<=") || Rest.starts_with(">=") ? 2 : 1;
  return 0;
}

struct Bracket {
  size_t Position;
  size_t Depth; // of the group it opens or closes, from 0
  bool IsOpen;
};

std::vector<Bracket> bracketsOf(std::string_view Name) {
  std::vector<Bracket> Brackets;
  size_t Depth = 0;
  for (size_t I = 0; I < Name.size();) {
    if (size_t Skipped = opaqueLength(Name, I)) {
      I += Skipped;
      continue;
    }
    if (Name[I] == '<')
      Brackets.push_back({I, Depth++, true});
    else if (Name[I] == '>' && Depth != 0)
      Brackets.push_back({I, --Depth, false});
    ++I;
  }
  return Brackets;
}

/// The name without what is inside groups of depth Limit or deeper.
std::string withoutGroups(std::string_view Name,
                          const std::vector<Bracket> &Brackets, size_t Limit) {
  std::string Out;
  size_t Kept = 0; // up to here Name is in Out
  for (const Bracket &B : Brackets) {
    if (B.Depth != Limit)
      continue;
    if (!B.IsOpen) {
      Kept = B.Position;
      continue;
    }
    Out.append(Name.substr(Kept, B.Position + 1 - Kept)).append(Ellipsis);
    Kept = Name.size(); // until the closing one, which a cut name lacks
  }
  Out.append(Name.substr(Kept));
  return Out;
}

std::string keepEnd(std::string_view Text, size_t Columns) {
  size_t Left = Columns - 1; // one is the ellipsis
  size_t Begin = Text.size();
  while (Left != 0 && Begin != 0) {
    --Begin;
    Left -= !isContinuation(Text[Begin]);
  }
  // Better from the begin of a name on, or of a part of a path.
  for (std::string_view Separator : {"::", "/"}) {
    size_t Found = Text.find(Separator, Begin);
    if (Found == std::string_view::npos ||
        Found + Separator.size() == Text.size())
      continue;
    Begin = Found;
    break;
  }
  return std::string(Ellipsis).append(Text.substr(Begin));
}

} // namespace

size_t instantrace::columnsOf(std::string_view Text) {
  return static_cast<size_t>(std::count_if(
      Text.begin(), Text.end(), [](char C) { return !isContinuation(C); }));
}

std::string instantrace::elideName(std::string_view Name, size_t Columns) {
  Columns = std::max<size_t>(Columns, 1);
  if (columnsOf(Name) <= Columns)
    return std::string(Name);
  std::vector<Bracket> Brackets = bracketsOf(Name);
  size_t Deepest = 0;
  for (const Bracket &B : Brackets)
    Deepest = std::max(Deepest, B.Depth);
  // Each level shows more; the deepest that fits is found by bisection.
  size_t Fits = 0, TooDeep = Deepest + 1;
  std::string Best = withoutGroups(Name, Brackets, 0);
  while (Fits + 1 < TooDeep) {
    size_t Middle = Fits + (TooDeep - Fits) / 2;
    std::string Text = withoutGroups(Name, Brackets, Middle);
    if (columnsOf(Text) <= Columns) {
      Best = std::move(Text);
      Fits = Middle;
    } else {
      TooDeep = Middle;
    }
  }
  return columnsOf(Best) <= Columns ? Best : keepEnd(Best, Columns);
}
