#include "utils/export/TextTables.h"

#include "runtime/strings/NameTokens.h"

#include <algorithm>
#include <charconv>

using namespace instantrace;

namespace {

/// Longer names have an id only: some mean gigabytes.
constexpr uint64_t LongestTextBytes = 1 << 16;

bool readNumber(std::string_view Text, uint32_t &Number) {
  auto [End, Fault] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Fault == std::errc() && End == Text.data() + Text.size();
}

Error severalOf(const std::string &What, const std::string &Text,
                const std::vector<uint32_t> &Ids) {
  std::string List;
  for (uint32_t Id : Ids)
    List += (List.empty() ? "" : ", ") + std::to_string(Id);
  return Error{(What == "location" ? "at" : What) + ": found \"" + Text +
               "\" with the ids " + List + ", expected one, or " + What +
               "_id"};
}

} // namespace

TextTables::TextTables(const std::vector<const proto::Packet *> &Packets) {
  // Names may come after what they are of.
  for (const proto::Packet *Packet : Packets)
    readNames(Packet->dictionary());
  for (const proto::Packet *Packet : Packets) {
    readLocations(Packet->locations());
    readEntities(Packet->entities());
    DeclarationCount +=
        static_cast<uint32_t>(Packet->declaration_locations().file_size());
  }
}

void TextTables::readNames(const proto::DictionaryBatch &Batch) {
  for (const proto::DictionaryEntry &Entry : Batch.entry()) {
    const auto &Ids = Entry.marker_ids();
    std::vector<uint32_t> Markers(Ids.begin(), Ids.end());
    const std::string &Marked = Entry.marked_name();
    bool IsGood =
        std::count(Marked.begin(), Marked.end(), '\0') == Ids.size() &&
        std::all_of(Ids.begin(), Ids.end(),
                    [&](uint32_t Id) { return Id <= Names.size(); });
    Names.add(IsGood ? std::string_view(Marked) : std::string_view(),
              IsGood ? Markers : std::vector<uint32_t>());
    NameId Id{Names.size()};
    if (Names.sizeBytes(Id) > LongestTextBytes)
      continue;
    std::string Text = Names.text(Id, LongestTextBytes);
    NameIds.try_emplace(Text, Id.Value);
    NameTexts.try_emplace(Id.Value, std::move(Text));
  }
}

void TextTables::readLocations(const proto::LocationBatch &Batch) {
  int64_t Line = 0;
  for (int I = 0; I != Batch.file_size(); ++I) {
    ++LocationCount;
    Line += I < Batch.line_size() ? Batch.line(I) : 0;
    uint32_t Column = I < Batch.column_size() ? Batch.column(I) : 0;
    if (const std::string *File = text(Batch.file(I)))
      LocationIds[{*File, static_cast<uint32_t>(Line), Column}].push_back(
          LocationCount);
  }
}

void TextTables::readEntities(const proto::EntityBatch &Batch) {
  int64_t Name = 0;
  for (int32_t Difference : Batch.name()) {
    ++EntityCount;
    Name += Difference;
    if (const std::string *Text = text(static_cast<uint32_t>(Name)))
      EntityIds[*Text].push_back(EntityCount);
  }
}

const std::string *TextTables::text(uint32_t NameId) const {
  auto Found = NameTexts.find(NameId);
  return Found == NameTexts.end() ? nullptr : &Found->second;
}

Result<uint32_t> TextTables::entity(const std::string &Name, bool IsFile) {
  auto Found = EntityIds.find(Name);
  if (Found != EntityIds.end() && Found->second.size() > 1)
    return severalOf("entity", Name, Found->second);
  if (Found != EntityIds.end())
    return Found->second.front();
  proto::NamedEntity New;
  New.set_name(Name);
  New.set_kind(IsFile ? proto::ENTITY_FILE : proto::ENTITY_CLASS);
  if (IsFile)
    New.set_template_set(Name);
  return addEntity(New, 0);
}

Result<uint32_t> TextTables::location(const std::string &Place) {
  INSTANTRACE_TRY_ASSIGN(PlaceKey Key, placeOf(Place));
  std::vector<uint32_t> &Ids = LocationIds[Key];
  if (Ids.size() > 1)
    return severalOf("location", Place, Ids);
  if (Ids.empty()) {
    NewLocations.push_back({name(Key.File), Key.Line, Key.Column});
    Ids.push_back(LocationCount + static_cast<uint32_t>(NewLocations.size()));
  }
  return Ids.front();
}

Result<uint32_t> TextTables::declare(const proto::NamedEntity &Entity) {
  if (EntityIds.count(Entity.name()))
    return Error{"found a second entity \"" + Entity.name() +
                 "\", expected its declaration before its first use"};
  if (Entity.declared_at().empty())
    return addEntity(Entity, 0);
  INSTANTRACE_TRY_ASSIGN(PlaceKey Key, placeOf(Entity.declared_at()));
  NewDeclarations.push_back({name(Key.File), Key.Line, Key.Column});
  return addEntity(Entity, DeclarationCount +
                               static_cast<uint32_t>(NewDeclarations.size()));
}

uint32_t TextTables::addEntity(const proto::NamedEntity &Entity,
                               uint32_t Declaration) {
  uint32_t Name = name(Entity.name());
  uint32_t Set = name(Entity.has_template_set() ? Entity.template_set()
                                                : templateSetOf(Entity.name()));
  NewEntities.push_back({Name, Set, Declaration, Entity.kind()});
  uint32_t Id = EntityCount + static_cast<uint32_t>(NewEntities.size());
  EntityIds[Entity.name()] = {Id};
  return Id;
}

uint32_t TextTables::name(const std::string &Text) {
  auto [Entry, IsNew] = NameIds.try_emplace(Text);
  if (IsNew) {
    NewNames.push_back(Text);
    Entry->second = Names.size() + static_cast<uint32_t>(NewNames.size());
  }
  return Entry->second;
}

Result<TextTables::PlaceKey> TextTables::placeOf(const std::string &Text) {
  PlaceKey Key;
  size_t Column = Text.rfind(':');
  size_t Line = Column == 0 || Column == Text.npos
                    ? Text.npos
                    : Text.rfind(':', Column - 1);
  std::string_view View = Text;
  if (Line == Text.npos || !readNumber(View.substr(Column + 1), Key.Column) ||
      !readNumber(View.substr(Line + 1, Column - Line - 1), Key.Line))
    return Error{"at: found \"" + Text + "\", expected FILE:LINE:COLUMN"};
  Key.File = Text.substr(0, Line);
  return Key;
}

std::vector<proto::Packet> TextTables::added() const {
  std::vector<proto::Packet> Packets;
  if (!NewNames.empty()) {
    auto &Batch = *Packets.emplace_back().mutable_dictionary();
    Batch.set_first_id(Names.size() + 1);
    for (const std::string &Text : NewNames) {
      auto *Entry = Batch.add_entry();
      Entry->set_marked_name(Text);
      // A NUL byte of its own.
      for (auto Left = std::count(Text.begin(), Text.end(), '\0'); Left; --Left)
        Entry->add_marker_ids(0);
    }
  }
  if (!NewLocations.empty())
    write(*Packets.emplace_back().mutable_locations(), LocationCount + 1,
          NewLocations);
  if (!NewDeclarations.empty())
    write(*Packets.emplace_back().mutable_declaration_locations(),
          DeclarationCount + 1, NewDeclarations);
  if (NewEntities.empty())
    return Packets;
  auto &Batch = *Packets.emplace_back().mutable_entities();
  Batch.set_first_id(EntityCount + 1);
  EntityRow Before{};
  for (const EntityRow &Row : NewEntities) {
    Batch.add_name(static_cast<int32_t>(Row.Name - Before.Name));
    Batch.add_template_set(
        static_cast<int32_t>(Row.TemplateSet - Before.TemplateSet));
    Batch.add_declared_at(0);
    Batch.add_declaration(Row.Declaration);
    Batch.add_kind(Row.Kind);
    Before = Row;
  }
  return Packets;
}

void TextTables::write(proto::LocationBatch &Batch, uint32_t FirstId,
                       const std::vector<LocationRow> &Rows) {
  Batch.set_first_id(FirstId);
  uint32_t Line = 0;
  for (const LocationRow &Row : Rows) {
    Batch.add_file(Row.File);
    Batch.add_line(static_cast<int32_t>(Row.Line - Line));
    Batch.add_column(Row.Column);
    Line = Row.Line;
  }
}
