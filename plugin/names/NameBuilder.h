/// \file
/// Builds the name of a declaration from the AST, as a tree of shared entries.
///
/// Flow:   AST -> NameBuilder -> StringTable
/// Files:  NameBuilder.cpp (declarations), NameScopes.cpp, NameTypes.cpp,
///         NameArguments.cpp, NamePrefetch.cpp
/// Rule:   the expanded text equals NamePrinter::full(), and without default
///         arguments NamePrinter::shortened(); docs/design/names.md has the
///         exceptions. What is not decomposed is printed by Clang as one leaf,
///         which is then right by construction
/// Depth:  the C stack stays flat however deep types or scopes are nested:
///         beyond MaxDepth the parts are named first, innermost first
/// Leaves: which declarations to name, and when, to the NamingPass
/// Source: clang/lib/AST/{Decl,TypePrinter,DeclTemplate}.cpp, release 14 to 22
#pragma once

#include "plugin/memory/SteadyMap.h"
#include "plugin/names/NamePrinter.h"
#include "plugin/names/PrintedSize.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/strings/StringTable.h"

#include "clang/AST/TemplateBase.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Decl;
class ClassTemplateSpecializationDecl;
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
  /// The same for who asks once for each. What is rarely in another's name is
  /// not remembered: most entities are functions.
  Names namesOnce(const clang::NamedDecl &D);

  /// For a caller that names many: what the ones after number \p I will look at
  /// is on its way to the caches. \p DeclAt gives a declaration or null.
  template <class DeclAt>
  void prefetch(size_t I, size_t Count, DeclAt Place) const {
    if (I + 3 * PrefetchDistance < Count)
      prefetchDecl(Place(I + 3 * PrefetchDistance));
    if (I + 2 * PrefetchDistance < Count)
      prefetchParts(Place(I + 2 * PrefetchDistance));
    if (I + PrefetchDistance < Count)
      prefetchNames(Place(I + PrefetchDistance));
  }

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
  bool isLeaf(StringId Id) const { return LeafEntries.contains(Id.Value); }
  /// Partial specializations: their arguments are as the source has them.
  SteadySet<const clang::NamedDecl *> Patterns;

private:
  /// Which rules a scope follows: a declaration's, a type's, or a template
  /// set's (arguments replaced by `$`).
  enum class ScopeStyle : uint8_t { Decl, Type, Set };
  static constexpr unsigned ScopeStyles = 3;
  using Elements = llvm::SmallVector<ListElement, 16>;
  static constexpr unsigned MaxDepth = 64;

  static constexpr size_t PrefetchDistance = 6;
  /// Each step looks at what the one before it has fetched.
  void prefetchDecl(const clang::Decl *D) const;
  void prefetchParts(const clang::Decl *D) const;
  void prefetchNames(const clang::Decl *D) const;

  StringId leaf(const llvm::Twine &What, llvm::StringRef Text);

  // Declarations.
  struct OwnArguments;
  Names namesAnew(const clang::NamedDecl &D);
  Names computeNames(const clang::NamedDecl &D);
  /// Requires: \p D has an identifier.
  StringId nameIn(StringId Scope, const clang::NamedDecl &D);
  std::optional<StringId> decomposedDecl(const clang::NamedDecl &D,
                                         const OwnArguments &Own,
                                         ScopeStyle Style);
  std::optional<StringId> unnamedDecl(const clang::NamedDecl &D,
                                      ScopeStyle Style);
  StringId leafDecl(const clang::NamedDecl &D);
  StringId setOfLeaf(const clang::NamedDecl &D, StringId Name);
  /// Appends the name alone; false when there is none.
  bool appendName(const clang::NamedDecl &D, ScopeStyle Style,
                  StringComponents &Out);
  struct TemplateHead {
    StringId Head; ///< "ns::Box<"
    StringId Set;  ///< "ns::Box<$>"
  };
  /// What specializations of \p Template share that stand where it does, as
  /// \p D; none otherwise.
  TemplateHead sharedHead(const clang::TemplateDecl &Template,
                          const clang::NamedDecl &D);
  /// Name and template set of an implicit specialization, by way of what its
  /// template's other specializations share; nullopt when they do not.
  std::optional<Names> sharedSpecialization(const clang::NamedDecl &D,
                                            const OwnArguments &Own);

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

  // Types. A type with a suffix is printed around a declarator: `int (*)[2]`.
  struct TypeName {
    ListElement Name; ///< text for the shortest: `int`
    bool HasSuffix = false;
    bool IsWhole = false; ///< not decomposed: where its suffix is, is unknown
  };
  struct TypeParts {
    ListElement Before, After;
    bool IsValid = false;
  };
  TypeName type(clang::QualType T);
  ListElement typeName(clang::QualType T) { return type(T).Name; }
  ListElement memberPointerClass(const clang::MemberPointerType &T);
  void nameParts(clang::QualType T);
  TypeName decomposedType(clang::QualType T);
  TypeName leafType(clang::QualType T);
  StringId tagName(const clang::TagDecl &D);
  std::optional<StringId>
  typeHead(const clang::ClassTemplateSpecializationDecl &D);
  /// "(lambda at a.cpp:1:2)"; the typedef's name where there is one.
  StringId unnamedTag(const clang::TagDecl &D);
  bool hasSuffix(clang::QualType T);
  /// \p IsBare: no declarator comes between the parts.
  TypeParts parts(clang::QualType T, bool IsBare);
  TypeParts computeParts(clang::QualType T, bool IsBare);
  /// "(int, char) const &"; none for what Clang prints only in rare cases.
  StringId parameterList(const clang::FunctionProtoType &T);

  // Template arguments.
  void addArgument(const clang::TemplateArgument &Argument,
                   const clang::TemplateParameterList *Parameters,
                   unsigned Index, Elements &Into);
  /// \p Head is up to the `<`.
  StringId specialization(StringId Head,
                          llvm::ArrayRef<clang::TemplateArgument> Arguments,
                          const clang::TemplateParameterList *Parameters);
  /// The same; by the class's name where that has the same head, which is
  /// nearly always.
  StringId
  classSpecialization(StringId Head,
                      const clang::ClassTemplateSpecializationDecl &Class);
  StringId
  specializationAsWritten(StringId Head,
                          const clang::ASTTemplateArgumentListInfo &Arguments,
                          const clang::TemplateParameterList *Parameters);
  StringId specialization(StringId Head, llvm::ArrayRef<ListElement> Shown,
                          llvm::ArrayRef<ListElement> Defaults);
  /// First and last byte of a list's text; 0 when it is empty.
  char firstChar(llvm::ArrayRef<ListElement> List) const;
  char lastChar(llvm::ArrayRef<ListElement> List) const;
  /// Up to the `<`; \p Template is the qualified name, which is consumed.
  StringId templateHead(StringComponents &Template);
  /// "Box<$>" of what \p Template has.
  StringId templateSet(StringComponents &Template);
  /// \p Index is the argument's place in \p Parameters, which may be null.
  ListElement argument(const clang::TemplateArgument &Argument,
                       const clang::TemplateParameterList *Parameters,
                       unsigned Index, const clang::PrintingPolicy &Printed);
  ListElement integralArgument(const clang::TemplateArgument &Argument,
                               bool IncludesType);
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
  SteadySet<uint64_t> LeafEntries;
  SteadyMap<const clang::NamedDecl *, Names> DeclNames;
  SteadyMap<const void *, TypeName> Types;
  SteadyMap<std::pair<const void *, unsigned>, TypeParts> Parts;
  /// What is no short number, by type and value: long packs have the same ones
  /// again and again. Printed without and with their type.
  SteadyMap<std::pair<const void *, uint64_t>, ListElement> Integers[2];
  struct ScopeNames {
    StringId Ids[ScopeStyles];
    /// A bit per style: it has been tried; it is decomposed.
    uint8_t Known = 0, Valid = 0;
  };
  SteadyMap<std::pair<const void *, const void *>, ScopeNames> Scopes;
  SteadyMap<const clang::DeclContext *, StringId> PrintedScopes;
  SteadyMap<const clang::TemplateDecl *, TemplateHead> Heads;
  /// The same in a type's name; none when that depends on more.
  SteadyMap<const clang::TemplateDecl *, StringId> TypeHeads;
};

/// What \p D is, in the trace's terms.
EntityKind entityKind(const clang::Decl &D);

} // namespace instantrace
