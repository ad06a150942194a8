/// \file
/// What Clang calls a declaration: the text that built names are equal to.
///
/// Flow:   NamedDecl -> [NamePrinter] -> text
/// Leaves: building the same text from parts, to the NameBuilder; which takes
///         from here only what it does not decompose
/// Cost:   as long as the text, which may be exponential in the source; ask
///         PrintedSize first
/// Source: clang/lib/AST/{Decl,DeclTemplate,TypePrinter}.cpp, release 14 to 22
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/PrettyPrinter.h"
#include "llvm/ADT/SmallString.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

class NamePrinter {
public:
  explicit NamePrinter(const clang::ASTContext &Context);

  /// Everything written out: what a built name expands to. Things without a
  /// name are described.
  std::string full(const clang::NamedDecl &D) const;
  /// As in a diagnostic: without the arguments that equal their defaults, and
  /// with what an explicit instantiation or specialization was written as.
  std::string shortened(const clang::NamedDecl &D) const;
  /// All arguments, but otherwise as shortened(): where it differs from full(),
  /// Clang prints something as it was written.
  std::string asWritten(const clang::NamedDecl &D) const;

  /// Under which the scope of \p D is printed. As the source has them are the
  /// parameters of a function template around it, which as canonical types
  /// would be `type-parameter-0-0`.
  const clang::PrintingPolicy &policyFor(const clang::NamedDecl &D) const;

  /// Canonical types, default arguments written out, no preferred names.
  const clang::PrintingPolicy Canonical;
  /// The same for the types among template arguments.
  const clang::PrintingPolicy Types;
  /// The same as the source has it: patterns, arguments of partial
  /// specializations.
  const clang::PrintingPolicy Written;

private:
  enum class Form : uint8_t { Full, Shortened, AsWritten };
  std::string print(const clang::NamedDecl &D, Form Style) const;

  const clang::PrintingPolicy Short;
};

/// The name of a constructor, destructor or operator that is a word and a sign:
/// Prefix, then Rest. As DeclarationName::print has it.
struct SimpleName {
  std::string_view Prefix, Rest;
  explicit operator bool() const { return !Rest.empty(); }
};
/// Nothing for all other names.
SimpleName simpleName(clang::DeclarationName Name);

bool isUnnamedParameter(const clang::NamedDecl &D);
/// "unnamed function parameter 1 of ", as -templight-dump has it; empty for
/// what is no parameter. The owner's name follows.
llvm::SmallString<64> unnamedParameterPrefix(const clang::NamedDecl &D);

/// The declaration that \p D stands in; null for none with a name.
const clang::NamedDecl *ownerOf(const clang::NamedDecl &D);

} // namespace instantrace
