#include "utils/analysis/advice/DefinitionForm.h"

#include "utils/analysis/advice/SourceLexer.h"

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

bool isFriendOrStatic(std::string_view Head) {
  return hasWord(Head, [](const std::string &Word) {
    return Word == "friend" || Word == "static";
  });
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

/// Without directives, and from its first word.
std::string declarationHead(std::string_view Source, size_t Name) {
  std::string Head = withoutComments(headBefore(Source.substr(0, Name)));
  for (size_t Begin; (Begin = Head.find_first_not_of(" \t\r\n")) != Head.npos;
       Head.erase(0, Head.find('\n'))) {
    Head.erase(0, Begin);
    if (Head.front() != '#')
      return Head;
  }
  return {};
}

/// Between the parentheses, without spaces and default arguments.
std::string parametersAfter(std::string_view After) {
  std::string Text;
  int Depth = 0, DefaultDepth = 0;
  for (char C : After.substr(0, MostBytes)) {
    Depth += C == '(' || C == '<' || C == '{';
    Depth -= C == ')' || C == '>' || C == '}';
    if (Depth <= 0)
      break;
    if (C == '=' && DefaultDepth == 0)
      DefaultDepth = Depth;
    if (C == ',' && Depth == DefaultDepth)
      DefaultDepth = 0;
    if (DefaultDepth == 0 && !std::isspace(static_cast<unsigned char>(C)))
      Text += C;
  }
  return Text;
}

/// Empty: there is none.
std::string_view nameIn(std::string_view Source, size_t Place) {
  size_t End = std::min(Place, Source.size());
  while (End < Source.size() && isWordByte(Source[End]))
    ++End;
  return Source.substr(std::min(Place, End), End - std::min(Place, End));
}

/// Calls Is(head, from the parameters on) for what may be declarations of
/// functions with that name, until that is true.
template <class Predicate>
bool anyDeclaration(std::string_view Source, std::string_view Name,
                    Predicate Is) {
  for (size_t Found = Source.find(Name); Found != Source.npos;
       Found = Source.find(Name, Found + 1)) {
    const size_t Past = Found + Name.size();
    if ((Found == 0 || !isWordByte(Source[Found - 1])) &&
        Past < Source.size() && (Source[Past] == '(' || Source[Past] == ' ') &&
        Is(declarationHead(Source, Found), Source.substr(Past)))
      return true;
  }
  return false;
}

/// [dcl.inline]: it is enough that one of its declarations says so.
bool isDeclaredInline(std::string_view Source, std::string_view Name) {
  return anyDeclaration(
      Source, Name, [](std::string_view Head, std::string_view After) {
        // The head of a call ends with an operator or `return`.
        const size_t Last = Head.find_last_not_of(" \t\r\n");
        return saysInline(Head) && Last != Head.npos &&
               (isWordByte(Head[Last]) || Head[Last] == '>' ||
                Head[Last] == '*' || Head[Last] == '&') &&
               formAfter(After, false) == DefinitionForm::DeclaredOnly;
      });
}

} // namespace

DefinitionForm instantrace::definitionForm(std::string_view Source,
                                           uint32_t LineNo, uint32_t ColumnNo) {
  const size_t Name = sourceOffset(Source, LineNo, ColumnNo);
  if (Name == Source.npos)
    return DefinitionForm::Unknown;
  // The name, or what it begins with: `operator`, `~`.
  if (!isWordByte(Source[Name]) && Source[Name] != '~')
    return DefinitionForm::Unknown;
  const std::string Head = declarationHead(Source, Name);
  const std::string_view Word = nameIn(Source, Name);
  if (saysInline(Head) || (!Word.empty() && isDeclaredInline(Source, Word)))
    return DefinitionForm::Inline;
  size_t Last = Head.find_last_not_of(" \t\r\n");
  bool IsQualified = Last != Head.npos && Last != 0 && Head[Last] == ':' &&
                     Head[Last - 1] == ':';
  DefinitionForm Form = formAfter(Source.substr(Name), IsQualified);
  // [class.friend]: one that is defined in a class is inline, and no member.
  // [temp.explicit]: a static one cannot be declared so.
  return Form == DefinitionForm::HasBody && isFriendOrStatic(Head)
             ? DefinitionForm::Inline
             : Form;
}

bool instantrace::isOnlyTemplate(std::string_view Source, uint32_t LineNo,
                                 uint32_t ColumnNo) {
  const std::string_view Name =
      nameIn(Source, sourceOffset(Source, LineNo, ColumnNo));
  if (Name.empty() || Name == "operator")
    return false;
  const std::string Parameters = parametersAfter(
      Source.substr(static_cast<size_t>(Name.end() - Source.begin())));
  return !anyDeclaration(Source, Name,
                         [&](std::string_view Head, std::string_view After) {
                           return Head.starts_with("template") &&
                                  parametersAfter(After) != Parameters;
                         });
}

bool instantrace::isExplicitInstantiation(std::string_view Source,
                                          uint32_t LineNo, uint32_t ColumnNo) {
  constexpr std::string_view Word = "template";
  const size_t Place = sourceOffset(Source, LineNo, ColumnNo);
  if (Place == Source.npos)
    return false;
  std::string Head = declarationHead(Source, Place);
  if (!Head.starts_with(Word))
    return false;
  size_t Next = Head.find_first_not_of(" \t\r\n", Word.size());
  return Next == Head.npos || Head[Next] != '<';
}
