#include "runtime/strings/NameTokens.h"

#include <algorithm>

using namespace instantrace;

namespace {

constexpr std::string_view Keyword = "operator";

bool isWord(char C) {
  return C == '_' || (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') ||
         (C >= 'A' && C <= 'Z') || static_cast<unsigned char>(C) >= 0x80;
}

bool isKeywordAt(std::string_view Name, size_t I) {
  return Name.substr(I).starts_with(Keyword) &&
         (I == 0 || !isWord(Name[I - 1])) &&
         (I + Keyword.size() == Name.size() ||
          !isWord(Name[I + Keyword.size()]));
}

/// `operator std::string`: the type is part of the name, with its scopes.
bool isConversionAt(std::string_view Name, size_t I) {
  if (!isKeywordAt(Name, I))
    return false;
  std::string_view Rest = Name.substr(I + Keyword.size());
  if (!Rest.starts_with(" "))
    return false;
  for (std::string_view Other : {" new", " delete", " co_await", " \"\""})
    if (Rest.starts_with(Other) &&
        (Rest.size() == Other.size() || !isWord(Rest[Other.size()])))
      return false;
  return true;
}

} // namespace

size_t instantrace::opaqueLength(std::string_view Name, size_t I) {
  std::string_view Rest = Name.substr(I);
  if (isKeywordAt(Name, I)) {
    Rest.remove_prefix(Keyword.size());
    // `operator<<int>` is a specialization of operator<, since no name goes on
    // after operator<< but with arguments or parameters.
    if (Rest.starts_with("<<") && Rest.size() > 2 &&
        (isWord(Rest[2]) || Rest[2] == '"' || Rest[2] == '\'' ||
         Rest[2] == '-' || Rest[2] == '&' || Rest[2] == '>'))
      return Keyword.size() + 1;
    // Longest first.
    for (std::string_view Symbol :
         {"<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "<", ">"})
      if (Rest.starts_with(Symbol))
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
  // Clang puts spaces around a comparison, and one between closing brackets; a
  // NUL is an entry, which may end in one.
  if ((Rest[0] == '<' || Rest[0] == '>') && I >= 2 && Name[I - 1] == ' ' &&
      Name[I - 2] != '>' && Name[I - 2] != '<' && Name[I - 2] != '\0')
    return Rest.starts_with("<=") || Rest.starts_with(">=") ? 2 : 1;
  return 0;
}

size_t OpaqueLengths::at(size_t I) {
  char C = Name[I];
  bool IsQuote = C == '"' || C == '\'';
  if (IsQuote && IsUnclosed[C == '"'])
    return 0;
  size_t Length = opaqueLength(Name, I);
  // An apostrophe after a word is no literal, and says nothing.
  if (Length == 0 && IsQuote && (C == '"' || I == 0 || !isWord(Name[I - 1])))
    IsUnclosed[C == '"'] = true;
  return Length;
}

std::string instantrace::templateSetOf(std::string_view Name) {
  std::string Set;
  size_t Depth = 0;
  OpaqueLengths Opaque(Name);
  for (size_t I = 0; I < Name.size();) {
    size_t Length = Opaque.at(I);
    bool IsBracket = Length == 0;
    Length = std::max<size_t>(Length, 1);
    bool Opens = IsBracket && Name[I] == '<';
    bool Closes = IsBracket && Name[I] == '>' && Depth != 0;
    if (Closes && --Depth == 0)
      Set += '$';
    if (Depth == 0)
      Set.append(Name.substr(I, Length));
    Depth += Opens;
    I += Length;
  }
  return Set;
}

std::vector<size_t>
instantrace::scopeEnds(std::string_view Name,
                       const std::function<bool(size_t)> &IsHead) {
  std::vector<size_t> Ends;
  size_t Angles = 0, Others = 0, Marker = 0;
  bool InConversion = false;
  OpaqueLengths Opaque(Name);
  for (size_t I = 0; I < Name.size();) {
    char C = Name[I];
    if (Angles == 0 && Others == 0 && isConversionAt(Name, I))
      InConversion = true;
    if (size_t Skipped = Opaque.at(I)) {
      I += Skipped;
      continue;
    }
    if (C == '\0')
      Angles += IsHead(Marker++) && Others == 0;
    else if (C == '(' || C == '[' || C == '{')
      ++Others;
    else if (C == ')' || C == ']' || C == '}')
      Others -= Others != 0;
    else if (C == '<')
      Angles += Others == 0;
    else if (C == '>')
      Angles -= Angles != 0 && Others == 0;
    bool IsEnd = Angles == 0 && Others == 0 && Name.substr(I).starts_with("::");
    // A conversion's scopes are its type's, unless it is itself a scope, which
    // has its parameters: `Box::operator std::string()::Local`.
    if (IsEnd && InConversion && (I == 0 || Name[I - 1] != ')'))
      IsEnd = false;
    I += IsEnd ? 2 : 1;
    if (!IsEnd)
      continue;
    InConversion = false;
    Ends.push_back(I);
  }
  return Ends;
}
