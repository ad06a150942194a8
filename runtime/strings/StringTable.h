/// \file
/// Interns text as a tree: an entry is a list of components, text and
/// references to earlier entries, and equal lists have one id.
///
/// Flow:    NameBuilder -> StringComponents -> [StringTable]
///          -> DictionaryEntries -> TraceWriter
/// Layout:  one heap of entries, each
///              ordinal  4 bytes: number in the order of interning, from 1
///              first    1 byte of the expanded text, 0 when it is empty
///              last     1 byte
///              components and terminator: StringComponents.h
///          An id is FirstRegular + the address of the components. The hash
///          table has eight bytes for an entry: id and 24 bits of hash.
/// Ids:     StringId.h. Virtual ids can be given to clients at once and mapped
///          when there is time
/// Errors:  a string for which there is no address or ordinal left gets the id
///          `tableFull`, which has no text and no ordinal, never a wrong id
/// Threads: one
/// Source:  measureme's string table (components, virtual ids), Templight's
///          dictionary (the file's form)
#pragma once

#include "runtime/strings/StringComponents.h"
#include "runtime/strings/StringId.h"
#include "runtime/strings/VirtualIds.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

class StringTable {
public:
  /// What the table takes to be used already: to go on with the names of a
  /// file, and for tests of its limits.
  struct Start {
    uint64_t Address = 0;
    uint32_t Ordinal = 0;
  };

  StringTable() : StringTable(Start()) {}
  explicit StringTable(Start Ids);

  StringId intern(std::string_view Text);
  /// Virtual ids among the components are replaced by what they are mapped to.
  /// None when one is not mapped, or is no id that can be referred to. What is
  /// no more than one reference, without a mark, is what that refers to.
  StringId intern(const StringComponents &Components);

  /// Adds the elements with ", " between them. A few are added themselves, of
  /// more a reference to one entry for the whole list. What stands for no entry
  /// makes \p Components something that cannot be interned.
  void addList(StringComponents &Components, const ListElement *Elements,
               size_t Count);
  /// One entry that expands to the elements with ", " between them; none when
  /// an element stands for no entry. A long list is a tree: its first and last
  /// few elements, and between them a list of groups, which are cut where the
  /// elements say so (StringList.cpp). All the lists that one grows through at
  /// both ends take space that is linear in the longest.
  StringId internList(const ListElement *Elements, size_t Count);

  /// \p First to \p First + \p Count - 1 stand for \p Target from now on; in
  /// constant space. False, and nothing is mapped: some of them are not virtual
  /// or are mapped already, or Target is no entry.
  bool mapRange(StringId First, uint64_t Count, StringId Target);
  /// One virtual id, or the metadata id.
  bool map(StringId Id, StringId Target) { return mapRange(Id, 1, Target); }
  /// The entry that an id stands for; none when there is none.
  StringId resolve(StringId Id) const {
    if (Id.Value < StringId::FirstRegular)
      return Mapped.resolve(Id);
    return Id.Value >= FirstId && Id.Value - FirstId < EntriesEnd ? Id
                                                                  : StringId();
  }

  /// Taken to be used before the first entry.
  uint32_t ordinalsBefore() const { return Ids.Ordinal; }
  /// Number of entries.
  uint32_t size() const { return LastOrdinal - Ids.Ordinal; }
  /// Some string found no room.
  bool isFull() const { return IsFull; }
  /// The number under which a file has an entry; none for an id without one.
  NameId ordinal(StringId Id) const {
    Id = resolve(Id);
    if (!Id)
      return {};
    uint32_t Ordinal;
    std::memcpy(&Ordinal, entryOf(Id) - RecordHeaderBytes, sizeof(Ordinal));
    return NameId{Ordinal};
  }
  /// First and last byte of the expanded text with all its parts; 0 when it is
  /// empty, and when that byte is a NUL.
  char firstChar(StringId Id) const { return edgeChar(Id, FirstCharAt); }
  char lastChar(StringId Id) const { return edgeChar(Id, LastCharAt); }
  char firstChar(ListElement Element) const {
    return Element.isText() ? Element.textByte(0) : firstChar(Element.entry());
  }
  char lastChar(ListElement Element) const {
    return Element.isText() ? Element.textByte(Element.textSize() - 1)
                            : lastChar(Element.entry());
  }
  /// The whole text, but for \p HiddenParts (partBit) inside it; for checks and
  /// short strings, since it may be enormous.
  std::string expand(StringId Id, uint32_t HiddenParts = 0) const;

  /// All entries, one after the other in the order of interning. Valid until
  /// the next intern.
  std::string_view heap() const { return {Heap.get(), EntriesEnd}; }
  /// The entry that starts at that offset of the heap, for a ComponentReader;
  /// the next one starts at its end. RoomBytes behind the terminator can be
  /// read.
  const char *entryAt(size_t Offset) const {
    return Heap.get() + Offset + RecordHeaderBytes;
  }
  static constexpr size_t RoomBytes = 8;

  /// What the table holds of the process's memory.
  size_t memoryBytes() const;

private:
  static constexpr size_t RecordHeaderBytes = 6;
  static constexpr size_t FirstCharAt = 2, LastCharAt = 1; ///< before an entry

  const char *entryOf(StringId Id) const {
    return Heap.get() + (Id.Value - FirstId);
  }
  char edgeChar(StringId Id, size_t Before) const {
    Id = resolve(Id);
    return Id ? *(entryOf(Id) - Before) : '\0';
  }
  char edgeOf(const StringComponent &Part, size_t Before) const;
  StringId internResolved(const StringComponents &Components);
  StringId internTree(const ListElement *Elements, size_t Count);
  StringId add(std::string_view Terminated, const char *LastComponent);
  void grow();
  void growHeap(size_t Wanted);

  Start Ids;
  uint64_t FirstId; ///< of the heap's first byte
  uint32_t LastOrdinal;
  bool IsFull = false;
  std::unique_ptr<char[]> Heap;
  size_t HeapCapacity = 0;
  size_t EntriesEnd = 0; ///< of the heap; what is behind it is no whole entry
  std::vector<uint64_t> Buckets; ///< open addressing: hash << 40 | id
  VirtualIds Mapped;
  // For internTree, which so allocates nothing of its own.
  std::vector<uint32_t> PairHashes;
  std::vector<ListElement> Groups;
};

} // namespace instantrace
