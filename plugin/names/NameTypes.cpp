/// \file
/// The part of NameBuilder that names types.
///
/// Source: clang/lib/AST/TypePrinter.cpp, release 14 to 22

#include "plugin/ClangCompat.h"
#include "plugin/names/NameBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

/// "const volatile __restrict"; what else qualifies is not decomposed.
std::string spelling(Qualifiers Quals, const PrintingPolicy &Policy) {
  std::string Text;
  auto add = [&Text](bool Has, const char *Word) {
    if (Has)
      Text += (Text.empty() ? "" : " ") + std::string(Word);
  };
  add(Quals.hasConst(), "const");
  add(Quals.hasVolatile(), "volatile");
  add(Quals.hasRestrict(), Policy.Restrict ? "restrict" : "__restrict");
  return Text;
}

/// How a pointer or reference is written; empty for what is none.
std::string_view pointerSign(const Type &Ty) {
  if (isa<PointerType>(Ty))
    return "*";
  if (isa<LValueReferenceType>(Ty))
    return "&";
  return isa<RValueReferenceType>(Ty) ? "&&" : "";
}

bool endsInSign(const StringTable &Strings, ListElement Type) {
  char Last = Strings.lastChar(Type);
  return Last == '*' || Last == '&';
}

/// Has no parts: Clang prints it as a word or two.
bool isAtom(const Type &Ty) {
  return isa<BuiltinType, ComplexType, TemplateTypeParmType>(Ty) ||
         Ty.isBitIntType() || isGenericVector(Ty);
}

} // namespace

NameBuilder::TypeName NameBuilder::type(QualType T) {
  // Most types that are asked for are canonical; the type itself is not looked
  // at unless it has to be.
  if (const auto *Known = Types.find(T.getAsOpaquePtr()))
    return Known->second;
  T = T.getCanonicalType();
  const void *Key = T.getAsOpaquePtr();
  if (const auto *Known = Types.find(Key))
    return Known->second;
  ++TypeDepth;
  if (TypeDepth > MaxDepth && !IsNamingParts)
    nameParts(T);
  TypeName Result = decomposedType(T);
  if (!Result.Name)
    Result = leafType(T);
  --TypeDepth;
  Types[Key] = Result;
  return Result;
}

/// Names everything that \p T is made of, innermost first, without recursion:
/// when a type's turn comes, all its parts are known.
void NameBuilder::nameParts(QualType T) {
  IsNamingParts = true;
  struct Visit {
    QualType T;
    bool KnowsParts;
  };
  std::vector<Visit> Stack;
  auto pushParts = [&](QualType Whole) {
    forEachPart(Whole, [&](QualType Part) {
      if (!Types.contains(Part.getAsOpaquePtr()))
        Stack.push_back({Part, false});
    });
  };
  pushParts(T);
  while (!Stack.empty()) {
    Visit &Last = Stack.back();
    QualType Part = Last.T;
    if (Last.KnowsParts || Types.contains(Part.getAsOpaquePtr())) {
      Stack.pop_back();
      type(Part);
    } else {
      Last.KnowsParts = true;
      pushParts(Part);
    }
  }
  IsNamingParts = false;
}

NameBuilder::TypeName NameBuilder::leafType(QualType T) {
  std::string Text;
  if (Sizes.isPrintable(T)) {
    llvm::raw_string_ostream OS(Text);
    T.print(OS, Printer.Types);
    OS.flush();
  } else {
    Text = "(type too large to print)";
  }
  if (isAtom(*T)) {
    if (auto Short = ListElement::text(Text))
      return {*Short, false, false};
    return {Strings.intern(Text), false, false};
  }
  return {leaf("type " + llvm::Twine(T->getTypeClassName()), Text), false,
          true};
}

ListElement NameBuilder::memberPointerClass(const MemberPointerType &T) {
  QualType Class = classOfMemberPointer(T);
  if (INSTANTRACE_HAS_SHORT_MEMBER_CLASSES && Sizes.isPrintable(Class))
    return leaf("class of a member pointer",
                memberPointerClassText(T, Printer.Types));
  return typeName(Class);
}

NameBuilder::TypeName NameBuilder::decomposedType(QualType T) {
  Qualifiers Quals = T.getLocalQualifiers();
  if (Quals.hasNonFastQualifiers() || isAtom(*T))
    return {};
  const Type &Ty = *T;
  if (hasSuffix(T)) {
    TypeParts All = parts(T, /*IsBare=*/true);
    if (!All.IsValid)
      return {};
    StringComponents Out;
    return {Strings.intern(Out.element(All.Before).element(All.After)), true,
            false};
  }
  std::string_view Sign = pointerSign(Ty);
  const auto *Member = dyn_cast<MemberPointerType>(&Ty);
  StringComponents Out;
  if (!Sign.empty() || Member) {
    TypeName Pointee = type(Ty.getPointeeType());
    if (Pointee.IsWhole)
      return {};
    Out.element(Pointee.Name);
    if (!endsInSign(Strings, Pointee.Name))
      Out.text(" ");
    if (Member)
      Out.element(memberPointerClass(*Member)).text("::*");
    Out.text(Sign).text(spelling(Quals, Printer.Types));
    return {Strings.intern(Out)};
  }
  if (!isa<RecordType, EnumType, AtomicType>(Ty))
    return {};
  if (!Quals.empty()) {
    TypeName Plain = type(T.getUnqualifiedType());
    if (Plain.IsWhole)
      return {};
    Out.text(spelling(Quals, Printer.Types)).text(" ").element(Plain.Name);
    return {Strings.intern(Out)};
  }
  if (const auto *Atomic = dyn_cast<AtomicType>(&Ty)) {
    Out.text("_Atomic(").element(typeName(Atomic->getValueType())).text(")");
    return {Strings.intern(Out)};
  }
  return {tagName(*Ty.getAsTagDecl())};
}

StringId NameBuilder::tagName(const TagDecl &D) {
  if (!Printer.Types.SuppressTagKeyword)
    return {};
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D);
  if (Spec && D.getIdentifier()) {
    std::optional<StringId> Head = typeHead(*Spec);
    return Head ? classSpecialization(*Head, *Spec) : StringId();
  }
  std::optional<StringId> Scope =
      scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Type);
  if (!Scope)
    return {};
  StringComponents Out;
  Out.ref(*Scope);
  if (D.getIdentifier())
    Out.text(std::string_view(D.getName()));
  else
    Out.ref(unnamedTag(D));
  return Strings.intern(Out);
}

std::optional<StringId>
NameBuilder::typeHead(const ClassTemplateSpecializationDecl &D) {
  const TemplateDecl *Template = D.getSpecializedTemplate();
  // Another context may be another block of a namespace, with other inline
  // namespaces in it.
  bool IsShared = Template->getDeclContext() == D.getDeclContext();
  if (IsShared)
    if (const auto *Known = TypeHeads.find(Template))
      return Known->second;
  std::optional<StringId> Scope =
      scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Type);
  if (!Scope)
    return std::nullopt;
  StringComponents Out;
  StringId Head =
      templateHead(Out.ref(*Scope).text(std::string_view(D.getName())));
  if (IsShared)
    TypeHeads[Template] = Head;
  return Head;
}

StringId NameBuilder::unnamedTag(const TagDecl &D) {
  PrintingPolicy Unqualified = Printer.Types;
  Unqualified.SuppressScope = true;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  tagType(D).print(OS, Unqualified);
  return Strings.intern(OS.str());
}

bool NameBuilder::hasSuffix(QualType T) {
  while (true) {
    if (const auto *Known = Types.find(T.getAsOpaquePtr()))
      return Known->second.HasSuffix;
    const Type *Ty = T.getTypePtr();
    if (isa<ArrayType, FunctionType>(Ty))
      return true;
    if (!isa<PointerType, ReferenceType, MemberPointerType>(Ty))
      return false;
    T = Ty->getPointeeType();
  }
}

NameBuilder::TypeParts NameBuilder::parts(QualType T, bool IsBare) {
  if (!hasSuffix(T)) {
    TypeName Whole = type(T);
    if (Whole.IsWhole)
      return {};
    if (IsBare || endsInSign(Strings, Whole.Name))
      return {Whole.Name, {}, true};
    StringComponents Out;
    return {Strings.intern(Out.element(Whole.Name).text(" ")), {}, true};
  }
  std::pair<const void *, unsigned> Key(T.getAsOpaquePtr(), IsBare);
  if (const auto *Known = Parts.find(Key))
    return Known->second;
  ++TypeDepth;
  if (TypeDepth > MaxDepth && !IsNamingParts)
    nameParts(T);
  TypeParts Result = computeParts(T, IsBare);
  --TypeDepth;
  Parts[Key] = Result;
  return Result;
}

NameBuilder::TypeParts NameBuilder::computeParts(QualType T, bool IsBare) {
  Qualifiers Quals = T.getLocalQualifiers();
  if (Quals.hasNonFastQualifiers())
    return {};
  const Type &Ty = *T;
  StringComponents Before, After;
  auto done = [&]() -> TypeParts {
    return {Strings.intern(Before), Strings.intern(After), true};
  };
  std::string_view Sign = pointerSign(Ty);
  const auto *Member = dyn_cast<MemberPointerType>(&Ty);
  if (!Sign.empty() || Member) {
    bool IsAroundArray = isa<ArrayType>(Ty.getPointeeType());
    TypeParts Inner = parts(Ty.getPointeeType(), /*IsBare=*/false);
    if (!Inner.IsValid)
      return {};
    Before.element(Inner.Before).text(IsAroundArray ? "(" : "");
    if (Member)
      Before.element(memberPointerClass(*Member)).text("::*");
    Before.text(Sign);
    if (!Quals.empty())
      Before.text(spelling(Quals, Printer.Types)).text(IsBare ? "" : " ");
    After.text(IsAroundArray ? ")" : "").element(Inner.After);
    return done();
  }
  if (const auto *Array = dyn_cast<ArrayType>(&Ty)) {
    const auto *Constant = dyn_cast<ConstantArrayType>(Array);
    if ((!Constant && !isa<IncompleteArrayType>(Array)) ||
        Array->getIndexTypeQualifiers().hasQualifiers())
      return {};
    // A constant array is printed as an array of constants.
    QualType Element = Array->getElementType();
    Element.addFastQualifiers(Quals.getFastQualifiers());
    TypeParts Inner = parts(Element, IsBare);
    if (!Inner.IsValid)
      return {};
    Before.element(Inner.Before);
    After.text("[");
    if (Constant)
      After.text(std::to_string(Constant->getSize().getZExtValue()));
    After.text("]").element(Inner.After);
    return done();
  }
  const auto *Function = dyn_cast<FunctionProtoType>(&Ty);
  if (!Function || !Quals.empty())
    return {};
  StringId List = parameterList(*Function);
  TypeParts Return = parts(Function->getReturnType(), /*IsBare=*/false);
  if (!List || !Return.IsValid)
    return {};
  Before.element(Return.Before).text(IsBare ? "" : "(");
  After.text(IsBare ? "" : ")").ref(List).element(Return.After);
  return done();
}

StringId NameBuilder::parameterList(const FunctionProtoType &T) {
  ExceptionSpecificationType Exceptions = T.getExceptionSpecType();
  Qualifiers Quals = T.getMethodQuals();
  if (hasRareParts(T) || Quals.hasNonFastQualifiers() ||
      (Exceptions != EST_None && Exceptions != EST_BasicNoexcept))
    return {};
  StringComponents Out;
  Out.text("(");
  Elements Types;
  for (QualType Parameter : T.param_types())
    Types.push_back(typeName(Parameter));
  if (!Types.empty())
    Strings.addList(Out, Types.data(), Types.size());
  if (T.isVariadic())
    Out.text(Types.empty() ? "..." : ", ...");
  else if (Types.empty() && Printer.Types.UseVoidForZeroParams)
    Out.text("void");
  Out.text(")");
  if (!Quals.empty()) // under a policy of no language, hence __restrict
    Out.text(" ").text(spelling(Quals, PrintingPolicy(LangOptions())));
  if (T.getRefQualifier() != RQ_None)
    Out.text(T.getRefQualifier() == RQ_LValue ? " &" : " &&");
  if (Exceptions == EST_BasicNoexcept)
    Out.text(" noexcept");
  return Strings.intern(Out);
}

} // namespace instantrace
