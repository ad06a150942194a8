#include "utils/report/ReportTables.h"

#include "utils/analysis/costs/CostColumns.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

namespace {

/// A row of each build; not both are null.
struct Pair {
  const CostRow *New = nullptr, *Old = nullptr;
};

/// By column, of both builds: what shares are of.
struct Wholes {
  uint64_t Totals[2][std::size(CostColumns)] = {};

  void add(const Pair &Row) {
    for (size_t C = 0; C != std::size(CostColumns); ++C) {
      Totals[0][C] += Row.New ? CostColumns[C].Value(*Row.New) : 0;
      Totals[1][C] += Row.Old ? CostColumns[C].Value(*Row.Old) : 0;
    }
  }
  double share(const Pair &Row) const {
    double Largest = 0;
    const CostRow *Sides[2] = {Row.New, Row.Old};
    for (size_t Side = 0; Side != 2; ++Side)
      for (size_t C = 0; Sides[Side] && C != std::size(CostColumns); ++C)
        if (Totals[Side][C] != 0)
          Largest =
              std::max(Largest, double(CostColumns[C].Value(*Sides[Side])) /
                                    double(Totals[Side][C]));
    return Largest;
  }
};

std::vector<const CostRow *> byKey(const CostTable &Table) {
  std::vector<const CostRow *> Rows;
  Rows.reserve(Table.Rows.size());
  for (const CostRow &Row : Table.Rows)
    Rows.push_back(&Row);
  std::sort(Rows.begin(), Rows.end(),
            [](const CostRow *A, const CostRow *B) { return A->Key < B->Key; });
  return Rows;
}

/// By key, of which a table has each once.
std::vector<Pair> paired(const CostTable &New, const CostTable *Old) {
  std::vector<const CostRow *> News = byKey(New), Olds;
  if (Old)
    Olds = byKey(*Old);
  std::vector<Pair> Pairs;
  Pairs.reserve(News.size());
  for (auto N = News.begin(), O = Olds.begin();
       N != News.end() || O != Olds.end();) {
    Pair Both;
    if (N != News.end() && (O == Olds.end() || (*N)->Key <= (*O)->Key))
      Both.New = *N++;
    if (O != Olds.end() && (!Both.New || (*O)->Key == Both.New->Key))
      Both.Old = *O++;
    Pairs.push_back(Both);
  }
  return Pairs;
}

uint64_t selfNs(const ReportRow &Row) {
  return Row.New ? Row.New->SelfNs : Row.Old->SelfNs;
}

} // namespace

void RankedCosts::addTo(CostRow &Sum, const CostRow *Row) {
  if (Row)
    Sum.addApart(*Row);
}

RankedCosts::RankedCosts(const CostTable &New, const CostTable *Old,
                         size_t MaxRows) {
  std::vector<Pair> Pairs = paired(New, Old);
  Wholes Whole;
  for (const Pair &Both : Pairs)
    Whole.add(Both);
  std::vector<Row> All; // by key at first: ties are decided by it
  All.reserve(Pairs.size());
  for (const Pair &Both : Pairs)
    All.push_back({Both.New, Both.Old, Whole.share(Both)});
  std::stable_sort(All.begin(), All.end(), [](const Row &A, const Row &B) {
    return A.Share > B.Share;
  });
  Kept.reserve(std::min(MaxRows, All.size()) * (Old ? 2 : 1));
  auto Keep = [this](const CostRow *Row) {
    return Row ? &Kept.emplace_back(*Row) : nullptr;
  };
  for (const Row &R : All) {
    if (Rows.size() != MaxRows) {
      Rows.push_back({Keep(R.New), Keep(R.Old), R.Share});
      continue;
    }
    ++OtherRows;
    addTo(Others, R.New);
    addTo(OldOthers, R.Old);
  }
}

ReportTable instantrace::reportTable(std::string_view Key,
                                     const RankedCosts &Costs, const Trace &New,
                                     const Trace *Old, ReportTexts &Texts,
                                     const TableStyle &Style) {
  ReportTable Table{Key, {}, Costs.OtherRows, Costs.Others, Costs.OldOthers};
  for (const RankedCosts::Row &Ranked : Costs.Rows) {
    if (Table.Rows.size() == Style.MaxRows) {
      ++Table.OtherRows;
      RankedCosts::addTo(Table.Others, Ranked.New);
      RankedCosts::addTo(Table.OldOthers, Ranked.Old);
      continue;
    }
    ReportRow Row;
    Row.New = Ranked.New;
    Row.Old = Ranked.Old;
    const CostRow &Any = Row.New ? *Row.New : *Row.Old;
    Row.Name = Texts.index(Row.New ? New : *Old, Any.Name, Any.Key, Style.Names,
                           Style.NameLimitBytes);
    Row.Kind = Texts.index(Any.Kind);
    CostDiffRow Both{Row.Old, Row.New};
    // What is in a phase has rows of its own.
    Row.IsWithinNoise =
        Style.Within.contains(Both.before(CostOrder::Self),
                              Both.after(CostOrder::Self)) &&
        (!Any.Name.Fixed.empty() ||
         Style.Within.contains(Both.before(CostOrder::Inclusive),
                               Both.after(CostOrder::Inclusive)));
    Table.Rows.push_back(std::move(Row));
  }
  std::stable_sort(Table.Rows.begin(), Table.Rows.end(),
                   [&Texts](const ReportRow &A, const ReportRow &B) {
                     if (selfNs(A) != selfNs(B))
                       return selfNs(A) > selfNs(B);
                     return Texts.all()[A.Name] < Texts.all()[B.Name];
                   });
  return Table;
}
