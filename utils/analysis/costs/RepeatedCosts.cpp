#include "utils/analysis/costs/RepeatedCosts.h"

#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

/// By name: whether it has an unnamed namespace in it, anywhere. Parts have
/// smaller numbers, so one pass over the entries decides, and no name is
/// written out.
std::vector<bool> namesOfOneUnit(const Dictionary &Names) {
  std::vector<bool> Is(Names.size() + size_t(1));
  for (uint32_t Id = 1; Id <= Names.size(); ++Id) {
    Dictionary::EntryView Entry = Names.entry({Id});
    Is[Id] = Entry.MarkedName.find("(anonymous namespace)") !=
                 Entry.MarkedName.npos ||
             std::any_of(Entry.Markers.begin(), Entry.Markers.end(),
                         [&](uint32_t Part) -> bool { return Is[Part]; });
  }
  return Is;
}

} // namespace

void InstantiationNesting::enterSequence(const Sequence &Entered) {
  S = &Entered;
  Open.clear();
  Compiles.emplace_back(Entered.Names.size() + size_t(1));
}

void InstantiationNesting::begin(const Interval &I) {
  if (I.Kind != EventKind::TemplateInstantiation)
    return;
  const Entity *E = S->entity(I.Entity);
  Open.push_back(E && S->Names.contains(E->Name) ? E->Name.Value : 0);
  ++Compiles.back()[Open.back()].Open;
}

void InstantiationNesting::end(const Interval &I, uint64_t InclusiveNs) {
  if (I.Kind != EventKind::TemplateInstantiation)
    return;
  const uint32_t Name = Open.back();
  Open.pop_back();
  Row &Ended = Compiles.back()[Name];
  if (--Ended.Open != 0 || Name == 0)
    return;
  const uint32_t Around = Open.empty() ? 0 : Open.back();
  if (!std::exchange(Ended.IsSeen, true))
    Ended.Around = Around;
  Ended.Ns += InclusiveNs;
  if (Ended.Around == Around)
    Ended.InsideNs += InclusiveNs;
}

UnitCosts
instantrace::unitCosts(const Trace &T, uint32_t Index,
                       const CostTable &BySpecialization,
                       const std::vector<InstantiationNesting::Row> &Nesting) {
  const Sequence &S = T.Sequences[Index];
  UnitCosts Unit;
  Unit.Source = S.Session ? normalPathIn(S, S.Session->Input) : "";
  if (Unit.Source.empty())
    Unit.Source = T.Files[S.FileIndex].Name;
  Unit.TotalNs = BySpecialization.TotalNs;
  std::unordered_map<NameKey, const Entity *, NameKeyHash> Entities;
  for (const Entity &E : S.Entities)
    if (S.Names.contains(E.Name))
      Entities.try_emplace(S.Names.key(E.Name), &E);
  const std::vector<bool> IsOfOneUnit = namesOfOneUnit(S.Names);
  std::vector<uint32_t> Names; // by row
  std::vector<bool> IsRow(Nesting.size());
  for (const CostRow &Row : BySpecialization.Rows) {
    if (!Row.Name.Fixed.empty() || Row.InclusiveNs == 0 ||
        Row.Definitions == 0 || IsOfOneUnit[Row.Name.Name.Entry.Value])
      continue;
    UnitCosts::Row &Into = Unit.Rows.emplace_back(UnitCosts::Row{
        Row.Name, Row.Key, EntityKind::Unknown, Row.InclusiveNs, {}});
    Names.push_back(0);
    auto Known = Entities.find(Row.Key);
    if (Known == Entities.end())
      continue;
    Into.Kind = Known->second->Kind;
    Names.back() = Known->second->Name.Value;
    IsRow[Names.back()] = true;
  }
  for (size_t Row = 0; Row != Names.size(); ++Row) {
    uint32_t Name = Names[Row];
    do
      Name = Nesting[Name].mostlyInside();
    while (Name != 0 && !IsRow[Name]);
    if (Name != 0)
      Unit.Rows[Row].Around = S.Names.key({Name});
  }
  return Unit;
}

void RepeatedCosts::add(const UnitCosts &Costs) {
  TotalNs += Costs.TotalNs;
  auto Unit = static_cast<uint32_t>(Units.size());
  Units.push_back(Costs.Source);
  for (const UnitCosts::Row &Row : Costs.Rows) {
    auto [Entry, IsNew] =
        ByKey.try_emplace(Row.Key, static_cast<uint32_t>(Rows.size()));
    if (IsNew) {
      RepeatedRow &New = Rows.emplace_back();
      New.Name = Names.add(Row.Name);
      New.Kind = Row.Kind;
      New.Key = Row.Key;
      New.Around = Row.Around;
    }
    RepeatedRow &Sum = Rows[Entry->second];
    if (Sum.Around != Row.Around)
      Sum.Around = {};
    if (Sum.Units++ == 0 || Row.InclusiveNs < Sum.LeastNs) {
      Sum.LeastNs = Row.InclusiveNs;
      Sum.Home = Unit;
    }
    Sum.InclusiveNs += Row.InclusiveNs;
  }
}

std::vector<RepeatedRow> RepeatedCosts::take(size_t Wanted) {
  std::erase_if(Rows, [](const RepeatedRow &Row) { return Row.Units < 2; });
  sortRows(
      Rows,
      [](const RepeatedRow &A, const RepeatedRow &B) {
        return A.savedNs() > B.savedNs();
      },
      [this](const RepeatedRow &Row) { return tieText(names(), Row.Name); },
      Wanted);
  ByKey.clear();
  for (uint32_t Number = 0; Number != Rows.size(); ++Number)
    ByKey.emplace(Rows[Number].Key, Number);
  for (RepeatedRow &Row : Rows)
    if (auto Outer = ByKey.find(Row.Around); Outer != ByKey.end())
      Row.Outer = Outer->second;
  return std::move(Rows);
}
