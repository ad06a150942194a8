/// \file
/// InstantiationIndex::verify(): strings, and what has a name or a place.
#include "runtime/index/IndexVerify.h"
#include "runtime/index/MarkedEntry.h"
#include "runtime/strings/Dictionary.h"
#include "runtime/strings/StringComponents.h"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

using namespace instantrace;
using namespace instantrace::index;

namespace {

/// First and last byte of a text, as its components have them; 0: neither.
struct TextEdges {
  unsigned char First = 0, Last = 0;

  void add(TextEdges Part) {
    First = First == 0 ? Part.First : First;
    Last = Part.Last == 0 ? Last : Part.Last;
  }
  TextEdges whole() const { return First == 0 ? TextEdges() : *this; }
};

} // namespace

bool instantrace::index::verifyStrings(const IndexBytes &Bytes,
                                       std::vector<uint64_t> &Entries) {
  const RuleChecks Check(Bytes);
  constexpr uint64_t HeaderBytes = 6, EdgesAt = 4;
  uint64_t Size = Check.count(Section::Strings);
  const auto *Text = Bytes.rows<unsigned char>(Section::Strings, 0, Size);
  if (!Text)
    return false;
  std::vector<TextEdges> EdgesOf; // row for row with the entries
  for (uint64_t Index = 0; Index != Size;) {
    uint64_t Entry = Index + HeaderBytes;
    auto Bad = [&](const char *Found, const char *Expected) {
      return Check.fault("string-entry", Section::Strings, Index, Found,
                         Expected);
    };
    if (Size - Index <= HeaderBytes)
      return Bad("no end", "a whole entry");
    uint64_t Ordinal = Text[Index] | Text[Index + 1] << 8 |
                       Text[Index + 2] << 16 | uint64_t(Text[Index + 3]) << 24;
    if (Ordinal != Entries.size() + 1)
      return Bad("another number", "entries in their order");
    TextEdges Edges;
    uint64_t Next = Entry;
    while (Next < Size && Text[Next] != EntryTerminator) {
      TextEdges Part;
      if (Text[Next] != ReferenceTag) {
        Part.First = Text[Next];
        do
          Part.Last = Text[Next++];
        while (Next < Size && Text[Next] < ReferenceTag);
        Edges.add(Part);
        continue;
      }
      if (Size - Next < ReferenceBytes)
        return Bad("no end", "a whole entry");
      StringId Ref = referencedId(Text + Next);
      const StringIdKind Kind = Ref.kind();
      if (Kind == StringIdKind::Regular) {
        auto Match = std::lower_bound(Entries.begin(), Entries.end(),
                                      Ref.Value - StringId::FirstRegular);
        if (Match == Entries.end() ||
            *Match != Ref.Value - StringId::FirstRegular)
          return Bad("another reference", "one to an earlier entry or a mark");
        Part = EdgesOf[static_cast<size_t>(Match - Entries.begin())];
      } else if (Kind == StringIdKind::Byte) {
        Part.First = Part.Last = static_cast<unsigned char>(Ref.Value);
      } else if (Kind != StringIdKind::Mark || Next != Entry) {
        return Bad("another reference", "one to an earlier entry or a mark");
      }
      Edges.add(Part);
      Next += ReferenceBytes;
    }
    if (Next >= Size)
      return Bad("no end", "a whole entry");
    Edges = Edges.whole();
    if (!Check.isEqual("string-edges", Section::Strings, Index + EdgesAt,
                       Text[Index + EdgesAt], Edges.First) ||
        !Check.isEqual("string-edges", Section::Strings, Index + EdgesAt + 1,
                       Text[Index + EdgesAt + 1], Edges.Last))
      return false;
    Entries.push_back(Entry);
    EdgesOf.push_back(Edges);
    Index = Next + 1;
  }
  return true;
}

namespace {

bool isInHashOrder(const RuleChecks &Check) {
  std::pair<uint64_t, uint32_t> Before;
  for (uint64_t I = 0; I != Check.count(Section::EntitiesByHash); ++I) {
    auto Id = Check.row<uint32_t>(Section::EntitiesByHash, I);
    if (!Check.isAtMost("hash-order", Section::EntitiesByHash, I, Id,
                        Check.count(Section::Entities) - 1))
      return false;
    std::pair<uint64_t, uint32_t> Key = {
        Check.row<EntityRow>(Section::Entities, Id).Hash, Id};
    if (I != 0 && Key <= Before)
      return Check.fault("hash-order", Section::EntitiesByHash, I,
                         "one that is not behind the row before",
                         "ascending rows");
    Before = Key;
  }
  return true;
}

/// The names that there are, and what each is found by.
class EntryNames {
public:
  explicit EntryNames(const std::vector<uint64_t> &Entries)
      : Entries(Entries) {}

  /// Requires: verifyStrings() has found them right. The file may have changed
  /// since then.
  bool read(const InstantiationIndex &Index) {
    std::string Encoded;
    MarkedEntry Entry;
    for (uint64_t Offset : Entries) {
      if (!Index.stringEntry(Offset, Encoded))
        return false;
      Encoded += static_cast<char>(EntryTerminator);
      auto Marker = [&](StringId Ref) -> std::optional<uint32_t> {
        const uint32_t Id = idOf(Ref.Value - StringId::FirstRegular);
        return Id <= Names.size() ? std::optional(Id) : std::nullopt;
      };
      if (!readMarkedEntry(Encoded.data(), Entry, Marker))
        return Index.stringFault(Offset, "another reference",
                                 "one to an earlier entry or a mark");
      Names.add(Entry.MarkedName, Entry.Markers, Entry.Part);
    }
    return true;
  }
  bool isHashRight(const RuleChecks &Check, uint64_t Row,
                   const EntityRow &E) const {
    const NameId Id = {E.Name == NoString ? 0 : idOf(E.Name)};
    return Check.isEqual("name-hash", Section::Entities, Row, E.Hash,
                         Names.key(Id).Hash);
  }

private:
  uint32_t idOf(uint64_t Entry) const {
    auto Found = std::lower_bound(Entries.begin(), Entries.end(), Entry);
    return static_cast<uint32_t>(Found - Entries.begin()) + 1;
  }

  const std::vector<uint64_t> &Entries;
  Dictionary Names;
};

} // namespace

/// Folders, files, locations, entities and template sets.
bool instantrace::index::verifyNamed(const InstantiationIndex &Index,
                                     const IndexBytes &Bytes,
                                     const std::vector<uint64_t> &Entries) {
  const RuleChecks Check(Bytes);
  for (uint64_t I = 0; I != Check.count(Section::Folders); ++I)
    if (!Check.isString(Entries, Section::Folders, I,
                        Check.row<FolderRow>(Section::Folders, I).Path, false))
      return false;
  for (uint64_t I = 0; I != Check.count(Section::Files); ++I)
    if (!Check.isString(Entries, Section::Files, I,
                        Check.row<FileRow>(Section::Files, I).Path, false))
      return false;
  LocationRow Before = {};
  for (uint64_t I = 0; I != Check.count(Section::Locations); ++I) {
    auto L = Check.row<LocationRow>(Section::Locations, I);
    auto KeyOf = [](const LocationRow &R) {
      return std::tuple(R.File, R.LineNo, R.ColumnNo);
    };
    if (!Check.isIn("location-file", Section::Locations, I, L.File,
                    Section::Files))
      return false;
    if (I != 0 && KeyOf(L) <= KeyOf(Before))
      return Check.fault("location-order", Section::Locations, I,
                         "one that is not behind the row before",
                         "ascending rows");
    Before = L;
  }
  EntryNames Names(Entries);
  if (!Names.read(Index))
    return false;
  for (uint64_t I = 0; I != Check.count(Section::TemplateSets); ++I) {
    auto Set = Check.row<TemplateSetRow>(Section::TemplateSets, I);
    if (!Check.isString(Entries, Section::TemplateSets, I, Set.Name, false))
      return false;
  }
  for (uint64_t I = 0; I != Check.count(Section::Entities); ++I) {
    auto E = Check.row<EntityRow>(Section::Entities, I);
    if (!Check.isString(Entries, Section::Entities, I, E.Name, true) ||
        !Names.isHashRight(Check, I, E) ||
        !Check.isIn("entity-set", Section::Entities, I, E.TemplateSet,
                    Section::TemplateSets) ||
        !Check.isIn("entity-location", Section::Entities, I, E.DeclaredAt,
                    Section::Locations))
      return false;
    if (E.Reserved[0] != 0 || E.Reserved[1] != 0 || E.Reserved[2] != 0)
      return Check.fault("reserved", Section::Entities, I, "another number",
                         "0");
  }
  return isInHashOrder(Check);
}
