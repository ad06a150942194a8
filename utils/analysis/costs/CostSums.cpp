#include "utils/analysis/costs/CostSums.h"

using namespace instantrace;

void CostSums::add(const CostTable &Table, const Trace &Names) {
  for (const CostRow &Row : Table.Rows) {
    if (!Row.Name.Fixed.empty() || Row.SelfNs == 0)
      continue;
    auto [Entry, IsNew] = Rows.try_emplace(Row.Key);
    if (IsNew)
      Entry->second.Name = Row.Name.text(Names, {}, SumNameBytes);
    Entry->second.SelfNs += Row.SelfNs;
  }
}

std::string CostSums::costliest() const {
  const Row *Most = nullptr;
  for (const auto &[Key, Sum] : Rows)
    if (!Most || Sum.SelfNs > Most->SelfNs ||
        (Sum.SelfNs == Most->SelfNs && Sum.Name < Most->Name))
      Most = &Sum;
  return Most ? Most->Name : std::string();
}
