/// \file
/// InstantiationIndex: what is found by name, place and cost.
#include "runtime/index/Index.h"
#include "runtime/index/IndexState.h"
#include "runtime/strings/Dictionary.h"
#include "runtime/strings/StringComponents.h"

#include <algorithm>

using namespace instantrace;
using namespace instantrace::index;

namespace {

/// Expansions of hostile entries, which may have parts without text.
constexpr uint64_t MostParts = 1 << 20;

uint32_t hiddenParts(const InstantiationIndex::NameParts &Parts) {
  return (Parts.DefaultArguments ? 0 : partBit(NamePart::DefaultArguments)) |
         (Parts.Parameters ? 0 : partBit(NamePart::Parameters));
}

/// Cuts in front of a character of UTF-8, and nothing before \p Begin.
void cut(std::string &Out, size_t Begin, size_t End) {
  while (End > Begin && (static_cast<unsigned char>(Out[End]) & 0xC0) == 0x80)
    --End;
  Out.resize(End);
  Out += "…";
}

} // namespace

/// Entries refer to earlier ones alone, so every expansion ends.
bool InstantiationIndex::State::string(uint64_t Offset, NameParts Parts,
                                       size_t LimitBytes,
                                       std::string &Out) const {
  if (Offset == NoString)
    return true;
  uint64_t Size = Bytes->rowCount(Section::Strings);
  size_t Before = Out.size();
  const uint32_t Hidden = hiddenParts(Parts);
  struct Frame {
    uint64_t Entry, Offset;
  };
  std::vector<Frame> Stack = {{Offset, Offset}};
  auto Damaged = [&](uint64_t Where, const std::string &Found) {
    Out.resize(Before);
    return Bytes->fault("section STRD, byte " + std::to_string(Where), Found,
                        "an entry of earlier ones and text");
  };
  // A run of text ends within so many bytes, or goes on in the next one.
  constexpr uint64_t Run = 256;
  for (uint64_t PartNo = 0; !Stack.empty(); ++PartNo) {
    Frame &Top = Stack.back();
    if (Top.Offset >= Size)
      return Damaged(Top.Entry, "no end");
    uint64_t Have = std::min(Run, Size - Top.Offset);
    const auto *Text =
        Bytes->rows<unsigned char>(Section::Strings, Top.Offset, Have);
    if (!Text)
      return Out.resize(Before), false;
    // What is looked at twice may not change in between.
    unsigned char First = *Text;
    if (First == EntryTerminator) {
      Stack.pop_back();
    } else if (First == ReferenceTag) {
      if (Have < ReferenceBytes)
        return Damaged(Top.Entry, "no end");
      StringId Ref = referencedId(Text);
      bool IsFirst = Top.Offset == Top.Entry;
      Top.Offset += ReferenceBytes;
      if (Ref.kind() == StringIdKind::Byte) {
        Out += static_cast<char>(Ref.Value - StringId::FirstByte);
      } else if (Ref.kind() == StringIdKind::Mark && IsFirst) {
        uint64_t Mark = Ref.Value - StringId::FirstMark;
        if (Stack.size() != 1 && Mark < 32 && (Hidden >> Mark & 1))
          Stack.pop_back();
      } else if (Ref.kind() == StringIdKind::Regular &&
                 Ref.Value - StringId::FirstRegular < Top.Entry) {
        uint64_t Target = Ref.Value - StringId::FirstRegular;
        Stack.push_back({Target, Target});
      } else {
        return Damaged(Top.Entry,
                       "a reference to " + std::to_string(Ref.Value));
      }
    } else {
      const unsigned char *End = std::find_if(
          Text, Text + Have, [](unsigned char B) { return B >= ReferenceTag; });
      Out.append(reinterpret_cast<const char *>(Text),
                 static_cast<size_t>(End - Text));
      Top.Offset += static_cast<uint64_t>(End - Text);
    }
    const size_t Added = Out.size() - Before;
    if (PartNo > MostParts && Added == 0)
      return Damaged(Offset, "parts without text");
    if (Added > LimitBytes || PartNo > MostParts) {
      cut(Out, Before, Before + std::min(Added - 1, LimitBytes));
      return Bytes->isWhole();
    }
  }
  return Bytes->isWhole();
}

bool InstantiationIndex::isWhole() const { return S->Bytes->isWhole(); }

void InstantiationIndex::setTraceNames(
    std::unordered_map<std::string, std::string> NowByThen) {
  S->TraceNames = std::move(NowByThen);
}

std::string InstantiationIndex::traceName(const std::string &Then) const {
  auto Now = S->TraceNames.find(Then);
  return Now == S->TraceNames.end() ? Then : Now->second;
}

bool InstantiationIndex::entity(uint32_t Id, Entity &Into) const {
  EntityRow Row;
  uint64_t End = 0;
  if (!S->Bytes->row(Section::Entities, Id, Row) ||
      !S->firstPosting<EntityRow>(Section::Entities, Section::EntityPostings,
                                  Id + uint64_t(1), End))
    return false;
  Into = {Row.TemplateSet, Row.DeclaredAt, Row.Kind,
          static_cast<uint32_t>(End) - Row.FirstPosting,
          Row.Name == NoString ? 0 : Row.Hash};
  return true;
}

bool InstantiationIndex::location(uint32_t Id, Location &Into) const {
  LocationRow Row;
  uint64_t End = 0;
  if (!S->Bytes->row(Section::Locations, Id, Row) ||
      !S->firstPosting<LocationRow>(
          Section::Locations, Section::LocationPostings, Id + uint64_t(1), End))
    return false;
  Into = {Row.File, Row.LineNo, Row.ColumnNo,
          static_cast<uint32_t>(End) - Row.FirstPosting};
  return true;
}

bool InstantiationIndex::entityName(uint32_t Id, NameParts Parts,
                                    size_t LimitBytes, std::string &Out) const {
  EntityRow Row;
  return S->Bytes->row(Section::Entities, Id, Row) &&
         S->string(Row.Name, Parts, LimitBytes, Out);
}

bool InstantiationIndex::templateSetName(uint32_t Id, NameParts Parts,
                                         size_t LimitBytes,
                                         std::string &Out) const {
  TemplateSetRow Row;
  return S->Bytes->row(Section::TemplateSets, Id, Row) &&
         S->string(Row.Name, Parts, LimitBytes, Out);
}

bool InstantiationIndex::filePath(uint32_t Id, size_t LimitBytes,
                                  std::string &Out) const {
  FileRow Row;
  return S->Bytes->row(Section::Files, Id, Row) &&
         S->string(Row.Path, {}, LimitBytes, Out);
}

bool InstantiationIndex::State::postings(Section Sec, uint64_t Begin,
                                         uint64_t End,
                                         std::vector<uint32_t> &Into) const {
  Into.clear();
  if (Begin > End)
    return Bytes->fault("postings from " + std::to_string(Begin),
                        "an end at " + std::to_string(End), "ascending ones");
  const auto *Rows = Bytes->rows<uint32_t>(Sec, Begin, End - Begin);
  if (!Rows)
    return false;
  uint32_t Count = count(Section::Records);
  Into.assign(Rows, Rows + (End - Begin));
  for (uint32_t Id : Into)
    if (Id >= Count)
      return Into.clear(),
             Bytes->fault("postings from " + std::to_string(Begin),
                          "record " + std::to_string(Id),
                          "one below " + std::to_string(Count));
  return Bytes->isWhole();
}

bool InstantiationIndex::recordsOf(uint32_t Entity,
                                   std::vector<uint32_t> &Into) const {
  Into.clear();
  EntityRow Row;
  uint64_t End = 0;
  return S->Bytes->row(Section::Entities, Entity, Row) &&
         S->firstPosting<EntityRow>(Section::Entities, Section::EntityPostings,
                                    Entity + uint64_t(1), End) &&
         S->postings(Section::EntityPostings, Row.FirstPosting, End, Into);
}

bool InstantiationIndex::recordsAt(uint32_t File, uint32_t LineNo,
                                   std::vector<uint32_t> &Into) const {
  Into.clear();
  uint64_t Count = S->Bytes->rowCount(Section::Locations);
  const auto *Rows = S->Bytes->rows<LocationRow>(Section::Locations, 0, Count);
  if (!Rows)
    return false;
  auto Before = [](const LocationRow &L, std::pair<uint32_t, uint64_t> Wanted) {
    return L.File != Wanted.first ? L.File < Wanted.first
                                  : L.LineNo < Wanted.second;
  };
  const LocationRow *First = std::lower_bound(
      Rows, Rows + Count, std::pair<uint32_t, uint64_t>(File, LineNo), Before);
  const LocationRow *Last = std::lower_bound(
      First, Rows + Count,
      std::pair<uint32_t, uint64_t>(File, LineNo + uint64_t(1)), Before);
  uint64_t Begin = 0, End = 0;
  auto Posting = [&](const LocationRow *Row, uint64_t &Target) {
    return S->firstPosting<LocationRow>(
        Section::Locations, Section::LocationPostings,
        static_cast<uint64_t>(Row - Rows), Target);
  };
  if (!Posting(First, Begin) || !Posting(Last, End) ||
      !S->postings(Section::LocationPostings, Begin, End, Into))
    return false;
  // Of several columns.
  std::sort(Into.begin(), Into.end());
  return true;
}

bool InstantiationIndex::entitiesNamed(std::string_view Name,
                                       std::vector<uint32_t> &Into) const {
  Into.clear();
  uint64_t Hash = Dictionary::keyOf(Name).Hash;
  uint64_t Low = 0, High = S->Bytes->rowCount(Section::EntitiesByHash);
  const uint64_t Count = High;
  auto get = [&](uint64_t Place, uint32_t &Id, EntityRow &Row) {
    return S->Bytes->row(Section::EntitiesByHash, Place, Id) &&
           S->Bytes->row(Section::Entities, Id, Row);
  };
  uint32_t Id = 0;
  EntityRow Row;
  while (Low != High) {
    uint64_t Middle = Low + (High - Low) / 2;
    if (!get(Middle, Id, Row))
      return false;
    if (Row.Hash < Hash)
      Low = Middle + 1;
    else
      High = Middle;
  }
  std::string Text;
  for (; Low != Count; ++Low) {
    if (!get(Low, Id, Row))
      return Into.clear(), false;
    if (Row.Hash != Hash)
      break;
    // Equal hashes are not yet equal names, and no name is not an empty one.
    Text.clear();
    if (!S->string(Row.Name, {true, false}, Name.size() + 1, Text))
      return Into.clear(), false;
    if (Text == Name && Row.Name != NoString)
      Into.push_back(Id);
  }
  return S->Bytes->isWhole();
}

bool InstantiationIndex::filesNamed(std::string_view Path,
                                    std::vector<uint32_t> &Into) const {
  Into.clear();
  std::string Text;
  for (uint32_t Id = 0; Id != fileCount(); ++Id) {
    Text.clear();
    if (!filePath(Id, State::LongestPath, Text))
      return Into.clear(), false;
    if (!Text.ends_with(Path) || Path.empty())
      continue;
    if (Text.size() == Path.size() ||
        Text[Text.size() - Path.size() - 1] == '/' || Path.front() == '/')
      Into.push_back(Id);
  }
  return S->Bytes->isWhole();
}
