/// \file
/// Finds scopes and brackets in names that are flat text.
///
/// Flow:   text of a name -> [NameTokens] -> NameScopes, NameElision,
///         TimeTraceReader, TextTables
/// Leaves: names with structure, whose entries say where scopes and arguments
///         begin; this only knows how Clang spells names
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// How many bytes at Name[I] have angle brackets that are none: an operator's
/// name, a literal, an arrow, a comparison. 0 if there are none.
size_t opaqueLength(std::string_view Name, size_t I);

/// The same at places of one name, in ascending order. A quote that nothing
/// closes is looked for once, so that a text full of them stays linear.
class OpaqueLengths {
public:
  explicit OpaqueLengths(std::string_view Name) : Name(Name) {}
  size_t at(size_t I);

private:
  std::string_view Name;
  bool IsUnclosed[2] = {}; // ' and "
};

/// `A<int>::f<B<char>>` as `A<$>::f<$>`.
std::string templateSetOf(std::string_view Name);

/// The places just after each `::` that is outside brackets and literals, in
/// ascending order. In the marked text of a dictionary entry, NUL bytes stand
/// for entries; \p IsHead says whether the Nth of them ends in a `<` that opens
/// template arguments.
std::vector<size_t> scopeEnds(std::string_view Name,
                              const std::function<bool(size_t)> &IsHead);

} // namespace instantrace
