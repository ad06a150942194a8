/// \file
/// The scopes that names are in: `std::` of `std::vector<int>::push_back`.
///
/// Flow:   Dictionary -> [NameScopes] -> NameGroups
/// Leaves: what is a class and what a namespace, to NameGroups
///
/// A member's name begins with an entry that ends in `::`, or with the head of
/// its template, which does. So scopes are found by following first markers,
/// each entry once, and expanding nothing. An entry may have any number of
/// users, so what takes time for its text is kept. Where an entry has several
/// scopes in its own text, as a name that was printed whole has, they are split
/// there.
#pragma once

#include "runtime/strings/Dictionary.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// What the spelling of a scope's last component tells.
enum class ScopeForm : uint8_t {
  Identifier,         ///< `std`, or a class without arguments
  Specialization,     ///< `Box<int>`
  Unnamed,            ///< `(lambda at a.cpp:3:4)`, `(anonymous class)`
  Function,           ///< `f(int)`
  AnonymousNamespace, ///< `(anonymous namespace)`
};

/// Of one sequence, while its dictionary does not change.
class NameScopes {
public:
  /// Index of a scope; Global has none.
  static constexpr uint32_t Global = UINT32_MAX;

  struct Scope {
    NamePrefix Name; ///< without the last `::`
    NameKey Key;     ///< of that
    uint32_t Outer = Global;
    ScopeForm Form = ScopeForm::Identifier;
    std::string_view Component; ///< its own text after the outer scope
  };

  explicit NameScopes(const Dictionary &Names);

  /// The innermost scope that the name is in.
  uint32_t scopeOf(NameId Name);
  /// The name without its scope and its arguments. Empty: it is not in the
  /// entry's own text.
  std::string_view ownName(NameId Name) const;
  /// It is that of a parameter without a name, followed by its owner's, whose
  /// scope it has.
  bool isOfOwner(NameId Name) const;
  /// The template's name if the name is that of a specialization, otherwise
  /// none.
  NamePrefix templateOf(NameId Name);

  /// Outer scopes have smaller indices.
  const std::vector<Scope> &scopes() const { return Scopes; }

private:
  bool isHead(uint32_t Entry) const;
  size_t ownBegin(const Dictionary::EntryView &Entry) const;
  ScopeForm formOf(const NamePrefix &Name, std::string_view Component) const;
  uint32_t nextEntry(const Dictionary::EntryView &Entry) const;
  void addScopes(uint32_t Entry, uint32_t Outer);
  uint32_t addScope(const NamePrefix &Name, const NameKey &Key, uint32_t Outer,
                    std::string_view Component);
  NamePrefix findTemplate(NameId Name) const;

  const Dictionary &Names;
  bool HasParts = false;
  std::vector<Scope> Scopes;
  static constexpr uint32_t Unknown = UINT32_MAX - 1;
  std::vector<uint32_t> ScopeOf; ///< by name id
  std::unordered_map<uint32_t, NamePrefix> TemplateOf;
};

} // namespace instantrace
