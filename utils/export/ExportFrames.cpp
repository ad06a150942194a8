#include "utils/export/ExportFrames.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/render/CleanText.h"
#include "utils/render/EventLine.h"

using namespace instantrace;

namespace {

constexpr uint32_t UnfinishedBit = 1 << 8;
constexpr uint32_t FixedBit = 1 << 9;

/// A name alone says what is instantiated; other work on it says what it is.
bool isSaidByName(EventKind Kind) {
  EventGroup Group = eventGroup(Kind);
  return Kind == EventKind::TemplateInstantiation ||
         Group == EventGroup::File || Group == EventGroup::Phase;
}

} // namespace

std::string instantrace::inputText(const Trace &T, const Sequence &S) {
  const std::string &Input = S.Session && !S.Session->Input.empty()
                                 ? S.Session->Input
                                 : T.Files[S.FileIndex].Name;
  return cleanText(std::string_view(Input).substr(0, ShownPathBytes));
}

void ExportFrames::enterSequence(size_t Index) {
  S = &T.Sequences[Index];
  SequenceIndex = Index;
  OfEntity = {};
  FrameOfEntity.clear();
  FileOfPath.clear();
}

uint32_t ExportFrames::file(NameId Path) {
  auto [Entry, IsNew] = FileOfPath.try_emplace(Path.Value);
  if (!IsNew)
    return Entry->second;
  std::string Name = cleanText(S->Names.text(Path, ShownPathBytes));
  if (Name.empty())
    return 0;
  auto [Known, IsNewName] =
      FileByName.try_emplace(Name, static_cast<uint32_t>(Files.size()));
  if (IsNewName)
    Files.push_back(std::move(Name));
  return Entry->second = Known->second;
}

uint32_t ExportFrames::frameFor(EventKind Kind, EntityId Entity,
                                LocationId Location, bool Unfinished) {
  uint32_t KindAndState =
      static_cast<uint32_t>(Kind) | (Unfinished ? UnfinishedBit : 0);
  auto [Number, IsNew] =
      OfEntity.add(uint64_t(Entity.Value) << 32 | KindAndState);
  if (!IsNew)
    return FrameOfEntity[Number];
  const instantrace::Entity *E = S->entity(Entity);
  Key K{{}, KindAndState};
  if (E)
    K.Name = S->Names.key(E->Name);
  // Without a name, entities of two sequences have nothing in common.
  if (Entity && K.Name.SizeBytes == 0)
    K.Name.Hash = uint64_t(SequenceIndex) << 32 | Entity.Value;
  auto Known = ByKey.find(K);
  FrameOfEntity.push_back(
      Known != ByKey.end() ? Known->second
                           : add(K, make(Kind, Entity, Location, Unfinished)));
  return FrameOfEntity.back();
}

uint32_t ExportFrames::add(const Key &K, ExportFrame Frame) {
  auto [Entry, IsNew] = ByKey.try_emplace(K, size());
  if (!IsNew)
    return Entry->second;
  NameKey Text = Dictionary::keyOf(Frame.Name);
  auto [Same, IsOther] = ByContent.try_emplace(
      {Text.Hash, Text.SizeBytes, Frame.Kind, Frame.File, Frame.LineNo},
      size());
  if (IsOther)
    Frames.push_back(std::move(Frame));
  return Entry->second = Same->second;
}

ExportFrame ExportFrames::make(EventKind Kind, EntityId Entity,
                               LocationId Place, bool Unfinished) {
  ExportFrame Frame;
  Frame.Kind = eventKindName(Kind);
  Frame.Name = name(Kind, Entity);
  if (Unfinished)
    Frame.Name += " (unfinished)";
  const instantrace::Entity *E = S->entity(Entity);
  const Location *L = E ? S->location(E->DeclaredAt) : nullptr;
  if (!L && isTemplateWork(Kind))
    L = S->location(Place);
  if (L) {
    Frame.File = file(L->File);
    Frame.LineNo = L->LineNo;
  }
  return Frame;
}

std::string ExportFrames::name(EventKind Kind, EntityId Entity) const {
  const instantrace::Entity *E = S->entity(Entity);
  std::string Text = E && S->Names.contains(E->Name)
                         ? boundedName(S->Names, E->Name, Style, NameLimitBytes)
                         : entityText(*S, Entity, Style, NameLimitBytes);
  if (Text.empty())
    return std::string(eventKindName(Kind));
  if (What == Says::NameAndKind && !isSaidByName(Kind))
    Text.append(" [").append(eventKindName(Kind)).append("]");
  return Text;
}

uint32_t ExportFrames::ofInput() { return fixed(inputText(T, *S)); }

uint32_t ExportFrames::fixed(std::string_view Name) {
  Key K{Dictionary::keyOf(Name), FixedBit};
  auto Known = ByKey.find(K);
  if (Known != ByKey.end())
    return Known->second;
  ExportFrame Frame;
  Frame.Name = Name;
  return add(K, std::move(Frame));
}
