#include "utils/report/ReportTables.h"

#include <algorithm>
#include <map>

using namespace instantrace;

namespace {

constexpr uint64_t CostRow::*Columns[] = {
    &CostRow::Count,       &CostRow::Memoized, &CostRow::SelfNs,
    &CostRow::InclusiveNs, &CostRow::AstBytes,
};

/// By column, of both builds: what shares are of.
struct Wholes {
  uint64_t Totals[2][std::size(Columns)] = {};

  void add(const ReportRow &Row) {
    for (size_t C = 0; C != std::size(Columns); ++C) {
      Totals[0][C] += Row.New ? Row.New->*Columns[C] : 0;
      Totals[1][C] += Row.Old ? Row.Old->*Columns[C] : 0;
    }
  }
  double share(const ReportRow &Row) const {
    double Largest = 0;
    const CostRow *Sides[2] = {Row.New, Row.Old};
    for (size_t Side = 0; Side != 2; ++Side)
      for (size_t C = 0; Sides[Side] && C != std::size(Columns); ++C)
        if (Totals[Side][C] != 0)
          Largest = std::max(Largest, double(Sides[Side]->*Columns[C]) /
                                          double(Totals[Side][C]));
    return Largest;
  }
};

void addTo(CostRow &Sum, const CostRow *Row) {
  if (!Row)
    return;
  Sum.Count += Row->Count;
  Sum.Definitions += Row->Definitions;
  Sum.Memoized += Row->Memoized;
  Sum.SelfNs += Row->SelfNs;
  Sum.AstBytes += Row->AstBytes;
  Sum.Elided += Row->Elided;
}

uint64_t selfNs(const ReportRow &Row) {
  return Row.New ? Row.New->SelfNs : Row.Old->SelfNs;
}

} // namespace

ReportTable instantrace::reportTable(std::string_view By,
                                     const ReportBuild &New,
                                     const ReportBuild &Old, ReportTexts &Texts,
                                     const TableStyle &Style) {
  std::map<NameKey, ReportRow> ByKey;
  for (const CostRow &Row : New.Costs->Rows)
    ByKey[Row.Key].New = &Row;
  if (Old.Costs)
    for (const CostRow &Row : Old.Costs->Rows)
      ByKey[Row.Key].Old = &Row;
  Wholes Whole;
  for (const auto &[Key, Row] : ByKey)
    Whole.add(Row);
  struct Ranked {
    double Share;
    ReportRow Row;
  };
  std::vector<Ranked> Rows; // by key at first: ties are decided by it
  for (const auto &[Key, Row] : ByKey)
    Rows.push_back({Whole.share(Row), Row});
  std::stable_sort(
      Rows.begin(), Rows.end(),
      [](const Ranked &A, const Ranked &B) { return A.Share > B.Share; });
  ReportTable Table{By, {}, 0, {}, {}};
  for (Ranked &R : Rows) {
    if (Table.Rows.size() == Style.MaxRows) {
      ++Table.OtherRows;
      addTo(Table.Others, R.Row.New);
      addTo(Table.OldOthers, R.Row.Old);
      continue;
    }
    const CostRow &Any = R.Row.New ? *R.Row.New : *R.Row.Old;
    const Trace &T = R.Row.New ? *New.T : *Old.T;
    R.Row.Name =
        Texts.index(T, Any.Name, Any.Key, Style.Names, Style.NameLimitBytes);
    R.Row.Kind = Texts.index(Any.Kind);
    CostDiffRow Both{R.Row.Old, R.Row.New};
    // What is in a phase has rows of its own.
    R.Row.IsWithinNoise =
        Style.Within.contains(Both.before(&CostRow::SelfNs),
                              Both.after(&CostRow::SelfNs)) &&
        (!Any.Name.Fixed.empty() ||
         Style.Within.contains(Both.before(&CostRow::InclusiveNs),
                               Both.after(&CostRow::InclusiveNs)));
    Table.Rows.push_back(R.Row);
  }
  std::stable_sort(Table.Rows.begin(), Table.Rows.end(),
                   [&Texts](const ReportRow &A, const ReportRow &B) {
                     if (selfNs(A) != selfNs(B))
                       return selfNs(A) > selfNs(B);
                     return Texts.all()[A.Name] < Texts.all()[B.Name];
                   });
  return Table;
}
