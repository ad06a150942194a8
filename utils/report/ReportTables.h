/// \file
/// The cost tables of a report: of each, the rows that matter, and the sum of
/// the others.
///
/// Flow:   CostTable of the new and the old build -> [ReportTables] ->
///         ReportModel
///
/// A row matters by its largest share of anything: time, counts or memory,
/// before or after. The sums of the others add up with the rest to the whole.
#pragma once

#include "utils/analysis/chains/RowChains.h"
#include "utils/analysis/costs/CostDiff.h"
#include "utils/report/ReportTexts.h"

#include <string_view>
#include <vector>

namespace instantrace {

/// The rows of a table that may be in a page, largest share first, and what the
/// others add up to. Tables with all their rows would be many times the traces.
class RankedCosts {
public:
  struct Row {
    const CostRow *New, *Old; // not both null
    double Share;
  };
  /// Keeps at most \p MaxRows. \p Old may be null.
  RankedCosts(const CostTable &New, const CostTable *Old, size_t MaxRows);
  /// A copy would have the rows of the other.
  RankedCosts(const RankedCosts &) = delete;
  RankedCosts(RankedCosts &&) noexcept = default;

  std::vector<Row> Rows;
  uint64_t OtherRows = 0;
  CostRow Others, OldOthers; // without inclusive times: these do not add up

  static void addTo(CostRow &Sum, const CostRow *Row);

private:
  std::vector<CostRow> Kept; // has room for all from the begin
};

struct ReportRow {
  const CostRow *New = nullptr, *Old = nullptr; // not both null
  uint32_t Name = 0, Kind = 0;                  // ReportTexts
  bool IsWithinNoise = false;     // both times, if there are two builds
  ChainsOfRow Chains;             // of ChainTree; none of what is gone
  std::vector<uint32_t> Includes; // of a header: ReportInclude, from 1
  uint64_t OtherIncludes = 0;
};

struct ReportTable {
  std::string_view Key;
  std::vector<ReportRow> Rows; // largest self time first; ties by name
  uint64_t OtherRows = 0;      // that are folded in these:
  CostRow Others, OldOthers;   // without inclusive times: these do not add up
};

struct TableStyle {
  size_t MaxRows;
  NameStyle Names;
  size_t NameLimitBytes;
  Noise Within;
};

/// \p Old may be null. The costs must outlive the result. Requires: no more
/// rows than are kept.
ReportTable reportTable(std::string_view Key, const RankedCosts &Costs,
                        const Trace &New, const Trace *Old, ReportTexts &Texts,
                        const TableStyle &Style);

} // namespace instantrace
