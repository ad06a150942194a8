#include "utils/analysis/names/NameStatistics.h"
#include "utils/analysis/names/RowName.h"

#include "utils/analysis/names/TieOrder.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

using namespace instantrace;

namespace {

using KeySet = std::unordered_set<NameKey, NameKeyHash>;

void addTo(uint64_t &Sum, uint64_t Value) {
  Sum = Value > std::numeric_limits<uint64_t>::max() - Sum
            ? std::numeric_limits<uint64_t>::max()
            : Sum + Value;
}

bool hasName(const Sequence &S, const Entity &E) {
  return E.Kind != EntityKind::File && S.Names.key(E.Name).SizeBytes != 0;
}

/// Calls V(Entity, EntityName) for every entity that is no file.
template <class Visitor>
void eachName(const Trace &T, uint32_t SequenceIndex, Visitor &&V) {
  const Sequence &S = T.Sequences[SequenceIndex];
  for (uint32_t I = 0; I != S.Entities.size(); ++I) {
    const Entity &E = S.Entities[I];
    if (hasName(S, E))
      V(E, EntityName{
               SequenceIndex, {I + 1}, E.Name, S.Names.key(E.Name).SizeBytes});
  }
}

void addEntries(NameStatistics &Statistics, const Dictionary &Names) {
  std::vector<uint32_t> Levels(Names.size() + 1);
  for (uint32_t Id = 1; Id <= Names.size(); ++Id) {
    Dictionary::EntryView Entry = Names.entry({Id});
    uint64_t References = 0;
    for (uint32_t Marker : Entry.Markers) {
      References += Marker != 0;
      Levels[Id] = std::max(Levels[Id], Levels[Marker]);
    }
    ++Levels[Id];
    Statistics.TextEntries += References == 0;
    Statistics.References += References;
    Statistics.Levels = std::max<uint64_t>(Statistics.Levels, Levels[Id]);
  }
  Statistics.Entries += Names.size();
  Statistics.HeapBytes += Names.memoryBytes();
}

void addEntity(NameStatistics &Statistics, KeySet &Known, KeySet &KnownSets,
               const Sequence &S, const Entity &E, const EntityName &Name) {
  ++Statistics.Entities;
  addTo(Statistics.EntityBytes, Name.SizeBytes);
  if (Known.insert(S.Names.key(E.Name)).second) {
    ++Statistics.Names;
    addTo(Statistics.NameBytes, Name.SizeBytes);
  }
  if (S.Names.contains(E.TemplateSet) && !(E.TemplateSet == E.Name) &&
      KnownSets.insert(S.Names.key(E.TemplateSet)).second)
    ++Statistics.TemplateSets;
  if (Name.SizeBytes > Statistics.Longest.SizeBytes)
    Statistics.Longest = Name;
}

} // namespace

double NameStatistics::sharingFactor() const {
  return FileBytes == 0
             ? 0
             : static_cast<double>(NameBytes) / static_cast<double>(FileBytes);
}

NameReport instantrace::nameStatistics(const Trace &T) {
  NameReport Report;
  NameStatistics &Total = Report.Total;
  KeySet AllNames, AllSets;
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    NameStatistics &Own = Report.Sequences.emplace_back();
    addEntries(Own, S.Names);
    Own.FileBytes = S.DictionaryBytes;
    for (const Entity &E : S.Entities)
      Own.Files += E.Kind == EntityKind::File;
    KeySet OwnNames, OwnSets;
    eachName(T, Index, [&](const Entity &E, const EntityName &Name) {
      addEntity(Own, OwnNames, OwnSets, S, E, Name);
      addEntity(Total, AllNames, AllSets, S, E, Name);
    });
    Total.Entries += Own.Entries;
    Total.TextEntries += Own.TextEntries;
    Total.References += Own.References;
    Total.Levels = std::max(Total.Levels, Own.Levels);
    Total.FileBytes += Own.FileBytes;
    Total.HeapBytes += Own.HeapBytes;
    Total.Files += Own.Files;
  }
  return Report;
}

void instantrace::sortLongest(const Trace &T, std::vector<EntityName> &Names) {
  sortRows(
      Names,
      [](const EntityName &A, const EntityName &B) {
        return A.SizeBytes > B.SizeBytes;
      },
      [&T](const EntityName &Name) {
        return tieText(T, RowName::named(Name.SequenceIndex, {Name.Name}));
      });
}

std::vector<EntityName> instantrace::longestNames(const Trace &T,
                                                  size_t Count) {
  std::vector<EntityName> Names;
  KeySet Known;
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index)
    eachName(T, Index, [&](const Entity &, const EntityName &Name) {
      if (Known.insert(T.Sequences[Index].Names.key(Name.Name)).second)
        Names.push_back(Name);
    });
  if (Count != 0 && Count < Names.size()) {
    // All that are as long as the last one decide by name who is among them.
    auto Last = Names.begin() + static_cast<std::ptrdiff_t>(Count - 1);
    std::nth_element(Names.begin(), Last, Names.end(),
                     [](const EntityName &A, const EntityName &B) {
                       return A.SizeBytes > B.SizeBytes;
                     });
    std::erase_if(Names, [Least = Last->SizeBytes](const EntityName &Name) {
      return Name.SizeBytes < Least;
    });
  }
  sortLongest(T, Names);
  if (Count != 0 && Count < Names.size())
    Names.resize(Count);
  return Names;
}

std::vector<NameGroupRow> instantrace::groupNames(const Trace &T,
                                                  NameGrouping Grouping) {
  NameGroups Groups(T, Grouping);
  std::vector<NameGroupRow> Rows;
  std::unordered_map<NameKey, size_t, NameKeyHash> RowOf;
  KeySet Specializations;
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index)
    eachName(T, Index, [&](const Entity &E, const EntityName &Name) {
      NameGroup Group = Groups.groupOf(Index, E);
      auto [Entry, IsNew] = RowOf.try_emplace(Group.Key, Rows.size());
      if (IsNew)
        Rows.push_back({Group, Index});
      NameGroupRow &Row = Rows[Entry->second];
      ++Row.Entities;
      addTo(Row.EntityBytes, Name.SizeBytes);
      Row.Specializations +=
          T.Sequences[Index].Names.contains(E.TemplateSet) &&
          !(E.TemplateSet == E.Name) &&
          Specializations.insert(T.Sequences[Index].Names.key(E.Name)).second;
    });
  struct Named {
    std::string Text;
    NameGroupRow Row;
  };
  std::vector<Named> Sorted;
  Sorted.reserve(Rows.size());
  for (const NameGroupRow &Row : Rows) {
    std::string Text(Row.Group.Fixed);
    T.Sequences[Row.SequenceIndex].Names.expandPrefix(Row.Group.Name, {}, Text,
                                                      ComparedNameBytes);
    Sorted.push_back({std::move(Text), Row});
  }
  std::sort(Sorted.begin(), Sorted.end(), [](const Named &A, const Named &B) {
    return std::tuple(~A.Row.EntityBytes, ~A.Row.Entities,
                      std::string_view(A.Text), A.Row.Group.Key) <
           std::tuple(~B.Row.EntityBytes, ~B.Row.Entities,
                      std::string_view(B.Text), B.Row.Group.Key);
  });
  for (size_t I = 0; I != Rows.size(); ++I)
    Rows[I] = Sorted[I].Row;
  return Rows;
}
