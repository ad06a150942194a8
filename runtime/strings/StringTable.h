/// \file
/// Interns text as a tree: an entry is literal text with references to earlier
/// entries in it, and equal entries have one id.
///
/// Flow:    NameBuilder -> StringTable -> TraceWriter (DictionaryBatch)
/// Layout:  an entry's text holds one NUL per reference, as in the file
///          (proto/trace.proto, DictionaryEntry)
/// Threads: one
/// Source:  measureme's string table (components), Templight's dictionary
///          (marked names)
#ifndef INSTANTRACE_RUNTIME_STRINGS_STRINGTABLE_H
#define INSTANTRACE_RUNTIME_STRINGS_STRINGTABLE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// 0 is "no string"; ids count up from 1 in the order of definition.
struct StringId {
  uint32_t Value = 0;
  explicit operator bool() const { return Value != 0; }
  friend bool operator==(StringId A, StringId B) { return A.Value == B.Value; }
};

/// A list of components under construction. Short ones allocate nothing.
class StringComponents {
public:
  void clear() {
    Text.clear();
    Spilled.clear();
    Count = 0;
  }
  StringComponents &text(std::string_view S);
  StringComponents &ref(StringId Id);

  /// A NUL stands for the next reference.
  std::string_view markedText() const { return Text; }
  const StringId *refs() const {
    return Count > InlineCount ? Spilled.data() : Inline;
  }
  uint32_t refCount() const { return Count; }

private:
  static constexpr uint32_t InlineCount = 8;
  std::string Text;
  StringId Inline[InlineCount];
  std::vector<StringId> Spilled; ///< all of them, once there are many
  uint32_t Count = 0;
};

class StringTable {
public:
  struct Entry {
    std::string_view MarkedText; ///< valid until the next intern
    const StringId *Refs;        ///< valid until the next intern
    uint32_t RefCount;
  };

  StringTable();

  StringId intern(std::string_view Text);
  StringId intern(const StringComponents &Components);

  /// One entry that expands to the elements with ", " between them. Long lists
  /// become trees cut at places that their contents decide, so that lists which
  /// share a long stretch, wherever it lies, share its entries: growing a list
  /// at either end adds O(log N) entries.
  StringId internList(const StringId *Elements, size_t Count);

  uint32_t size() const { return static_cast<uint32_t>(Entries.size()); }
  /// Requires: 1 <= Id <= size().
  Entry entry(StringId Id) const;
  /// First and last byte of the expanded text; 0 when it is empty.
  char firstChar(StringId Id) const { return Entries[Id.Value - 1].First; }
  char lastChar(StringId Id) const { return Entries[Id.Value - 1].Last; }
  /// The whole text; for checks and short strings, since it may be enormous.
  std::string expand(StringId Id) const;

private:
  struct Record {
    uint64_t Offset;   ///< of the text in Heap
    uint32_t RefBegin; ///< in RefHeap
    uint32_t TextBytes;
    uint32_t RefCount;
    char First, Last;
  };
  StringId internRaw(std::string_view Text, const StringId *Refs,
                     uint32_t RefCount);
  void grow();

  std::string Heap;
  std::vector<StringId> RefHeap;
  std::vector<Record> Entries;
  struct Bucket {
    uint32_t Hash = 0; ///< beside the id, so that most misses touch one line
    uint32_t Id = 0;
  };
  std::vector<Bucket> Buckets; ///< open addressing
};

} // namespace instantrace

#endif
