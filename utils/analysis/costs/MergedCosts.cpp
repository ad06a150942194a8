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
NameId MergedNames::addEntry(NameId Id, const Dictionary &From,
                             std::vector<uint32_t> &Known) {
  Dictionary &Into = Names.Sequences.front().Names;
  if (Known.empty())
    Known.resize(From.size() + size_t(1));
  std::vector<uint32_t> Stack = {Id.Value}, Markers;
  while (!Stack.empty()) {
    uint32_t Next = Stack.back();
    if (Known[Next] != 0) {
      Stack.pop_back();
      continue;
    }
    Dictionary::EntryView Entry = From.entry({Next});
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
  const Dictionary &From = Name.names(*T);
  if (From.contains(Name.Name.Entry))
    Copy.Name.Entry =
        addEntry(Name.Name.Entry, From, KnownOf[Name.SequenceIndex]);
  else
    Copy.Name = {}; // its number is that of some other trace's name here
  Copy.SequenceIndex = 0;
  return Copy;
}

namespace {

void addKinds(std::vector<KindSelf> &To, const std::vector<KindSelf> &More) {
  for (const KindSelf &Kind : More) {
    auto Known = std::find_if(To.begin(), To.end(), [&](const KindSelf &K) {
      return K.Kind == Kind.Kind;
    });
    if (Known == To.end())
      To.push_back(Kind);
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

void MergedCosts::add(CostTable Of, MergedNames &Names) {
  Sum.TotalNs += Of.TotalNs;
  Sum.ProfilingNs += Of.ProfilingNs;
  Sum.ElidedCount += Of.ElidedCount;
  Sum.ElidedNs += Of.ElidedNs;
  Sum.DroppedCount += Of.DroppedCount;
  Sum.HasBackend |= Of.HasBackend;
  Sum.IrGenerationNs += Of.IrGenerationNs;
  Sum.UnknownEmission += Of.UnknownEmission;
  Sum.CodeBytes += Of.CodeBytes;
  Sum.PeakRssBytes = std::max(Sum.PeakRssBytes, Of.PeakRssBytes);
  if (Sum.Rows.empty()) {
    // The only ones, usually: there is nothing to find them for.
    Sum.Rows = std::move(Of.Rows);
    Sum.Kinds = std::move(Of.Kinds);
    for (CostRow &Row : Sum.Rows)
      Row.Name = Names.add(Row.Name);
    return;
  }
  if (ByKey.size() == 0)
    for (const CostRow &Row : Sum.Rows)
      ByKey.add(Row.Key);
  for (size_t I = 0; I != Of.Rows.size(); ++I) {
    CostRow &Row = Of.Rows[I];
    auto [Number, IsNew] = ByKey.add(Row.Key);
    if (IsNew) {
      Row.Name = Names.add(Row.Name);
      Sum.Rows.push_back(std::move(Row));
      Sum.Kinds.push_back(std::move(Of.Kinds[I]));
      continue;
    }
    Sum.Rows[Number].addNumbers(Row);
    addKinds(Sum.Kinds[Number], Of.Kinds[I]);
  }
}

CostTable MergedCosts::take() {
  for (size_t I = 0; I != Sum.Rows.size(); ++I)
    Sum.Rows[I].Kind = kindText(largestKind(Sum.Kinds[I]));
  return std::move(Sum);
}
