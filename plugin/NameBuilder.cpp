#include "plugin/NameBuilder.h"

#include "plugin/ClangCompat.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
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

std::string_view view(llvm::StringRef S) { return {S.data(), S.size()}; }

/// "unnamed function parameter 1 of ", as -templight-dump has it; empty for
/// what is no parameter. The owner's name follows.
std::string unnamedParameterPrefix(const NamedDecl &D) {
  auto text = [](const char *What, unsigned Index, unsigned Depth) {
    std::string Text = "unnamed " + std::string(What) + " parameter " +
                       std::to_string(Index) + " ";
    if (Depth > 0)
      Text += "(at depth " + std::to_string(Depth) + ") ";
    return Text + "of ";
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

bool hasTemplateArguments(const NamedDecl &D) {
  const auto *Function = dyn_cast<FunctionDecl>(&D);
  return isa<ClassTemplateSpecializationDecl, VarTemplateSpecializationDecl>(
             D) ||
         (Function && Function->getTemplateSpecializationArgs());
}

const NamedDecl *ownerOf(const NamedDecl &D) {
  return dyn_cast_or_null<NamedDecl>(
      Decl::castFromDeclContext(D.getDeclContext()));
}

} // namespace

NameBuilder::NameBuilder(const ASTContext &Context, StringTable &Strings)
    : Policy(canonicalPolicy(Context)), TypePolicy(typeArgumentPolicy(Policy)),
      WrittenPolicy(writtenPolicy(Context)), Strings(Strings) {}

const PrintingPolicy &NameBuilder::policyFor(const NamedDecl &D) const {
  return D.getParentFunctionOrMethod() ? WrittenPolicy : Policy;
}

/// What ClassTemplateSpecializationDecl::getNameForDiagnostic does, with a
/// policy of its own for the arguments.
template <class PartialDecl>
void NameBuilder::printPartial(const PartialDecl &D,
                               llvm::raw_ostream &OS) const {
  D.printQualifiedName(OS, policyFor(D));
  printTemplateArgumentList(
      OS, D.getTemplateArgsAsWritten()->arguments(), WrittenPolicy,
      D.getSpecializedTemplate()->getTemplateParameters());
}

std::string NameBuilder::printed(const NamedDecl &D) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (const auto *Class = dyn_cast<ClassTemplatePartialSpecializationDecl>(&D))
    printPartial(*Class, OS);
  else if (const auto *Variable =
               dyn_cast<VarTemplatePartialSpecializationDecl>(&D))
    printPartial(*Variable, OS);
  else if (D.getParentFunctionOrMethod() && hasTemplateArguments(D)) {
    D.printNestedNameSpecifier(OS, WrittenPolicy);
    D.getNameForDiagnostic(OS, Policy, /*Qualified=*/false);
  } else
    D.getNameForDiagnostic(OS, policyFor(D), /*Qualified=*/true);
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
    Owner->getNameForDiagnostic(OS, policyFor(*Owner), /*Qualified=*/true);
  return OS.str();
}

NameBuilder::Names NameBuilder::names(const NamedDecl &D) {
  auto Known = DeclNames.find(&D);
  if (Known != DeclNames.end())
    return {Known->second.first, Known->second.second};
  Names Result;
  if (std::optional<Names> Shared = sharedSpecialization(D)) {
    ++DecomposedDecls;
    Result = *Shared;
  } else if (std::optional<StringId> Name =
                 decomposedDecl(D, ScopeStyle::Decl)) {
    ++DecomposedDecls;
    Result.Name = *Name;
    Result.TemplateSet = decomposedDecl(D, ScopeStyle::Set).value_or(*Name);
  } else {
    ++LeafDecls;
    Result.Name = Strings.intern(printed(D));
    Result.TemplateSet = setOfLeaf(D, Result.Name);
  }
  DeclNames[&D] = {Result.Name, Result.TemplateSet};
  return Result;
}

std::optional<NameBuilder::Names>
NameBuilder::sharedSpecialization(const NamedDecl &D) {
  const TemplateDecl *Template = nullptr;
  const TemplateParameterList *Parameters = nullptr;
  llvm::ArrayRef<TemplateArgument> Arguments;
  if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D)) {
    if (isa<ClassTemplatePartialSpecializationDecl>(Spec))
      return std::nullopt;
    Template = Spec->getSpecializedTemplate();
    Parameters = Template->getTemplateParameters();
    Arguments = Spec->getTemplateArgs().asArray();
  } else if (const auto *Function = dyn_cast<FunctionDecl>(&D)) {
    Template = Function->getPrimaryTemplate();
    const TemplateArgumentList *List =
        Function->getTemplateSpecializationArgs();
    if (!Template || !List)
      return std::nullopt;
    Arguments = List->asArray();
  }
  // Another context may be another block of a namespace, with other inline
  // namespaces in it; a conversion's name differs between specializations.
  if (!Template || Template->getDeclContext() != D.getDeclContext() ||
      !D.getIdentifier())
    return std::nullopt;
  auto [It, IsNew] = Heads.try_emplace(Template);
  if (IsNew) {
    std::optional<StringId> Scope, SetScope;
    if (D.getDeclContext()->isFunctionOrMethod())
      Scope = SetScope = StringId();
    else {
      Scope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Decl);
      SetScope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Set);
    }
    if (Scope && SetScope) {
      auto make = [&](StringId Outer, std::string_view Tail) {
        StringComponents Out;
        if (Outer)
          Out.ref(Outer);
        return Strings.intern(
            Out.text(view(D.getIdentifier()->getName())).text(Tail));
      };
      Heads[Template] = {make(*Scope, "<"), make(*SetScope, "<$>")};
    }
  }
  TemplateHead Head = Heads[Template]; // making it may have moved the map
  if (!Head.Head)
    return std::nullopt;
  return Names{specialization(Head.Head, arguments(Arguments, Parameters)),
               Head.Set};
}

StringId NameBuilder::setOfLeaf(const NamedDecl &D, StringId Name) {
  const NamedDecl *Pattern = nullptr;
  bool IsSpecialization = false;
  if (const auto *Function = dyn_cast<FunctionDecl>(&D)) {
    if (const FunctionTemplateDecl *Primary = Function->getPrimaryTemplate()) {
      Pattern = Primary;
      IsSpecialization = true;
    } else {
      Pattern = Function->getInstantiatedFromMemberFunction();
    }
  } else if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D)) {
    Pattern = Spec->getSpecializedTemplate();
    IsSpecialization = true;
  } else if (const auto *Spec = dyn_cast<VarTemplateSpecializationDecl>(&D)) {
    Pattern = Spec->getSpecializedTemplate();
    IsSpecialization = true;
  } else if (const auto *Record = dyn_cast<CXXRecordDecl>(&D)) {
    Pattern = Record->getInstantiatedFromMemberClass();
  }
  if (!Pattern || Pattern == &D)
    return Name;
  StringId Set = names(*Pattern).TemplateSet;
  if (!IsSpecialization)
    return Set;
  return Strings.intern(StringComponents().ref(Set).text("<$>"));
}

std::optional<StringId> NameBuilder::decomposedDecl(const NamedDecl &D,
                                                    ScopeStyle Style) {
  if (!D.getDeclName()) {
    std::string Prefix = unnamedParameterPrefix(D);
    const NamedDecl *Owner = ownerOf(D);
    if (Prefix.empty() || !Owner)
      return std::nullopt;
    // Clang has a text of its own only outside functions.
    if (!D.getDeclContext()->isFunctionOrMethod()) {
      std::optional<StringId> Scope =
          scope(D.getDeclContext(), DeclarationName(), Style);
      if (!Scope)
        return std::nullopt;
      StringComponents Out;
      if (*Scope)
        Out.ref(*Scope);
      return Strings.intern(Out.text("(anonymous)"));
    }
    Names OfOwner = names(*Owner);
    return Strings.intern(StringComponents()
                              .ref(Strings.intern(Prefix))
                              .ref(Style == ScopeStyle::Set
                                       ? OfOwner.TemplateSet
                                       : OfOwner.Name));
  }
  llvm::ArrayRef<TemplateArgument> Arguments;
  const TemplateParameterList *Parameters = nullptr;
  const ASTTemplateArgumentListInfo *AsWritten = nullptr;
  bool IsSpecialization = false;
  if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D)) {
    if (const auto *Partial =
            dyn_cast<ClassTemplatePartialSpecializationDecl>(Spec))
      AsWritten = Partial->getTemplateArgsAsWritten();
    Arguments = Spec->getTemplateArgs().asArray();
    Parameters = Spec->getSpecializedTemplate()->getTemplateParameters();
    IsSpecialization = true;
  } else if (const auto *Spec = dyn_cast<VarTemplateSpecializationDecl>(&D)) {
    if (const auto *Partial =
            dyn_cast<VarTemplatePartialSpecializationDecl>(Spec))
      AsWritten = Partial->getTemplateArgsAsWritten();
    Arguments = Spec->getTemplateArgs().asArray();
    Parameters = Spec->getSpecializedTemplate()->getTemplateParameters();
    IsSpecialization = true;
  } else if (const auto *Function = dyn_cast<FunctionDecl>(&D)) {
    if (const TemplateArgumentList *List =
            Function->getTemplateSpecializationArgs()) {
      Arguments = List->asArray(); // Clang passes no parameters here
      IsSpecialization = true;
    }
  } else if (!isa<RecordDecl, EnumDecl, ValueDecl, TemplateDecl,
                  TypedefNameDecl, TemplateTypeParmDecl>(D) ||
             isa<BindingDecl>(D)) {
    return std::nullopt;
  }

  std::optional<StringId> Scope;
  if (D.getDeclContext()->isFunctionOrMethod())
    Scope = StringId();
  else
    Scope = scope(D.getDeclContext(), D.getDeclName(), Style);
  if (!Scope && Style == ScopeStyle::Decl)
    Scope = printedScope(D);
  if (!Scope)
    return std::nullopt;
  StringComponents Out;
  if (*Scope)
    Out.ref(*Scope);
  if (const IdentifierInfo *Identifier = D.getIdentifier()) {
    Out.text(view(Identifier->getName()));
  } else {
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    printNameInScope(D, OS, Policy);
    if (OS.str().empty())
      return std::nullopt;
    Out.text(OS.str());
  }
  if (!IsSpecialization)
    return Strings.intern(Out);
  if (Style == ScopeStyle::Set)
    return Strings.intern(Out.text("<$>"));
  if (AsWritten)
    return specialization(Out, argumentsAsWritten(*AsWritten, Parameters));
  return specialization(Out, arguments(Arguments, Parameters));
}

bool NameBuilder::hasInlineNamespace(const DeclContext *DC) {
  if (DC->isTranslationUnit())
    return false;
  auto Known = HasInlineNamespace.find(DC);
  if (Known != HasInlineNamespace.end())
    return Known->second;
  // Only directly enclosing ones: further out, the name in scope is fixed.
  bool Has = DC->isInlineNamespace() ||
             (DC->isTransparentContext() && !DC->isNamespace() &&
              hasInlineNamespace(DC->getParent()));
  HasInlineNamespace[DC] = Has;
  return Has;
}

std::optional<StringId> NameBuilder::scope(const DeclContext *DC,
                                           DeclarationName NameInScope,
                                           ScopeStyle Style) {
  if (DC->isTranslationUnit())
    return StringId();
  const void *Name =
      hasInlineNamespace(DC) ? NameInScope.getAsOpaquePtr() : nullptr;
  ScopeKey Key(DC, {Name, static_cast<unsigned>(Style)});
  auto Known = Scopes.find(Key);
  if (Known != Scopes.end())
    return Known->second;
  std::optional<StringId> Result = computeScope(DC, NameInScope, Style);
  Scopes[Key] = Result;
  return Result;
}

StringId NameBuilder::printedScope(const NamedDecl &D) {
  auto [It, IsNew] = PrintedScopes.try_emplace(D.getDeclContext());
  if (IsNew) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    D.printNestedNameSpecifier(OS, policyFor(D));
    It->second = Strings.intern(OS.str());
  }
  return It->second;
}

std::optional<StringId> NameBuilder::computeScope(const DeclContext *DC,
                                                  DeclarationName NameInScope,
                                                  ScopeStyle Style) {
  const DeclContext *Parent = DC->getParent();
  if (DC->isFunctionOrMethod()) {
    // A type names no function around it; a declaration spells it out.
    if (Style == ScopeStyle::Type)
      return StringId();
    const auto *Function = dyn_cast<FunctionDecl>(DC);
    if (Style == ScopeStyle::Decl || !Function)
      return std::nullopt;
    return Strings.intern(
        StringComponents().ref(names(*Function).TemplateSet).text("::"));
  }
  const auto *Named = dyn_cast<NamedDecl>(DC);
  if (!Named) // linkage specifications, export declarations
    return scope(Parent, NameInScope, Style);
  if (const auto *Namespace = dyn_cast<NamespaceDecl>(DC)) {
    if (Policy.SuppressUnwrittenScope && Namespace->isAnonymousNamespace())
      return scope(Parent, NameInScope, Style);
    if (Policy.SuppressInlineNamespace && Namespace->isInline() &&
        NameInScope && isRedundant(*Namespace, NameInScope))
      return scope(Parent, NameInScope, Style);
  } else if (!isa<TagDecl>(DC)) {
    return std::nullopt;
  } else if (!Named->getIdentifier()) {
    // A set is told apart by where the lambda or unnamed type stands.
    const auto *Record = dyn_cast<CXXRecordDecl>(DC);
    if (Style != ScopeStyle::Set || !Record)
      return std::nullopt;
    std::optional<StringId> Outer = scope(Parent, DeclarationName(), Style);
    if (!Outer)
      return std::nullopt;
    StringComponents Out;
    if (*Outer)
      Out.ref(*Outer);
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    recordType(*Record).print(OS, Policy);
    // The type may print its scope too; the set has it already.
    std::string_view Own(OS.str());
    size_t Paren = Own.rfind('(');
    Out.text(Paren == std::string_view::npos ? Own : Own.substr(Paren));
    return Strings.intern(Out.text("::"));
  }

  std::optional<StringId> Outer = scope(Parent, Named->getDeclName(), Style);
  if (!Outer)
    return std::nullopt;
  StringComponents Out;
  if (*Outer)
    Out.ref(*Outer);
  if (Named->getIdentifier())
    Out.text(view(Named->getName()));
  else
    Out.text("(anonymous namespace)");
  if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(DC)) {
    if (Style == ScopeStyle::Set)
      return Strings.intern(Out.text("<$>::"));
    StringId Name = specialization(
        Out,
        arguments(Spec->getTemplateArgs().asArray(),
                  Spec->getSpecializedTemplate()->getTemplateParameters()));
    Out.clear();
    Out.ref(Name);
  }
  return Strings.intern(Out.text("::"));
}

bool NameBuilder::isRedundant(const NamespaceDecl &Namespace,
                              DeclarationName Name) {
  // As NamespaceDecl::isRedundantInlineQualifierFor, without loading anything
  // from a PCH or module.
  auto count = [Name](const DeclContext *DC) {
    auto Found = const_cast<DeclContext *>(DC)->noload_lookup(Name);
    return std::distance(Found.begin(), Found.end());
  };
  return count(&Namespace) ==
         count(Namespace.getParent()->getNonTransparentContext());
}

EntityKind entityKind(const Decl &D) {
  if (isa<CXXRecordDecl>(D) || isa<RecordDecl>(D))
    return EntityKind::Class;
  if (isa<FunctionDecl>(D))
    return EntityKind::Function;
  if (isa<ParmVarDecl>(D))
    return EntityKind::FunctionParameter;
  if (isa<TemplateTypeParmDecl, NonTypeTemplateParmDecl,
          TemplateTemplateParmDecl>(D))
    return EntityKind::TemplateParameter;
  if (isa<VarDecl>(D) || isa<FieldDecl>(D) || isa<VarTemplateDecl>(D))
    return EntityKind::Variable;
  if (isa<ConceptDecl>(D))
    return EntityKind::Concept;
  if (isa<ClassTemplateDecl>(D))
    return EntityKind::ClassTemplate;
  if (isa<FunctionTemplateDecl>(D))
    return EntityKind::FunctionTemplate;
  if (isa<TypeAliasTemplateDecl>(D) || isa<TypedefNameDecl>(D))
    return EntityKind::Alias;
  if (isa<EnumDecl>(D))
    return EntityKind::Enum;
  return EntityKind::Other;
}

} // namespace instantrace
