#include "utils/analysis/costs/MergedCosts.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

void MergedNames::enterTrace(const Trace &Entered) {
  T = &Entered;
  if (Entered.Clock == EventClock::Wall)
    Names.Clock = EventClock::Wall;
  KnownOf.assign(Entered.Sequences.size(), {});
}

/// Parts first; they have smaller ids, so the walk ends.
NameId MergedNames::addEntry(NameId Id, const Dictionary &Source,
                             std::vector<uint32_t> &Known) {
  Dictionary &Into = Names.Sequences.front().Names;
  if (Known.empty())
    Known.resize(Source.size() + size_t(1));
  std::vector<uint32_t> Stack = {Id.Value}, Markers;
  while (!Stack.empty()) {
    uint32_t Next = Stack.back();
    if (Known[Next] != 0) {
      Stack.pop_back();
      continue;
    }
    Dictionary::EntryView Entry = Source.entry({Next});
    Markers.assign(Entry.Markers.begin(), Entry.Markers.end());
    size_t Before = Stack.size();
    for (uint32_t &Marker : Markers) {
      if (Marker != 0 && Known[Marker] == 0)
        Stack.push_back(Marker);
      Marker = Known[Marker];
    }
    if (Stack.size() != Before)
      continue;
    Into.add(Entry.MarkedName, Markers, Entry.Part);
    Known[Next] = Into.size();
    Stack.pop_back();
  }
  return {Known[Id.Value]};
}

RowName MergedNames::add(const RowName &Name) {
  if (!Name.Fixed.empty() || !Name.Text.empty())
    return Name;
  RowName Copy = Name;
  const Dictionary &Names = Name.names(*T);
  if (Names.contains(Name.Name.Entry))
    Copy.Name.Entry =
        addEntry(Name.Name.Entry, Names, KnownOf[Name.SequenceIndex]);
  else
    Copy.Name = {}; // its number is that of some other trace's name here
  Copy.SequenceIndex = 0;
  return Copy;
}

namespace {

void addKinds(std::vector<KindSelf> &Sums, const std::vector<KindSelf> &More) {
  for (const KindSelf &Kind : More) {
    auto Known = std::find_if(Sums.begin(), Sums.end(), [&](const KindSelf &K) {
      return K.Kind == Kind.Kind;
    });
    if (Known == Sums.end())
      Sums.push_back(Kind);
    else
      Known->SelfNs += Kind.SelfNs;
  }
}

} // namespace

Trace instantrace::takeNames(Trace T) {
  Trace Names;
  Names.Clock = T.Clock;
  for (Sequence &S : T.Sequences) {
    if (S.Session && !S.Session->Clock.empty() && !S.knowsWaits())
      Names.Clock = EventClock::Wall;
    Names.Sequences.emplace_back().Names = std::move(S.Names);
  }
  return Names;
}

void MergedCosts::add(CostTable Table, MergedNames &Names) {
  Sum.TotalNs += Table.TotalNs;
  Sum.ProfilingNs += Table.ProfilingNs;
  Sum.ElidedCount += Table.ElidedCount;
  Sum.ElidedNs += Table.ElidedNs;
  Sum.DroppedCount += Table.DroppedCount;
  Sum.HasBackend |= Table.HasBackend;
  Sum.IrGenerationNs += Table.IrGenerationNs;
  Sum.UnknownEmission += Table.UnknownEmission;
  Sum.CodeBytes += Table.CodeBytes;
  Sum.PeakRssBytes = std::max(Sum.PeakRssBytes, Table.PeakRssBytes);
  if (Sum.Rows.empty()) {
    // The only ones, usually: there is nothing to find them for.
    Sum.Rows = std::move(Table.Rows);
    Sum.Kinds = std::move(Table.Kinds);
    for (CostRow &Row : Sum.Rows)
      Row.Name = Names.add(Row.Name);
    return;
  }
  if (ByKey.size() == 0)
    for (const CostRow &Row : Sum.Rows)
      ByKey.add(Row.Key);
  for (size_t I = 0; I != Table.Rows.size(); ++I) {
    CostRow &Row = Table.Rows[I];
    auto [Number, IsNew] = ByKey.add(Row.Key);
    if (IsNew) {
      Row.Name = Names.add(Row.Name);
      Sum.Rows.push_back(std::move(Row));
      Sum.Kinds.push_back(std::move(Table.Kinds[I]));
      continue;
    }
    Sum.Rows[Number].addNumbers(Row);
    addKinds(Sum.Kinds[Number], Table.Kinds[I]);
  }
}

CostTable MergedCosts::take() {
  for (size_t I = 0; I != Sum.Rows.size(); ++I)
    Sum.Rows[I].Kind = kindText(largestKind(Sum.Kinds[I]));
  return std::move(Sum);
}
