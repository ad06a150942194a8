/// \file
/// The part of NameBuilder that names template arguments.
///
/// Source: clang/lib/AST/TemplateBase.cpp (TemplateArgument::print),
///         TypePrinter.cpp (printTo), release 14 to 22

#include "plugin/ClangCompat.h"
#include "plugin/names/DefaultArguments.h"
#include "plugin/names/NameBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/NativeFormatting.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

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

/// Not as a character or truth value, nor with a suffix that says its type.
bool isPrintedAsNumber(QualType T, bool IncludesType) {
  const auto *Builtin = dyn_cast<BuiltinType>(T.getCanonicalType());
  if (!Builtin)
    return false;
  switch (Builtin->getKind()) {
  case BuiltinType::Int:
    return true;
  case BuiltinType::Short:
  case BuiltinType::UShort:
  case BuiltinType::UInt:
  case BuiltinType::Long:
  case BuiltinType::ULong:
  case BuiltinType::LongLong:
  case BuiltinType::ULongLong:
    return !IncludesType;
  default:
    return false;
  }
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

void NameBuilder::addArgument(const TemplateArgument &Argument,
                              const TemplateParameterList *Parameters,
                              unsigned Index, Elements &Into) {
  if (Argument.getKind() != TemplateArgument::Pack) {
    Into.push_back(argument(Argument, Parameters, Index, Printer.Canonical));
    return;
  }
  // A list that doubles until memory ends takes no more for its names.
  llvm::ArrayRef<TemplateArgument> Pack = Argument.pack_elements();
  const size_t Left = Pack.size() > PrintedSize::MaxParts ? Pack.size() - 1 : 0;
  Into.reserve(Into.size() + Pack.size() - Left + 1);
  for (const TemplateArgument &Element : Pack.drop_back(Left))
    Into.push_back(argument(Element, Parameters, Index, Printer.Canonical));
  if (Left == 0)
    return;
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Out << "\xE2\x80\xA6 ";
  llvm::write_integer(Out, Left, 0, llvm::IntegerStyle::Number);
  Out << " more";
  Into.push_back(Strings.intern(Out.str()));
}

StringId NameBuilder::specialization(StringId Head,
                                     llvm::ArrayRef<TemplateArgument> Arguments,
                                     const TemplateParameterList *Parameters) {
  Elements Names;
  size_t Written = writtenArguments(Arguments, Parameters), Shown = 0;
  for (unsigned Index = 0; Index != Arguments.size(); ++Index) {
    if (Index == Written)
      Shown = Names.size();
    addArgument(Arguments[Index], Parameters, Index, Names);
  }
  if (Written == Arguments.size())
    Shown = Names.size();
  llvm::ArrayRef<ListElement> All = Names;
  return specialization(Head, All.take_front(Shown), All.drop_front(Shown));
}

StringId
NameBuilder::classSpecialization(StringId Head,
                                 const ClassTemplateSpecializationDecl &Class) {
  const ClassTemplateDecl &Template = *Class.getSpecializedTemplate();
  if (!isa<ClassTemplatePartialSpecializationDecl>(Class) &&
      sharedHead(Template, Class).Head == Head)
    return names(Class).Name;
  return specialization(Head, Class.getTemplateArgs().asArray(),
                        Template.getTemplateParameters());
}

StringId NameBuilder::specializationAsWritten(
    StringId Head, const ASTTemplateArgumentListInfo &Arguments,
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
  llvm::ArrayRef<ListElement> All = Names;
  return specialization(Head, All.take_front(Written), All.drop_front(Written));
}

char NameBuilder::firstChar(llvm::ArrayRef<ListElement> List) const {
  if (List.empty())
    return 0;
  char First = Strings.firstChar(List.front());
  return First == 0 && List.size() > 1 ? ',' : First;
}

char NameBuilder::lastChar(llvm::ArrayRef<ListElement> List) const {
  if (List.empty())
    return 0;
  char Last = Strings.lastChar(List.back());
  return Last == 0 && List.size() > 1 ? ' ' : Last;
}

StringId NameBuilder::specialization(StringId Head,
                                     llvm::ArrayRef<ListElement> Shown,
                                     llvm::ArrayRef<ListElement> Defaults) {
  // Clang sets no comma after arguments without text until one has some; 16
  // prints an unnamed template template parameter as such.
  auto dropEmpty = [this](llvm::ArrayRef<ListElement> &All) {
    while (!All.empty() && Strings.firstChar(All.front()) == 0)
      All = All.drop_front();
  };
  dropEmpty(Shown);
  if (Shown.empty())
    dropEmpty(Defaults);
  // `<:` would be a digraph, `>>` a shift before C++11.
  bool SplitsClosers = Printer.Canonical.SplitTemplateClosers;
  bool NeedsSpace = SplitsClosers && lastChar(Shown) == '>';
  // The part up to `<` is an entry of its own: specializations of a template
  // share it.
  StringComponents Out;
  Out.ref(Head);
  if (firstChar(Shown) == ':')
    Out.text(" ");
  Strings.addList(Out, Shown.data(), Shown.size());
  if (!Defaults.empty()) {
    StringComponents Marked;
    if (!Shown.empty())
      Marked.text(", ");
    else if (firstChar(Defaults) == ':')
      Marked.text(" ");
    Strings.addList(Marked, Defaults.data(), Defaults.size());
    bool DefaultsNeedSpace = SplitsClosers && lastChar(Defaults) == '>';
    if (DefaultsNeedSpace && !NeedsSpace)
      Marked.text(" ");
    NeedsSpace = NeedsSpace && DefaultsNeedSpace;
    Out.ref(Strings.intern(Marked.mark(NamePart::DefaultArguments)));
  }
  return Strings.intern(Out.text(NeedsSpace ? " >" : ">"));
}

StringId NameBuilder::templateHead(StringComponents &Template) {
  return Strings.intern(Template.text("<").mark(NamePart::TemplateHead));
}

StringId NameBuilder::templateSet(StringComponents &Template) {
  StringComponents Out;
  return Strings.intern(Out.ref(templateHead(Template)).text("$>"));
}

ListElement NameBuilder::argument(const TemplateArgument &Argument,
                                  const TemplateParameterList *Parameters,
                                  unsigned Index,
                                  const PrintingPolicy &Printed) {
  if (Argument.getKind() == TemplateArgument::Type)
    return typeName(Argument.getAsType());
  bool IncludesType = TemplateParameterList::shouldIncludeTypeForArgument(
      Printed, Parameters, Index);
  if (Argument.getKind() == TemplateArgument::Integral) {
    if (Argument.getIntegralType()->isEnumeralType())
      return enumArgument(Argument, IncludesType);
    if (&Printed == &Printer.Canonical)
      return integralArgument(Argument, IncludesType);
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
    return Strings.intern(std::string_view(Text.str()));
  return leaf("argument " + llvm::Twine(kindName(Argument.getKind())),
              Text.str());
}

/// Requires: no enumerator.
ListElement NameBuilder::integralArgument(const TemplateArgument &Argument,
                                          bool IncludesType) {
  auto print = [&]() -> ListElement {
    llvm::SmallString<32> Text;
    llvm::raw_svector_ostream OS(Text);
    Argument.print(Printer.Canonical, OS, IncludesType);
    if (auto Short = ListElement::text(std::string_view(Text.str())))
      return *Short;
    return Strings.intern(std::string_view(Text.str()));
  };
  llvm::APSInt Value = Argument.getAsIntegral();
  if (Value.getBitWidth() > 64)
    return print();
  uint64_t Bits = *Value.getRawData();
  QualType T = Argument.getIntegralType();
  if (isPrintedAsNumber(T, IncludesType)) {
    bool IsNegative = Value.isNegative();
    uint64_t Magnitude =
        IsNegative ? 0 - static_cast<uint64_t>(Value.getSExtValue()) : Bits;
    if (auto Number = ListElement::number(Magnitude, IsNegative))
      return *Number;
  }
  ListElement &Known = Integers[IncludesType][{T.getAsOpaquePtr(), Bits}];
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
    return Strings.intern(Out.text(std::string_view(Enumerator->getName())));
  }
  if (IncludesType)
    Out.text("(").element(typeName(T)).text(")");
  llvm::SmallString<24> Digits;
  Value.toString(Digits);
  return Strings.intern(
      Out.text(std::string_view(Digits.data(), Digits.size())));
}

StringId NameBuilder::declArgument(const TemplateArgument &Argument,
                                   llvm::StringRef Printed) {
  const ValueDecl &D = *Argument.getAsDecl();
  if (!isa<TemplateParamObjectDecl>(D))
    return scopedArgument(D, "argument Declaration", Printed);
  // Of a class, hence an entry.
  StringId Type =
      typeName(D.getType().getCanonicalType().getUnqualifiedType()).entry();
  if (!Printed.consume_front(Strings.expand(Type)))
    return Strings.intern(
        std::string_view(Printed)); // until 15, without its type
  StringComponents Out;
  return Strings.intern(Out.ref(Type).text(std::string_view(Printed)));
}

/// Clang does not print the scopes of all arguments, nor all of them under the
/// policy that it is given.
StringId NameBuilder::scopedArgument(const NamedDecl &D, const char *Kind,
                                     llvm::StringRef Printed) {
  llvm::StringRef Rest = Printed;
  bool HasSign = Rest.consume_front("&");
  if (isWord(Rest))
    return Strings.intern(std::string_view(Printed));
  std::optional<StringId> Scope;
  if (!D.getDeclContext()->isFunctionOrMethod())
    Scope = scope(D.getDeclContext(), D.getDeclName(), ScopeStyle::Decl);
  if (!Scope || !*Scope || !Rest.consume_front(Strings.expand(*Scope)))
    return leaf(Kind, Printed);
  StringComponents Out;
  return Strings.intern(
      Out.text(HasSign ? "&" : "").ref(*Scope).text(std::string_view(Rest)));
}

} // namespace instantrace
