/// \file
/// The half of NameBuilder that names types and template arguments.
///
/// Source: clang/lib/AST/{TypePrinter,TemplateBase}.cpp, release 14 to 22

#include "plugin/ClangCompat.h"
#include "plugin/NameBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

std::string_view view(llvm::StringRef S) { return {S.data(), S.size()}; }

bool endsInDeclarator(const StringTable &Strings, StringId Id) {
  char Last = Strings.lastChar(Id);
  return Last == '*' || Last == '&';
}

/// A type that is printed wholly before the declarator's place.
bool hasNoSuffix(QualType T) {
  while (const Type *Ty = T.getTypePtr()) {
    if (const auto *P = dyn_cast<PointerType>(Ty))
      T = P->getPointeeType();
    else if (const auto *R = dyn_cast<ReferenceType>(Ty))
      T = R->getPointeeType();
    else
      return isa<BuiltinType>(Ty) || isa<TagType>(Ty);
  }
  return false;
}

} // namespace

StringId NameBuilder::typeName(QualType T) {
  const void *Key = T.getAsOpaquePtr();
  auto Known = TypeNames.find(Key);
  if (Known != TypeNames.end())
    return Known->second;
  StringId Id;
  if (T.isCanonical() && !T->isDependentType())
    Id = decomposedType(T);
  if (!Id) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    T.print(OS, TypePolicy);
    Id = Strings.intern(OS.str());
  }
  TypeNames[Key] = Id;
  return Id;
}

StringId NameBuilder::decomposedType(QualType T) {
  Qualifiers Quals = T.getQualifiers();
  if (Quals.hasNonFastQualifiers() || Quals.hasRestrict())
    return {};
  std::string_view Cv = Quals.hasConst()
                            ? (Quals.hasVolatile() ? "const volatile" : "const")
                            : (Quals.hasVolatile() ? "volatile" : "");
  const Type *Ty = T.getTypePtr();
  StringComponents Out;
  if (isa<PointerType>(Ty) || isa<ReferenceType>(Ty)) {
    QualType Pointee = Ty->getPointeeType();
    std::string_view Sign = isa<PointerType>(Ty)           ? "*"
                            : isa<LValueReferenceType>(Ty) ? "&"
                                                           : "&&";
    if (const auto *Function =
            dyn_cast<FunctionProtoType>(Pointee.getTypePtr()))
      return Cv.empty() ? functionType(*Function, Sign) : StringId();
    if (!hasNoSuffix(Pointee))
      return {};
    StringId Inner = typeName(Pointee);
    Out.ref(Inner);
    if (!endsInDeclarator(Strings, Inner))
      Out.text(" ");
    return Strings.intern(Out.text(Sign).text(Cv));
  }
  if (const auto *Function = dyn_cast<FunctionProtoType>(Ty))
    return functionType(*Function, "");
  if (!isa<RecordType>(Ty) && !isa<EnumType>(Ty))
    return {};
  if (!Cv.empty()) {
    StringId Plain = typeName(T.getUnqualifiedType());
    return Strings.intern(Out.text(Cv).text(" ").ref(Plain));
  }
  return tagName(*Ty->getAsTagDecl());
}

StringId NameBuilder::tagName(const TagDecl &D) {
  if (!D.getIdentifier() || !Policy.SuppressTagKeyword)
    return {};
  std::optional<StringId> Scope =
      scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Type);
  if (!Scope)
    return {};
  StringComponents Out;
  if (*Scope)
    Out.ref(*Scope);
  Out.text(view(D.getName()));
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D);
  if (!Spec)
    return Strings.intern(Out);
  return specialization(
      Out, arguments(Spec->getTemplateArgs().asArray(),
                     Spec->getSpecializedTemplate()->getTemplateParameters()));
}

StringId NameBuilder::functionType(const FunctionProtoType &T,
                                   std::string_view Declarator) {
  FunctionProtoType::ExtProtoInfo Info = T.getExtProtoInfo();
  // What Clang prints only in rare cases is left to Clang.
  if (!hasNoSuffix(T.getReturnType()) || T.hasTrailingReturn() ||
      T.getCallConv() != CC_C || T.getNoReturnAttr() ||
      T.hasExtParameterInfos() || T.getExtInfo().getProducesResult() ||
      T.getExtInfo().getNoCallerSavedRegs() || T.getExtInfo().getNoCfCheck() ||
      T.getExtInfo().getHasRegParm() || T.getRefQualifier() != RQ_None ||
      T.getMethodQuals().hasQualifiers() ||
      (Info.ExceptionSpec.Type != EST_None &&
       Info.ExceptionSpec.Type != EST_BasicNoexcept))
    return {};
  StringComponents Out;
  StringId Return = typeName(T.getReturnType());
  Out.ref(Return);
  if (!endsInDeclarator(Strings, Return))
    Out.text(" ");
  if (!Declarator.empty())
    Out.text("(").text(Declarator).text(")");
  Out.text("(");
  Elements Parameters;
  for (QualType Parameter : T.param_types())
    Parameters.push_back(typeName(Parameter));
  if (!Parameters.empty())
    Out.ref(Strings.internList(Parameters.data(), Parameters.size()));
  if (T.isVariadic())
    Out.text(Parameters.empty() ? "..." : ", ...");
  Out.text(")");
  if (Info.ExceptionSpec.Type == EST_BasicNoexcept)
    Out.text(" noexcept");
  return Strings.intern(Out);
}

NameBuilder::Elements
NameBuilder::arguments(llvm::ArrayRef<TemplateArgument> Arguments,
                       const TemplateParameterList *Parameters) {
  Elements Result;
  unsigned Index = 0;
  for (const TemplateArgument &Argument : Arguments) {
    if (Argument.getKind() != TemplateArgument::Pack)
      Result.push_back(argument(Argument, Parameters, Index, Policy));
    else
      for (const TemplateArgument &Element : Argument.pack_elements())
        Result.push_back(argument(Element, Parameters, Index, Policy));
    ++Index;
  }
  return Result;
}

NameBuilder::Elements
NameBuilder::argumentsAsWritten(const ASTTemplateArgumentListInfo &Arguments,
                                const TemplateParameterList *Parameters) {
  Elements Result;
  unsigned Index = 0;
  for (const TemplateArgumentLoc &Argument : Arguments.arguments()) {
    if (Argument.getArgument().getKind() == TemplateArgument::Type) {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      PrintingPolicy Printed = WrittenPolicy;
      Printed.SuppressStrongLifetime = true;
      Argument.getTypeSourceInfo()->getType().print(OS, Printed);
      Result.push_back(Strings.intern(OS.str()));
    } else {
      Result.push_back(
          argument(Argument.getArgument(), Parameters, Index, WrittenPolicy));
    }
    ++Index;
  }
  return Result;
}

StringId NameBuilder::specialization(StringComponents &Template,
                                     llvm::ArrayRef<StringId> Arguments) {
  // The part up to `<` is an entry of its own: specializations of a template
  // share it, as templates share argument lists.
  return specialization(Strings.intern(Template.text("<")), Arguments);
}

StringId NameBuilder::specialization(StringId Head,
                                     llvm::ArrayRef<StringId> Arguments) {
  // Clang sets no comma after arguments without text until one has some; 16
  // prints an unnamed template template parameter as such.
  while (!Arguments.empty() && Strings.firstChar(Arguments.front()) == 0)
    Arguments = Arguments.drop_front();
  StringComponents Out;
  Out.ref(Head);
  if (!Arguments.empty()) {
    // `<:` would be a digraph, `>>` a shift before C++11.
    if (Strings.firstChar(Arguments.front()) == ':')
      Out.text(" ");
    StringId List = Strings.internList(Arguments.data(), Arguments.size());
    Out.ref(List);
    if (Policy.SplitTemplateClosers && Strings.lastChar(List) == '>')
      Out.text(" ");
  }
  return Strings.intern(Out.text(">"));
}

StringId NameBuilder::argument(const TemplateArgument &Argument,
                               const TemplateParameterList *Parameters,
                               unsigned Index, const PrintingPolicy &Printed) {
  if (Argument.getKind() == TemplateArgument::Type)
    return typeName(Argument.getAsType());
  bool IncludeType = TemplateParameterList::shouldIncludeTypeForArgument(
      Printed, Parameters, Index);
  llvm::SmallString<32> Text;
  llvm::raw_svector_ostream OS(Text);
  Argument.print(Printed, OS, IncludeType);
  return Strings.intern(view(Text.str()));
}

} // namespace instantrace
