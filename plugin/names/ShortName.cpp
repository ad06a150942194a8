#include "plugin/names/ShortName.h"

#include "plugin/names/NamePrinter.h"
#include "runtime/base/Utf8.h"
#include "runtime/strings/NameMarks.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

#include <cstring>

using namespace clang;

namespace instantrace {

namespace {

constexpr std::string_view Ellipsis = "\xe2\x80\xa6";

bool isSpecialization(const NamedDecl &D) {
  if (const auto *Function = dyn_cast<FunctionDecl>(&D))
    return Function->getPrimaryTemplate() != nullptr;
  return isa<ClassTemplateSpecializationDecl, VarTemplateSpecializationDecl>(D);
}

std::string_view withoutName(const NamedDecl &D) {
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&D);
      Class && Class->isLambda())
    return "(lambda)";
  return "(unnamed)";
}

} // namespace

ShortName::ShortName(const NamedDecl &D) {
  std::string_view Suffix = isSpecialization(D) ? ShortArguments : "";
  if (const IdentifierInfo *Identifier = D.getIdentifier()) {
    llvm::StringRef Name = Identifier->getName();
    append({Name.data(), Name.size()}, Suffix.size());
  } else if (SimpleName Name = simpleName(D.getDeclName())) {
    append(Name.Prefix);
    append(Name.Rest, Suffix.size());
  } else {
    switch (D.getDeclName().getNameKind()) {
    case DeclarationName::CXXConversionFunctionName:
      append("operator (type)");
      break;
    case DeclarationName::CXXDeductionGuideName:
      append("(deduction guide)");
      break;
    default:
      append(withoutName(D));
    }
  }
  append(Suffix);
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
  size_t Room = MaxBytes - SizeBytes - Reserved;
  std::string_view Rest;
  if (More.size() > Room) {
    Rest = Ellipsis;
    More = More.substr(0, utf8PrefixBytes(More, Room - Ellipsis.size()));
  }
  for (std::string_view Part : {More, Rest}) {
    std::memcpy(Text + SizeBytes, Part.data(), Part.size());
    SizeBytes += Part.size();
  }
}

} // namespace instantrace
