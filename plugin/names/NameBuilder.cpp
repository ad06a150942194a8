#include "plugin/names/NameBuilder.h"

#include "plugin/ClangCompat.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

bool isDecomposed(const NamedDecl &D) {
  return isa<RecordDecl, EnumDecl, ValueDecl, TemplateDecl, TypedefNameDecl,
             TemplateTypeParmDecl>(D) &&
         !isa<BindingDecl>(D);
}

} // namespace

/// Arguments that a declaration's name is printed with.
struct NameBuilder::OwnArguments {
  explicit OwnArguments(const NamedDecl &D);

  bool IsSpecialization = false;
  const TemplateDecl *Template = nullptr;
  llvm::ArrayRef<TemplateArgument> Arguments;
  const TemplateParameterList *Parameters = nullptr;
  /// Of a partial specialization: its name is as the source has it.
  const ASTTemplateArgumentListInfo *AsWritten = nullptr;
};

NameBuilder::OwnArguments::OwnArguments(const NamedDecl &D) {
  if (const auto *Function = dyn_cast<FunctionDecl>(&D)) {
    if (const auto *List = Function->getTemplateSpecializationArgs()) {
      IsSpecialization = true;
      Arguments = List->asArray(); // Clang passes no parameters here
      Template = Function->getPrimaryTemplate();
    }
  } else if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D)) {
    IsSpecialization = true;
    Arguments = Spec->getTemplateArgs().asArray();
    Template = Spec->getSpecializedTemplate();
    Parameters = Template->getTemplateParameters();
    if (const auto *Partial =
            dyn_cast<ClassTemplatePartialSpecializationDecl>(Spec))
      AsWritten = Partial->getTemplateArgsAsWritten();
  } else if (const auto *Spec = dyn_cast<VarTemplateSpecializationDecl>(&D)) {
    IsSpecialization = true;
    Arguments = Spec->getTemplateArgs().asArray();
    Template = Spec->getSpecializedTemplate();
    Parameters = Template->getTemplateParameters();
    if (const auto *Partial =
            dyn_cast<VarTemplatePartialSpecializationDecl>(Spec))
      AsWritten = Partial->getTemplateArgsAsWritten();
  }
}

NameBuilder::NameBuilder(const ASTContext &Context, StringTable &Strings,
                         bool HasParameters)
    : Printer(Context), Strings(Strings), HasParameters(HasParameters) {}

StringId NameBuilder::leaf(const llvm::Twine &What, llvm::StringRef Text) {
  StringId Id = Strings.intern(std::string_view(Text));
  if (LeafEntries.insert(Id.Value))
    ++LeafCounts[What.str()];
  return Id;
}

NameBuilder::Names NameBuilder::names(const NamedDecl &D) {
  if (const auto *Known = DeclNames.find(&D))
    return Known->second;
  return DeclNames[&D] = namesAnew(D);
}

NameBuilder::Names NameBuilder::namesOnce(const NamedDecl &D) {
  return isa<TagDecl, TemplateDecl>(D) ? names(D) : namesAnew(D);
}

NameBuilder::Names NameBuilder::namesAnew(const NamedDecl &D) {
  Names Result = computeNames(D);
  const auto *Function = HasParameters ? dyn_cast<FunctionDecl>(&D) : nullptr;
  if (Function) {
    bool IsSpecialization = Result.TemplateSet != Result.Name;
    StringComponents Out;
    Out.ref(Result.Name).ref(parameters(*Function));
    Result.Name = Strings.intern(Out);
    if (!IsSpecialization)
      Result.TemplateSet = Result.Name;
  }
  return Result;
}

NameBuilder::Names NameBuilder::computeNames(const NamedDecl &D) {
  OwnArguments Own(D);
  if (Own.IsSpecialization) {
    if (std::optional<Names> Shared = sharedSpecialization(D, Own))
      return *Shared;
  } else if (D.getIdentifier() && isDecomposed(D) &&
             !D.getDeclContext()->isFunctionOrMethod()) {
    // Most entities: the two differ by their scope alone.
    auto Scope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Decl);
    auto SetScope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Set);
    if (Scope && SetScope)
      return {nameIn(*Scope, D), nameIn(*SetScope, D)};
  }
  if (std::optional<StringId> Name = decomposedDecl(D, Own, ScopeStyle::Decl))
    return {*Name, decomposedDecl(D, Own, ScopeStyle::Set).value_or(*Name)};
  StringId Name = leafDecl(D);
  return {Name, setOfLeaf(D, Name)};
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
    Strings.addList(Out, Types.data(), Types.size());
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
NameBuilder::sharedSpecialization(const NamedDecl &D, const OwnArguments &Own) {
  if (!Own.Template || Own.AsWritten)
    return std::nullopt;
  TemplateHead Head = sharedHead(*Own.Template, D);
  if (!Head.Head)
    return std::nullopt;
  return Names{specialization(Head.Head, Own.Arguments, Own.Parameters),
               Head.Set};
}

NameBuilder::TemplateHead NameBuilder::sharedHead(const TemplateDecl &Template,
                                                  const NamedDecl &D) {
  // Another context may be another block of a namespace, with other inline
  // namespaces in it; a conversion's name differs between specializations.
  if (Template.getDeclContext() != D.getDeclContext() || !D.getIdentifier())
    return {};
  if (const auto *Known = Heads.find(&Template))
    return Known->second;
  TemplateHead Made;
  std::optional<StringId> Scope, SetScope;
  if (D.getDeclContext()->isFunctionOrMethod()) {
    Scope = SetScope = StringId();
  } else {
    Scope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Decl);
    SetScope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Set);
  }
  if (Scope && SetScope) {
    std::string_view Name = std::string_view(D.getIdentifier()->getName());
    StringComponents Out;
    Made.Head = templateHead(Out.ref(*Scope).text(Name));
    Out.clear();
    Made.Set = templateSet(Out.ref(*SetScope).text(Name));
  }
  return Heads[&Template] = Made;
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
  if (!isUnnamedParameter(D))
    return std::nullopt;
  // Clang has a text of its own only outside functions.
  if (!D.getDeclContext()->isFunctionOrMethod()) {
    std::optional<StringId> Scope =
        scope(D.getDeclContext(), DeclarationName(), Style);
    if (!Scope)
      return std::nullopt;
    return Strings.intern(Out.ref(*Scope).text("(anonymous)"));
  }
  const NamedDecl *Owner = ownerOf(D);
  if (!Owner)
    return std::nullopt;
  Names OfOwner = names(*Owner);
  Out.ref(Strings.intern(std::string_view(unnamedParameterPrefix(D).str())));
  Out.ref(Style == ScopeStyle::Set ? OfOwner.TemplateSet : OfOwner.Name);
  return Strings.intern(Out);
}

/// What the template's declaration that \p D is or was made of converts to;
/// null: there is none.
static QualType typeInPattern(const NamedDecl &D) {
  const auto *Primary = dyn_cast<FunctionTemplateDecl>(&D);
  const auto *Function =
      Primary ? Primary->getTemplatedDecl() : dyn_cast<FunctionDecl>(&D);
  if (!Function)
    return {};
  const FunctionDecl *Pattern = nullptr;
  if (!Primary)
    Primary = Function->getPrimaryTemplate();
  if (Primary) {
    while (const auto *Outer = Primary->getInstantiatedFromMemberTemplate())
      Primary = Outer;
    Pattern = Primary->getTemplatedDecl();
  } else {
    while (const auto *Outer = Function->getInstantiatedFromMemberFunction())
      Pattern = Function = Outer;
  }
  const auto *Conversion = dyn_cast_or_null<CXXConversionDecl>(Pattern);
  return Conversion ? Conversion->getConversionType() : QualType();
}

bool NameBuilder::appendName(const NamedDecl &D, ScopeStyle Style,
                             StringComponents &Out) {
  if (const IdentifierInfo *Identifier = D.getIdentifier()) {
    Out.text(std::string_view(Identifier->getName()));
    return true;
  }
  DeclarationName Name = D.getDeclName();
  if (SimpleName Simple = simpleName(Name)) {
    Out.text(Simple.Prefix).text(Simple.Rest);
    return true;
  }
  bool IsConversion =
      Name.getNameKind() == DeclarationName::CXXConversionFunctionName;
  // A template has as many names as its specializations have target types; its
  // set has the type that its declaration has.
  if (IsConversion && Style == ScopeStyle::Set)
    if (QualType Declared = typeInPattern(D);
        !Declared.isNull() && Sizes.isPrintable(Declared)) {
      Out.text("operator ").text(Declared.getAsString(Printer.Written));
      return true;
    }
  if (IsConversion && INSTANTRACE_HAS_NAMES_BY_POLICY &&
      !Name.getCXXNameType()->isRecordType()) {
    Out.text("operator ").element(typeName(Name.getCXXNameType()));
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

StringId NameBuilder::nameIn(StringId Scope, const NamedDecl &D) {
  StringComponents Out;
  return Strings.intern(
      Out.ref(Scope).text(std::string_view(D.getIdentifier()->getName())));
}

std::optional<StringId> NameBuilder::decomposedDecl(const NamedDecl &D,
                                                    const OwnArguments &Own,
                                                    ScopeStyle Style) {
  if (!D.getDeclName())
    return unnamedDecl(D, Style);
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
  if (!appendName(D, Style, Out))
    return std::nullopt;
  if (!Own.IsSpecialization)
    return Strings.intern(Out);
  if (Style == ScopeStyle::Set)
    return templateSet(Out);
  StringId Head = templateHead(Out);
  if (!Own.AsWritten)
    return specialization(Head, Own.Arguments, Own.Parameters);
  Patterns.insert(&D);
  return specializationAsWritten(Head, *Own.AsWritten, Own.Parameters);
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
