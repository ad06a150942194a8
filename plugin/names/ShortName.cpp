#include "plugin/names/ShortName.h"

#include "plugin/names/NamePrinter.h"
#include "runtime/base/Utf8.h"
#include "runtime/strings/NameMarks.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>

using namespace clang;

namespace instantrace {

namespace {

constexpr std::string_view Ellipsis = "\xe2\x80\xa6";

/// None: \p D is no specialization.
std::optional<llvm::ArrayRef<TemplateArgument>>
argumentsOf(const NamedDecl &D) {
  if (const auto *Function = dyn_cast<FunctionDecl>(&D)) {
    if (!Function->getPrimaryTemplate())
      return std::nullopt;
    const TemplateArgumentList *Known =
        Function->getTemplateSpecializationArgs();
    return Known ? Known->asArray() : llvm::ArrayRef<TemplateArgument>();
  }
  if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(&D))
    return Class->getTemplateArgs().asArray();
  if (const auto *Variable = dyn_cast<VarTemplateSpecializationDecl>(&D))
    return Variable->getTemplateArgs().asArray();
  return std::nullopt;
}

/// Room for it and what may stand around it.
constexpr size_t ArgumentBytes = 28;
using ArgumentText = llvm::SmallString<ArgumentBytes>;

/// Empty: it takes longer to say.
void typeText(QualType Type, ArgumentText &Into, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 2;
  const clang::Type *Plain = Type.getCanonicalType().getTypePtr();
  const unsigned Qualifiers = Type.getCanonicalType().getCVRQualifiers();
  if (Qualifiers & ~unsigned(Qualifiers::Const))
    return;
  if (isa<PointerType, ReferenceType>(Plain)) {
    if (Qualifiers != 0 || Depth == MostDepth)
      return;
    typeText(Plain->getPointeeType(), Into, Depth + 1);
    if (Into.empty())
      return;
    Into += Into.back() == '*' || Into.back() == '&' ? "" : " ";
    Into += isa<PointerType>(Plain)           ? "*"
            : isa<LValueReferenceType>(Plain) ? "&"
                                              : "&&";
    return;
  }
  StringRef Name;
  std::string_view Suffix;
  if (const auto *Builtin = dyn_cast<BuiltinType>(Plain)) {
    static const PrintingPolicy Policy = [] {
      LangOptions Language;
      Language.CPlusPlus = Language.Bool = true;
      return PrintingPolicy(Language);
    }();
    Name = Builtin->getName(Policy);
  } else if (const TagDecl *Tag = Plain->getAsTagDecl()) {
    if (const IdentifierInfo *Identifier = Tag->getIdentifier())
      Name = Identifier->getName();
    if (argumentsOf(*Tag))
      Suffix = ShortArguments;
  }
  if (Name.empty() || Name.size() + Suffix.size() > ArgumentBytes - 8)
    return;
  if (Qualifiers != 0)
    Into += "const ";
  Into += Name;
  Into.append(Suffix.begin(), Suffix.end());
}

/// Requires: at most 64 bits.
void appendNumber(const llvm::APSInt &Value, ArgumentText &Into) {
  char Digits[24];
  const auto End =
      Value.isSigned()
          ? std::to_chars(Digits, std::end(Digits), Value.getSExtValue())
          : std::to_chars(Digits, std::end(Digits), Value.getZExtValue());
  Into.append(Digits, End.ptr);
}

ArgumentText argumentText(const TemplateArgument &Argument) {
  ArgumentText Text;
  if (Argument.getKind() == TemplateArgument::Type) {
    typeText(Argument.getAsType(), Text);
  } else if (Argument.getKind() == TemplateArgument::Integral) {
    const llvm::APSInt &Value = Argument.getAsIntegral();
    const QualType Type = Argument.getIntegralType();
    if (Type->isBooleanType())
      Text = Value.getBoolValue() ? "true" : "false";
    else if (Type->isIntegerType() && !Type->isAnyCharacterType() &&
             !Type->isEnumeralType() && Value.getBitWidth() <= 64)
      appendNumber(Value, Text);
  }
  return Text;
}

bool isOperator(const NamedDecl &D) {
  const DeclarationName::NameKind Kind = D.getDeclName().getNameKind();
  return Kind == DeclarationName::CXXOperatorName ||
         Kind == DeclarationName::CXXConversionFunctionName;
}

std::string_view withoutName(const NamedDecl &D) {
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&D);
      Class && Class->isLambda())
    return "(lambda)";
  return "(unnamed)";
}

} // namespace

ShortName::ShortName(const NamedDecl &D) {
  const auto Arguments = argumentsOf(D);
  appendScope(D);
  appendName(D, Arguments ? ShortArguments.size() : 0);
  // Where the arguments of operator< begin is not seen in the text.
  if (Arguments && (isOperator(D) || !appendArguments(*Arguments)))
    append(ShortArguments);
}

void ShortName::appendScope(const NamedDecl &D) {
  constexpr std::string_view Separator = "::";
  constexpr size_t MostNameBytes = 12, LeastBytesLeft = 24;
  const DeclContext *Around = D.getDeclContext();
  const auto *Class = Around ? dyn_cast<CXXRecordDecl>(Around) : nullptr;
  const IdentifierInfo *Identifier = Class ? Class->getIdentifier() : nullptr;
  if (!Identifier || Identifier->getName().size() > MostNameBytes)
    return;
  append({Identifier->getName().data(), Identifier->getName().size()});
  const auto Arguments = argumentsOf(*Class);
  if (Arguments && !appendArguments(*Arguments))
    append(ShortArguments);
  if (fits(Separator, LeastBytesLeft))
    append(Separator);
  else
    SizeBytes = 0;
}

void ShortName::appendName(const NamedDecl &D, size_t Reserved) {
  if (const IdentifierInfo *Identifier = D.getIdentifier()) {
    llvm::StringRef Name = Identifier->getName();
    return append({Name.data(), Name.size()}, Reserved);
  }
  if (SimpleName Name = simpleName(D.getDeclName())) {
    append(Name.Prefix);
    return append(Name.Rest, Reserved);
  }
  switch (D.getDeclName().getNameKind()) {
  case DeclarationName::CXXConversionFunctionName:
    return append("operator (type)");
  case DeclarationName::CXXDeductionGuideName:
    return append("(deduction guide)");
  default:
    return append(withoutName(D));
  }
}

bool ShortName::appendArguments(llvm::ArrayRef<TemplateArgument> Arguments) {
  constexpr std::string_view Separator = ", ";
  const size_t Begin = SizeBytes;
  bool IsFirst = true, IsCut = false;
  auto Add = [&](const TemplateArgument &Argument) {
    ArgumentText Text = argumentText(Argument);
    if (Text.empty())
      Text = StringRef(Ellipsis.data(), Ellipsis.size());
    // What follows may have to be cut off.
    constexpr size_t CutBytes = Separator.size() + ShortArguments.size() - 1;
    const std::string_view Before = IsFirst ? "" : Separator;
    IsCut = !fits({Text.data(), Text.size()}, Before.size() + CutBytes);
    if (IsCut)
      return;
    append(Before);
    append({Text.data(), Text.size()});
    IsFirst = false;
  };
  if (!fits("<", ShortArguments.size()))
    return false;
  append("<");
  for (const TemplateArgument &Argument : Arguments) {
    if (Argument.getKind() != TemplateArgument::Pack)
      Add(Argument);
    else
      for (const TemplateArgument &Element : Argument.pack_elements()) {
        if (IsCut)
          break;
        Add(Element);
      }
    if (IsCut)
      break;
  }
  if (IsFirst && IsCut) {
    SizeBytes = Begin;
    return false;
  }
  if (IsCut) {
    append(Separator);
    append(Ellipsis);
  }
  append(">");
  return true;
}

ShortName ShortName::ofPath(std::string_view Path) {
  ShortName Name;
  if (Path.size() > MaxBytes) {
    Path.remove_prefix(Path.size() - (MaxBytes - Ellipsis.size()));
    // From a folder on, or at least from a character on.
    size_t Slash = Path.find('/');
    if (Slash == std::string_view::npos)
      for (Slash = 0; Slash != Path.size() &&
                      (static_cast<unsigned char>(Path[Slash]) & 0xC0) == 0x80;)
        ++Slash;
    Path.remove_prefix(Slash);
    Name.append(Ellipsis);
  }
  Name.append(Path);
  return Name;
}

void ShortName::append(std::string_view More, size_t Reserved) {
  const size_t Used = std::min(SizeBytes + Reserved, MaxBytes);
  const size_t Room = MaxBytes - Used;
  std::string_view Rest;
  if (More.size() > Room) {
    Rest = Room < Ellipsis.size() ? "" : Ellipsis;
    More = More.substr(0, utf8PrefixBytes(More, Room - Rest.size()));
  }
  for (std::string_view Part : {More, Rest}) {
    std::memcpy(Text + SizeBytes, Part.data(), Part.size());
    SizeBytes += Part.size();
  }
}

} // namespace instantrace
