#include "plugin/hooks/LineTracker.h"

#include "plugin/hooks/InstantiationHook.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace instantrace {

namespace {

using TokenWatcher = llvm::unique_function<void(const Token &)>;

/// Preprocessor lets one set its watcher and not ask for it. That an explicit
/// instantiation may name what is private is the language's own rule.
template <TokenWatcher Preprocessor::*Member> struct WatcherAccess {
  friend TokenWatcher &tokenWatcher(Preprocessor &P) { return P.*Member; }
};
TokenWatcher &tokenWatcher(Preprocessor &P);
template struct WatcherAccess<&Preprocessor::OnToken>;

/// The list of declarations has no public end. Without what Clang makes itself,
/// as it makes the class of a lambda in an initializer; null: none.
struct LastDeclaration : DeclContext {
  static const Decl *in(const DeclContext &Context) {
    const Decl *Last = Context.*&LastDeclaration::LastDecl;
    if (!Last || !Last->isImplicit())
      return Last;
    Last = nullptr;
    for (const Decl *D = Context.*&LastDeclaration::FirstDecl; D;
         D = D->getNextDeclInContext())
      if (!D->isImplicit())
        Last = D;
    return Last;
  }
};

/// Whether Clang has evaluated what it was given.
bool isEvaluated(const Decl &D) {
  if (const auto *Variable = dyn_cast<VarDecl>(&D)) {
    if (!Variable->hasInit()) // what is left is the bound of an array
      return !isa<ParmVarDecl>(D) && Variable->getType()->isArrayType();
    return Variable->isConstexpr() || Variable->hasGlobalStorage() ||
           (Variable->getType().isConstQualified() &&
            Variable->getType()->isIntegralOrEnumerationType());
  }
  if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(&D))
    return Enumerator->getInitExpr() != nullptr;
  if (const auto *Field = dyn_cast<FieldDecl>(&D))
    return Field->isBitField() || Field->getType()->isArrayType();
  return isa<StaticAssertDecl>(D);
}

bool isLambda(const DeclContext *Context) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Context);
  return Class && Class->isLambda();
}

/// The member whose body is parsed after its class; null: \p Around is none.
const FunctionDecl *lateBody(const NamedDecl *Around) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Around);
  return Function && isa<CXXRecordDecl>(Function->getLexicalParent()) ? Function
                                                                      : nullptr;
}

/// The late body, else the outermost function, else the class or namespace. No
/// lambda, which has no name before it ends.
const NamedDecl *declarationAround(const DeclContext *Context) {
  const NamedDecl *Around = nullptr;
  for (; Context && !lateBody(Around); Context = Context->getLexicalParent())
    if (const auto *Function = dyn_cast<FunctionDecl>(Context)) {
      if (!isLambda(Function->getLexicalParent()))
        Around = Function;
    } else if (!Around && isa<TagDecl, NamespaceDecl>(Context) &&
               !isLambda(Context)) {
      Around = cast<NamedDecl>(Decl::castFromDeclContext(Context));
    }
  return Around;
}

/// \p D, if its name says what was parsed.
const NamedDecl *namedDeclaration(const Decl *D) {
  return D && isa<FunctionDecl, VarDecl, FieldDecl, TagDecl, EnumConstantDecl,
                  TypedefNameDecl, TemplateDecl, NamespaceDecl>(D)
             ? cast<NamedDecl>(D)
             : nullptr;
}

} // namespace

void LineTracker::watch(Sema &S, InstantiationHook &Listening,
                        uint64_t LeastNs) {
  if (!Rec.wants(EventKind::ConstantEvaluation) &&
      !Rec.wants(EventKind::Statement))
    return;
  Watched = &S;
  Hook = &Listening;
  for (tok::TokenKind Kind : {tok::semi, tok::l_brace, tok::r_brace, tok::eof})
    Roles[Kind] = Role::Ender;
  Roles[tok::kw_constexpr] = Role::Constexpr;
  Roles[tok::kw_enum] = Role::Enum;
  AllTokens.fill(Role::Ender);
  TokenWatcher &Known = tokenWatcher(S.getPreprocessor());
  if (Known)
    Known = [this, Other = std::move(Known)](const Token &T) mutable {
      see(T);
      Other(T);
    };
  else
    Known = [this](const Token &T) { see(T); };
  Rec.watchLines(*this, LeastNs);
}

void LineTracker::look(const Token &T) {
  if (!Rec.watchesLines())
    return;
  const Role Is = Roles[T.getKind()];
  if (Is == Role::Ender || Is == Role::Comma || Last == Role::Comma ||
      BeforeLast == Role::Ender) {
    endLine();
  }
  if (Last == Role::Ender) {
    EndedFirst = First;
    First = T.getLocation();
  }
  if (Is == Role::Enum || Is == Role::Constexpr) {
    IsEnum = Is == Role::Enum;
    Roles[tok::comma] = Role::Comma;
  } else if (Is == Role::Ender && !(IsEnum && T.is(tok::l_brace))) {
    IsEnum = false;
    Roles[tok::comma] = Role::None;
  }
  BeforeLast = Last;
  Last = Is;
  Looked =
      Last == Role::Ender || Last == Role::Comma || BeforeLast == Role::Ender
          ? &AllTokens
          : &Roles;
}

void LineTracker::endLine() {
  if (LLVM_LIKELY(Rec.skipShortLine()))
    return;
  uint64_t NowNs = Rec.nowNs();
  if (LLVM_UNLIKELY(Rec.lineSince(NowNs) != NowNs)) {
    Hook->moment(Notice::File);
    NowNs = Rec.nowNs();
    if (uint64_t SinceNs = Rec.lineSince(NowNs); SinceNs != NowNs)
      record(SinceNs, NowNs, /*ByFile=*/false);
  }
  Rec.startLine(NowNs);
}

void LineTracker::memberBodyDone(const FunctionDecl &Function) {
  if (!Rec.watchesLines())
    return;
  Body = &Function;
  endLine();
  Body = nullptr;
}

const Decl *LineTracker::declaredSince(SourceLocation Begin) const {
  const SourceManager &Sources = Watched->getSourceManager();
  const Decl *Found = nullptr;
  // The last enumerator ends together with its enumeration.
  for (const auto *Context = Watched->CurContext; Context;) {
    const Decl *D = LastDeclaration::in(*Context);
    if (!D || D->getLocation().isInvalid() ||
        Sources.isBeforeInTranslationUnit(D->getEndLoc(), Begin))
      break;
    Found = D;
    Context = dyn_cast<EnumDecl>(D);
  }
  return Found;
}

void LineTracker::record(uint64_t SinceNs, uint64_t UntilNs, bool ByFile) {
  SourceLocation Place = BeforeLast == Role::Ender ? EndedFirst : First;
  if (Place.isInvalid())
    return;
  EventKind Kind = EventKind::Statement;
  const NamedDecl *Named = Body ? Body : declarationAround(Watched->CurContext);
  const bool MayHaveEnded =
      BeforeLast == Role::Ender || Last == Role::Ender || Last == Role::Comma;
  if (const FunctionDecl *Late = lateBody(Named)) {
    Place = Late->getLocation();
  } else if (const Decl *D = MayHaveEnded ? declaredSince(Place) : nullptr) {
    Place = D->getLocation();
    if (isEvaluated(*D))
      Kind = EventKind::ConstantEvaluation;
    if (Kind == EventKind::ConstantEvaluation ||
        !isa_and_nonnull<FunctionDecl>(Named))
      Named = namedDeclaration(D); // no static assertion is one
  }
  // Looking for a file, and reading it, is that file's.
  if ((ByFile && Kind == EventKind::Statement) || !Rec.wants(Kind))
    return;
  Rec.lineWork(Kind, Named, Place.getRawEncoding(), SinceNs, UntilNs);
}

void LineTracker::lineInterrupted(uint64_t SinceNs, uint64_t UntilNs,
                                  bool ByFile) {
  record(SinceNs, UntilNs, ByFile);
}

} // namespace instantrace
