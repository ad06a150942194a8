/// \file
/// A table for people: columns of numbers, and what they are of.
///
/// Flow:   an analysis -> [TextTable] -> stdout
#pragma once

#include "utils/render/Output.h"
#include "utils/render/Terminal.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// What a line has left after \p Used columns, for a name. Never fewer than a
/// name needs to say something; the line may then be longer than the terminal.
size_t columnsLeft(const Terminal &Term, size_t Used);

/// Between words; the last of \p MostLines has the rest.
std::vector<std::string> brokenIntoLines(std::string_view Text, size_t Columns,
                                         size_t MostLines = SIZE_MAX);

/// A sentence in lines of a terminal, or in one for who reads lines.
void appendLines(Output &Out, std::string_view Text, const Terminal &Term,
                 std::string_view Begin = {}, std::string_view End = {});

/// Below a table: "3 of 12 rows; -n 0 shows all".
void appendRowCount(Output &Out, size_t Shown, size_t All,
                    std::string_view What = "row");

class TextTable {
public:
  struct Column {
    std::string_view Title;
    size_t Width; ///< of which one at least separates it from the one before
    bool IsOptional = false; ///< leaves its room to names that need it
  };

  TextTable(Output &Out, const Terminal &Term, std::vector<Column> Columns);

  /// What is left of a line for the last column, \p Used of it aside.
  size_t nameColumns(size_t Used = 0) const;

  /// \p What heads the last column.
  void head(std::string_view What);
  /// As many cells as columns. A row without cells has its text alone, below
  /// the last column.
  void row(const std::vector<std::string> &Cells, std::string_view Name,
           bool IsDim = false);
  /// A dim line about the row above, below the last column or behind
  /// \p MostIndent columns, and where it is too long for that, as far to the
  /// left as it needs.
  void addLineBelow(std::string_view Text, size_t MostIndent = SIZE_MAX);

private:
  size_t numberColumns() const;
  std::string numbers(const std::vector<std::string> &Cells) const;

  Output &Out;
  const Terminal &Term;
  std::vector<Column> Columns;
};

/// The escape sequences of a terminal, or nothing where it has no colours.
struct TextStyles {
  explicit TextStyles(const Terminal &Term);
  std::string_view Bold, Dim, Plain;
};

} // namespace instantrace
