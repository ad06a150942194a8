#include "utils/analysis/costs/Costs.h"

#include "utils/analysis/costs/CostColumns.h"
#include "utils/analysis/names/RowName.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/Emission.h"

using namespace instantrace;

BackendCost &BackendCost::operator+=(const BackendCost &More) {
#define INSTANTRACE_BACKEND_NUMBER(Id, Member, ...) Member += More.Member;
#include "utils/analysis/costs/CostColumns.def"
  return *this;
}

void CostRow::addNumbers(const CostRow &More) {
#define INSTANTRACE_ROW_NUMBER(Id, Member, ...) Member += More.Member;
#include "utils/analysis/costs/CostColumns.def"
  Backend.add(More.Backend);
}

void CostRow::addApart(const CostRow &More) {
#define INSTANTRACE_ROW_NUMBER(Id, Member, Unit, Adds, ...)                    \
  if (CostAdds::Adds == CostAdds::OverRows)                                    \
    Member += More.Member;
#include "utils/analysis/costs/CostColumns.def"
  Backend.add(More.Backend);
}

BackendCost instantrace::costOf(const Sequence &S, const Function &F) {
  std::optional<bool> Kept = isEmitted(S, F);
  BackendCost Cost;
  Cost.IrInstructions = F.IrInstructions;
  Cost.MachineInstructions = F.MachineInstructions;
  Cost.ObjectBytes = F.ObjectBytes;
  Cost.Given = 1;
  Cost.Emitted = Kept.value_or(false);
  Cost.InlinedAway = Kept.has_value() && !*Kept;
  return Cost;
}

uint64_t instantrace::valueOf(const CostRow &Row, CostOrder Order) {
  const CostColumn *Column = costColumn(Order);
  return Column ? Column->Value(Row) : 0;
}

bool instantrace::needsLearnedScopes(CostKey Key) {
  return Key == CostKey::Class || Key == CostKey::Namespace;
}

void instantrace::sortCosts(CostTable &Table, const Trace &T, CostOrder Order,
                            size_t Wanted) {
  sortCosts(Table, Order, Wanted,
            [&T](const CostRow &Row) { return tieText(T, Row.Name); });
}

void instantrace::sortCosts(CostTable &Table, CostOrder Order, size_t Wanted,
                            const TieOfCosts &Tie) {
  auto IsBefore = [Order](const CostRow &A, const CostRow &B) {
    return valueOf(A, Order) > valueOf(B, Order);
  };
  sortRows(Table.Rows, IsBefore, Tie, Wanted);
  sortRows(Table.OtherWork, IsBefore, Tie);
}
