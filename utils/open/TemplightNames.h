/// \file
/// The names of one Templight trace, in our dictionary.
///
/// Flow:   Templight's DictionaryEntry, TemplateName -> [TemplightNames] ->
///         Dictionary
///
/// Its entries are like ours, a text with a NUL for each other entry, so they
/// are taken over as they are; only the numbers differ, since texts that are no
/// entries come between them.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/strings/Dictionary.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// `A<int>::f<B<char>>` as `A<$>::f<$>`.
std::string templateSetOf(std::string_view Name);

/// One of the two, or neither for what has no name.
struct TemplightNameFields {
  std::optional<std::string_view> Text;
  std::optional<uint32_t> DictionaryId;
};

class TemplightNames {
public:
  /// \p FileBytes bound what names may take when they are written out.
  TemplightNames(Dictionary &Into, size_t FileBytes);

  /// The next entry, numbered from 0. The error says what was found in it.
  Result<void> define(std::string_view MarkedName,
                      const std::vector<uint32_t> &Markers);
  size_t defined() const { return Entries.size(); }
  NameId text(std::string_view Text);
  /// Nothing for the number of no entry; id 0 for no name.
  std::optional<NameId> nameFor(const TemplightNameFields &Name);
  /// Template arguments replaced by `$`; the name itself if it has none. Of a
  /// long one that of its first bytes, and an ellipsis.
  NameId templateSet(NameId Name);

private:
  Dictionary &Into;
  std::vector<NameId> Entries;
  std::unordered_map<std::string, NameId> Texts;
  std::unordered_map<uint32_t, NameId> Sets; ///< by name
  size_t BudgetBytes;                        ///< that sets may still be made of
};

} // namespace instantrace
