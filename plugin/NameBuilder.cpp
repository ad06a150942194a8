#include "plugin/NameBuilder.h"

#include "plugin/ClangCompat.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

std::string_view view(llvm::StringRef S) { return {S.data(), S.size()}; }

/// Arguments that a declaration's name is printed with.
struct OwnArguments {
  bool IsSpecialization = false;
  llvm::ArrayRef<TemplateArgument> Arguments;
  const TemplateParameterList *Parameters = nullptr;
  /// Of a partial specialization: its name is as the source has it.
  const ASTTemplateArgumentListInfo *AsWritten = nullptr;
};

template <class SpecDecl, class PartialDecl>
OwnArguments ownArguments(const SpecDecl &Spec) {
  OwnArguments Own;
  Own.IsSpecialization = true;
  Own.Arguments = Spec.getTemplateArgs().asArray();
  Own.Parameters = Spec.getSpecializedTemplate()->getTemplateParameters();
  if (const auto *Partial = dyn_cast<PartialDecl>(&Spec))
    Own.AsWritten = Partial->getTemplateArgsAsWritten();
  return Own;
}

OwnArguments ownArguments(const NamedDecl &D) {
  if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(&D))
    return ownArguments<ClassTemplateSpecializationDecl,
                        ClassTemplatePartialSpecializationDecl>(*Class);
  if (const auto *Variable = dyn_cast<VarTemplateSpecializationDecl>(&D))
    return ownArguments<VarTemplateSpecializationDecl,
                        VarTemplatePartialSpecializationDecl>(*Variable);
  OwnArguments Own;
  const auto *Function = dyn_cast<FunctionDecl>(&D);
  const TemplateArgumentList *List =
      Function ? Function->getTemplateSpecializationArgs() : nullptr;
  if (List) {
    Own.IsSpecialization = true;
    Own.Arguments = List->asArray(); // Clang passes no parameters here
  }
  return Own;
}

bool isDecomposed(const NamedDecl &D) {
  return isa<RecordDecl, EnumDecl, ValueDecl, TemplateDecl, TypedefNameDecl,
             TemplateTypeParmDecl>(D) &&
         !isa<BindingDecl>(D);
}

} // namespace

NameBuilder::NameBuilder(const ASTContext &Context, StringTable &Strings,
                         bool HasParameters)
    : Printer(Context), Strings(Strings), HasParameters(HasParameters) {}

StringId NameBuilder::leaf(const llvm::Twine &What, llvm::StringRef Text) {
  StringId Id = Strings.intern(view(Text));
  if (LeafEntries.insert(Id.Value).second)
    ++LeafCounts[What.str()];
  return Id;
}

NameBuilder::Names NameBuilder::names(const NamedDecl &D) {
  auto Known = DeclNames.find(&D);
  if (Known != DeclNames.end())
    return {Known->second.first, Known->second.second};
  Names Result;
  if (std::optional<Names> Shared = sharedSpecialization(D)) {
    Result = *Shared;
  } else if (std::optional<StringId> Name =
                 decomposedDecl(D, ScopeStyle::Decl)) {
    Result.Name = *Name;
    Result.TemplateSet = decomposedDecl(D, ScopeStyle::Set).value_or(*Name);
  } else {
    Result.Name = leafDecl(D);
    Result.TemplateSet = setOfLeaf(D, Result.Name);
  }
  const auto *Function = dyn_cast<FunctionDecl>(&D);
  if (HasParameters && Function) {
    bool IsSpecialization = Result.TemplateSet != Result.Name;
    StringComponents Out;
    Out.ref(Result.Name).ref(parameters(*Function));
    Result.Name = Strings.intern(Out);
    if (!IsSpecialization)
      Result.TemplateSet = Result.Name;
  }
  DeclNames[&D] = {Result.Name, Result.TemplateSet};
  return Result;
}

StringId NameBuilder::parameters(const FunctionDecl &D) {
  QualType T = D.getType().getCanonicalType();
  const auto *Prototype = T->getAs<FunctionProtoType>();
  if (!Prototype)
    return {};
  StringComponents Out;
  Elements Types;
  for (QualType Parameter : Prototype->param_types())
    Types.push_back(typeName(Parameter));
  Out.text("(");
  if (!Types.empty())
    Out.ref(Strings.internList(Types.data(), Types.size()));
  if (Prototype->isVariadic())
    Out.text(Types.empty() ? "..." : ", ...");
  Out.text(")");
  std::string Quals = Prototype->getMethodQuals().getAsString();
  if (!Quals.empty())
    Out.text(" ").text(Quals);
  if (Prototype->getRefQualifier() != RQ_None)
    Out.text(Prototype->getRefQualifier() == RQ_LValue ? " &" : " &&");
  return Strings.intern(Out.mark(NamePart::Parameters));
}

StringId NameBuilder::leafDecl(const NamedDecl &D) {
  if (!Sizes.isPrintable(D))
    return leaf("declaration " + llvm::Twine(D.getDeclKindName()),
                "(name too large to print)");
  return leaf("declaration " + llvm::Twine(D.getDeclKindName()),
              Printer.full(D));
}

std::optional<NameBuilder::Names>
NameBuilder::sharedSpecialization(const NamedDecl &D) {
  const TemplateDecl *Template = nullptr;
  OwnArguments Own = ownArguments(D);
  if (!Own.IsSpecialization || Own.AsWritten)
    return std::nullopt;
  if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D))
    Template = Spec->getSpecializedTemplate();
  else if (const auto *Spec = dyn_cast<VarTemplateSpecializationDecl>(&D))
    Template = Spec->getSpecializedTemplate();
  else
    Template = cast<FunctionDecl>(D).getPrimaryTemplate();
  // Another context may be another block of a namespace, with other inline
  // namespaces in it; a conversion's name differs between specializations.
  if (!Template || Template->getDeclContext() != D.getDeclContext() ||
      !D.getIdentifier())
    return std::nullopt;
  auto Known = Heads.find(Template);
  if (Known == Heads.end()) {
    TemplateHead Made;
    std::optional<StringId> Scope, SetScope;
    if (D.getDeclContext()->isFunctionOrMethod()) {
      Scope = SetScope = StringId();
    } else {
      Scope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Decl);
      SetScope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Set);
    }
    if (Scope && SetScope) {
      std::string_view Name = view(D.getIdentifier()->getName());
      StringComponents Out;
      Made.Head = templateHead(Out.ref(*Scope).text(Name));
      Out.clear();
      Made.Set = templateSet(Out.ref(*SetScope).text(Name));
    }
    Known = Heads.try_emplace(Template, Made).first;
  }
  TemplateHead Head = Known->second; // naming arguments may move the map
  if (!Head.Head)
    return std::nullopt;
  return Names{
      specialization(Head.Head, arguments(Own.Arguments, Own.Parameters)),
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
  StringComponents Out;
  return templateSet(Out.ref(Set));
}

std::optional<StringId> NameBuilder::unnamedDecl(const NamedDecl &D,
                                                 ScopeStyle Style) {
  StringComponents Out;
  if (isa<TagDecl>(D)) {
    if (D.getDeclContext()->isFunctionOrMethod())
      return Strings.intern(Printer.full(D)); // by its location alone
    std::optional<StringId> Scope =
        scope(D.getDeclContext(), DeclarationName(), Style);
    if (!Scope)
      return std::nullopt;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printNameInScope(D, OS, Printer.Canonical);
    Out.ref(*Scope).text(OS.str().empty() ? "(anonymous)" : OS.str());
    return Strings.intern(Out);
  }
  std::string Prefix = unnamedParameterPrefix(D);
  const NamedDecl *Owner = ownerOf(D);
  if (Prefix.empty())
    return std::nullopt;
  // Clang has a text of its own only outside functions.
  if (!D.getDeclContext()->isFunctionOrMethod()) {
    std::optional<StringId> Scope =
        scope(D.getDeclContext(), DeclarationName(), Style);
    if (!Scope)
      return std::nullopt;
    return Strings.intern(Out.ref(*Scope).text("(anonymous)"));
  }
  if (!Owner)
    return std::nullopt;
  Names OfOwner = names(*Owner);
  Out.ref(Strings.intern(Prefix));
  Out.ref(Style == ScopeStyle::Set ? OfOwner.TemplateSet : OfOwner.Name);
  return Strings.intern(Out);
}

bool NameBuilder::appendName(const NamedDecl &D, StringComponents &Out) {
  if (const IdentifierInfo *Identifier = D.getIdentifier()) {
    Out.text(view(Identifier->getName()));
    return true;
  }
  DeclarationName Name = D.getDeclName();
  bool IsConversion =
      Name.getNameKind() == DeclarationName::CXXConversionFunctionName;
  if (IsConversion && INSTANTRACE_HAS_NAMES_BY_POLICY &&
      !Name.getCXXNameType()->isRecordType()) {
    Out.text("operator ").ref(typeName(Name.getCXXNameType()));
    return true;
  }
  std::string Text = "operator (type too large to print)";
  if (!IsConversion || Sizes.isPrintable(D)) {
    Text.clear();
    llvm::raw_string_ostream OS(Text);
    printNameInScope(D, OS, Printer.Canonical);
  }
  if (Text.empty())
    return false;
  if (IsConversion && !Name.getCXXNameType()->isRecordType() &&
      !Name.getCXXNameType()->isBuiltinType())
    Out.ref(leaf("conversion operator", Text));
  else
    Out.text(Text);
  return true;
}

std::optional<StringId> NameBuilder::decomposedDecl(const NamedDecl &D,
                                                    ScopeStyle Style) {
  if (!D.getDeclName())
    return unnamedDecl(D, Style);
  OwnArguments Own = ownArguments(D);
  if (!Own.IsSpecialization && !isDecomposed(D))
    return std::nullopt;
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
  Out.ref(*Scope);
  if (!appendName(D, Out))
    return std::nullopt;
  if (!Own.IsSpecialization)
    return Strings.intern(Out);
  if (Style == ScopeStyle::Set)
    return templateSet(Out);
  if (Own.AsWritten) {
    Patterns.insert(&D);
    return specialization(Out,
                          argumentsAsWritten(*Own.AsWritten, Own.Parameters));
  }
  return specialization(Out, arguments(Own.Arguments, Own.Parameters));
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
