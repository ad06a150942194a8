/// \file
/// Rows as a table, as JSON or as CSV.
///
/// Flow: runSelect, ClickHouseStore, AnswerText -> [RowWriter] -> Output
#pragma once

#include "utils/render/Output.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace instantrace {

enum class RowFormat { Text, Json, Csv };

/// Nothing, a whole number, another number, a text.
using RowCell = std::variant<std::monostate, int64_t, double, std::string>;

class RowWriter {
public:
  virtual ~RowWriter() = default;
  /// As many cells as columns.
  virtual void row(const std::vector<RowCell> &Cells) = 0;
  /// Call once, behind the last row. JSON is an array without a line's end.
  virtual void finish() {}
};

/// \p Out must outlive it.
std::unique_ptr<RowWriter>
makeRowWriter(RowFormat Format, const std::vector<std::string> &Columns,
              Output &Out);

} // namespace instantrace
