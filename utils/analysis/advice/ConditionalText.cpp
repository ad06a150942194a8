#include "utils/analysis/advice/ConditionalText.h"

#include <algorithm>
#include <cctype>
#include <utility>

using namespace instantrace;

namespace {

bool isNameByte(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) != 0 || C == '_';
}

bool isSpace(char C) {
  return std::isspace(static_cast<unsigned char>(C)) != 0;
}

Truth both(Truth A, Truth B) { return std::min(A, B); }
Truth either(Truth A, Truth B) { return std::max(A, B); }
Truth opposite(Truth A) { return Truth(-static_cast<signed char>(A)); }

/// With what continues a line.
void skipSpace(std::string_view &Text) {
  while (!Text.empty() && (isSpace(Text.front()) || Text.front() == '\\'))
    Text.remove_prefix(1);
}

/// The first word of a text, and its removal with spaces around it.
std::string_view takeWord(std::string_view &Text) {
  skipSpace(Text);
  size_t End = 0;
  while (End != Text.size() && isNameByte(Text[End]))
    ++End;
  std::string_view Word = Text.substr(0, End);
  Text.remove_prefix(End);
  skipSpace(Text);
  return Word;
}

/// What is known of macros.
class MacroStates {
public:
  explicit MacroStates(std::string_view UndefinedPrefix)
      : UndefinedPrefix(UndefinedPrefix) {}
  Truth operator()(std::string_view Name) const {
    if (auto Known = States.find(Name); Known != States.end())
      return Known->second;
    return !UndefinedPrefix.empty() && Name.starts_with(UndefinedPrefix)
               ? Truth::No
               : Truth::Unknown;
  }
  void set(std::string_view Name, Truth State) {
    States.insert_or_assign(std::string(Name), State);
  }

private:
  std::string_view UndefinedPrefix;
  std::map<std::string, Truth, std::less<>> States;
};

/// `defined(A) && !B || ...`; comparisons are unknown.
class Condition {
public:
  Condition(std::string_view Text, const MacroStates &Macros)
      : Text(Text), Macros(Macros) {
    skipSpace(this->Text);
  }

  Truth any() {
    Truth Value = all();
    while (take("||"))
      Value = either(Value, all());
    return Value;
  }

private:
  bool take(std::string_view Operator) {
    if (!Text.starts_with(Operator))
      return false;
    Text.remove_prefix(Operator.size());
    skipSpace(Text);
    return true;
  }
  Truth all() {
    Truth Value = one();
    while (take("&&"))
      Value = both(Value, one());
    return Value;
  }
  /// No program nests them deeper; a file may say anything.
  Truth one() {
    constexpr int MostDepth = 100;
    if (Depth == MostDepth) {
      Text = {};
      return Truth::Unknown;
    }
    ++Depth;
    const Truth Value = operand();
    --Depth;
    return Value;
  }
  Truth operand() {
    if (Text.starts_with("!") && !Text.starts_with("!=")) {
      take("!");
      return opposite(one());
    }
    Truth Value = Truth::Unknown;
    if (take("(")) {
      Value = any();
      take(")");
    } else if (std::string_view Word = takeWord(Text); Word == "defined") {
      const bool IsInside = take("(");
      Value = Macros(takeWord(Text));
      if (IsInside)
        take(")");
    } else if (Word == "0" || Word == "1") {
      Value = Word == "1" ? Truth::Yes : Truth::No;
    } else if (Macros(Word) == Truth::No) {
      Value = Truth::No; // 0
    }
    return isEnd() ? Value : skipOperand();
  }
  bool isEnd() const {
    return Text.empty() || Text.front() == ')' || Text.starts_with("&&") ||
           Text.starts_with("||") || Text.starts_with("//") ||
           Text.starts_with("/*");
  }
  /// What is compared, called or computed.
  Truth skipOperand() {
    for (size_t Depth = 0; !Text.empty() && (Depth != 0 || !isEnd());
         Text.remove_prefix(1)) {
      Depth += Text.front() == '(';
      Depth -= Text.front() == ')';
    }
    return Truth::Unknown;
  }

  std::string_view Text;
  const MacroStates &Macros;
  int Depth = 0;
};

/// Goes through the lines, and knows where comments are.
class LineReader {
public:
  explicit LineReader(std::string_view Text) : Text(Text) {}

  struct Line {
    size_t Count = 0;           ///< a directive may go on in further ones
    bool HasCode = false;       ///< outside comments
    std::string_view Directive; ///< behind the `#`; empty: it is none
  };
  bool next(Line &Out) {
    if (Begin >= Text.size())
      return false;
    Out = {};
    size_t End = 0;
    bool GoesOn = true;
    const size_t First = Begin;
    size_t Hash = Text.npos;
    while (GoesOn && Begin < Text.size()) {
      End = std::min(Text.find('\n', Begin), Text.size());
      std::string_view Physical = Text.substr(Begin, End - Begin);
      while (!Physical.empty() && Physical.back() == '\r')
        Physical.remove_suffix(1);
      skim(Physical, Out, Hash);
      GoesOn = Hash != Text.npos && Physical.ends_with('\\');
      Begin = End + 1;
      ++Out.Count;
    }
    if (Hash != Text.npos)
      Out.Directive = Text.substr(First + Hash + 1, End - First - Hash - 1);
    return true;
  }

private:
  void skim(std::string_view Physical, Line &Out, size_t &Hash) {
    for (size_t I = 0; I < Physical.size(); ++I) {
      if (IsInComment) {
        const size_t Close = Physical.find("*/", I);
        if (Close == Physical.npos)
          return;
        IsInComment = false;
        I = Close + 1;
        continue;
      }
      const char C = Physical[I];
      if (isSpace(C))
        continue;
      if (Physical.substr(I).starts_with("//"))
        return;
      if (Physical.substr(I).starts_with("/*")) {
        IsInComment = true;
        ++I;
        continue;
      }
      if (!Out.HasCode && Out.Count == 0 && C == '#')
        Hash = I;
      Out.HasCode = true;
      if (C == '"' || (C == '\'' && (I == 0 || !isNameByte(Physical[I - 1]))))
        for (++I; I < Physical.size() && Physical[I] != C; ++I)
          I += Physical[I] == '\\';
    }
  }

  std::string_view Text;
  size_t Begin = 0;
  bool IsInComment = false;
};

class Preprocessor {
public:
  Preprocessor(std::string_view Text, const MacroNames &Defined,
               std::string_view UndefinedPrefix)
      : Text(Text), Macros(UndefinedPrefix) {
    LineReader Lines(Text);
    for (LineReader::Line L; Lines.next(L);)
      if (std::string_view Rest = L.Directive; takeWord(Rest) == "define")
        Macros.set(macroName(Rest), Truth::No);
    for (const std::string &Name : Defined)
      Macros.set(Name, Truth::Yes);
  }

  ConditionalText take() {
    LineReader Lines(Text);
    for (LineReader::Line L; Lines.next(L);) {
      const Truth Before = kept();
      const auto LineNo = static_cast<uint32_t>(Made.IsKept.size() + 1);
      if (!L.Directive.empty())
        enter(L.Directive, LineNo);
      Made.IsKept.insert(Made.IsKept.end(), L.Count, Before);
      Made.HasCode.insert(Made.HasCode.end(), L.Count,
                          L.HasCode && L.Directive.empty());
    }
    return std::move(Made);
  }

private:
  struct Branch {
    Truth Around, Taken, Is;
  };
  Truth kept() const { return Open.empty() ? Truth::Yes : Open.back().Is; }

  void enter(std::string_view Rest, uint32_t LineNo) {
    const std::string_view Word = takeWord(Rest);
    if (Word == "if" || Word == "ifdef" || Word == "ifndef") {
      Truth Value = condition(Word, Rest);
      Open.push_back({kept(), Value, both(kept(), Value)});
    } else if (Word == "elif" || Word == "elifdef" || Word == "elifndef" ||
               Word == "else") {
      if (Open.empty())
        return;
      Branch &B = Open.back();
      Truth Value =
          Word == "else" ? Truth::Yes : condition(Word.substr(2), Rest);
      B.Is = both(B.Around, both(opposite(B.Taken), Value));
      B.Taken = either(B.Taken, Value);
    } else if (Word == "endif") {
      if (!Open.empty())
        Open.pop_back();
    } else if (kept() != Truth::No) {
      if (Word == "define" || Word == "undef") {
        const std::string_view Name = macroName(Rest);
        const Truth After = Word == "define" ? Truth::Yes : Truth::No;
        if (kept() == Truth::Yes || Macros(Name) == After)
          Macros.set(Name, After);
        else
          Macros.set(Name, Truth::Unknown);
      }
      Made.Kept.push_back({LineNo, Word, Rest});
    }
  }
  Truth condition(std::string_view Word, std::string_view Rest) const {
    if (Word == "if")
      return Condition(Rest, Macros).any();
    const Truth Value = Macros(macroName(Rest));
    return Word == "ifdef" ? Value : opposite(Value);
  }

  std::string_view Text;
  MacroStates Macros;
  std::vector<Branch> Open;
  ConditionalText Made;
};

} // namespace

ConditionalText instantrace::conditionalText(std::string_view Text,
                                             const MacroNames &Defined,
                                             std::string_view UndefinedPrefix) {
  return Preprocessor(Text, Defined, UndefinedPrefix).take();
}

std::string_view instantrace::macroName(std::string_view Rest) {
  return takeWord(Rest);
}

namespace {

void addWords(MacroNames &Names, std::string_view Text) {
  while (true) {
    const std::string_view Name = takeWord(Text); // may take blanks alone
    if (!Name.empty())
      Names.emplace(Name);
    else if (!Text.empty())
      Text.remove_prefix(1);
    else
      break;
  }
}

} // namespace

const MacroNames &AskedMacros::in(const std::string &Text) {
  std::lock_guard<std::mutex> Hold(Lock);
  auto [Known, IsNew] = ByText.try_emplace(&Text);
  if (!IsNew)
    return Known->second;
  LineReader Lines(Text);
  for (LineReader::Line L; Lines.next(L);) {
    std::string_view Rest = L.Directive;
    const std::string_view Word = takeWord(Rest);
    if (Word.starts_with("if") || Word.starts_with("elif"))
      addWords(Known->second, Rest);
  }
  return Known->second;
}

std::vector<std::string> instantrace::macrosAround(std::string_view Text,
                                                   uint32_t LineNo) {
  std::vector<MacroNames> Open; // by #if
  LineReader Lines(Text);
  uint32_t Line = 1;
  for (LineReader::Line L; Line < LineNo && Lines.next(L);
       Line += static_cast<uint32_t>(L.Count)) {
    std::string_view Rest = L.Directive;
    const std::string_view Word = takeWord(Rest);
    if (Word.starts_with("if"))
      addWords(Open.emplace_back(), Rest);
    else if (Word.starts_with("elif") && !Open.empty())
      addWords(Open.back(), Rest);
    else if (Word == "endif" && !Open.empty())
      Open.pop_back();
  }
  std::vector<std::string> Names;
  for (auto It = Open.rbegin(); It != Open.rend(); ++It)
    Names.insert(Names.end(), It->begin(), It->end());
  return Names;
}

MacroPart instantrace::partBetween(std::string_view Text,
                                   const MacroNames &Without,
                                   const MacroNames &With,
                                   std::string_view UndefinedPrefix) {
  const ConditionalText Has = conditionalText(Text, With, UndefinedPrefix);
  const ConditionalText Lacks = conditionalText(Text, Without, UndefinedPrefix);
  MacroPart Part;
  for (size_t I = 0; I != Has.IsKept.size(); ++I) {
    const bool IsKept = Has.IsKept[I] != Truth::No;
    Part.IsIn.push_back(IsKept && Lacks.IsKept[I] == Truth::No);
    Part.IsCode.push_back(IsKept && Has.HasCode[I]);
  }
  for (const Directive &D : Has.Kept)
    if (D.Word == "define")
      Part.Macros.emplace(macroName(D.Rest));
  for (const Directive &D : Lacks.Kept)
    if (D.Word == "define")
      Part.Macros.erase(std::string(macroName(D.Rest)));
  return Part;
}

MacroPart instantrace::partForMacro(std::string_view Text,
                                    const std::string &Macro,
                                    MacroNames OtherMacros) {
  OtherMacros.erase(Macro);
  MacroNames With = OtherMacros;
  With.insert(Macro);
  return partBetween(Text, OtherMacros, With, libraryPrefix(Macro));
}

std::string instantrace::codeLines(std::string_view Text, const MacroPart &Part,
                                   bool IsIn) {
  std::string Lines;
  for (size_t I = 0, Begin = 0; I != Part.IsIn.size(); ++I) {
    const size_t End = std::min(Text.find('\n', Begin), Text.size());
    if (Part.IsCode[I] && Part.IsIn[I] == IsIn)
      Lines.append(Text.substr(Begin, End - Begin)) += '\n';
    Begin = End + 1;
  }
  return Lines;
}
