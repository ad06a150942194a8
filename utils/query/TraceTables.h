/// \file
/// The trace as tables: for each column a name, a type and where its cells come
/// from.
///
/// Flow:   TraceModel -> [TraceTables] -> VirtualTable -> SQLite
/// Layout: docs/use/query.md says what the columns mean
///
/// Every table begins with `sequence`, from 1 in the order of the inputs, and
/// all but `sequences` have `id` next; a query that says which it wants gets
/// them without a search.
#pragma once

#include "utils/query/TraceModel.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace instantrace {

/// NULL, a number or a text. A view must stay valid until the next cell.
using Cell =
    std::variant<std::monostate, uint64_t, std::string_view, std::string>;

/// Where a column gets its cell from.
struct TraceRow {
  TraceModel &Model;
  size_t SequenceIndex;
  uint64_t Index; ///< among the table's rows of the sequence

  const Sequence &sequence() const { return Model.sequence(SequenceIndex); }
};

struct TraceColumn {
  std::string_view Name;
  std::string_view Type; ///< as in CREATE TABLE
  Cell (*Get)(const TraceRow &Row);
};

struct TraceTable {
  std::string_view Name;
  /// The first one is `sequence`, and the second one `id` where rows have ids.
  std::span<const TraceColumn> Columns;
  uint64_t (*RowCount)(TraceModel &Model, size_t SequenceIndex);

  bool hasIds() const { return Columns[1].Name == "id"; }
};

std::span<const TraceTable> traceTables();

} // namespace instantrace
