#include "utils/analysis/advice/Ownership.h"

#include <algorithm>
#include <array>
#include <cctype>

using namespace instantrace;

namespace {

/// Those that stand in the names of types and values.
constexpr std::array<std::string_view, 36> Words = {
    "__attribute__", "__int128", "auto",     "bool",    "char",     "char16_t",
    "char32_t",      "char8_t",  "class",    "const",   "decltype", "double",
    "enum",          "false",    "float",    "int",     "long",     "noexcept",
    "nullptr",       "operator", "restrict", "short",   "signed",   "sizeof",
    "static_cast",   "struct",   "this",     "true",    "typename", "union",
    "unsigned",      "void",     "volatile", "wchar_t", "template", "mutable"};

bool isWordPart(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) != 0 || C == '_' ||
         (C & 0x80) != 0;
}

bool isReserved(std::string_view Word) {
  return Word.size() > 1 && Word[0] == '_' &&
         (Word[1] == '_' ||
          std::isupper(static_cast<unsigned char>(Word[1])) != 0);
}

/// Calls Each(word, depth in brackets, whether it is behind "::") until that is
/// true.
template <class Function> bool anyWord(std::string_view Name, Function Each) {
  size_t Depth = 0;
  for (size_t Index = 0; Index < Name.size();) {
    char C = Name[Index];
    if (!isWordPart(C)) {
      bool IsArrow = C == '>' && Index != 0 && Name[Index - 1] == '-';
      Depth += C == '<';
      Depth -= C == '>' && !IsArrow && Depth != 0;
      ++Index;
      continue;
    }
    size_t End = Index;
    while (End < Name.size() && isWordPart(Name[End]))
      ++End;
    bool IsBehind = Index >= 2 && Name.substr(Index - 2, 2) == "::";
    if (Each(Name.substr(Index, End - Index), Depth, IsBehind))
      return true;
    Index = End;
  }
  return false;
}

} // namespace

bool instantrace::isReservedName(std::string_view Name) {
  return anyWord(Name, [](std::string_view Word, size_t Depth, bool) {
    return Depth == 0 && isReserved(Word);
  });
}

bool instantrace::isInternalName(std::string_view Name) {
  return anyWord(Name, [](std::string_view Word, size_t Depth, bool) {
    return Depth == 0 &&
           (isReserved(Word) || Word == "detail" || Word == "details" ||
            Word == "internal" || Word == "impl");
  });
}

bool instantrace::dependsOnProgram(std::string_view Name) {
  std::string_view Own = Name.substr(0, Name.find_first_of(":<"));
  return anyWord(
      Name, [Own](std::string_view Word, size_t Depth, bool IsBehind) {
        // Of a::b::c, the first says whose it is.
        return Depth != 0 && !IsBehind && Word != "std" && Word != Own &&
               !isReserved(Word) &&
               std::isdigit(static_cast<unsigned char>(Word[0])) == 0 &&
               std::find(Words.begin(), Words.end(), Word) == Words.end();
      });
}
