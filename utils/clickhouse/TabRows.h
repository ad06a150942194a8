/// \file
/// An answer of ClickHouse: TabSeparatedWithNamesAndTypes, which keeps every
/// byte of a text.
///
/// Flow:   reply -> [TabRows] -> cells
/// Errors: what is no such answer
/// Trust:  the server may be anybody: cells are counted before they are made
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

class TabRows {
public:
  enum class CellKind { Whole, Real, Text };
  static constexpr size_t MostColumns = 1000;
  /// Of an answer that is kept; a cell takes up to a hundred bytes.
  static constexpr size_t MostKeptCells = 2'000'000;

  /// Views \p Reply, which must outlive it.
  static Result<TabRows> read(std::string_view Reply);

  const std::vector<std::string> &columns() const { return Columns; }
  const std::vector<CellKind> &kinds() const { return Kinds; }

  /// Of what is left. Errors: more cells than \p MostCells.
  Result<void> checkSize(size_t MostCells = MostKeptCells) const;

  /// Nothing for a NULL.
  using Row = std::vector<std::optional<std::string>>;
  /// The next row into \p Cells; false behind the last. Errors: a row of other
  /// length.
  Result<bool> next(Row &Cells);
  /// Of all that are left. Errors: those of \p Each, as well.
  template <class Do> Result<void> forEach(const Do &Each) {
    Row Cells;
    while (true) {
      INSTANTRACE_TRY_ASSIGN(bool More, next(Cells));
      if (!More)
        return {};
      INSTANTRACE_TRY(Each(Cells));
    }
  }
  /// 0 of what is none.
  static uint64_t wholeNumber(const std::optional<std::string> &Cell);

private:
  std::vector<std::string> Columns;
  std::vector<CellKind> Kinds;
  std::string_view Rest;
};

} // namespace instantrace
