/// \file
/// Builds the name of a declaration from the AST, as a tree of shared entries.
///
/// Flow:   AST -> NameBuilder -> StringTable
/// Files:  NameBuilder.cpp (declarations), NameScopes.cpp, NameTypes.cpp,
///         NameArguments.cpp
/// Rule:   the expanded text equals NamePrinter::full(), and without default
///         arguments NamePrinter::shortened(); docs/names.md has the
///         exceptions. What is not decomposed is printed by Clang as one leaf,
///         which is then right by construction
/// Depth:  the C stack stays flat however deep types or scopes are nested:
///         beyond MaxDepth the parts are named first, innermost first
/// Leaves: which declarations to name, and when, to the Profiler
/// Source: clang/lib/AST/{Decl,TypePrinter,DeclTemplate}.cpp, release 14 to 22
#ifndef INSTANTRACE_PLUGIN_NAMEBUILDER_H
#define INSTANTRACE_PLUGIN_NAMEBUILDER_H

#include "plugin/NamePrinter.h"
#include "plugin/PrintedSize.h"
#include "runtime/strings/StringTable.h"
#include "runtime/trace/TraceWriter.h"

#include "clang/AST/TemplateBase.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class FunctionDecl;
class TagDecl;
class TemplateDecl;
struct ASTTemplateArgumentListInfo;
class TemplateParameterList;
} // namespace clang

namespace instantrace {

class NameBuilder {
public:
  /// \p HasParameters: functions are named with their parameter lists.
  NameBuilder(const clang::ASTContext &Context, StringTable &Strings,
              bool HasParameters);

  struct Names {
    StringId Name;
    StringId TemplateSet; ///< equals Name unless D is a specialization
  };
  /// The names of \p D; computed once per declaration.
  Names names(const clang::NamedDecl &D);

  /// The list that \p D is called with and what else tells it from its
  /// overloads: "(int, char) const". None without a prototype.
  StringId parameters(const clang::FunctionDecl &D);

  /// The reference that the built names are checked against.
  const NamePrinter Printer;
  PrintedSize Sizes;

  /// What Clang printed as a whole, by what it was: "type DependentName" to how
  /// many. Literal values, built-in types and plain names are not counted.
  llvm::StringMap<uint64_t> LeafCounts;
  /// The entries that they became.
  bool isLeaf(StringId Id) const { return LeafEntries.count(Id.Value) != 0; }
  /// Partial specializations: their arguments are as the source has them.
  llvm::DenseSet<const clang::NamedDecl *> Patterns;

private:
  /// Which rules a scope follows: a declaration's, a type's, or a template
  /// set's (arguments replaced by `$`).
  enum class ScopeStyle : uint8_t { Decl, Type, Set };
  using Elements = llvm::SmallVector<StringId, 16>;
  static constexpr unsigned MaxDepth = 64;

  StringId leaf(const llvm::Twine &What, llvm::StringRef Text);

  // Declarations.
  std::optional<StringId> decomposedDecl(const clang::NamedDecl &D,
                                         ScopeStyle Style);
  std::optional<StringId> unnamedDecl(const clang::NamedDecl &D,
                                      ScopeStyle Style);
  StringId leafDecl(const clang::NamedDecl &D);
  StringId setOfLeaf(const clang::NamedDecl &D, StringId Name);
  /// Appends the name alone; false when there is none.
  bool appendName(const clang::NamedDecl &D, StringComponents &Out);
  /// Name and template set of an implicit specialization, by way of what its
  /// template's other specializations share; nullopt when they do not.
  std::optional<Names> sharedSpecialization(const clang::NamedDecl &D);

  // Scopes: the text up to and including the last `::`; 0 for none; nullopt
  // when it is not decomposed.
  std::optional<StringId> scope(const clang::DeclContext *DC,
                                clang::DeclarationName NameInScope,
                                ScopeStyle Style);
  std::optional<StringId> computeScope(const clang::DeclContext *DC,
                                       clang::DeclarationName NameInScope,
                                       ScopeStyle Style);
  std::optional<StringId> functionScope(const clang::DeclContext &DC,
                                        clang::DeclarationName NameInScope,
                                        ScopeStyle Style);
  std::optional<StringId> unnamedScope(const clang::TagDecl &Tag,
                                       ScopeStyle Style);
  void nameOuterScopes(const clang::DeclContext *DC, ScopeStyle Style);
  /// A declaration's scope as Clang prints it: inside function templates.
  StringId printedScope(const clang::NamedDecl &D);
  bool isRedundant(const clang::NamespaceDecl &Namespace,
                   clang::DeclarationName Name);
  bool hasInlineNamespace(const clang::DeclContext *DC);

  // Types. A type with a suffix is printed around a declarator: `int (*)[2]`.
  struct TypeName {
    StringId Name;
    bool HasSuffix = false;
    bool IsWhole = false; ///< not decomposed: where its suffix is, is unknown
  };
  struct TypeParts {
    StringId Before, After;
    bool IsValid = false;
  };
  TypeName type(clang::QualType T);
  StringId typeName(clang::QualType T) { return type(T).Name; }
  void nameParts(clang::QualType T);
  TypeName decomposedType(clang::QualType T);
  TypeName leafType(clang::QualType T);
  StringId tagName(const clang::TagDecl &D);
  /// "(lambda at a.cpp:1:2)"; the typedef's name where there is one.
  StringId unnamedTag(const clang::TagDecl &D);
  bool hasSuffix(clang::QualType T);
  /// \p IsBare: no declarator comes between the parts.
  TypeParts parts(clang::QualType T, bool IsBare);
  TypeParts computeParts(clang::QualType T, bool IsBare);
  /// "(int, char) const &"; none for what Clang prints only in rare cases.
  StringId parameterList(const clang::FunctionProtoType &T);

  // Template arguments.
  struct ArgumentList {
    StringId Shown;
    StringId Defaults; ///< with the comma before them, marked
    bool NeedsSpaceBefore = false, NeedsSpaceAfter = false;
  };
  ArgumentList arguments(llvm::ArrayRef<clang::TemplateArgument> Arguments,
                         const clang::TemplateParameterList *Parameters);
  ArgumentList
  argumentsAsWritten(const clang::ASTTemplateArgumentListInfo &Arguments,
                     const clang::TemplateParameterList *Parameters);
  ArgumentList makeList(llvm::ArrayRef<StringId> Shown,
                        llvm::ArrayRef<StringId> Defaults);
  /// \p Template is the qualified name; it is consumed.
  StringId specialization(StringComponents &Template, const ArgumentList &List);
  StringId specialization(StringId Head, const ArgumentList &List);
  /// Up to the `<`; \p Template is consumed.
  StringId templateHead(StringComponents &Template);
  /// "Box<$>" of what \p Template has.
  StringId templateSet(StringComponents &Template);
  /// \p Index is the argument's place in \p Parameters, which may be null.
  StringId argument(const clang::TemplateArgument &Argument,
                    const clang::TemplateParameterList *Parameters,
                    unsigned Index, const clang::PrintingPolicy &Printed);
  StringId integralArgument(const clang::TemplateArgument &Argument);
  StringId enumArgument(const clang::TemplateArgument &Argument,
                        bool IncludesType);
  StringId declArgument(const clang::TemplateArgument &Argument,
                        llvm::StringRef Printed);
  /// \p Kind says what it is when it is a leaf.
  StringId scopedArgument(const clang::NamedDecl &D, const char *Kind,
                          llvm::StringRef Printed);

  StringTable &Strings;
  const bool HasParameters;
  unsigned TypeDepth = 0, ScopeDepth = 0;
  bool IsNamingParts = false, IsNamingScopes = false;
  llvm::DenseSet<uint64_t> LeafEntries;
  llvm::DenseMap<const clang::NamedDecl *, std::pair<StringId, StringId>>
      DeclNames;
  llvm::DenseMap<const void *, TypeName> Types;
  llvm::DenseMap<std::pair<const void *, unsigned>, TypeParts> Parts;
  /// By the list's storage: the name, the type and the scope of one
  /// specialization share it.
  llvm::DenseMap<std::pair<const void *, const void *>, ArgumentList> Lists;
  /// Values by type: long packs have the same ones again and again.
  llvm::DenseMap<std::pair<const void *, uint64_t>, StringId> Integers;
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
};

/// What \p D is, in the trace's terms.
EntityKind entityKind(const clang::Decl &D);

} // namespace instantrace

#endif
