#include "utils/analysis/advice/SourceScan.h"

#include "utils/analysis/advice/SourceLexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>

using namespace instantrace;

uint32_t WordTable::numberOf(std::string_view Word) {
  auto [Entry, IsNew] = Numbers.try_emplace(
      std::string(Word), static_cast<uint32_t>(Words.size()));
  if (IsNew)
    Words.push_back(&Entry->first);
  return Entry->second;
}

namespace {

/// What is never the name of what a declaration declares, nor one of a type;
/// sorted.
constexpr std::string_view Keywords[] = {
    "alignas",  "auto",      "bool",      "char",     "class",
    "const",    "consteval", "constexpr", "decltype", "default",
    "defined",  "delete",    "double",    "else",     "enum",
    "explicit", "extern",    "false",     "final",    "float",
    "for",      "friend",    "if",        "inline",   "int",
    "long",     "namespace", "noexcept",  "nullptr",  "operator",
    "private",  "protected", "public",    "requires", "return",
    "short",    "signed",    "sizeof",    "static",   "static_assert",
    "struct",   "template",  "this",      "true",     "typedef",
    "typename", "union",     "unsigned",  "using",    "virtual",
    "void",     "volatile",  "while"};

bool isKeyword(std::string_view Word) {
  return std::binary_search(std::begin(Keywords), std::end(Keywords), Word);
}

/// Sorted.
constexpr std::string_view BuiltinTypes[] = {
    "auto", "bool",  "char",   "double",   "float", "int",
    "long", "short", "signed", "unsigned", "void"};

bool isBuiltinType(std::string_view Word) {
  return std::binary_search(std::begin(BuiltinTypes), std::end(BuiltinTypes),
                            Word);
}

/// Sorted.
constexpr std::string_view OperatorWords[] = {
    "and",       "bitand",   "bitor", "case",  "co_await",
    "co_return", "co_yield", "compl", "do",    "goto",
    "new",       "not",      "or",    "throw", "xor"};

/// May stand before an expression.
bool isOperatorWord(std::string_view Word) {
  return Word.ends_with("_eq") ||
         std::binary_search(std::begin(OperatorWords), std::end(OperatorWords),
                            Word);
}

/// Namespaces whose names are nobody else's.
bool isInternalScope(std::string_view Name) {
  return Name == "detail" || Name == "details" || Name == "internal" ||
         Name == "impl" || Name.ends_with("_detail") ||
         Name.ends_with("_impl") || Name.starts_with("__");
}

class Scanner {
public:
  Scanner(std::string_view Text, WordTable &Words)
      : Text(Text), Words(Words), Tokens(Text) {}

  SourceScan take() {
    constexpr size_t PragmaWithin = 4096;
    Scan.IsPrivate =
        Text.substr(0, PragmaWithin).find("IWYU pragma: private") != Text.npos;
    for (SourceToken T; Tokens.next(T);) {
      if (T.Text.front() == '#' && T.Text.size() > 1) {
        directive(T);
        continue;
      }
      Scan.HasCode = true;
      token(T);
    }
    endStatement();
    if (Guard && !IsGuarded)
      Scan.Mentions.push_back({*Guard, true, /*IsQualified=*/true});
    return std::move(Scan);
  }

private:
  void mention(std::string_view Word, bool IsInDirective = false) {
    // Behind `)` a `->` may begin the type that a function returns.
    const bool IsMember =
        (Before[0] == "." && Before[1] != ".") ||
        (Before[0] == ">" && Before[1] == "-" &&
         isIdentifierByte(Before[2].empty() ? ' ' : Before[2].front()) &&
         Before[2] != "const" && Before[2] != "noexcept" &&
         Before[2] != "mutable" && Before[2] != "override");
    const bool IsQualified = Before[0] == ":" && Before[1] == ":";
    const std::string_view Qualifier = !IsQualified || IsInDirective
                                           ? std::string_view()
                                       : Before[2] == ">" ? LastTemplate
                                                          : Before[2];
    Scan.Mentions.push_back(
        {Words.numberOf(Word), true, IsInDirective || IsQualified,
         !IsInDirective && IsMember, Qualifier == "std",
         !Qualifier.empty() && isIdentifierByte(Qualifier.front())
             ? Words.numberOf(Qualifier)
             : UINT32_MAX,
         !IsInDirective && isTypeBefore(Before[0])});
  }

  static bool isName(std::string_view Word) {
    return !Word.empty() && isIdentifierByte(Word.front()) && !isKeyword(Word);
  }
  static bool isTypeBefore(std::string_view Word) {
    return isBuiltinType(Word) || (isName(Word) && !isOperatorWord(Word));
  }

  void directive(const SourceToken &T) {
    std::string_view Line = T.Text.substr(1);
    Line.remove_prefix(std::min(Line.find_first_not_of(" \t"), Line.size()));
    if (Line.starts_with("include")) {
      size_t Open = Line.find_first_of("<\"");
      size_t Close = Open == Line.npos
                         ? Line.npos
                         : Line.find(Line[Open] == '<' ? '>' : '"', Open + 1);
      if (Close != Line.npos)
        Scan.Includes.push_back(
            {std::string(Line.substr(Open + 1, Close - Open - 1)),
             lineOf(T.Begin), static_cast<uint32_t>(Scan.Macros.size())});
      return;
    }
    auto FirstInside = static_cast<uint32_t>(Scan.Mentions.size());
    std::optional<uint32_t> Defined;
    SourceLexer Inside(Line);
    SourceToken Part;
    const std::string_view Name = Inside.next(Part) ? Part.Text : "";
    const bool IsDefinition = Name == "define";
    const bool IsFirst =
        !Guard && Scan.Mentions.empty() && Scan.Includes.empty();
    if (Name == "error" && Absent && Scan.Includes.empty())
      Scan.NeededMacros.push_back(*Absent);
    Absent.reset();
    // Others have text for people and other tools.
    const bool NamesMacros = IsDefinition || Name == "undef" ||
                             Name.starts_with("if") || Name.starts_with("el");
    const size_t Mentioned = Scan.Mentions.size();
    bool IsNegated = Name == "ifndef";
    std::set<std::string_view> Parameters; // of a macro
    size_t NameEnd = 0;
    while (Inside.next(Part)) {
      if (Defined && Part.Begin == NameEnd && Part.Text == "(")
        while (Inside.next(Part) && Part.Text != ")")
          Parameters.insert(Part.Text);
      IsNegated |= Name == "if" && Part.Text == "!";
      Scan.HasGuard |= Name == "pragma" && Part.Text == "once";
      if (Part.Text.starts_with("__has_include")) // a header is no name
        break;
      if (!NamesMacros || !Part.IsWord || isKeyword(Part.Text) ||
          Parameters.contains(Part.Text))
        continue;
      if (IsDefinition && !Defined) {
        Defined = Words.numberOf(Part.Text);
        NameEnd = Part.Begin + Part.Text.size();
      } else {
        mention(Part.Text, /*IsInDirective=*/true);
      }
    }
    if (IsNegated && Scan.Mentions.size() == Mentioned + 1)
      Absent = Scan.Mentions.back().Word;
    // #ifndef X, #if !defined(X): what it asks for is no use of anything.
    if (IsFirst && Name.starts_with("if") && Scan.Mentions.size() == 1) {
      Guard = Scan.Mentions.front().Word;
      Scan.Mentions.clear();
    }
    if (!Defined)
      return;
    Scan.Macros.push_back(*Defined);
    if (Guard == Defined) {
      Scan.HasGuard = IsGuarded = true;
      return;
    }
    Scan.Declarations.push_back({*Defined, false, false, FirstInside,
                                 static_cast<uint32_t>(Scan.Mentions.size())});
  }

  uint32_t lineOf(size_t Begin) {
    for (; CountedTo != Begin; ++CountedTo)
      LineNo += Text[CountedTo] == '\n';
    return LineNo;
  }

  void token(const SourceToken &T) {
    enter(T);
    Before = {T.Text, Before[0], Before[1]};
  }

  void enter(const SourceToken &T) {
    IsUsing |= T.Text == "namespace" && Before[0] == "using";
    if (IsUsing && T.Text == ";") { // in a function as well
      Scan.UsedNamespaces.push_back(Words.numberOf(Before[0]));
      IsUsing = false;
    }
    if (T.IsWord) {
      if (!isKeyword(T.Text))
        mention(T.Text);
      // What it gives was given to it.
      else if (T.Text == "operator")
        for (size_t I = HeadFirst; I != Scan.Mentions.size(); ++I)
          Scan.Mentions[I].IsResult = false;
      if (Depth == 0)
        Statement.push_back(T);
      else if (Depth == 1 && IsEnumerator)
        declare(T.Text, /*IsType=*/false);
      IsEnumerator = false;
      return;
    }
    char C = T.Text.front();
    if (C == '<')
      Templates.push_back(Before[0]);
    if (C == '>' && !Templates.empty()) {
      LastTemplate = Templates.back();
      Templates.pop_back();
    }
    if (Depth == 1 && IsInEnum)
      IsEnumerator = C == ',';
    if ((C == '*' || C == '&') && BodyDepth == 0)
      markByName();
    trackParentheses(C);
    if (C == '(' && !Scan.Mentions.empty() && isName(Before[0])) {
      SourceScan::Mention &M = Scan.Mentions.back();
      // `: Word(x), Word(y) {` are members.
      M.IsCalled = BodyDepth != 0 || Parentheses != 1 || !HasParameters ||
                   (Before[1] != ":" && Before[1] != ",");
      // `M f(x)` may be a call behind a macro, but not among members.
      M.IsDeclarator = M.IsDeclarator && (isBuiltinType(Before[1]) ||
                                          (Depth != 0 && BodyDepth == 0));
    }
    if (C == '{') {
      if (Depth == 0 && isNamespace()) {
        if (Scopes.empty())
          IsInStd =
              std::any_of(Statement.begin(), Statement.end(),
                          [](const SourceToken &N) { return N.Text == "std"; });
        for (const SourceToken &Name : Statement)
          if (Name.IsWord && !isKeyword(Name.Text))
            Scan.Namespaces.push_back(Words.numberOf(Name.Text));
        Scopes.push_back(IsInternal);
        IsInternal = IsInternal || namesInternalScope();
        begin();
        return;
      }
      if (Depth == 0) {
        IsInEnum = IsEnumerator = isPlainEnum();
        Statement.push_back(T);
      }
      ++Depth;
      beginBraces();
      return;
    }
    if (C == '}') {
      if (Depth == BodyDepth)
        BodyDepth = 0;
      if (Depth == 0) {
        endStatement();
        if (!Scopes.empty()) {
          IsInternal = Scopes.back();
          Scopes.pop_back();
        }
        return;
      }
      // What has a body and is no class, variable or alias ends with it.
      if (--Depth == 0 && endsWithBody())
        endStatement();
      return;
    }
    if (Depth != 0)
      return;
    Statement.push_back(T);
    if (C == ';')
      endStatement();
  }

  /// `Word &`, `Word MACRO &`
  void markByName() {
    const size_t Words = isName(Before[0]) && isName(Before[1]) ? 2 : 1;
    for (size_t I = 0; I != std::min(Words, Scan.Mentions.size()); ++I) {
      SourceScan::Mention &M = Scan.Mentions[Scan.Mentions.size() - 1 - I];
      M.NeedsDefinition = false;
      M.IsResult = Parentheses == 0;
    }
  }

  void trackParentheses(char C) {
    HasParameters |= C == '(';
    Parentheses += C == '(';
    Parentheses -= C == ')';
    if (C != ';' && C != '}')
      return;
    Parentheses = 0;
    Templates.clear(); // `<` may be less
    HasParameters = false;
    HeadFirst = Scan.Mentions.size();
  }

  /// A function with its body here uses what it takes by reference.
  void beginBraces() {
    if (BodyDepth == 0 && HasParameters) {
      BodyDepth = Depth;
      for (size_t I = HeadFirst; I != Scan.Mentions.size(); ++I)
        Scan.Mentions[I].NeedsDefinition = true;
    }
    trackParentheses(';');
  }

  void begin() {
    Statement.clear();
    First = static_cast<uint32_t>(Scan.Mentions.size());
  }

  bool isNamespace() const {
    // The literal of a linkage is left out.
    if (Statement.size() == 1 && Statement.front().Text == "extern")
      return true;
    return std::any_of(
        Statement.begin(), Statement.end(),
        [](const SourceToken &T) { return T.Text == "namespace"; });
  }
  /// Whose enumerators are declared beside it.
  bool isPlainEnum() const {
    auto Found =
        std::find_if(Statement.begin(), Statement.end(),
                     [](const SourceToken &T) { return T.Text == "enum"; });
    return Found != Statement.end() &&
           (Found + 1 == Statement.end() ||
            ((Found + 1)->Text != "class" && (Found + 1)->Text != "struct"));
  }
  bool namesInternalScope() const {
    return std::any_of(Statement.begin(), Statement.end(),
                       [](const SourceToken &T) {
                         return T.IsWord && isInternalScope(T.Text);
                       });
  }

  /// `(` comes before `{`.
  bool endsWithBody() const {
    for (const SourceToken &T : Statement) {
      if (T.Text == "(")
        return true;
      if (T.Text == "{" || T.Text == "=")
        return false;
    }
    return false;
  }

  void declare(std::string_view Name, bool IsType, bool IsAlias = false) {
    if (!isKeyword(Name))
      (IsInternal ? Scan.Internal : Scan.Declarations)
          .push_back(declaration(Name, IsType, IsAlias));
  }
  SourceScan::Declaration declaration(std::string_view Name, bool IsType,
                                      bool IsAlias = false) {
    return {Words.numberOf(Name),
            IsType,
            IsAlias,
            First,
            static_cast<uint32_t>(Scan.Mentions.size()),
            !Scopes.empty(),
            !Scopes.empty() && IsInStd};
  }

  /// Past the parameters of a template; \p I is at the word.
  size_t skipParameters(size_t I) const {
    int Angles = 0;
    for (++I; I < Statement.size(); ++I) {
      Angles += Statement[I].Text == "<";
      if (Statement[I].Text == ">" && --Angles == 0)
        break;
      if (Angles == 0) // of an explicit instantiation
        return I - 1;
    }
    return I;
  }

  void endStatement() {
    size_t I = 0, End = Statement.size();
    while (I < End && Statement[I].Text == "template")
      I = skipParameters(I) + 1;
    if (I < End && Statement[I].Text == "requires") // before an alias
      for (size_t Alias = I; Alias != End; ++Alias)
        if (Statement[Alias].Text == "using")
          I = Alias;
    auto IsText = [&](size_t Index, std::string_view Wanted) {
      return Index < End && Statement[Index].Text == Wanted;
    };
    if (IsText(I, "using")) {
      // `using A = ...;`, `using a::B;`, and not `using namespace a;`.
      if (!IsText(I + 1, "namespace"))
        declare(IsText(I + 2, "=") ? Statement[I + 1].Text : lastWord(I),
                /*IsType=*/true, /*IsAlias=*/true);
    } else if (IsText(I, "typedef")) {
      declare(lastWord(I), /*IsType=*/true, /*IsAlias=*/true);
    } else {
      markForward(I);
      noteBody(I);
      declareOthers(I);
    }
    begin();
  }

  std::string_view lastWord(size_t Begin) const {
    for (size_t Index = Statement.size(); Index-- > Begin;)
      if (Statement[Index].IsWord)
        return Statement[Index].Text;
    return "using";
  }

  /// `class A;` needs no definition of A.
  void markForward(size_t I) {
    if (I + 3 == Statement.size() && Statement[I + 2].Text == ";" &&
        Statement[I + 1].IsWord && First != Scan.Mentions.size())
      if (std::string_view Key = Statement[I].Text;
          Key == "class" || Key == "struct" || Key == "union")
        Scan.Mentions.back().NeedsDefinition = false;
  }

  /// Whether the function at the first `(` has its body here, or the class at
  /// `class`.
  void noteBody(size_t Begin) {
    size_t I = Begin;
    for (; I < Statement.size() && Statement[I].Text != "("; ++I)
      if (std::string_view Key = Statement[I].Text;
          (Key == "class" || Key == "struct") && !endsWithBody()) {
        if (I + 1 < Statement.size() && Statement[I + 1].IsWord &&
            Statement.back().Text == ";" && I + 3 != Statement.size())
          Scan.Promised.push_back(Words.numberOf(Statement[I + 1].Text));
        return;
      }
    if (I == Begin || I >= Statement.size() || !Statement[I - 1].IsWord ||
        isKeyword(Statement[I - 1].Text))
      return;
    const bool HasBody = endsWithBody() && Statement.back().Text != ";";
    size_t Name = I - 1;
    const uint32_t Function = Words.numberOf(Statement[Name].Text);
    // X::f, X<T>::f: the member of what that is.
    if (Name >= Begin + 3 && Statement[Name - 1].Text == ":") {
      size_t Scope = Name - 3;
      int Angles = 0;
      for (; Scope > Begin; --Scope) {
        Angles += Statement[Scope].Text == ">";
        Angles -= Statement[Scope].Text == "<";
        if (Angles == 0 && Statement[Scope].IsWord)
          break;
      }
      Name = Scope;
    }
    const uint32_t Word = Words.numberOf(Statement[Name].Text);
    (HasBody ? Scan.Defined : Scan.Promised).push_back(Word);
    if (!HasBody)
      return;
    SourceScan::Body Body{Function, Word, false, false};
    for (const SourceToken &T : Statement) {
      Body.IsTemplate |= T.Text == "template";
      Body.IsInline |=
          T.Text == "inline" || T.Text == "static" || T.Text == "constexpr";
    }
    if (!Body.IsTemplate && !Body.IsInline)
      Scan.External.push_back(Word);
    Scan.Bodies.push_back(Body);
  }

  void declareOthers(size_t I) {
    bool IsType = false;
    int Parentheses = 0;
    for (; I < Statement.size(); ++I) {
      std::string_view Word = Statement[I].Text;
      if (Word == "template") {
        I = skipParameters(I);
        continue;
      }
      if (Word == "class" || Word == "struct" || Word == "union" ||
          Word == "enum" || Word == "concept")
        IsType = true;
      Parentheses += Word == "(";
      Parentheses -= Word == ")";
      if (Word == "operator" && Parentheses == 0 && !IsInternal)
        Scan.Operators.push_back(declaration(Word, /*IsType=*/false));
      if (!Statement[I].IsWord || isKeyword(Word) || Parentheses != 0)
        continue;
      std::string_view After =
          I + 1 < Statement.size() ? Statement[I + 1].Text : ";";
      // A type has its bases or body behind its name, a function its
      // parameters, a variable its initializer.
      if (IsType && (After == "{" || After == ":" || After == ";" ||
                     After == "final" || After == "<" || After == "=")) {
        const size_t Declared = Scan.Declarations.size();
        declare(Word, /*IsType=*/true);
        if (Declared != Scan.Declarations.size()) {
          Scan.Declarations.back().IsForward = After == ";";
          Scan.Declarations.back().IsSpecialization = After == "<";
        }
        return;
      }
      if (After == "(" || After == "=" || After == ";" || After == "{" ||
          After == "[")
        declare(Word, /*IsType=*/false);
    }
  }

  std::string_view Text;
  WordTable &Words;
  SourceLexer Tokens;
  SourceScan Scan;
  std::optional<uint32_t> Guard;          ///< asked for before anything else
  bool IsGuarded = false;                 ///< it is defined then
  std::optional<uint32_t> Absent;         ///< asked for by the directive before
  std::vector<SourceToken> Statement;     ///< outside braces
  std::array<std::string_view, 3> Before; ///< the last token first
  uint32_t First = 0;                     ///< mention of the statement
  size_t Depth = 0;                       ///< of braces that are no namespace's
  size_t BodyDepth = 0;                   ///< inside of a function; 0: outside
  size_t HeadFirst = 0; ///< mention behind the last `;` or brace
  int Parentheses = 0;  ///< open since then
  bool HasParameters = false;
  bool IsUsing = false;                    ///< behind `using namespace`
  std::vector<std::string_view> Templates; ///< before each open `<`
  std::string_view LastTemplate;           ///< before the last one that closed
  std::vector<bool> Scopes;                ///< IsInternal around each namespace
  bool IsInternal = false;
  bool IsInStd = false; ///< the outermost namespace is
  uint32_t LineNo = 1;
  size_t CountedTo = 0;
  bool IsInEnum = false, IsEnumerator = false;
};

} // namespace

SourceScan instantrace::scanSource(std::string_view Text, WordTable &Words) {
  return Scanner(Text, Words).take();
}

bool instantrace::isIncludeLine(std::string_view Line) {
  auto skipBlanks = [&Line] {
    Line.remove_prefix(std::min(Line.find_first_not_of(" \t"), Line.size()));
  };
  skipBlanks();
  if (!Line.starts_with('#'))
    return false;
  Line.remove_prefix(1);
  skipBlanks();
  return Line.starts_with("include");
}
