/// \file
/// The part of NameBuilder that names what a declaration or type stands in.
///
/// Source: clang/lib/AST/Decl.cpp (NamedDecl::printNestedNameSpecifier),
///         TypePrinter.cpp (AppendScope), release 14 to 22

#include "plugin/ClangCompat.h"
#include "plugin/names/NameBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

/// Then a scope depends on the name in it. Directly enclosing ones only:
/// further out, the name in scope is fixed.
bool hasInlineNamespace(const DeclContext *DC) {
  while (!DC->isNamespace() && DC->isTransparentContext() &&
         !DC->isTranslationUnit())
    DC = DC->getParent();
  return DC->isInlineNamespace();
}

} // namespace

std::optional<StringId> NameBuilder::scope(const DeclContext *DC,
                                           DeclarationName NameInScope,
                                           ScopeStyle Style) {
  if (DC->isTranslationUnit())
    return StringId();
  const void *Name =
      hasInlineNamespace(DC) ? NameInScope.getAsOpaquePtr() : nullptr;
  std::pair<const void *, const void *> Key(DC, Name);
  const auto Index = static_cast<unsigned>(Style);
  const auto Bit = static_cast<uint8_t>(1u << Index);
  const auto *Known = Scopes.find(Key);
  if (Known && (Known->second.Known & Bit)) {
    if (Known->second.Valid & Bit)
      return Known->second.Ids[Index];
    return std::nullopt;
  }
  ++ScopeDepth;
  if (ScopeDepth > MaxDepth && !IsNamingScopes)
    nameOuterScopes(DC, Style);
  std::optional<StringId> Result = computeScope(DC, NameInScope, Style);
  --ScopeDepth;
  ScopeNames &Names = Scopes[Key];
  Names.Known |= Bit;
  if (Result) {
    Names.Valid |= Bit;
    Names.Ids[Index] = *Result;
  }
  return Result;
}

/// Outermost first, so that each finds the one around it named.
void NameBuilder::nameOuterScopes(const DeclContext *DC, ScopeStyle Style) {
  IsNamingScopes = true;
  std::vector<const NamedDecl *> Outer;
  for (; !DC->isTranslationUnit(); DC = DC->getParent())
    if (const auto *Named = dyn_cast<NamedDecl>(DC))
      Outer.push_back(Named);
  for (; !Outer.empty(); Outer.pop_back())
    scope(Outer.back()->getDeclContext(), Outer.back()->getDeclName(), Style);
  IsNamingScopes = false;
}

StringId NameBuilder::printedScope(const NamedDecl &D) {
  auto [It, IsNew] = PrintedScopes.insert(D.getDeclContext());
  if (IsNew) {
    std::string Text = "(scope too large to print)::";
    if (Sizes.isPrintable(D)) {
      Text.clear();
      llvm::raw_string_ostream OS(Text);
      D.printNestedNameSpecifier(OS, Printer.policyFor(D));
    }
    It->second = leaf("scope", Text);
  }
  return It->second;
}

std::optional<StringId> NameBuilder::functionScope(const DeclContext &DC,
                                                   DeclarationName NameInScope,
                                                   ScopeStyle Style) {
  // A type names no function around it; a declaration spells it out.
  if (Style == ScopeStyle::Type)
    return StringId();
  const auto *Function = dyn_cast<FunctionDecl>(&DC);
  if (!Function) // blocks and captured statements have no name
    return isa<NamedDecl>(DC) ? std::nullopt
                              : scope(DC.getParent(), NameInScope, Style);
  StringComponents Out;
  if (Style == ScopeStyle::Set) {
    Out.ref(names(*Function).TemplateSet).text("::");
    return Strings.intern(Out);
  }
  if (DC.isDependentContext())
    return std::nullopt; // as the source has its parameters
  std::optional<StringId> Outer =
      scope(DC.getParent(), Function->getDeclName(), Style);
  if (!Outer)
    return std::nullopt;
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  OS << *Function;
  Out.ref(*Outer).text(OS.str()).text("(");
  const auto *Prototype = Function->getType()->getAs<FunctionProtoType>();
  if (Prototype && Function->hasWrittenPrototype()) {
    Elements Types;
    for (const ParmVarDecl *Parameter : Function->parameters())
      Types.push_back(typeName(Parameter->getType()));
    if (!Types.empty())
      Strings.addList(Out, Types.data(), Types.size());
    if (Prototype->isVariadic())
      Out.text(Types.empty() ? "..." : ", ...");
  }
  return Strings.intern(Out.text(")::"));
}

std::optional<StringId> NameBuilder::unnamedScope(const TagDecl &Tag,
                                                  ScopeStyle Style) {
  std::optional<StringId> Outer =
      scope(Tag.getParent(), DeclarationName(), Style);
  if (!Outer)
    return std::nullopt;
  StringComponents Out;
  Out.ref(*Outer);
  switch (Style) {
  case ScopeStyle::Set: // told apart by where the lambda or type stands
    return Strings.intern(Out.ref(unnamedTag(Tag)).text("::"));
  case ScopeStyle::Type:
    if (!Tag.getTypedefNameForAnonDecl())
      return Outer;
    return Strings.intern(Out.ref(unnamedTag(Tag)).text("::"));
  case ScopeStyle::Decl:
    return Strings.intern(
        Out.text(unnamedScopeText(Tag, Printer.Canonical)).text("::"));
  }
  return std::nullopt;
}

std::optional<StringId> NameBuilder::computeScope(const DeclContext *DC,
                                                  DeclarationName NameInScope,
                                                  ScopeStyle Style) {
  const DeclContext *Parent = DC->getParent();
  if (DC->isFunctionOrMethod())
    return functionScope(*DC, NameInScope, Style);
  const auto *Named = dyn_cast<NamedDecl>(DC);
  if (!Named) // linkage specifications, export declarations
    return scope(Parent, NameInScope, Style);
  const PrintingPolicy &Policy = Printer.Canonical;
  if (const auto *Namespace = dyn_cast<NamespaceDecl>(DC)) {
    if (Policy.SuppressUnwrittenScope && Namespace->isAnonymousNamespace())
      return scope(Parent, NameInScope, Style);
    if (Policy.SuppressInlineNamespace && Namespace->isInline() &&
        NameInScope && isRedundant(*Namespace, NameInScope))
      return scope(Parent, NameInScope, Style);
  } else if (const auto *Tag = dyn_cast<TagDecl>(DC)) {
    // An enumerator is in the scope around an unscoped enumeration.
    const auto *Enum = dyn_cast<EnumDecl>(Tag);
    if (Enum && !Enum->isScoped() && Style != ScopeStyle::Type)
      return scope(Parent, Enum->getDeclName(), Style);
    if (!Named->getIdentifier())
      return unnamedScope(*Tag, Style);
  } else {
    return std::nullopt;
  }

  std::optional<StringId> Outer = scope(Parent, Named->getDeclName(), Style);
  if (!Outer)
    return std::nullopt;
  StringComponents Out;
  Out.ref(*Outer);
  if (Named->getIdentifier())
    Out.text(std::string_view(Named->getName()));
  else
    Out.text("(anonymous namespace)");
  if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(DC)) {
    StringId Name = Style == ScopeStyle::Set
                        ? templateSet(Out)
                        : classSpecialization(templateHead(Out), *Spec);
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

} // namespace instantrace
