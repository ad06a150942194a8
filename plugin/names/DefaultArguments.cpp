#include "plugin/names/DefaultArguments.h"

#include "plugin/ClangCompat.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace instantrace {

#if INSTANTRACE_HAS_DEFAULTED_FLAG

// The parameters are not looked at: they are far away in memory.
static bool isDefault(llvm::ArrayRef<TemplateArgument> Arguments, size_t Index,
                      const TemplateParameterList &) {
  return Arguments[Index].getIsDefaulted();
}

#elif INSTANTRACE_HAS_DEFAULT_COMPARISON

/// Evaluating a default may read functions and variables from a precompiled
/// header or a module, unless it is spelled out. An AST source alone says
/// nothing: C++20 always has one, and nothing is loaded into it.
static bool isSafeToEvaluate(const NamedDecl &Parameter) {
  const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(&Parameter);
  if (!Value || !Value->hasDefaultArgument())
    return true;
  const SourceManager &Sources = Value->getASTContext().getSourceManager();
  if (Sources.loaded_sloc_entry_size() == 0)
    return true;
  const Expr *Default = Value->getDefaultArgument();
  return Default->isValueDependent() ||
         isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr>(
             Default->IgnoreParenImpCasts());
}

static bool isDefault(llvm::ArrayRef<TemplateArgument> Arguments, size_t Index,
                      const TemplateParameterList &Parameters) {
  const NamedDecl &Parameter = *Parameters.getParam(Index);
  return isSafeToEvaluate(Parameter) &&
         isSubstitutedDefaultArgument(Parameter.getASTContext(),
                                      Arguments[Index], &Parameter, Arguments,
                                      Parameters.getDepth());
}

#else

namespace {

/// Whether an argument is what its parameter's default becomes with the other
/// arguments. Goes as deep as the default is written.
class DefaultMatcher {
public:
  DefaultMatcher(const ASTContext &Context,
                 llvm::ArrayRef<TemplateArgument> Arguments, unsigned Depth)
      : Context(Context), Arguments(Arguments), Depth(Depth) {}

  bool matches(const TemplateArgument &Candidate,
               const TemplateArgument &Default) {
    TemplateArgument Argument = Context.getCanonicalTemplateArgument(Candidate);
    TemplateArgument Pattern = Context.getCanonicalTemplateArgument(Default);
    if (Argument.structurallyEquals(Pattern))
      return true;
    if (Pattern.getKind() == TemplateArgument::Expression)
      if (const auto *Ref =
              dyn_cast<DeclRefExpr>(Pattern.getAsExpr()->IgnoreParenImpCasts()))
        if (const auto *Parm =
                dyn_cast<NonTypeTemplateParmDecl>(Ref->getDecl()))
          return isArgumentFor(*Parm, Argument);
    if (Argument.getKind() != Pattern.getKind())
      return false;
    if (Argument.getKind() == TemplateArgument::Type)
      return matches(Argument.getAsType(), Pattern.getAsType());
    if (Argument.getKind() == TemplateArgument::Template)
      if (const auto *Parm = dyn_cast_or_null<TemplateTemplateParmDecl>(
              Pattern.getAsTemplate().getAsTemplateDecl()))
        return isArgumentFor(*Parm, Argument);
    return false;
  }

private:
  template <class ParmDecl>
  bool isArgumentFor(const ParmDecl &Parm, const TemplateArgument &Argument) {
    return Parm.getDepth() == Depth && Parm.getIndex() < Arguments.size() &&
           Context.getCanonicalTemplateArgument(Arguments[Parm.getIndex()])
               .structurallyEquals(Argument);
  }

  bool matches(QualType T, QualType Pattern) {
    if (Context.hasSameType(T, Pattern))
      return true;
    if (const auto *Parm = Pattern->getAs<TemplateTypeParmType>())
      return Parm->getDepth() == Depth && Parm->getIndex() < Arguments.size() &&
             Arguments[Parm->getIndex()].getKind() == TemplateArgument::Type &&
             Context.hasSameType(T, Context.getQualifiedType(
                                        Arguments[Parm->getIndex()].getAsType(),
                                        Pattern.getQualifiers()));
    Qualifiers OfType, OfPattern;
    auto &Unqualifier = const_cast<ASTContext &>(Context);
    T = Unqualifier.getUnqualifiedArrayType(T, OfType);
    Pattern = Unqualifier.getUnqualifiedArrayType(Pattern, OfPattern);
    if (OfType != OfPattern)
      return false;
    QualType Pointee = T->getPointeeType();
    QualType PatternPointee = Pattern->getPointeeType();
    if (!Pointee.isNull() && !PatternPointee.isNull())
      return T->getTypeClass() == Pattern->getTypeClass() &&
             matches(Pointee, PatternPointee);
    const auto *Id =
        Pattern.getCanonicalType()->getAs<TemplateSpecializationType>();
    return Id && matches(T, *Id);
  }

  bool matches(QualType T, const TemplateSpecializationType &Pattern) {
    TemplateName Template;
    llvm::ArrayRef<TemplateArgument> Given;
    if (const auto *Id = T->getAs<TemplateSpecializationType>()) {
      Template = Id->getTemplateName();
      Given = Id->template_arguments();
    } else if (const auto *Spec =
                   dyn_cast_or_null<ClassTemplateSpecializationDecl>(
                       T->getAsCXXRecordDecl())) {
      Template = TemplateName(Spec->getSpecializedTemplate());
      Given = Spec->getTemplateArgs().asArray();
    } else {
      return false;
    }
    llvm::ArrayRef<TemplateArgument> Patterns = Pattern.template_arguments();
    if (Given.size() != Patterns.size() ||
        !matches(TemplateArgument(Template),
                 TemplateArgument(Pattern.getTemplateName())))
      return false;
    for (size_t I = 0; I != Given.size(); ++I)
      if (!matches(Given[I], Patterns[I]))
        return false;
    return true;
  }

  const ASTContext &Context;
  llvm::ArrayRef<TemplateArgument> Arguments;
  unsigned Depth;
};

bool isDefault(llvm::ArrayRef<TemplateArgument> Arguments, size_t Index,
               const TemplateParameterList &Parameters) {
  const TemplateArgument &Argument = Arguments[Index];
  const NamedDecl &Parameter = *Parameters.getParam(Index);
  if (Argument.getKind() == TemplateArgument::Pack)
    return Argument.pack_size() == 0;
  // Most parameters have none, and need not be asked for their context.
  auto matches = [&](const TemplateArgument &Default) {
    return DefaultMatcher(Parameter.getASTContext(), Arguments,
                          Parameters.getDepth())
        .matches(Argument, Default);
  };
  if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(&Parameter))
    return Type->hasDefaultArgument() && matches(Type->getDefaultArgument());
  if (const auto *Template = dyn_cast<TemplateTemplateParmDecl>(&Parameter))
    return Template->hasDefaultArgument() &&
           matches(Template->getDefaultArgument().getArgument());
  const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(&Parameter);
  return Value && Value->hasDefaultArgument() &&
         matches(TemplateArgument(Value->getDefaultArgument()));
}

} // namespace

#endif

size_t writtenArguments(llvm::ArrayRef<TemplateArgument> Arguments,
                        const TemplateParameterList *Parameters) {
  size_t Count = Arguments.size();
  if (!Parameters || Count > Parameters->size())
    return Count;
  while (Count != 0 && isDefault(Arguments, Count - 1, *Parameters))
    --Count;
  return Count;
}

} // namespace instantrace
