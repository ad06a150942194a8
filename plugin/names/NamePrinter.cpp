#include "plugin/names/NamePrinter.h"

#include "plugin/ClangCompat.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

/// Templight's policy, so that names read as in -templight-dump; preferred
/// names off, because what they print depends on sugar.
PrintingPolicy writtenPolicy(const ASTContext &Context) {
  PrintingPolicy Policy = Context.getPrintingPolicy();
  Policy.SuppressDefaultTemplateArgs = false;
  Policy.UsePreferredNames = false;
  return Policy;
}

/// The same with canonical types: without it, Clang prints a specialization
/// with all its arguments until an `extern template` declares it, and as that
/// writes it from then on. A name must not depend on when it is asked for.
PrintingPolicy canonicalPolicy(const ASTContext &Context) {
  PrintingPolicy Policy = writtenPolicy(Context);
  printAsCanonical(Policy);
  return Policy;
}

PrintingPolicy typeArgumentPolicy(PrintingPolicy Policy) {
  Policy.SuppressStrongLifetime = true;
  return Policy;
}

/// Clang leaves default arguments out only where it prints types as written.
PrintingPolicy shortPolicy(const ASTContext &Context) {
  PrintingPolicy Policy = writtenPolicy(Context);
  Policy.SuppressDefaultTemplateArgs = true;
  return Policy;
}

bool hasTemplateArguments(const NamedDecl &D) {
  const auto *Function = dyn_cast<FunctionDecl>(&D);
  return isa<ClassTemplateSpecializationDecl, VarTemplateSpecializationDecl>(
             D) ||
         (Function && Function->getTemplateSpecializationArgs());
}

/// What ClassTemplateSpecializationDecl::getNameForDiagnostic does, with a
/// policy of its own for the arguments.
template <class PartialDecl>
void printPartial(const PartialDecl &D, const PrintingPolicy &Scope,
                  const PrintingPolicy &Arguments, llvm::raw_ostream &OS) {
  D.printQualifiedName(OS, Scope);
  printTemplateArgumentList(
      OS, D.getTemplateArgsAsWritten()->arguments(), Arguments,
      D.getSpecializedTemplate()->getTemplateParameters());
}

bool isInDependentFunction(const NamedDecl &D) {
  for (const DeclContext *DC = D.getDeclContext(); DC; DC = DC->getParent())
    if (DC->isFunctionOrMethod() && DC->isDependentContext())
      return true;
  return false;
}

} // namespace

SimpleName simpleName(DeclarationName Name) {
  auto Kind = Name.getNameKind();
  if (Kind == DeclarationName::CXXOperatorName) {
    std::string_view Sign =
        getOperatorSpelling(Name.getCXXOverloadedOperator());
    bool IsWord = Sign[0] >= 'a' && Sign[0] <= 'z';
    return {IsWord ? "operator " : "operator", Sign};
  }
  bool IsDestructor = Kind == DeclarationName::CXXDestructorName;
  if (!IsDestructor && Kind != DeclarationName::CXXConstructorName)
    return {};
  const auto *Class = dyn_cast<RecordType>(Name.getCXXNameType());
  const IdentifierInfo *Identifier =
      Class ? Class->getAsTagDecl()->getIdentifier() : nullptr;
  if (!Identifier)
    return {};
  return {IsDestructor ? "~" : "", std::string_view(Identifier->getName())};
}

bool isUnnamedParameter(const NamedDecl &D) {
  return !D.getDeclName() &&
         isa<ParmVarDecl, TemplateTypeParmDecl, NonTypeTemplateParmDecl,
             TemplateTemplateParmDecl>(D);
}

llvm::SmallString<64> unnamedParameterPrefix(const NamedDecl &D) {
  auto text = [](StringRef What, unsigned Index, unsigned Depth) {
    llvm::SmallString<64> Text("unnamed ");
    for (StringRef Part : {What, StringRef(" parameter ")})
      Text += Part;
    Text += llvm::utostr(Index);
    if (Depth > 0) {
      Text += " (at depth ";
      Text += llvm::utostr(Depth);
      Text += ")";
    }
    Text += " of ";
    return Text;
  };
  if (const auto *P = dyn_cast<ParmVarDecl>(&D))
    return text("function", P->getFunctionScopeIndex(),
                P->getFunctionScopeDepth());
  if (const auto *P = dyn_cast<TemplateTypeParmDecl>(&D))
    return text("template type", P->getIndex(), P->getDepth());
  if (const auto *P = dyn_cast<NonTypeTemplateParmDecl>(&D))
    return text("template non-type", P->getIndex(), P->getDepth());
  if (const auto *P = dyn_cast<TemplateTemplateParmDecl>(&D))
    return text("template template", P->getIndex(), P->getDepth());
  return {};
}

const NamedDecl *ownerOf(const NamedDecl &D) {
  return dyn_cast_or_null<NamedDecl>(
      Decl::castFromDeclContext(D.getDeclContext()));
}

NamePrinter::NamePrinter(const ASTContext &Context)
    : Canonical(canonicalPolicy(Context)), Types(typeArgumentPolicy(Canonical)),
      Written(writtenPolicy(Context)), Short(shortPolicy(Context)) {}

const PrintingPolicy &NamePrinter::policyFor(const NamedDecl &D) const {
  return D.getParentFunctionOrMethod() && isInDependentFunction(D) ? Written
                                                                   : Canonical;
}

std::string NamePrinter::full(const NamedDecl &D) const {
  return print(D, Form::Full);
}

std::string NamePrinter::shortened(const NamedDecl &D) const {
  return print(D, Form::Shortened);
}

std::string NamePrinter::asWritten(const NamedDecl &D) const {
  return print(D, Form::AsWritten);
}

std::string NamePrinter::print(const NamedDecl &D, Form Style) const {
  const PrintingPolicy &Pattern = Style == Form::Shortened ? Short : Written;
  const PrintingPolicy &Scope = Style == Form::Full ? policyFor(D) : Pattern;
  const PrintingPolicy &Own = Style == Form::Full ? Canonical : Pattern;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (const auto *Class = dyn_cast<ClassTemplatePartialSpecializationDecl>(&D))
    printPartial(*Class, Scope, Pattern, OS);
  else if (const auto *Variable =
               dyn_cast<VarTemplatePartialSpecializationDecl>(&D))
    printPartial(*Variable, Scope, Pattern, OS);
  else if (&Scope != &Own && hasTemplateArguments(D)) {
    D.printNestedNameSpecifier(OS, Scope);
    D.getNameForDiagnostic(OS, Own, /*Qualified=*/false);
  } else
    D.getNameForDiagnostic(OS, Scope, /*Qualified=*/true);
  if (!OS.str().empty())
    return Text;
  if (const auto *Record = dyn_cast<RecordDecl>(&D);
      Record && Record->isLambda()) {
    OS << "lambda at ";
    D.getLocation().print(OS, D.getASTContext().getSourceManager());
    return OS.str();
  }
  if (const auto *Tag = dyn_cast<TagDecl>(&D)) {
    OS << "unnamed " << Tag->getKindName();
    return OS.str();
  }
  OS << unnamedParameterPrefix(D);
  if (const NamedDecl *Owner = ownerOf(D))
    OS << print(*Owner, Style);
  return OS.str();
}

} // namespace instantrace
