#include "utils/analysis/costs/CostDiff.h"

#include "utils/analysis/costs/CostColumns.h"
#include "utils/analysis/names/RowName.h"

#include <algorithm>
#include <map>

using namespace instantrace;

namespace {

uint64_t distance(uint64_t A, uint64_t B) { return A > B ? A - B : B - A; }

/// By how much a row changed in what rows are ordered by.
uint64_t weight(const CostDiffRow &Row, CostOrder Order, const Noise &Within) {
  const CostColumn *Column = costColumn(Order);
  uint64_t Before = Row.before(Order), After = Row.after(Order);
  return Column && Column->isTime() && Within.contains(Row, Order)
             ? 0
             : distance(Before, After);
}

bool hasOtherFunctions(const CostRow &Old, const CostRow &New) {
  const BackendCost &A = Old.backend(), &B = New.backend();
  return A.ObjectBytes != B.ObjectBytes || A.Emitted != B.Emitted ||
         A.InlinedAway != B.InlinedAway;
}

/// By the source, and not a phase.
bool isNamed(const CostDiffRow &Row) { return Row.any().Name.Fixed.empty(); }

bool didSameWork(const CostDiffRow &Row) {
  if (!Row.Old || !Row.New)
    return isNamed(Row) && !Row.isSteady();
  return isNamed(Row) && Row.Old->Count == Row.New->Count &&
         Row.Old->Memoized == Row.New->Memoized;
}

/// In what is the same in every run. \p HasBackend: both builds have what LLVM
/// did.
bool changedBeyondTime(const CostDiffRow &Row, CostOrder Order,
                       bool HasBackend) {
  if (!Row.Old || !Row.New)
    return Row.isSteady();
  // In other orders no column would say what changed.
  if (Order == CostOrder::Ast && Row.Old->AstBytes != Row.New->AstBytes)
    return true;
  return isNamed(Row) &&
         (!didSameWork(Row) ||
          (HasBackend && hasOtherFunctions(*Row.Old, *Row.New)));
}

bool hasChanged(const CostDiffRow &Row, CostOrder Order, const Noise &Within,
                bool HasBackend) {
  if (changedBeyondTime(Row, Order, HasBackend))
    return true;
  auto HasChanged = [&](CostOrder Time) { return !Within.contains(Row, Time); };
  // A phase changes with whatever is in it, which has rows of its own.
  return HasChanged(CostOrder::Self) ||
         (isNamed(Row) && HasChanged(CostOrder::Inclusive));
}

} // namespace

bool CostDiffRow::isSteady() const {
  const CostRow &Row = any();
  return Row.Count != 0 || Row.Memoized != 0 ||
         (Row.Kind != eventKindName(EventKind::ConstantEvaluation) &&
          Row.Kind != eventKindName(EventKind::Statement));
}

bool Noise::contains(uint64_t OldNs, uint64_t NewNs) const {
  uint64_t Change = distance(OldNs, NewNs);
  return Change <= FloorNs ||
         static_cast<double>(Change) <=
             Percent / 100 * static_cast<double>(std::max(OldNs, NewNs));
}

bool Noise::contains(const CostDiffRow &Row, CostOrder Time) const {
  const uint64_t OldNs = Row.before(Time), NewNs = Row.after(Time);
  std::optional<bool> IsInSpread;
  if (Spreads)
    IsInSpread = Spreads->contains(Row.any().Key, Time, NewNs);
  return IsInSpread ? *IsInSpread || distance(OldNs, NewNs) <= FloorNs
                    : contains(OldNs, NewNs);
}

void TimeSpreads::Range::add(uint64_t Ns) {
  LeastNs = std::min(LeastNs, Ns);
  MostNs = std::max(MostNs, Ns);
}

void TimeSpreads::add(const CostTable &Recording) {
  ++Recordings;
  for (const CostRow &Row : Recording.Rows) {
    Ranges &Times = ByRow[Row.Key];
    Times.Self.add(valueOf(Row, CostOrder::Self));
    Times.Inclusive.add(valueOf(Row, CostOrder::Inclusive));
    ++Times.Recordings;
  }
}

std::optional<bool> TimeSpreads::contains(const NameKey &Row, CostOrder Time,
                                          uint64_t Ns) const {
  auto Known = ByRow.find(Row);
  if (Known == ByRow.end() ||
      (Time != CostOrder::Self && Time != CostOrder::Inclusive))
    return std::nullopt;
  Range Times =
      Time == CostOrder::Self ? Known->second.Self : Known->second.Inclusive;
  if (Known->second.Recordings < Recordings)
    Times.add(0); // in the others it took nothing
  const uint64_t SpreadNs = Times.MostNs - Times.LeastNs;
  return Ns + SpreadNs >= Times.LeastNs && Ns <= Times.MostNs + SpreadNs;
}

CostDiff instantrace::diffCosts(const CostTable &Old, const Trace &OldTrace,
                                const CostTable &New, const Trace &NewTrace,
                                CostOrder Order, const Noise &Within) {
  std::map<NameKey, CostDiffRow> ByKey;
  for (const CostRow &Row : Old.Rows)
    ByKey[Row.Key].Old = &Row;
  for (const CostRow &Row : New.Rows)
    ByKey[Row.Key].New = &Row;
  struct Ranked {
    uint64_t Weight, TieWeight;
    std::string Name;
    CostDiffRow Row;
  };
  CostOrder TieOrder =
      Order == CostOrder::Count ? CostOrder::Self : CostOrder::Count;
  CostDiff Diff;
  std::vector<Ranked> Changed;
  const bool HasBackend = Old.HasBackend && New.HasBackend;
  for (const auto &[Key, Row] : ByKey) {
    Diff.Appeared += Row.hasAppeared();
    Diff.Disappeared += Row.hasDisappeared();
    Diff.HasSameWork &= !isNamed(Row) || didSameWork(Row);
    if (didSameWork(Row)) {
      Diff.SameWorkOldNs += Row.before(CostOrder::Self);
      Diff.SameWorkNewNs += Row.after(CostOrder::Self);
    }
    if (!hasChanged(Row, Order, Within, HasBackend)) {
      ++Diff.UnchangedRows;
      continue;
    }
    Changed.push_back({weight(Row, Order, Within),
                       weight(Row, TieOrder, Within),
                       Row.any().Name.text(Row.New ? NewTrace : OldTrace, {},
                                           ComparedNameBytes),
                       Row});
  }
  std::sort(Changed.begin(), Changed.end(),
            [Order](const Ranked &A, const Ranked &B) {
              if (Order != CostOrder::Name) {
                if (A.Weight != B.Weight)
                  return A.Weight > B.Weight;
                if (A.TieWeight != B.TieWeight)
                  return A.TieWeight > B.TieWeight;
              }
              if (int Compared = A.Name.compare(B.Name))
                return Compared < 0;
              return A.Row.any().Key < B.Row.any().Key;
            });
  const CostColumn *Column = costColumn(Order);
  const bool AreTimesShown = !Diff.HasSameWork ||
                             (Column && Column->isTime()) ||
                             Order == CostOrder::Name;
  for (Ranked &R : Changed)
    if (AreTimesShown || changedBeyondTime(R.Row, Order, HasBackend))
      Diff.Rows.push_back(R.Row);
    else
      ++Diff.TimesOnly;
  return Diff;
}
