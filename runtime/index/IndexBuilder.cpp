#include "runtime/index/IndexBuilder.h"

#include "runtime/strings/StringComponents.h"

#include <algorithm>
#include <system_error>
#include <utility>

using namespace instantrace;
using namespace instantrace::index;

IndexBuilder::IndexBuilder(const std::string &Folder, uint64_t PostingsAtOnce)
    : PostingsAtOnce(PostingsAtOnce) {
  Parts.setFolder(Folder);
  EntityOf.setFolder(Folder);
  PlaceOf.setFolder(Folder);
  Requesters.setFolder(Folder);
  RangeBlocks.setFolder(Folder);
  RangeStarts.setFolder(Folder);
  RangeBegins.setFolder(Folder);
  for (Sums *S : {&SelfSums, &MemorySums}) {
    S->Bases.setFolder(Folder);
    S->Deltas.setFolder(Folder);
    S->Wide.setFolder(Folder);
  }
}

void IndexBuilder::fail(std::string Message) {
  if (Fault.empty())
    Fault = std::move(Message);
}

void IndexBuilder::beginCompile() {
  CompileRow Row = {};
  Row.FirstRecord = recordCount();
  Row.FirstBlock = static_cast<uint32_t>(RangeBlocks.size());
  Row.FirstFolder = static_cast<uint32_t>(Folders.size());
  Compiles.push_back(Row);
  Open.clear();
  HasRange = false;
  LargestEntity = 0;
}

/// Starts a range, before a record that begins is there.
void IndexBuilder::mark(uint64_t TimeNs, bool IsBegin) {
  auto Range = static_cast<uint32_t>(RangeStarts.size());
  bool IsFull = !HasRange;
  if (HasRange) {
    const RangeBlockRow &Block = RangeBlocks.back();
    IsFull = Range - Block.FirstRange == RangesPerBlock ||
             TimeNs - Block.BaseNs > UINT32_MAX;
  }
  if ((IsFull && !RangeBlocks.push({TimeNs, Range, recordCount()})) ||
      !RangeStarts.push(
          static_cast<uint32_t>(TimeNs - RangeBlocks.back().BaseNs)) ||
      (Range % BitsPerWord == 0 && !RangeBegins.push(0)))
    return fail(failure());
  if (IsBegin)
    RangeBegins.back() |= uint64_t(1) << Range % BitsPerWord;
  HasRange = true;
}

void IndexBuilder::begin(uint64_t TimeNs, uint8_t Kind, uint32_t Entity,
                         uint32_t Location, uint32_t Requester) {
  if (!Fault.empty())
    return;
  uint32_t Id = recordCount();
  // Ranges are numbered too, and there are two for each.
  if (Id >= INT32_MAX - 1)
    return fail("found more than 2147483646 intervals, expected fewer in one "
                "index");
  RecordPart Row = {};
  LargestEntity = std::max(LargestEntity, Entity);
  Row.Parent = Open.empty() ? None : Open.back().Id;
  Row.SubtreeEnd = None;
  mark(TimeNs, true);
  Row.Kind = Kind;
  Row.Depth = static_cast<uint16_t>(
      std::min<size_t>(Open.size(), size_t(DeepestDepth)));
  if (Requester != None) {
    uint32_t First = Compiles.back().FirstRecord;
    Row.Flags = RecordRequested;
    if (!Requesters.push({Id, First + Requester}))
      return fail(failure());
  }
  if (!Parts.push(Row) || !EntityOf.push(Entity) || !PlaceOf.push(Location))
    return fail(failure());
  Open.push_back({Id, TimeNs, 0});
}

void IndexBuilder::end(uint64_t TimeNs, const End &With) {
  if (Fault.empty() && !Open.empty())
    close(TimeNs, With, false);
}

void IndexBuilder::close(uint64_t TimeNs, const End &With, bool IsOpen) {
  OpenRecord Ended = Open.back();
  Open.pop_back();
  mark(TimeNs, false);
  const uint64_t LastedNs = TimeNs - Ended.BeginNs;
  auto Complete = [&](RecordPart &Row) {
    Row.SubtreeEnd = recordCount();
    Row.Flags =
        static_cast<uint8_t>(Row.Flags | (IsOpen ? RecordOpen : 0) |
                             (With.IsDefinition ? RecordDefinition : 0));
    Row.SelfNs = LastedNs - Ended.ChildrenNs;
    Row.AstBytes = With.AstBytes;
  };
  if (!Parts.update(Ended.Id, Complete))
    return fail(failure());
  HasAstBytes |= With.AstBytes != 0;
  if (!Open.empty())
    Open.back().ChildrenNs += LastedNs;
}

void IndexBuilder::endCompile(const Compile &C, uint64_t LastTimeNs,
                              const Tables &T) {
  CompileRow &Row = Compiles.back();
  Row.File = address(Strings.intern(C.Trace));
  Row.Input = address(Strings.intern(C.Input));
  Row.WorkingDirectory = C.WorkingDirectory.empty()
                             ? NoString
                             : address(Strings.intern(C.WorkingDirectory));
  for (const std::string &Folder : C.Folders)
    Folders.push_back({address(Strings.intern(Folder))});
  Row.RealtimeNs = C.RealtimeNs;
  Row.Sequence = C.Sequence;
  Row.EndNs = LastTimeNs;
  Row.OpenCount = static_cast<uint32_t>(Open.size());
  while (!Open.empty() && Fault.empty())
    close(LastTimeNs, {}, true);
  if (std::string Full = failure(); !Full.empty())
    return fail(Full);
  std::vector<StringId> Ids = internNames(*T.Names);
  Numbers &N = NumbersOf.emplace_back();
  N.Places = places(T.Locations, T, Ids);
  std::vector<uint32_t> DeclaredOf = places(T.Declarations, T, Ids);
  N.Entities.reserve(T.Entities.size());
  for (const EntityIs &Is : T.Entities) {
    uint32_t Id = entity(Is, T, Ids);
    const std::vector<uint32_t> &PlaceIds =
        Is.IsDeclaration ? DeclaredOf : N.Places;
    if (Is.DeclaredAt < PlaceIds.size() && Entities[Id].DeclaredAt == None)
      Entities[Id].DeclaredAt = PlaceIds[Is.DeclaredAt];
    N.Entities.push_back(Id);
  }
  for (uint32_t Id = Row.FirstRecord;
       LargestEntity > N.Entities.size() && Id != recordCount(); ++Id)
    EntityOf.update(Id, [&](uint32_t Entity) {
      if (Entity <= N.Entities.size())
        return;
      auto [Entry, IsNew] = N.OtherEntities.try_emplace(Entity, 0);
      if (IsNew)
        Entry->second = entity({}, T, Ids);
    });
}

uint32_t IndexBuilder::Numbers::entity(uint32_t Id) const {
  if (Id == 0)
    return None;
  return Id <= Entities.size() ? Entities[Id - 1] : OtherEntities.at(Id);
}

uint32_t IndexBuilder::Numbers::place(uint32_t Id) const {
  return Id != 0 && Id <= Places.size() ? Places[Id - 1] : None;
}

void IndexBuilder::markIncomplete(size_t Count) {
  for (size_t Index = Compiles.size() - Count; Index != Compiles.size();
       ++Index)
    Compiles[Index].Flags |= CompileIncomplete;
}

/// In the file, where a string is and not what it has for an id.
uint64_t IndexBuilder::address(StringId Id) const {
  Id = Strings.resolve(Id);
  return Id ? Id.Value - StringId::FirstRegular : NoString;
}

std::vector<StringId> IndexBuilder::internNames(const Dictionary &Names) {
  std::vector<StringId> Ids(Names.size() + size_t(1));
  StringComponents Parts;
  for (uint32_t Id = 1; Id <= Names.size(); ++Id) {
    Dictionary::EntryView Entry = Names.entry({Id});
    Parts.clear();
    if (Entry.Part != NamePart::Text)
      Parts.mark(Entry.Part);
    size_t Marker = 0, Begin = 0;
    for (size_t Index = 0; Index != Entry.MarkedName.size(); ++Index) {
      if (Entry.MarkedName[Index] != '\0')
        continue;
      Parts.text(Entry.MarkedName.substr(Begin, Index - Begin));
      uint32_t Ref = Entry.Markers[Marker++];
      if (Ref == 0)
        Parts.text(Entry.MarkedName.substr(Index, 1));
      else
        Parts.ref(Ids[Ref]);
      Begin = Index + 1;
    }
    Parts.text(Entry.MarkedName.substr(Begin));
    Ids[Id] = Strings.intern(Parts);
  }
  if (Strings.isFull())
    fail("found more names than a string table holds, expected fewer");
  return Ids;
}

uint32_t IndexBuilder::file(NameId Path, const Tables &T,
                            const std::vector<StringId> &Ids) {
  if (!T.Names->contains(Path))
    return None;
  auto [Entry, IsNew] = FileByPath.try_emplace(
      T.Names->key(Path), static_cast<uint32_t>(Files.size()));
  if (IsNew)
    Files.push_back({address(Ids[Path.Value])});
  return Entry->second;
}

std::vector<uint32_t> IndexBuilder::places(const std::vector<LocationIs> &Rows,
                                           const Tables &T,
                                           const std::vector<StringId> &Ids) {
  std::vector<uint32_t> Places;
  Places.reserve(Rows.size());
  for (const LocationIs &Is : Rows) {
    PlaceKey Key = {file(Is.File, T, Ids), Is.LineNo, Is.ColumnNo};
    auto [Entry, IsNew] = LocationByPlace.try_emplace(
        Key, static_cast<uint32_t>(Locations.size()));
    if (IsNew)
      Locations.push_back({Key.File, Key.LineNo, Key.ColumnNo, 0});
    Places.push_back(Entry->second);
  }
  return Places;
}

uint32_t IndexBuilder::templateSet(NameId Name, const Tables &T,
                                   const std::vector<StringId> &Ids) {
  if (!T.Names->contains(Name))
    return None;
  NameKey Key = T.Names->key(Name);
  auto [Entry, IsNew] =
      SetByName.try_emplace(Key, static_cast<uint32_t>(TemplateSets.size()));
  if (IsNew) {
    TemplateSets.push_back({address(Ids[Name.Value])});
  }
  return Entry->second;
}

/// Equal names of equal kinds are one entity, in every compile; what has no
/// name is none but itself.
uint32_t IndexBuilder::entity(const EntityIs &Is, const Tables &T,
                              const std::vector<StringId> &Ids) {
  auto New = static_cast<uint32_t>(Entities.size());
  bool HasName = T.Names->contains(Is.Name);
  TextKey Key = {T.Names->key(Is.Name), Is.Kind};
  if (HasName) {
    auto [Entry, IsNew] = EntityByName.try_emplace(Key, New);
    if (!IsNew)
      return Entry->second;
  }
  EntityRow Row = {};
  Row.Name = HasName ? address(Ids[Is.Name.Value]) : NoString;
  Row.Hash = Key.Name.Hash;
  Row.TemplateSet = templateSet(Is.TemplateSet, T, Ids);
  Row.DeclaredAt = None;
  Row.Kind = Is.Kind;
  Entities.push_back(Row);
  return New;
}

/// Of a column that found no room; 0: all did.
int IndexBuilder::columnError() const {
  for (int Failed :
       {Parts.error(), EntityOf.error(), PlaceOf.error(), Requesters.error(),
        RangeBlocks.error(), RangeStarts.error(), RangeBegins.error(),
        SelfSums.Bases.error(), SelfSums.Deltas.error(), SelfSums.Wide.error(),
        MemorySums.Bases.error(), MemorySums.Deltas.error(),
        MemorySums.Wide.error()})
    if (Failed != 0)
      return Failed;
  return 0;
}

/// The same in words; empty: all did.
std::string IndexBuilder::failure() const {
  const int Failed = columnError();
  return Failed != 0 ? std::generic_category().message(Failed) : std::string();
}
