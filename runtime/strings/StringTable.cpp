#define XXH_INLINE_ALL
#include "runtime/strings/StringTable.h"

#include <cstring>
#include <xxhash.h>

namespace instantrace {

namespace {

/// A list up to this long is one entry.
constexpr size_t MaxFlatList = 8;
/// A group is cut after an element whose hash has these bits zero: 1 in 8.
constexpr uint32_t CutMask = 7;
constexpr size_t MaxGroup = 32;

uint32_t mix(uint32_t X) {
  X ^= X >> 16;
  X *= 0x7feb352dU;
  X ^= X >> 15;
  X *= 0x846ca68bU;
  return X ^ (X >> 16);
}

} // namespace

StringComponents &StringComponents::text(std::string_view S) {
  size_t From = Text.size();
  Text.append(S);
  // A NUL would read as a reference.
  for (size_t I = From; I != Text.size(); ++I)
    if (Text[I] == '\0')
      Text[I] = '?';
  return *this;
}

StringComponents &StringComponents::ref(StringId Id) {
  Text.push_back('\0');
  if (Count == InlineCount)
    Spilled.assign(Inline, Inline + InlineCount);
  if (Count < InlineCount)
    Inline[Count] = Id;
  else
    Spilled.push_back(Id);
  ++Count;
  return *this;
}

StringTable::StringTable() : Buckets(4096) {}

StringTable::Entry StringTable::entry(StringId Id) const {
  const Record &R = Entries[Id.Value - 1];
  return {std::string_view(Heap).substr(R.Offset, R.TextBytes),
          RefHeap.data() + R.RefBegin, R.RefCount};
}

void StringTable::grow() {
  std::vector<Bucket> Old(Buckets.size() * 2);
  Old.swap(Buckets);
  size_t Mask = Buckets.size() - 1;
  for (Bucket B : Old) {
    if (B.Id == 0)
      continue;
    size_t I = B.Hash & Mask;
    while (Buckets[I].Id != 0)
      I = (I + 1) & Mask;
    Buckets[I] = B;
  }
}

StringId StringTable::internRaw(std::string_view Text, const StringId *Refs,
                                uint32_t RefCount) {
  if (RefCount == 1 && Text.size() == 1)
    return Refs[0]; // a lone reference is what it refers to
  uint64_t Hash = XXH3_64bits(Text.data(), Text.size());
  if (RefCount != 0)
    Hash = XXH3_64bits_withSeed(Refs, RefCount * sizeof(StringId), Hash);
  auto Hash32 = static_cast<uint32_t>(Hash ^ (Hash >> 32));
  size_t Mask = Buckets.size() - 1;
  size_t I = Hash32 & Mask;
  for (; Buckets[I].Id != 0; I = (I + 1) & Mask) {
    if (Buckets[I].Hash != Hash32)
      continue;
    uint32_t Id = Buckets[I].Id;
    Entry E = entry(StringId{Id});
    if (E.MarkedText == Text && E.RefCount == RefCount &&
        (RefCount == 0 ||
         std::memcmp(E.Refs, Refs, RefCount * sizeof(StringId)) == 0))
      return StringId{Id};
  }
  char First = 0, Last = 0;
  if (!Text.empty()) {
    First = Text.front() != 0 ? Text.front() : firstChar(Refs[0]);
    Last = Text.back() != 0 ? Text.back() : lastChar(Refs[RefCount - 1]);
  }
  Entries.push_back({Heap.size(), static_cast<uint32_t>(RefHeap.size()),
                     static_cast<uint32_t>(Text.size()), RefCount, First,
                     Last});
  Heap.append(Text);
  RefHeap.insert(RefHeap.end(), Refs, Refs + RefCount);
  Buckets[I] = {Hash32, size()};
  StringId Id{size()};
  if (Entries.size() * 2 > Buckets.size())
    grow();
  return Id;
}

StringId StringTable::intern(std::string_view Text) {
  if (Text.find('\0') != std::string_view::npos)
    return intern(StringComponents().text(Text));
  return internRaw(Text, nullptr, 0);
}

StringId StringTable::intern(const StringComponents &Components) {
  return internRaw(Components.markedText(), Components.refs(),
                   Components.refCount());
}

StringId StringTable::internList(const StringId *Elements, size_t Count) {
  if (Count == 1)
    return Elements[0];
  StringComponents Group;
  auto add = [&Group](StringId Id) {
    if (Group.refCount() != 0)
      Group.text(", ");
    Group.ref(Id);
  };
  std::vector<StringId> Level, Next;
  while (Count > MaxFlatList) {
    Next.clear();
    Group.clear();
    for (size_t I = 0; I != Count; ++I) {
      add(Elements[I]);
      bool IsCut =
          (mix(Elements[I].Value) & CutMask) == 0 && Group.refCount() > 1;
      if (IsCut || Group.refCount() == MaxGroup) {
        Next.push_back(intern(Group));
        Group.clear();
      }
    }
    if (Group.refCount() != 0)
      Next.push_back(intern(Group));
    Level.swap(Next);
    Elements = Level.data();
    Count = Level.size();
  }
  Group.clear();
  for (size_t I = 0; I != Count; ++I)
    add(Elements[I]);
  return intern(Group);
}

std::string StringTable::expand(StringId Root) const {
  std::string Out;
  struct Position {
    StringId Id;
    uint32_t Text, Ref;
  };
  std::vector<Position> Stack{{Root, 0, 0}};
  while (!Stack.empty()) {
    Position &P = Stack.back();
    Entry E = entry(P.Id);
    if (P.Text == E.MarkedText.size()) {
      Stack.pop_back();
      continue;
    }
    char C = E.MarkedText[P.Text++];
    if (C != '\0')
      Out.push_back(C);
    else
      Stack.push_back({E.Refs[P.Ref++], 0, 0});
  }
  return Out;
}

} // namespace instantrace
