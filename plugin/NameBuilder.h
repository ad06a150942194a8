/// \file
/// Builds the name of a declaration from the AST, as a tree of shared entries.
///
/// Flow:   AST -> NameBuilder -> StringTable
/// Rule:   the expanded text equals NamedDecl::getNameForDiagnostic(Qualified)
///         under policyFor(); what is not decomposed is printed by Clang as one
///         leaf, which is then right by construction
/// Leaves: which declarations to name, and when, to the Profiler
/// Source: clang/lib/AST/{Decl,TypePrinter,DeclTemplate}.cpp, release 14 to 22
#ifndef INSTANTRACE_PLUGIN_NAMEBUILDER_H
#define INSTANTRACE_PLUGIN_NAMEBUILDER_H

#include "runtime/strings/StringTable.h"
#include "runtime/trace/TraceWriter.h"

#include "clang/AST/Decl.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/TemplateBase.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <tuple>

namespace clang {
class ASTContext;
class TagDecl;
class TemplateDecl;
struct ASTTemplateArgumentListInfo;
class TemplateParameterList;
} // namespace clang

namespace instantrace {

class NameBuilder {
public:
  NameBuilder(const clang::ASTContext &Context, StringTable &Strings);

  struct Names {
    StringId Name;
    StringId TemplateSet; ///< equals Name unless D is a specialization
  };
  /// The names of \p D; computed once per declaration.
  Names names(const clang::NamedDecl &D);

  /// What Clang prints; unnamed things are spelled out. The reference that the
  /// built names are checked against, and the leaf for what is not decomposed.
  std::string printed(const clang::NamedDecl &D) const;

  /// Under which \p D is printed: canonical types, default arguments written
  /// out, no preferred names. As the source has them are the parameters of a
  /// function around \p D, `f(std::size_t)::Local`, and the arguments of a
  /// partial specialization: `Box<T *>`, where canonical types would have
  /// `Box<type-parameter-0-0 *>`.
  const clang::PrintingPolicy &policyFor(const clang::NamedDecl &D) const;

  uint64_t DecomposedDecls = 0, LeafDecls = 0;

private:
  template <class PartialDecl>
  void printPartial(const PartialDecl &D, llvm::raw_ostream &OS) const;

  /// Which rules a scope follows: a declaration's, a type's, or a template
  /// set's (arguments replaced by `$`).
  enum class ScopeStyle : uint8_t { Decl, Type, Set };

  /// The text up to and including the last `::`; 0 for none; nullopt when it
  /// is not decomposed.
  std::optional<StringId> scope(const clang::DeclContext *DC,
                                clang::DeclarationName NameInScope,
                                ScopeStyle Style);
  std::optional<StringId> computeScope(const clang::DeclContext *DC,
                                       clang::DeclarationName NameInScope,
                                       ScopeStyle Style);
  /// A declaration's scope as Clang prints it: functions with parameters,
  /// lambdas and unnamed classes around it.
  StringId printedScope(const clang::NamedDecl &D);
  bool isRedundant(const clang::NamespaceDecl &Namespace,
                   clang::DeclarationName Name);

  std::optional<StringId> decomposedDecl(const clang::NamedDecl &D,
                                         ScopeStyle Style);
  StringId setOfLeaf(const clang::NamedDecl &D, StringId Name);

  StringId typeName(clang::QualType T);
  StringId decomposedType(clang::QualType T);
  StringId tagName(const clang::TagDecl &D);
  StringId functionType(const clang::FunctionProtoType &T,
                        std::string_view Declarator);

  using Elements = llvm::SmallVector<StringId, 16>;
  Elements arguments(llvm::ArrayRef<clang::TemplateArgument> Arguments,
                     const clang::TemplateParameterList *Parameters);
  Elements
  argumentsAsWritten(const clang::ASTTemplateArgumentListInfo &Arguments,
                     const clang::TemplateParameterList *Parameters);
  /// \p Template is the qualified name; it is consumed.
  StringId specialization(StringComponents &Template,
                          llvm::ArrayRef<StringId> Arguments);
  StringId specialization(StringId Head, llvm::ArrayRef<StringId> Arguments);
  /// Name and template set of an implicit specialization, by way of what its
  /// template's other specializations share; nullopt when they do not.
  std::optional<Names> sharedSpecialization(const clang::NamedDecl &D);
  /// \p Index is the argument's place in \p Parameters, which may be null.
  StringId argument(const clang::TemplateArgument &Argument,
                    const clang::TemplateParameterList *Parameters,
                    unsigned Index, const clang::PrintingPolicy &Printed);

  const clang::PrintingPolicy Policy;
  const clang::PrintingPolicy TypePolicy;    ///< for type arguments
  const clang::PrintingPolicy WrittenPolicy; ///< for patterns
  StringTable &Strings;
  llvm::DenseMap<const clang::NamedDecl *, std::pair<StringId, StringId>>
      DeclNames;
  llvm::DenseMap<const void *, StringId> TypeNames;
  using ScopeKey = std::pair<const void *, std::pair<const void *, unsigned>>;
  llvm::DenseMap<ScopeKey, std::optional<StringId>> Scopes;
  llvm::DenseMap<const clang::DeclContext *, StringId> PrintedScopes;
  struct TemplateHead {
    StringId Head; ///< "ns::Box<"
    StringId Set;  ///< "ns::Box<$>"
  };
  llvm::DenseMap<const clang::TemplateDecl *, TemplateHead> Heads;
  /// Inline namespaces on the way make a scope depend on the name in it.
  llvm::DenseMap<const clang::DeclContext *, bool> HasInlineNamespace;
  bool hasInlineNamespace(const clang::DeclContext *DC);
};

/// What \p D is, in the trace's terms.
EntityKind entityKind(const clang::Decl &D);

} // namespace instantrace

#endif
