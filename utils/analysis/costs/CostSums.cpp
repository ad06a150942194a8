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

void CostSums::add(const Trace &T) {
  for (CostKey By : Keys) {
    CostTable Of = costs(T, By);
    if (By == Keys.front())
      TotalNs += Of.TotalNs;
    HasBackend |= Of.HasBackend;
    for (const CostRow &Row : Of.Rows) {
      if (Row.SelfNs == 0 && Row.InclusiveNs == 0)
        continue;
      RowKey Key{std::string(Row.Name.Fixed), {}};
      if (Row.Name.Fixed.empty())
        Key.Name = Row.Name.Text.empty()
                       ? Row.Name.names(T).prefixKey(Row.Name.Name)
                       : Dictionary::keyOf(Row.Name.Text.text());
      auto [At, IsNew] = Tables[indexOf(By)].try_emplace(Key);
      SumRow &Sum = At->second;
      if (IsNew) {
        Sum.Name = Row.Name.text(T, {}, SumNameBytes);
        Sum.IsFixed = !Row.Name.Fixed.empty();
      }
      Sum += {{}, Row.SelfNs, Row.InclusiveNs, Row.Count, 1, {}, Row.Backend};
    }
  }
  Compiles += T.Sequences.size();
}

void CostSums::merge(CostSums &&More) {
  TotalNs += More.TotalNs;
  Compiles += More.Compiles;
  HasBackend |= More.HasBackend;
  for (size_t I = 0; I != Keys.size(); ++I)
    for (auto &[Key, Row] : More.Tables[I]) {
      auto [At, IsNew] = Tables[I].try_emplace(Key, std::move(Row));
      if (!IsNew)
        At->second += Row;
    }
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

std::vector<SumRow> CostSums::namedRows(CostKey By) const {
  std::vector<SumRow> Rows;
  for (const auto &[Key, Row] : Tables[indexOf(By)])
    if (!Row.IsFixed)
      Rows.push_back(Row);
  return Rows;
}

uint64_t CostSums::namedNs(CostKey By) const {
  uint64_t Ns = 0;
  for (const auto &[Key, Row] : Tables[indexOf(By)])
    Ns += Row.IsFixed ? 0 : Row.SelfNs;
  return Ns;
}
