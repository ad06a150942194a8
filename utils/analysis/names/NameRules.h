/// \file
/// Rules that make one name of several when an index is made.
///
/// Flow:   command line -> [NameRules] -> tables of a Sequence -> index
/// Errors: a transformer that there is not, a map or a merge without `=`, a
///         pattern that is no regular expression
///
/// What differs in a detail that nobody asks for is then one entity: of two
/// standard libraries, of two builds in different folders. Rules change names
/// and paths of the tables and no ids, so that events need not be touched.
#ifndef INSTANTRACE_UTILS_ANALYSIS_NAMES_NAMERULES_H
#define INSTANTRACE_UTILS_ANALYSIS_NAMES_NAMERULES_H

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/names/NamePattern.h"

#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// What a user wrote.
struct NameRulesSpec {
  std::vector<std::string> Transforms; ///< names of NameTransforms
  std::vector<std::string> Maps;       ///< OLD=NEW, of paths
  std::vector<std::string> Merges;     ///< PATTERN=NAME, of template sets
};

enum class NameTransform : uint8_t {
  StripInlineNamespaces, ///< `std::__cxx11::string` is `std::string`
  CollapseAllocators,    ///< `std::allocator<int>` is `std::allocator<$>`
  CollapseDefaults,      ///< without default template arguments
};
struct NameTransformName {
  const char *Name;
  NameTransform Is;
};
inline constexpr NameTransformName NameTransforms[] = {
    {"strip-inline-namespaces", NameTransform::StripInlineNamespaces},
    {"collapse-allocators", NameTransform::CollapseAllocators},
    {"collapse-defaults", NameTransform::CollapseDefaults},
};

class NameRules {
public:
  /// None.
  NameRules() = default;
  static Result<NameRules> make(const NameRulesSpec &Spec);

  /// What lines() of others are.
  static Result<NameRules> fromLines(const std::vector<std::string> &Lines);

  bool isEmpty() const { return Lines.empty(); }
  /// One for each, in an order that does not depend on how they were written
  /// but where it matters: "collapse-defaults", "map /a=/b",
  /// "merge std::*map<$>=maps". Equal rules have equal lines.
  const std::vector<std::string> &lines() const { return Lines; }

  /// Changes the names of a sequence that has its tables.
  void apply(Sequence &S) const;

private:
  struct Merge {
    NamePattern Pattern;
    std::string Name;
  };

  bool has(NameTransform Wanted) const;
  Dictionary transformed(const Dictionary &Names) const;
  std::string mapped(std::string Path) const;
  void mapPaths(Sequence &S) const;
  void mergeSets(Sequence &S) const;

  std::vector<NameTransform> Transforms;
  std::vector<std::pair<std::string, std::string>> Maps; ///< first one counts
  std::vector<Merge> Merges;                             ///< likewise
  std::vector<std::string> Lines;
};

/// In a line for people: "collapse-defaults, map /a=/b"; "no rules" for none.
std::string rulesText(const std::vector<std::string> &Lines);

} // namespace instantrace

#endif
