#include "utils/analysis/costs/CostSums.h"

using namespace instantrace;

void CostSums::add(const CostTable &Table, const Trace &Names) {
  for (const CostRow &Row : Table.Rows) {
    if (!Row.Name.Fixed.empty() || Row.SelfNs == 0)
      continue;
    auto [Next, IsNew] = Rows.try_emplace(Row.Key);
    if (IsNew)
      Next->second.Name = Row.Name.text(Names, {}, SumNameBytes);
    Next->second.SelfNs += Row.SelfNs;
  }
}

std::string CostSums::costliest() const {
  const Row *Most = nullptr;
  for (const auto &[Key, Next] : Rows)
    if (!Most || Next.SelfNs > Most->SelfNs ||
        (Next.SelfNs == Most->SelfNs && Next.Name < Most->Name))
      Most = &Next;
  return Most ? Most->Name : std::string();
}
