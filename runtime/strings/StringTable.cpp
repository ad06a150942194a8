#include "runtime/strings/StringTable.h"

#include "runtime/base/Hash.h"

#include <algorithm>

namespace instantrace {

namespace {

constexpr unsigned IdBits = 40;
constexpr uint64_t IdMask = (uint64_t(1) << IdBits) - 1;
constexpr unsigned HashBits = 64 - IdBits;
constexpr size_t FirstBuckets = 4096;
constexpr size_t FirstHeapBytes = 4096;

uint64_t hashBits(std::string_view Bytes) { return hashBytes(Bytes) >> IdBits; }

/// Where the search for a hash begins. Ascends with the hash, so that growing
/// reads and writes memory in order; and beyond 2^24 buckets, homes are further
/// apart than one.
size_t home(uint64_t Hash, size_t Buckets) {
  return static_cast<size_t>((Hash * Buckets) >> HashBits);
}

} // namespace

StringTable::StringTable(Start Ids)
    : Ids(Ids), FirstId(StringId::FirstRegular + Ids.Address),
      LastOrdinal(Ids.Ordinal), Buckets(FirstBuckets) {}

void StringTable::grow() {
  std::vector<uint64_t> Old(Buckets.size() * 2);
  Old.swap(Buckets);
  size_t Mask = Buckets.size() - 1;
  for (uint64_t Bucket : Old) {
    if (Bucket == 0)
      continue;
    size_t I = home(Bucket >> IdBits, Buckets.size());
    while (Buckets[I] != 0)
      I = (I + 1) & Mask;
    Buckets[I] = Bucket;
  }
}

StringId StringTable::intern(std::string_view Text) {
  StringComponents Components;
  return internResolved(Components.text(Text));
}

StringId StringTable::intern(const StringComponents &Components) {
  if (!Components.needsResolving())
    return internResolved(Components);
  StringComponents Resolved;
  ComponentReader Reader(Components.terminated().data());
  StringComponent Part;
  for (bool IsFirst = true; Reader.next(Part); IsFirst = false) {
    if (!Part.Ref) {
      Resolved.text(Part.Text);
      continue;
    }
    if (Part.Ref.kind() == StringIdKind::TableFull)
      return StringId::tableFull();
    if (IsFirst && Part.Ref.kind() == StringIdKind::Mark) {
      Resolved.mark(
          static_cast<NamePart>(Part.Ref.Value - StringId::FirstMark));
      continue;
    }
    StringId Target = resolve(Part.Ref);
    if (!Target)
      return {};
    Resolved.ref(Target);
  }
  return internResolved(Resolved);
}

StringId StringTable::internResolved(const StringComponents &Components) {
  std::string_view Bytes = Components.terminated();
  if (Bytes.size() == ReferenceBytes + 1) {
    ComponentReader Reader(Bytes.data());
    StringComponent Only;
    if (Reader.next(Only) && Only.Ref.kind() == StringIdKind::Regular)
      return Only.Ref;
  }
  uint64_t Hash = hashBits(Bytes);
  size_t Mask = Buckets.size() - 1;
  size_t I = home(Hash, Buckets.size());
  for (; Buckets[I] != 0; I = (I + 1) & Mask) {
    if (Buckets[I] >> IdBits != Hash)
      continue;
    StringId Id{Buckets[I] & IdMask};
    // No entry is the beginning of another one, so equal bytes up to our
    // terminator are an equal entry.
    size_t Rest = EntriesEnd - static_cast<size_t>(Id.Value - FirstId);
    if (Bytes.size() <= Rest &&
        std::memcmp(entryOf(Id), Bytes.data(), Bytes.size()) == 0)
      return Id;
  }
  StringId Id = add(Bytes, Components.lastComponent());
  if (Id.kind() != StringIdKind::Regular)
    return Id;
  Buckets[I] = Hash << IdBits | Id.Value;
  // Fuller than with other tables: what is not in the cache costs more than
  // looking at the neighbours, which come with it.
  if (size_t(size()) * 4 > Buckets.size() * 3)
    grow();
  return Id;
}

/// First or last byte of a component's text.
char StringTable::edgeOf(const StringComponent &Part, size_t Before) const {
  if (!Part.Ref)
    return Before == FirstCharAt ? Part.Text.front() : Part.Text.back();
  return Part.Ref.kind() == StringIdKind::Regular ? edgeChar(Part.Ref, Before)
                                                  : '\0';
}

void StringTable::growHeap(size_t Wanted) {
  size_t Capacity = std::max({Wanted, HeapCapacity * 2, FirstHeapBytes});
  // Not filled: what is not used yet takes no memory.
  std::unique_ptr<char[]> Bigger(new char[Capacity]);
  if (EntriesEnd != 0)
    std::memcpy(Bigger.get(), Heap.get(), EntriesEnd);
  Heap = std::move(Bigger);
  HeapCapacity = Capacity;
}

StringId StringTable::add(std::string_view Terminated,
                          const char *LastComponent) {
  uint64_t Value = FirstId + EntriesEnd + RecordHeaderBytes;
  if (Value > StringId::LastRegular || LastOrdinal == NameId::Last) {
    IsFull = true;
    return StringId::tableFull();
  }
  uint32_t Ordinal = LastOrdinal + 1;
  char Header[RecordHeaderBytes] = {};
  for (unsigned Byte = 0; Byte != 4; ++Byte)
    Header[Byte] = static_cast<char>(Ordinal >> (8 * Byte));
  char &First = Header[RecordHeaderBytes - FirstCharAt];
  char &Last = Header[RecordHeaderBytes - LastCharAt];
  // An entry that is referred to is far away in memory: look at no more of them
  // than it takes.
  StringComponent Part;
  if (static_cast<unsigned char>(Terminated.front()) < ReferenceTag)
    First = Terminated.front();
  ComponentReader Reader(Terminated.data());
  while (First == 0 && Reader.next(Part))
    First = edgeOf(Part, FirstCharAt);
  if (First != 0) {
    Reader = ComponentReader(LastComponent);
    Reader.next(Part);
    Last = edgeOf(Part, LastCharAt);
  }
  if (First != 0 && Last == 0) {
    Reader = ComponentReader(Terminated.data());
    while (Reader.next(Part))
      if (char Edge = edgeOf(Part, LastCharAt))
        Last = Edge;
  }
  // Here the compiler may die for want of memory, and its crash handler goes on
  // with this table: an entry is in it as a whole or not at all.
  size_t NewEnd = EntriesEnd + RecordHeaderBytes + Terminated.size();
  if (NewEnd + RoomBytes > HeapCapacity)
    growHeap(NewEnd + RoomBytes);
  std::memcpy(&Heap[EntriesEnd], Header, RecordHeaderBytes);
  std::memcpy(&Heap[EntriesEnd + RecordHeaderBytes], Terminated.data(),
              Terminated.size());
  std::memset(&Heap[NewEnd], 0, RoomBytes);
  EntriesEnd = NewEnd;
  LastOrdinal = Ordinal;
  return StringId{Value};
}

bool StringTable::mapRange(StringId First, uint64_t Count, StringId Target) {
  Target = resolve(Target);
  return Target && Mapped.map(First, Count, Target);
}

std::string StringTable::expand(StringId Id, uint32_t HiddenParts) const {
  std::string Out;
  std::vector<ComponentReader> Stack;
  if (StringId Root = resolve(Id))
    Stack.emplace_back(entryOf(Root));
  for (StringComponent Part; !Stack.empty();) {
    if (!Stack.back().next(Part)) {
      Stack.pop_back();
    } else if (!Part.Ref) {
      Out.append(Part.Text);
    } else if (Part.Ref.kind() == StringIdKind::Regular) {
      Stack.emplace_back(entryOf(Part.Ref));
    } else if (Stack.size() != 1 &&
               (HiddenParts >> (Part.Ref.Value - StringId::FirstMark) & 1)) {
      Stack.pop_back(); // the mark of a hidden part
    }
  }
  return Out;
}

size_t StringTable::memoryBytes() const {
  return HeapCapacity + Buckets.capacity() * sizeof(uint64_t) +
         Mapped.memoryBytes();
}

} // namespace instantrace
