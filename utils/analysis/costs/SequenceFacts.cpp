#include "utils/analysis/costs/SequenceFacts.h"

#include "utils/analysis/view/SelfTimes.h"

#include <unordered_set>

using namespace instantrace;

namespace {

/// A set of entities; few are none that the sequence describes.
class EntitySet {
public:
  explicit EntitySet(const Sequence &S) : Has(S.Entities.size() + 1) {}

  bool has(EntityId Id) const {
    return Id.Value < Has.size() ? Has[Id.Value] : Others.contains(Id.Value);
  }
  void add(EntityId Id) {
    if (Id.Value < Has.size())
      Has[Id.Value] = true;
    else
      Others.insert(Id.Value);
  }

private:
  std::vector<bool> Has;
  std::unordered_set<uint32_t> Others;
};

std::vector<bool> firstsOfUndefined(const Sequence &S) {
  auto IsOne = [](const Interval &I) {
    return I.Kind == EventKind::TemplateInstantiation && I.Entity;
  };
  EntitySet Counted(S);
  for (const Interval &I : S.Intervals)
    if (I.Definition && IsOne(I))
      Counted.add(I.Entity);
  std::vector<bool> IsFirst(S.Intervals.size());
  for (size_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    if (!IsOne(I) || Counted.has(I.Entity))
      continue;
    IsFirst[Index] = true;
    Counted.add(I.Entity);
  }
  return IsFirst;
}

} // namespace

SequenceFacts::SequenceFacts(const Sequence &S)
    : SelfNs(selfTimes(S)), InclusiveNs(inclusiveTimes(S)),
      IsFirstOfUndefined(firstsOfUndefined(S)), Parts(S), Homes(S) {}
