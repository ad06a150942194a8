/// \file
/// The order of rows that are equal in every number they are sorted by: that of
/// their names, so that it does not depend on the order of the traces.
///
/// Flow:   rows of an analysis -> [sortRows] -> the same, in a total order
///
/// Names become text for rows that are equal, and for no others.
#pragma once

#include "utils/analysis/names/RowName.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// The begin of the name and, for names that agree in it, the key of the whole.
struct TieText {
  std::string Text;
  NameKey Key;
  friend auto operator<=>(const TieText &, const TieText &) = default;
};

inline TieText tieText(const Trace &T, const RowName &Name) {
  TieText Tie{Name.text(T, {}, ComparedNameBytes), {}};
  if (Name.Fixed.empty())
    Tie.Key = Name.Text.empty() ? Name.names(T).prefixKey(Name.Name)
                                : Dictionary::keyOf(Name.Text.text());
  return Tie;
}

/// Rows [Begin, End) are equal. \p TextOf gives what they are ordered by.
template <class Row, class Function>
void sortTied(std::vector<Row> &Rows, size_t Begin, size_t End,
              const Function &TextOf) {
  auto rowAt = [&Rows](size_t Index) {
    return Rows.begin() + static_cast<std::ptrdiff_t>(Index);
  };
  std::vector<std::pair<decltype(TextOf(Rows[Begin])), Row>> Tied;
  Tied.reserve(End - Begin);
  for (size_t I = Begin; I != End; ++I)
    Tied.emplace_back(TextOf(Rows[I]), std::move(Rows[I]));
  std::stable_sort(Tied.begin(), Tied.end(), [](const auto &A, const auto &B) {
    return A.first < B.first;
  });
  std::transform(std::make_move_iterator(Tied.begin()),
                 std::make_move_iterator(Tied.end()), rowAt(Begin),
                 [](auto &&Each) { return std::move(Each.second); });
}

/// Sorts by \p IsBefore and, what that leaves equal, by \p TextOf. Only the
/// first \p Wanted (0: all) need to be right.
template <class Row, class Before, class Function>
void sortRows(std::vector<Row> &Rows, Before IsBefore, const Function &TextOf,
              size_t Wanted = 0) {
  std::stable_sort(Rows.begin(), Rows.end(), IsBefore);
  if (Wanted == 0 || Wanted > Rows.size())
    Wanted = Rows.size();
  for (size_t Begin = 0, End; Begin < Wanted; Begin = End) {
    for (End = Begin + 1; End != Rows.size(); ++End)
      if (IsBefore(Rows[Begin], Rows[End]))
        break;
    if (End - Begin > 1)
      sortTied(Rows, Begin, End, TextOf);
  }
}

} // namespace instantrace
