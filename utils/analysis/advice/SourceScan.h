/// \file
/// What a source declares outside classes and functions, what it names, and
/// what it includes, by its text.
///
/// Flow:   source text -> [SourceScan] -> HeaderFacts
/// Leaves: preprocessing: all branches of an #if are read, so a name may be
///         found that a compile does not declare, and an #include that it does
///         not reach
///
/// A trace says nothing of what is not a template. So whether a file may need a
/// header is also asked of its words: whether one of them is declared there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// Words, each a number.
class WordTable {
public:
  uint32_t numberOf(std::string_view Word);
  const std::string &word(uint32_t Number) const { return *Words[Number]; }

private:
  std::unordered_map<std::string, uint32_t> Numbers;
  std::vector<const std::string *> Words;
};

struct SourceScan {
  /// One word of the text, but for those in comments, literals and #includes.
  struct Mention {
    uint32_t Word;
    /// Followed by neither `*` nor `&`, or by a function's body.
    bool NeedsDefinition;
    bool IsQualified = false;        ///< `a::Word`, or in a directive
    bool IsMember = false;           ///< `a.Word`, which no file declares
    bool IsStd = false;              ///< `std::Word`
    uint32_t Qualifier = UINT32_MAX; ///< `Qualifier::Word`, a word
    bool IsDeclarator = false; ///< `T Word`, `int Word(`, and no `T Word(`
    bool IsCalled = false;     ///< `Word(`
    bool IsResult = false;     ///< `Word &f();`: who calls f has one
  };
  struct Declaration {
    uint32_t Word;
    bool IsType = false;  ///< or an alias, which may be of one
    bool IsAlias = false; ///< another name for what is mentioned in it
    uint32_t FirstMention = 0, EndMention = 0; ///< what it is made of
    bool IsInNamespace = false;
    bool IsInStd = false;
    bool IsForward = false;        ///< `class A;`
    bool IsSpecialization = false; ///< `struct A<int> {`
  };
  /// Of a function, outside classes.
  struct Body {
    uint32_t Function, Scope;  ///< words; Scope: its class, or Function again
    bool IsTemplate, IsInline; ///< IsInline: by a keyword
  };
  struct Include {
    std::string Name; ///< as it is written, without brackets or quotes
    uint32_t LineNo = 0;
    uint32_t MacrosBefore = 0; ///< of Macros
  };

  std::vector<Mention> Mentions;
  std::vector<Declaration> Declarations; ///< macros among them
  std::vector<Declaration> Operators;    ///< for what is mentioned in each
  /// In namespaces whose names nobody else uses.
  std::vector<Declaration> Internal;
  /// Words: functions without a body, and classes that have one; and what has
  /// a body here, or whose member has, outside the class. Internal too.
  std::vector<uint32_t> Promised, Defined;
  /// Of Defined: neither inline, static, constexpr nor a template.
  std::vector<uint32_t> External;
  std::vector<Body> Bodies;
  std::vector<Include> Includes;
  std::vector<uint32_t> Macros; ///< words, in the order of their definitions
  bool HasGuard = false;        ///< a second #include has nothing
  /// Words: of what is in one, the last of `using namespace a::b;`.
  std::vector<uint32_t> Namespaces, UsedNamespaces;
  /// The file says itself that it is to be included through another one.
  bool IsPrivate = false;
  /// `#ifndef X`, `#error` before any #include: who includes the file defines
  /// X.
  std::vector<uint32_t> NeededMacros;
  bool HasCode = false; ///< something that is no directive

  /// `using namespace a;`
  bool usesNamespace() const { return !UsedNamespaces.empty(); }
  bool isMacro(uint32_t Word) const {
    return std::find(Macros.begin(), Macros.end(), Word) != Macros.end();
  }
};

SourceScan scanSource(std::string_view Text, WordTable &Words);

/// Whether it begins as an #include does.
bool isIncludeLine(std::string_view Line);

} // namespace instantrace
