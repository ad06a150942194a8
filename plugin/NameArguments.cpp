/// \file
/// The part of NameBuilder that names template arguments.
///
/// Source: clang/lib/AST/TemplateBase.cpp (TemplateArgument::print),
///         TypePrinter.cpp (printTo), release 14 to 22

#include "plugin/ClangCompat.h"
#include "plugin/DefaultArguments.h"
#include "plugin/NameBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

std::string_view view(llvm::StringRef S) { return {S.data(), S.size()}; }

const char *kindName(TemplateArgument::ArgKind Kind) {
  switch (Kind) {
  case TemplateArgument::Null:
    return "Null";
  case TemplateArgument::Type:
    return "Type";
  case TemplateArgument::Declaration:
    return "Declaration";
  case TemplateArgument::NullPtr:
    return "NullPtr";
  case TemplateArgument::Integral:
    return "Integral";
  case TemplateArgument::Template:
    return "Template";
  case TemplateArgument::TemplateExpansion:
    return "TemplateExpansion";
  case TemplateArgument::Expression:
    return "Expression";
  case TemplateArgument::Pack:
    return "Pack";
#if INSTANTRACE_HAS_STRUCTURAL_VALUE
  case TemplateArgument::StructuralValue:
    return "StructuralValue";
#endif
  }
  return "";
}

/// A name or a number.
bool isWord(llvm::StringRef Text) {
  Text.consume_front("-");
  return llvm::all_of(Text,
                      [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

/// A value that has no parts: a number, a null pointer, or in a pattern a
/// literal or a parameter's name.
bool isAtom(const TemplateArgument &Argument, llvm::StringRef Printed) {
  if (isWord(Printed))
    return true;
  switch (Argument.getKind()) {
  case TemplateArgument::Null:
  case TemplateArgument::NullPtr:
  case TemplateArgument::Integral:
    return true;
  default:
    return isScalarValue(Argument);
  }
}

/// The template of an argument that is one; null for what is not declared.
const TemplateDecl *templateOf(const TemplateArgument &Argument) {
  if (Argument.getKind() != TemplateArgument::Template)
    return nullptr;
  return Argument.getAsTemplate().getAsTemplateDecl();
}

} // namespace

NameBuilder::ArgumentList
NameBuilder::arguments(llvm::ArrayRef<TemplateArgument> Arguments,
                       const TemplateParameterList *Parameters) {
  std::pair<const void *, const void *> Key(Arguments.data(), Parameters);
  if (!Arguments.empty()) {
    auto Known = Lists.find(Key);
    if (Known != Lists.end())
      return Known->second;
  }
  Elements Shown, Defaults;
  size_t Written = writtenArguments(Arguments, Parameters);
  unsigned Index = 0;
  for (const TemplateArgument &Argument : Arguments) {
    Elements &Into = Index < Written ? Shown : Defaults;
    if (Argument.getKind() != TemplateArgument::Pack)
      Into.push_back(argument(Argument, Parameters, Index, Printer.Canonical));
    else
      for (const TemplateArgument &Element : Argument.pack_elements())
        Into.push_back(argument(Element, Parameters, Index, Printer.Canonical));
    ++Index;
  }
  ArgumentList List = makeList(Shown, Defaults);
  if (!Arguments.empty())
    Lists[Key] = List;
  return List;
}

NameBuilder::ArgumentList
NameBuilder::argumentsAsWritten(const ASTTemplateArgumentListInfo &Arguments,
                                const TemplateParameterList *Parameters) {
  PrintingPolicy Printed = Printer.Written;
  Printed.SuppressStrongLifetime = true;
  Elements Names;
  llvm::SmallVector<TemplateArgument, 8> Values;
  for (const TemplateArgumentLoc &Argument : Arguments.arguments()) {
    Values.push_back(Argument.getArgument());
    if (Argument.getArgument().getKind() == TemplateArgument::Type) {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      Argument.getTypeSourceInfo()->getType().print(OS, Printed);
      Names.push_back(Strings.intern(OS.str()));
    } else {
      Names.push_back(argument(Argument.getArgument(), Parameters,
                               static_cast<unsigned>(Names.size()),
                               Printer.Written));
    }
  }
  size_t Written = writtenArguments(Values, Parameters);
  return makeList(llvm::ArrayRef<StringId>(Names).take_front(Written),
                  llvm::ArrayRef<StringId>(Names).drop_front(Written));
}

NameBuilder::ArgumentList
NameBuilder::makeList(llvm::ArrayRef<StringId> Shown,
                      llvm::ArrayRef<StringId> Defaults) {
  // Clang sets no comma after arguments without text until one has some; 16
  // prints an unnamed template template parameter as such.
  auto dropEmpty = [this](llvm::ArrayRef<StringId> &All) {
    while (!All.empty() && Strings.firstChar(All.front()) == 0)
      All = All.drop_front();
  };
  dropEmpty(Shown);
  if (Shown.empty())
    dropEmpty(Defaults);
  ArgumentList List;
  // `<:` would be a digraph, `>>` a shift before C++11.
  bool SplitsClosers = Printer.Canonical.SplitTemplateClosers;
  if (!Shown.empty()) {
    List.Shown = Strings.internList(Shown.data(), Shown.size());
    List.NeedsSpaceBefore = Strings.firstChar(List.Shown) == ':';
    List.NeedsSpaceAfter = SplitsClosers && Strings.lastChar(List.Shown) == '>';
  }
  if (Defaults.empty())
    return List;
  StringId Values = Strings.internList(Defaults.data(), Defaults.size());
  bool NeedsSpace = SplitsClosers && Strings.lastChar(Values) == '>';
  StringComponents Out;
  if (!Shown.empty())
    Out.text(", ");
  else if (Strings.firstChar(Values) == ':')
    Out.text(" ");
  Out.ref(Values);
  if (NeedsSpace && !List.NeedsSpaceAfter)
    Out.text(" ");
  List.NeedsSpaceAfter = List.NeedsSpaceAfter && NeedsSpace;
  List.Defaults = Strings.intern(Out.mark(NamePart::DefaultArguments));
  return List;
}

StringId NameBuilder::templateHead(StringComponents &Template) {
  return Strings.intern(Template.text("<").mark(NamePart::TemplateHead));
}

StringId NameBuilder::templateSet(StringComponents &Template) {
  StringComponents Out;
  return Strings.intern(Out.ref(templateHead(Template)).text("$>"));
}

StringId NameBuilder::specialization(StringComponents &Template,
                                     const ArgumentList &List) {
  // The part up to `<` is an entry of its own: specializations of a template
  // share it, as templates share argument lists.
  return specialization(templateHead(Template), List);
}

StringId NameBuilder::specialization(StringId Head, const ArgumentList &List) {
  StringComponents Out;
  Out.ref(Head).text(List.NeedsSpaceBefore ? " " : "");
  Out.ref(List.Shown).ref(List.Defaults);
  return Strings.intern(Out.text(List.NeedsSpaceAfter ? " >" : ">"));
}

StringId NameBuilder::argument(const TemplateArgument &Argument,
                               const TemplateParameterList *Parameters,
                               unsigned Index, const PrintingPolicy &Printed) {
  if (Argument.getKind() == TemplateArgument::Type)
    return typeName(Argument.getAsType());
  bool IncludesType = TemplateParameterList::shouldIncludeTypeForArgument(
      Printed, Parameters, Index);
  if (Argument.getKind() == TemplateArgument::Integral) {
    if (Argument.getIntegralType()->isEnumeralType())
      return enumArgument(Argument, IncludesType);
    if (!IncludesType && &Printed == &Printer.Canonical)
      return integralArgument(Argument);
  }
  const TemplateDecl *Template = templateOf(Argument);
  const NamedDecl *Named = Template;
  if (Argument.getKind() == TemplateArgument::Declaration)
    Named = Argument.getAsDecl();
  if (Named && !Sizes.isPrintable(*Named))
    return leaf("argument " + llvm::Twine(kindName(Argument.getKind())),
                "(scope too large to print)");
  llvm::SmallString<32> Text;
  llvm::raw_svector_ostream OS(Text);
  Argument.print(Printed, OS, IncludesType);
  if (Argument.getKind() == TemplateArgument::Declaration)
    return declArgument(Argument, Text.str());
  if (Template)
    return scopedArgument(*Template, "argument Template", Text.str());
  if (isAtom(Argument, Text.str()))
    return Strings.intern(view(Text.str()));
  return leaf("argument " + llvm::Twine(kindName(Argument.getKind())),
              Text.str());
}

/// Requires: no enumerator, printed without its type.
StringId NameBuilder::integralArgument(const TemplateArgument &Argument) {
  auto print = [&] {
    llvm::SmallString<32> Text;
    llvm::raw_svector_ostream OS(Text);
    Argument.print(Printer.Canonical, OS, /*IncludeType=*/false);
    return Strings.intern(view(Text.str()));
  };
  llvm::APSInt Value = Argument.getAsIntegral();
  if (Value.getBitWidth() > 64)
    return print();
  StringId &Known = Integers[{Argument.getIntegralType().getAsOpaquePtr(),
                              *Value.getRawData()}];
  if (!Known)
    Known = print();
  return Known;
}

/// As Clang does, but with the enumerators that are loaded: those of a
/// precompiled enumeration may not be, and its value stands for them then.
StringId NameBuilder::enumArgument(const TemplateArgument &Argument,
                                   bool IncludesType) {
  QualType T = Argument.getIntegralType().getCanonicalType();
  const TagDecl &Enum = *T->getAsTagDecl();
  const llvm::APSInt &Value = Argument.getAsIntegral();
  StringComponents Out;
  for (const Decl *D : Enum.noload_decls()) {
    const auto *Enumerator = dyn_cast<EnumConstantDecl>(D);
    if (!Enumerator ||
        !llvm::APSInt::isSameValue(Enumerator->getInitVal(), Value))
      continue;
    std::optional<StringId> Scope =
        scope(&Enum, Enumerator->getDeclName(), ScopeStyle::Decl);
    Out.ref(Scope ? *Scope : printedScope(*Enumerator));
    return Strings.intern(Out.text(view(Enumerator->getName())));
  }
  if (IncludesType)
    Out.text("(").ref(typeName(T)).text(")");
  llvm::SmallString<24> Digits;
  Value.toString(Digits);
  return Strings.intern(Out.text(view(Digits)));
}

StringId NameBuilder::declArgument(const TemplateArgument &Argument,
                                   llvm::StringRef Printed) {
  const ValueDecl &D = *Argument.getAsDecl();
  if (!isa<TemplateParamObjectDecl>(D))
    return scopedArgument(D, "argument Declaration", Printed);
  StringId Type = typeName(D.getType().getCanonicalType().getUnqualifiedType());
  if (!Printed.consume_front(Strings.expand(Type)))
    return Strings.intern(view(Printed)); // until 15, without its type
  StringComponents Out;
  return Strings.intern(Out.ref(Type).text(view(Printed)));
}

/// Clang does not print the scopes of all arguments, nor all of them under the
/// policy that it is given.
StringId NameBuilder::scopedArgument(const NamedDecl &D, const char *Kind,
                                     llvm::StringRef Printed) {
  llvm::StringRef Rest = Printed;
  bool HasSign = Rest.consume_front("&");
  if (isWord(Rest))
    return Strings.intern(view(Printed));
  std::optional<StringId> Scope;
  if (!D.getDeclContext()->isFunctionOrMethod())
    Scope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Decl);
  if (!Scope || !*Scope || !Rest.consume_front(Strings.expand(*Scope)))
    return leaf(Kind, Printed);
  StringComponents Out;
  return Strings.intern(
      Out.text(HasSign ? "&" : "").ref(*Scope).text(view(Rest)));
}

} // namespace instantrace
