#include "utils/analysis/costs/CostSums.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

SumRow &SumRow::operator+=(const SumRow &More) {
  SelfNs += More.SelfNs;
  InclusiveNs += More.InclusiveNs;
  Count += More.Count;
  Compiles += More.Compiles;
  Backend.add(More.Backend);
  return *this;
}

size_t CostSums::indexOf(CostKey By) {
  return static_cast<size_t>(
      std::distance(Keys.begin(), std::find(Keys.begin(), Keys.end(), By)));
}

void CostSums::add(const std::vector<CostTable> &Of, const Trace &Names) {
  TotalNs += Of.front().TotalNs;
  for (size_t I = 0; I != Keys.size(); ++I) {
    const CostTable &From = Of[I];
    HasBackend |= From.HasBackend;
    for (const CostRow &Row : From.Rows) {
      if (Row.SelfNs == 0 && Row.InclusiveNs == 0)
        continue;
      auto [At, IsNew] = Tables[I].try_emplace(Row.Key);
      SumRow &Sum = At->second;
      if (IsNew) {
        Sum.Name = Row.Name.text(Names, {}, SumNameBytes);
        Sum.IsFixed = !Row.Name.Fixed.empty();
      }
      Sum += {{}, Row.SelfNs, Row.InclusiveNs, Row.Count, 1, {}, Row.Backend};
    }
  }
  ++Compiles;
}

std::vector<SumRow> CostSums::costliest(CostKey By, size_t Wanted,
                                        bool AreFixed) const {
  std::vector<const SumRow *> Rows;
  for (const auto &[Key, Row] : Tables[indexOf(By)])
    if (Row.IsFixed == AreFixed)
      Rows.push_back(&Row);
  auto End =
      Rows.begin() + static_cast<std::ptrdiff_t>(std::min(Wanted, Rows.size()));
  std::partial_sort(Rows.begin(), End, Rows.end(),
                    [](const SumRow *A, const SumRow *B) {
                      return A->SelfNs != B->SelfNs ? A->SelfNs > B->SelfNs
                                                    : A->Name < B->Name;
                    });
  std::vector<SumRow> First;
  std::transform(Rows.begin(), End, std::back_inserter(First),
                 [](const SumRow *Row) { return *Row; });
  return First;
}

uint64_t CostSums::namedNs(CostKey By) const {
  uint64_t Ns = 0;
  for (const auto &[Key, Row] : Tables[indexOf(By)])
    Ns += Row.IsFixed ? 0 : Row.SelfNs;
  return Ns;
}
