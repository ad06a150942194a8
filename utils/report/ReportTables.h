/// \file
/// The cost tables of a report: of each, the rows that matter, and the sum of
/// the others.
///
/// Flow:   costs() of the new and the old build -> [ReportTables] ->
///         ReportModel
///
/// A row matters by its largest share of anything: time, counts or memory,
/// before or after. The sums of the others add up with the rest to the whole.
#ifndef INSTANTRACE_UTILS_REPORT_REPORTTABLES_H
#define INSTANTRACE_UTILS_REPORT_REPORTTABLES_H

#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/chains/RowChains.h"
#include "utils/analysis/costs/CostDiff.h"
#include "utils/report/ReportTexts.h"

#include <string_view>
#include <vector>

namespace instantrace {

/// One build that is shown.
struct ReportBuild {
  const Trace *T = nullptr;
  const CostTable *Costs = nullptr;
};

struct ReportRow {
  const CostRow *New = nullptr, *Old = nullptr; // not both null
  uint32_t Name = 0, Kind = 0;                  // ReportTexts
  bool IsWithinNoise = false;         // both times, if there are two builds
  ChainsOfRow Chains;                 // of ChainTree; none of what is gone
  std::vector<IncludeChain> Includes; // of a header
  uint64_t OtherIncludes = 0;
};

struct ReportTable {
  std::string_view By;
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

/// \p Old may have no costs. The cost tables must outlive the result.
ReportTable reportTable(std::string_view By, const ReportBuild &New,
                        const ReportBuild &Old, ReportTexts &Texts,
                        const TableStyle &Style);

} // namespace instantrace

#endif
