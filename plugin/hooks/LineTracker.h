/// \file
/// What the parser does for a line of source where no template work is:
/// evaluating its constants, and anything else that takes long.
///
/// Flow:    tokens of the Preprocessor -> [LineTracker] -> Recorder
/// Source:  Preprocessor::setTokenWatcher; Clang has no event for it
///
/// The parser holds one token that it has not taken yet, its lookahead. So what
/// it does between two tokens is for what ended before the first of them:
///
///   constexpr int A = f(1); constexpr int B = 2;
///                         |         |
///   looked at: A is evaluated       taken: it may have been done since
///
/// A *statement* here is what stands between two of `;`, `{` and `}`. The clock
/// is read at each of these and two tokens later: until then the time is that
/// of the statement that ended. Between commas as well, where each may end a
/// declaration.
///
/// Leaves:  what is inside template work, which has records of its own
/// Bodies of members are parsed once more when their class ends, and nobody
/// hears of their tokens. Clang tells when one is done, so each is a statement
/// by itself, at its function; the first has the end of the class with it.
///
/// Threads: one
#pragma once

#include "plugin/memory/OutOfMemory.h"
#include "plugin/recorder/Recorder.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"

#include <array>

namespace clang {
class Decl;
class FunctionDecl;
class Sema;
} // namespace clang

namespace instantrace {

class InstantiationHook;

class LineTracker final : LineListener {
public:
  explicit LineTracker(Recorder &Rec) : Rec(Rec) {}

  /// Watches the tokens that \p S is given, from now on; all must live as long
  /// as its preprocessor. Whoever watches them already still does. The hook
  /// hears of each line first: what is not template work any more has to end
  /// before.
  void watch(clang::Sema &S, InstantiationHook &Hook, uint64_t LeastNs);
  /// The body of a member has been parsed after its class.
  void memberBodyDone(const clang::FunctionDecl &Function);

private:
  /// What a token means to us. Comma: where each may end a declaration, which
  /// is after one of the others, until the list ends.
  enum class Role : uint8_t { None, Ender, Comma, Constexpr, Enum };

  void see(const clang::Token &T) {
    if (LLVM_LIKELY((*Looked)[T.getKind()] == Role::None))
      return;
    guarded(Rec.client(), [&] { look(T); });
  }
  LLVM_ATTRIBUTE_NOINLINE void look(const clang::Token &T);
  /// What was worked since the last line is of this one.
  void endLine();
  void lineInterrupted(uint64_t SinceNs, uint64_t UntilNs,
                       bool ByFile) override;
  void record(uint64_t SinceNs, uint64_t UntilNs, bool ByFile);
  /// What was declared last where the parser is, and ends in the statement
  /// whose first token is at \p Begin or later; null: nothing.
  const clang::Decl *declaredSince(clang::SourceLocation Begin) const;

  Recorder &Rec;
  const clang::Sema *Watched = nullptr;
  InstantiationHook *Hook = nullptr;
  const clang::FunctionDecl *Body = nullptr; ///< of a member, that ends now
  /// The first token of the statement, and of the one that ended last.
  clang::SourceLocation First, EndedFirst;
  /// The last two tokens; those that nobody looked at are as if they were None.
  Role BeforeLast = Role::None, Last = Role::Ender;
  bool IsEnum = false; ///< the list in braces that begins, or goes on
  using TokenRoles = std::array<Role, clang::tok::NUM_TOKENS>;
  TokenRoles Roles{}, AllTokens{};
  const TokenRoles *Looked = &AllTokens; ///< None: the token is not looked at
};

} // namespace instantrace
