/// \file
/// Words and characters of a source's text, without preprocessing.
///
/// Flow:   source text -> [SourceLexer] -> SourceScan, IndependentWords
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

/// The bytes of a place; npos: it is not there.
inline size_t sourceOffset(std::string_view Source, uint32_t LineNo,
                           uint32_t ColumnNo) {
  size_t Begin = 0;
  for (uint32_t Line = 1; Line < LineNo; ++Line) {
    Begin = Source.find('\n', Begin);
    if (Begin == Source.npos)
      return Begin;
    ++Begin;
  }
  size_t LineEnd = std::min(Source.find('\n', Begin), Source.size());
  return LineNo == 0 || ColumnNo == 0 || ColumnNo > LineEnd - Begin
             ? Source.npos
             : Begin + ColumnNo - 1;
}

inline bool isIdentifierByte(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_' || (C & 0x80) != 0;
}

struct SourceToken {
  std::string_view Text; ///< a word, or one character that is no space
  size_t Begin = 0;      ///< in the source
  bool IsWord = false;
};

/// Words and characters of a text, without comments and literals. A directive
/// is a token that begins with `#` and has the whole of it.
class SourceLexer {
public:
  explicit SourceLexer(std::string_view Text) : Text(Text) {}

  /// False at the end.
  bool next(SourceToken &Out) {
    for (bool IsLineBegin = Index == 0; Index < Text.size();) {
      char C = Text[Index];
      if (C == '\n')
        IsLineBegin = true;
      if (std::isspace(static_cast<unsigned char>(C)) != 0) {
        ++Index;
        continue;
      }
      if (skipComment())
        continue;
      if (C == '#' && IsLineBegin)
        return directive(Out);
      IsLineBegin = false;
      if (C == '"' || C == '\'') {
        skipLiteral(C);
        continue;
      }
      size_t Begin = Index;
      if (!isIdentifierByte(C)) {
        ++Index;
        Out = {Text.substr(Begin, 1), Begin, false};
        return true;
      }
      while (Index < Text.size() && isIdentifierByte(Text[Index]))
        ++Index;
      std::string_view Word = Text.substr(Begin, Index - Begin);
      if (std::isdigit(static_cast<unsigned char>(C)) != 0) {
        skipNumber();
        continue;
      }
      if (Index < Text.size() && Text[Index] == '"' && Word.ends_with('R')) {
        skipRawLiteral();
        continue;
      }
      if (Index < Text.size() && (Text[Index] == '"' || Text[Index] == '\'') &&
          Word.size() <= 2) // of a literal
        continue;
      Out = {Word, Begin, true};
      return true;
    }
    return false;
  }

private:
  bool skipComment() {
    std::string_view Rest = Text.substr(Index);
    if (Rest.starts_with("//")) {
      Index = std::min(Text.find('\n', Index), Text.size());
      return true;
    }
    if (!Rest.starts_with("/*"))
      return false;
    size_t End = Text.find("*/", Index + 2);
    Index = End == Text.npos ? Text.size() : End + 2;
    return true;
  }

  void skipLiteral(char Quote) {
    for (++Index;
         Index < Text.size() && Text[Index] != Quote && Text[Index] != '\n';
         ++Index)
      Index += Text[Index] == '\\';
    Index = std::min(Index + 1, Text.size());
  }

  void skipRawLiteral() {
    size_t Open = Text.find('(', Index);
    if (Open == Text.npos) {
      Index = Text.size();
      return;
    }
    std::string End = ")";
    End.append(Text.substr(Index + 1, Open - Index - 1)).append("\"");
    size_t Close = Text.find(End, Open);
    Index = Close == Text.npos ? Text.size() : Close + End.size();
  }

  /// With digits that are apart: 1'000.
  void skipNumber() {
    while (Index + 1 < Text.size() && Text[Index] == '\'' &&
           isIdentifierByte(Text[Index + 1]))
      for (++Index; Index < Text.size() && isIdentifierByte(Text[Index]);)
        ++Index;
  }

  bool directive(SourceToken &Out) {
    size_t Begin = Index;
    while (Index < Text.size()) {
      Index = std::min(Text.find('\n', Index), Text.size());
      size_t Last = Index;
      while (Last != Begin && Text[Last - 1] == '\r')
        --Last;
      if (Last == Begin || Text[Last - 1] != '\\')
        break;
      Index = std::min(Index + 1, Text.size());
    }
    Out = {Text.substr(Begin, Index - Begin), Begin, false};
    return true;
  }

  std::string_view Text;
  size_t Index = 0;
};

} // namespace instantrace
