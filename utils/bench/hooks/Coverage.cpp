#include "utils/bench/hooks/Coverage.h"

#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <map>
#include <set>

using namespace instantrace;

namespace {

struct Identity {
  NameKey Name, File;
  uint32_t LineNo = 0, ColumnNo = 0;
  friend auto operator<=>(const Identity &, const Identity &) = default;
};

Identity identityOf(const Sequence &S, EntityId Id) {
  Identity Key;
  const Entity *E = S.entity(Id);
  if (!E)
    return Key;
  Key.Name = S.Names.key(E->Name);
  // A class moves from where its template was first declared to where it is
  // defined as it is instantiated; a trace has the place of when it was named.
  if (E->Kind == EntityKind::Class)
    return Key;
  if (const Location *L = S.location(E->DeclaredAt)) {
    Key.File = S.Names.key(L->File);
    Key.LineNo = L->LineNo;
    Key.ColumnNo = L->ColumnNo;
  }
  return Key;
}

struct Specialization {
  bool IsTimed = false, IsDefined = false;
};

std::map<Identity, Specialization> specializations(const Sequence &S) {
  std::map<Identity, Specialization> All;
  for (const Interval &I : S.Intervals) {
    const Entity *E = S.entity(I.Entity);
    if (I.Kind != EventKind::TemplateInstantiation || !E ||
        S.Names.key(E->Name) == S.Names.key(E->TemplateSet))
      continue;
    Specialization &Specialized = All[identityOf(S, I.Entity)];
    Specialized.IsTimed |= I.durationNs() != 0;
    Specialized.IsDefined |= I.Definition;
  }
  return All;
}

bool isInstantiation(const Interval &I) {
  return I.Kind == EventKind::TemplateInstantiation;
}

/// The entities that \p Asker is or is inside of.
std::set<Identity> outwardEntities(const Sequence &S, IntervalId Asker) {
  std::set<Identity> Entities;
  for (; Asker; Asker = S.Intervals[Asker.Value].Parent)
    Entities.insert(identityOf(S, S.Intervals[Asker.Value].Entity));
  return Entities;
}

} // namespace

SpecializationCoverage
instantrace::specializationCoverage(const Sequence &Callback,
                                    const Sequence &Observer) {
  std::map<Identity, Specialization> Expected = specializations(Callback);
  std::map<Identity, Specialization> Found = specializations(Observer);
  SpecializationCoverage C;
  C.InCallback = Expected.size();
  for (const auto &[Id, Specialized] : Found)
    C.DefinedInObserver += Specialized.IsDefined;
  for (const auto &[Id, Specialized] : Expected) {
    C.DefinedInCallback += Specialized.IsDefined;
    auto Match = Found.find(Id);
    if (Match == Found.end())
      continue;
    ++(Match->second.IsTimed ? C.Timed : C.Counted);
    C.DefinedInBoth += Specialized.IsDefined && Match->second.IsDefined;
  }
  return C;
}

RequestAgreement instantrace::requestAgreement(const Sequence &Callback,
                                               const Sequence &Observer) {
  RequestAgreement R;
  std::map<Identity, std::set<Identity>> Askers; // by what they asked for
  for (const Interval &I : Observer.Intervals) {
    if (IntervalId Asker = outwards(I); Asker && isInstantiation(I))
      Askers[identityOf(Observer, I.Entity)].insert(
          identityOf(Observer, Observer.Intervals[Asker.Value].Entity));
  }
  std::set<Identity> Known;
  for (const Interval &I : Callback.Intervals) {
    if (!I.Requester)
      continue;
    Identity Body = identityOf(Callback, I.Entity);
    if (!Known.insert(Body).second)
      continue;
    ++R.Entities;
    auto Found = Askers.find(Body);
    if (Found == Askers.end())
      continue;
    const Interval &Asker = Callback.Intervals[I.Requester.Value];
    if (Found->second.count(identityOf(Callback, Asker.Entity)) != 0) {
      ++R.Same;
      continue;
    }
    std::set<Identity> Outer = outwardEntities(Callback, Asker.Parent);
    R.Outer +=
        std::any_of(Found->second.begin(), Found->second.end(),
                    [&](const Identity &Id) { return Outer.count(Id) != 0; });
  }
  return R;
}
