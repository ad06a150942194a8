#include "utils/analysis/advice/DefinitionForm.h"

#include <algorithm>
#include <cctype>

using namespace instantrace;

namespace {

/// A declaration is looked at so far to either side of its name.
constexpr size_t MostBytes = 4096;

bool isWordByte(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
}

/// Whether a word of the declaration before the name is one of those, in lower
/// case.
template <class Predicate> bool hasWord(std::string_view Head, Predicate Is) {
  std::string Word;
  for (size_t I = 0; I <= Head.size(); ++I) {
    if (I != Head.size() && isWordByte(Head[I])) {
      Word +=
          static_cast<char>(std::tolower(static_cast<unsigned char>(Head[I])));
      continue;
    }
    if (Is(Word))
      return true;
    Word.clear();
  }
  return false;
}

/// Any macro that says so counts.
bool saysInline(std::string_view Head) {
  return hasWord(Head, [](const std::string &Word) {
    return Word.find("inline") != Word.npos ||
           Word.find("constexpr") != Word.npos || Word == "consteval" ||
           Word == "auto";
  });
}

bool isFriend(std::string_view Head) {
  return hasWord(Head,
                 [](const std::string &Word) { return Word == "friend"; });
}

/// What is said in words is no keyword.
std::string withoutComments(std::string_view Text) {
  // It may begin inside a comment.
  size_t End = Text.find("*/");
  if (End != Text.npos && Text.find("/*") > End)
    Text.remove_prefix(End + 2);
  std::string Out;
  while (!Text.empty()) {
    size_t Begin = std::min(Text.find("//"), Text.find("/*"));
    Out += Text.substr(0, Begin);
    if (Begin >= Text.size())
      break;
    bool IsLine = Text[Begin + 1] == '/';
    size_t Past = Text.find(IsLine ? "\n" : "*/", Begin + 2);
    Text.remove_prefix(Past == Text.npos ? Text.size()
                                         : Past + (IsLine ? 0 : 2));
  }
  return Out;
}

/// From the end of the declaration, block or label before it. `<...>` with the
/// template's parameters stays, which has no such character but in comments.
std::string_view headBefore(std::string_view Before) {
  if (Before.size() > MostBytes)
    Before.remove_prefix(Before.size() - MostBytes);
  size_t End = Before.find_last_of(";{}");
  return End == Before.npos ? Before : Before.substr(End + 1);
}

/// Whether a body follows the parameters, or a member initializer list with it.
DefinitionForm formAfter(std::string_view After, bool IsQualified) {
  int Depth = 0;
  for (char C : After.substr(0, MostBytes)) {
    if (C == '(')
      ++Depth;
    if (C == ')')
      --Depth;
    if (Depth != 0)
      continue;
    if (C == ';')
      return DefinitionForm::DeclaredOnly;
    if (C == '{')
      return IsQualified ? DefinitionForm::OutsideClass
                         : DefinitionForm::HasBody;
  }
  return DefinitionForm::Unknown;
}

} // namespace

DefinitionForm instantrace::definitionForm(std::string_view Source,
                                           uint32_t LineNo, uint32_t ColumnNo) {
  size_t Begin = 0;
  for (uint32_t Line = 1; Line < LineNo; ++Line) {
    Begin = Source.find('\n', Begin);
    if (Begin == Source.npos)
      return DefinitionForm::Unknown;
    ++Begin;
  }
  size_t LineEnd = std::min(Source.find('\n', Begin), Source.size());
  if (LineNo == 0 || ColumnNo == 0 || ColumnNo > LineEnd - Begin)
    return DefinitionForm::Unknown;
  size_t Name = Begin + ColumnNo - 1;
  // The name, or what it begins with: `operator`, `~`.
  if (!isWordByte(Source[Name]) && Source[Name] != '~')
    return DefinitionForm::Unknown;
  std::string Head = withoutComments(headBefore(Source.substr(0, Name)));
  if (saysInline(Head))
    return DefinitionForm::Inline;
  size_t Last = Head.find_last_not_of(" \t\r\n");
  bool IsQualified = Last != Head.npos && Last != 0 && Head[Last] == ':' &&
                     Head[Last - 1] == ':';
  DefinitionForm Form = formAfter(Source.substr(Name), IsQualified);
  // [class.friend]: one that is defined in a class is inline, and no member.
  return Form == DefinitionForm::HasBody && isFriend(Head)
             ? DefinitionForm::Inline
             : Form;
}
