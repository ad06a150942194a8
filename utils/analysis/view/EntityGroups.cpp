#include "utils/analysis/view/EntityGroups.h"

#include "utils/analysis/view/PathRules.h"

using namespace instantrace;

namespace {

std::optional<NameGrouping> groupingOf(EntityLevel Level) {
  switch (Level) {
  case EntityLevel::Template:
    return NameGrouping::Template;
  case EntityLevel::Class:
    return NameGrouping::Class;
  case EntityLevel::Namespace:
    return NameGrouping::Namespace;
  case EntityLevel::Specialization:
  case EntityLevel::Library:
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

EntityGroups::EntityGroups(const Trace &T, EntityLevel Level,
                           const LearnedScopes *Learned)
    : T(T), Level(Level) {
  if (std::optional<NameGrouping> Grouping = groupingOf(Level))
    Names.emplace(T, *Grouping, Learned);
}

void EntityGroups::enterSequence(uint32_t Index) {
  S = &T.Sequences[Index];
  SequenceIndex = Index;
  OfEntity.assign(S->Entities.size() + 1, Unknown);
  LibraryOfPath.clear();
}

uint32_t EntityGroups::add(RowName Name, const NameKey &Key) {
  auto [Group, IsNew] = ByKey.add(Key);
  if (IsNew)
    Groups.push_back(std::move(Name));
  return Group;
}

uint32_t EntityGroups::fixed(std::string_view Name) {
  return add(RowName::fixed(Name), Dictionary::keyOf(Name));
}

uint32_t EntityGroups::groupFor(EntityId Id) {
  if (!Id) {
    if (Unnamed == Unknown)
      Unnamed = fixed("(unnamed)");
    return Unnamed;
  }
  if (Id.Value >= OfEntity.size())
    return fixed("(unresolved)");
  uint32_t &Known = OfEntity[Id.Value];
  if (Known == Unknown)
    Known = find(Id);
  return Known;
}

uint32_t EntityGroups::find(EntityId Id) {
  const Entity &E = *S->entity(Id);
  NameKey Key = S->Names.key(E.Name);
  if (Key.SizeBytes == 0)
    return fixed(S->isNameLost(Id) ? "(unresolved)" : "(unnamed)");
  if (Level == EntityLevel::Library) {
    if (E.Kind == EntityKind::File)
      return fileGroup(E.Name);
    const Location *L = S->location(E.DeclaredAt);
    return L ? fileGroup(L->File) : fixed("(no library)");
  }
  if (!Names)
    return add(RowName::named(SequenceIndex, {E.Name}), Key);
  NameGroup Group = Names->groupOf(SequenceIndex, E);
  return Group.Fixed.empty()
             ? add(RowName::named(SequenceIndex, Group.Name), Group.Key)
             : fixed(Group.Fixed);
}

uint32_t EntityGroups::fileGroup(NameId Path) {
  NameKey Key = S->Names.key(Path);
  if (Key.SizeBytes == 0)
    return fixed("(no file)");
  if (Level != EntityLevel::Library)
    return add(RowName::named(SequenceIndex, {Path}), Key);
  auto [Entry, IsNew] = LibraryOfPath.try_emplace(Path.Value, Unknown);
  if (!IsNew)
    return Entry->second;
  std::string Library = libraryOf(normalPathOf(*S, Path));
  NameKey LibraryKey = Dictionary::keyOf(Library);
  return Entry->second =
             Library.empty()
                 ? fixed("(no library)")
                 : add(RowName::fromText(std::move(Library)), LibraryKey);
}
