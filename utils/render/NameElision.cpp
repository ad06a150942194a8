#include "utils/render/NameElision.h"

#include "runtime/strings/NameTokens.h"

#include <algorithm>
#include <vector>

using namespace instantrace;

namespace {

bool isContinuation(char C) {
  return (static_cast<unsigned char>(C) & 0xC0) == 0x80;
}
struct Bracket {
  size_t Position;
  size_t Depth; // of the group it opens or closes, from 0
  bool IsOpen;
};

std::vector<Bracket> bracketsOf(std::string_view Name) {
  std::vector<Bracket> Brackets;
  size_t Depth = 0;
  OpaqueLengths Opaque(Name);
  for (size_t I = 0; I < Name.size();) {
    if (size_t Skipped = Opaque.at(I)) {
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

std::string_view instantrace::firstColumns(std::string_view Text,
                                           size_t Columns) {
  size_t End = 0;
  for (size_t Used = 0; End != Text.size(); ++End) {
    Used += !isContinuation(Text[End]);
    if (Used > Columns)
      break;
  }
  return Text.substr(0, End);
}

std::string instantrace::cutText(std::string_view Text, size_t Columns) {
  if (columnsOf(Text) <= Columns)
    return std::string(Text);
  return std::string(firstColumns(Text, std::max<size_t>(Columns, 1) - 1))
      .append(Ellipsis);
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

std::string instantrace::nameToLevel(std::string_view Name, size_t Levels) {
  return withoutGroups(Name, bracketsOf(Name), Levels);
}

std::string instantrace::argumentLines(std::string_view Name) {
  constexpr size_t Columns = 60;
  // Deeper ones are not indented further: the text would grow with the square.
  constexpr size_t DeepestIndent = 32;
  std::vector<Bracket> Brackets = bracketsOf(Name);
  // Where the group that each one opens ends; a cut name lacks some.
  std::vector<size_t> EndOf(Brackets.size(), Name.size()), Waiting;
  for (size_t I = 0; I != Brackets.size(); ++I) {
    if (Brackets[I].IsOpen) {
      Waiting.push_back(I);
    } else if (!Waiting.empty()) {
      EndOf[Waiting.back()] = Brackets[I].Position;
      Waiting.pop_back();
    }
  }
  std::string Out;
  std::vector<bool> IsBroken; // the groups around
  std::vector<size_t> Parentheses = {0};
  size_t Next = 0, Indent = 0;
  OpaqueLengths Opaque(Name);
  auto NewLine = [&] {
    Out.push_back('\n');
    Out.append(2 * std::min(Indent, DeepestIndent), ' ');
  };
  for (size_t I = 0; I < Name.size();) {
    size_t Length = std::max<size_t>(Opaque.at(I), 1);
    bool IsBracket = Next != Brackets.size() && Brackets[Next].Position == I;
    if (IsBracket && Brackets[Next].IsOpen) {
      bool IsEmpty = I + 1 < Name.size() && Name[I + 1] == '>';
      bool Breaks =
          !IsEmpty && (Brackets[Next].Depth == 0 || EndOf[Next] - I > Columns);
      IsBroken.push_back(Breaks);
      Parentheses.push_back(0);
      Out.push_back('<');
      Indent += Breaks;
      if (Breaks)
        NewLine();
      ++Next;
    } else if (IsBracket) {
      if (!IsBroken.empty()) {
        Indent -= IsBroken.back();
        if (IsBroken.back())
          NewLine();
        IsBroken.pop_back();
        Parentheses.pop_back();
      }
      Out.push_back('>');
      ++Next;
    } else {
      char C = Name[I];
      bool IsOne = Length == 1;
      if (IsOne && (C == '(' || C == '[' || C == '{'))
        ++Parentheses.back();
      if (IsOne && (C == ')' || C == ']' || C == '}') &&
          Parentheses.back() != 0)
        --Parentheses.back();
      Out.append(Name.substr(I, Length));
      if (IsOne && C == ',' && !IsBroken.empty() && IsBroken.back() &&
          Parentheses.back() == 0) {
        NewLine();
        Length += I + 1 < Name.size() && Name[I + 1] == ' ';
      }
    }
    I += Length;
  }
  return Out;
}
