#include "utils/analysis/costs/RepeatedCosts.h"

#include "utils/analysis/names/TieOrder.h"

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

UnitCosts instantrace::unitCosts(const Trace &T, uint32_t Index,
                                 const CostTable &BySpecialization) {
  const Sequence &S = T.Sequences[Index];
  UnitCosts Unit;
  Unit.Source = S.Session ? S.Session->Input : std::string();
  if (Unit.Source.empty())
    Unit.Source = T.Files[S.FileIndex].Name;
  Unit.TotalNs = BySpecialization.TotalNs;
  std::unordered_map<NameKey, EntityKind, NameKeyHash> Kinds;
  for (const Entity &E : S.Entities)
    if (S.Names.contains(E.Name))
      Kinds.try_emplace(S.Names.key(E.Name), E.Kind);
  const std::vector<bool> IsOfOneUnit = namesOfOneUnit(S.Names);
  for (const CostRow &Row : BySpecialization.Rows) {
    if (!Row.Name.Fixed.empty() || Row.InclusiveNs == 0 ||
        Row.Definitions == 0 || IsOfOneUnit[Row.Name.Name.Entry.Value])
      continue;
    auto Kind = Kinds.find(Row.Key);
    Unit.Rows.push_back(
        {Row.Name, Row.Key,
         Kind == Kinds.end() ? EntityKind::Unknown : Kind->second,
         Row.InclusiveNs});
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
    }
    RepeatedRow &Sum = Rows[Entry->second];
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
  return std::move(Rows);
}
