/// \file
/// The tables of `constraints` and `overloads`, as far as a page has room.
///
/// Flow:   CheckCosts -> [ReportChecks] -> ReportModel
#pragma once

#include "utils/analysis/costs/CheckCosts.h"
#include "utils/report/ReportTexts.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace instantrace {

/// The rows with the most inclusive time, and the sum of the others.
class KeptChecks {
public:
  KeptChecks(CheckFamily Family, CheckCosts Costs, size_t MaxRows);

  CheckFamily Family;
  std::vector<CheckRow> Rows;
  uint64_t OtherRows = 0;
  CheckRow Others; // without inclusive time: this does not add up

  static void addTo(CheckRow &Sum, const CheckRow &Row);
};

struct ReportChecks {
  std::string_view Key;                  // `constraint`, `candidate`
  std::vector<std::string_view> Columns; // of counts: fields of the records
  struct Row {
    uint32_t Name = 0; // ReportTexts
    bool IsConcept = false;
    uint64_t SelfNs = 0, InclusiveNs = 0, AstBytes = 0;
    std::vector<uint64_t> Counts; // by column
  };
  std::vector<Row> Rows; // most inclusive time first
  uint64_t OtherRows = 0;
  Row Others;
};

/// \p T is what the costs are of.
ReportChecks reportChecks(const Trace &T, const KeptChecks &Costs,
                          size_t MaxRows, const NameStyle &Names,
                          size_t NameBytes, ReportTexts &Texts);

} // namespace instantrace
