#include "utils/report/ReportChecks.h"

#include "utils/render/CheckText.h"

#include <utility>

using namespace instantrace;

namespace {

ReportChecks::Row shownRow(const CheckRow &Row, CheckFamily Family) {
  ReportChecks::Row Shown;
  Shown.IsConcept = Row.IsConcept;
  Shown.SelfNs = Row.SelfNs;
  Shown.InclusiveNs = Row.InclusiveNs;
  Shown.AstBytes = Row.AstBytes;
  for (const CheckColumn &Column : checkColumns(Family))
    Shown.Counts.push_back(Row.count(Column.Kinds));
  if (Family == CheckFamily::Candidates)
    Shown.Counts.push_back(Row.Definitions);
  return Shown;
}

} // namespace

void KeptChecks::addTo(CheckRow &Sum, const CheckRow &Row) {
  for (size_t Kind = 0; Kind != Sum.Counts.size(); ++Kind)
    Sum.Counts[Kind] += Row.Counts[Kind];
  Sum.SelfNs += Row.SelfNs;
  Sum.AstBytes += Row.AstBytes;
  Sum.Definitions += Row.Definitions;
}

KeptChecks::KeptChecks(CheckFamily Family, CheckCosts Costs, size_t MaxRows)
    : Family(Family), Rows(std::move(Costs.Rows)) {
  for (; Rows.size() > MaxRows; Rows.pop_back(), ++OtherRows)
    addTo(Others, Rows.back());
  Rows.shrink_to_fit();
}

ReportChecks instantrace::reportChecks(const Trace &T, const KeptChecks &Costs,
                                       size_t MaxRows, const NameStyle &Names,
                                       size_t NameBytes, ReportTexts &Texts) {
  bool IsConstraints = Costs.Family == CheckFamily::Constraints;
  ReportChecks Table;
  Table.Key = IsConstraints ? "constraint" : "candidate";
  for (const CheckColumn &Column : checkColumns(Costs.Family))
    Table.Columns.push_back(Column.Field);
  if (!IsConstraints)
    Table.Columns.push_back("defined");
  Table.OtherRows = Costs.OtherRows;
  CheckRow Others = Costs.Others;
  for (const CheckRow &Row : Costs.Rows) {
    if (Table.Rows.size() == MaxRows) {
      ++Table.OtherRows;
      KeptChecks::addTo(Others, Row);
      continue;
    }
    Table.Rows.push_back(shownRow(Row, Costs.Family));
    NameKey Key = Row.Owner.Fixed.empty()
                      ? Row.Owner.names(T).prefixKey(Row.Owner.Name)
                      : NameKey();
    Table.Rows.back().Name = Texts.index(T, Row.Owner, Key, Names, NameBytes);
  }
  Table.Others = shownRow(Others, Costs.Family);
  return Table;
}
