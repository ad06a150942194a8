/// \file
/// The dictionary as it is: entries with those that they refer to below them,
/// or the whole text of one.
///
/// Flow:   Dictionary -> [NameTree] -> names --tree, names --id
/// Leaves: names as people read them, to NameText
#pragma once

#include "runtime/strings/Dictionary.h"
#include "utils/render/Output.h"

#include <cstddef>
#include <vector>

namespace instantrace {

/// Writes the trees below some entries. An entry is written once and referred
/// to from then on, so the text is in proportion to the dictionary, whatever
/// its names would expand to.
class NameTree {
public:
  /// \p Levels: how deep a tree is written; 0: all of it. Of longer texts no
  /// more than \p Columns are shown.
  NameTree(Output &Out, const Dictionary &Names, size_t Levels, size_t Columns)
      : Out(Out), Names(Names), Levels(Levels), Columns(Columns),
        IsWritten(Names.size() + 1) {}

  /// Requires: Names.contains(Root).
  void write(NameId Root);

private:
  void writeEntry(NameId Id, size_t Depth);
  void writeIndent(size_t Depth);

  Output &Out;
  const Dictionary &Names;
  size_t Levels, Columns;
  std::vector<bool> IsWritten;
};

/// The text of an entry with all that it has; parts that can be left out are in
/// braces: `std::vector<int{default-arguments:, std::allocator<int>}>`. Written
/// piece by piece. False: it is longer than \p LimitBytes and was cut.
/// Requires: Names.contains(Id).
bool writeWholeName(Output &Out, const Dictionary &Names, NameId Id,
                    uint64_t LimitBytes);

} // namespace instantrace
