/// \file
/// A cost table as text for people or as records for scripts.
///
/// Flow:   CostSink, sortCosts() -> [CostText] -> stdout
#pragma once

#include "utils/analysis/costs/CostColumns.h"
#include "utils/render/NumberText.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// What costs are of: traces that were read, or an index of them.
struct CostSource {
  const Trace &Names; ///< that rows are named by
  std::string Inputs; ///< for people
  size_t Traces = 0, Sequences = 0;
  bool IsIncomplete = false;
  /// Compiles of the sessions that have no trace; none: not known.
  std::optional<uint64_t> Unprofiled = std::nullopt;
};
/// The only one, or how many there are.
std::string inputsText(const std::vector<std::string> &Traces);

/// What heads the last column of a table, and what is said below a row.
struct CostTableStyle {
  std::string_view What;
  NameStyle Names;
  CostOrder SortedBy = CostOrder::Self; ///< the column of that is always there
  /// Lines below a row, such as how a header is reached; may be empty. In a
  /// table behind BelowIndent columns.
  std::function<std::vector<std::string>(const CostRow &)> Below;
};

inline constexpr size_t BelowIndent = 12;

/// Both write the first Shown rows (0: all); the table, all of other work.
void writeCostTable(Output &Out, const CostSource &Source,
                    const CostTable &Table, size_t Shown,
                    const CostTableStyle &Style, const Terminal &Term);
/// \p BelowName is the field with what is below a row.
void writeCostRecords(Output &Out, RecordFormat Format,
                      const CostSource &Source, const CostTable &Table,
                      size_t Shown, const CostTableStyle &Style,
                      std::string_view BelowName);

/// "1.23 ms", "45.6 kB", "1,234", as the unit asks for.
std::string costNumberText(CostUnit Unit, uint64_t Value);

} // namespace instantrace
