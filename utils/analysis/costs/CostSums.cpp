#include "utils/analysis/costs/CostSums.h"

using namespace instantrace;

void CostSums::add(const CostTable &Of, const Trace &Names) {
  for (const CostRow &From : Of.Rows) {
    if (!From.Name.Fixed.empty() || From.SelfNs == 0)
      continue;
    auto [At, IsNew] = Rows.try_emplace(From.Key);
    if (IsNew)
      At->second.Name = From.Name.text(Names, {}, SumNameBytes);
    At->second.SelfNs += From.SelfNs;
  }
}

std::string CostSums::costliest() const {
  const Row *Most = nullptr;
  for (const auto &[Key, Of] : Rows)
    if (!Most || Of.SelfNs > Most->SelfNs ||
        (Of.SelfNs == Most->SelfNs && Of.Name < Most->Name))
      Most = &Of;
  return Most ? Most->Name : std::string();
}
