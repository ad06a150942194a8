/// \file
/// A name as a command shows it: in a style, and in the columns there are.
///
/// Flow:   Dictionary, NameStyle -> [NameText] -> tables, lines
/// Leaves: shortening of text without structure, to NameElision
///
/// What is shown of a long name is found without building it: each attempt
/// stops where it no longer fits.
#pragma once

#include "runtime/strings/Dictionary.h"
#include "utils/analysis/names/RowName.h"

#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// What scripts get, whatever people are shown: with default arguments, so that
/// equal names are equal.
NameStyle scriptStyle(NameStyle Style);

/// The whole name, cut after LimitBytes.
std::string nameText(const Dictionary &Names, const NamePrefix &Name,
                     const NameStyle &Style, size_t LimitBytes);

/// In at most Columns columns, control characters visible. Template arguments
/// give way from the inside out, `std::vector<…>::push_back`; then what was
/// recorded without structure, as elideName() does it.
std::string elidedName(const Dictionary &Names, const NamePrefix &Name,
                       const NameStyle &Style, size_t Columns);
/// Of a row; the number of a line stays.
std::string elidedName(const Trace &T, const RowName &Name,
                       const NameStyle &Style, size_t Columns);
/// What the rows of one table read. Where two would read the same, the part in
/// which they differ is shown, and a number where that is too far apart.
using NameInTrace = std::pair<const Trace *, RowName>;
std::vector<std::string> distinctNames(const std::vector<NameInTrace> &Rows,
                                       const NameStyle &Style, size_t Columns);
/// The names of the first \p Shown rows, where \p NameOf has the name of each.
template <class Row, class Name>
std::vector<std::string>
distinctNames(const Trace &T, const std::vector<Row> &Rows, size_t Shown,
              const Name &NameOf, const NameStyle &Style, size_t Columns) {
  std::vector<NameInTrace> Names;
  for (size_t I = 0; I != Shown; ++I)
    Names.emplace_back(&T, NameOf(Rows[I]));
  return distinctNames(Names, Style, Columns);
}

} // namespace instantrace
