/// \file
/// The names of one sequence: entries that share parts, expanded on demand.
///
/// Flow:   DictionaryBatch -> [Dictionary] -> analyses (keys), renderers (text)
/// Layout: proto/trace.proto, DictionaryEntry
/// Errors: none; add() states what its caller has to check
///
/// Entries form a DAG, and a few kilobytes of it can mean a text larger than
/// memory. So nothing here is proportional to the expanded text: a text is
/// built up to a limit, iteratively, and names are compared by a hash that is
/// composed from the hashes of the parts (polynomial, modulo 2^61 - 1), which
/// makes one key of equal texts however they are cut into entries.
///
/// Nor to the depth: where a name begins with a name, which begins with
/// another, and so on, the first byte is behind them all. Of such a chain only
/// the levels are gone through whose text is shown; those above are leapt over
/// from mark to mark, of which there is one in LevelsPerMark levels.
///
/// What is left out of a name is decided by the parts that entries are marked
/// as (NamePart), never by looking for brackets in the text: `operator<` and
/// '<' as an argument are no template arguments.
#pragma once

#include "runtime/strings/StringId.h"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// No text is made that is longer. The longest name that is known has 3.4 MB; a
/// text of this size still fits into the memory of the machine that reads it.
inline constexpr uint64_t MaxNameBytes = uint64_t(256) << 20;

/// Equal for equal texts, in every sequence of every trace. The text is that
/// with default arguments and without parameter lists, whatever is shown, so
/// that what is grouped does not depend on the style.
struct NameKey {
  uint64_t Hash = 0;
  uint64_t SizeBytes = 0; // of that text, saturating
  friend auto operator<=>(const NameKey &, const NameKey &) = default;
};

/// What is shown of a name. As it is here, a name is as in Clang's diagnostics.
struct NameStyle {
  bool DefaultArguments = false;
  bool Parameters = false; ///< where they are recorded
  bool Arguments = true;   ///< false: without template arguments and brackets
  /// Template arguments within so many others are shown, deeper ones become an
  /// ellipsis: 0 shows `vector<…>`, 1 `vector<pair<…>>`.
  unsigned MaxDepth = UINT_MAX;

  /// Everything that is recorded.
  static constexpr NameStyle whole() { return {true, true}; }
};

/// A name, or its begin: the scope of a member need not be an entry.
struct NamePrefix {
  static constexpr uint64_t Whole = UINT64_MAX;
  NameId Entry;
  uint64_t MarkedBytes = Whole; ///< so many of the entry's marked name
};

class Dictionary {
public:
  uint32_t size() const { return static_cast<uint32_t>(Entries.size()); }
  bool contains(NameId Id) const { return Id && Id.Value <= size(); }

  /// Defines the id size() + 1. Requires: as many NUL bytes in MarkedName as
  /// MarkerIds, and each of these at most size(). 0 is a NUL of the text.
  void add(std::string_view MarkedName, std::span<const uint32_t> MarkerIds,
           NamePart Part = NamePart::Text);

  /// Appends the text of an entry. A text longer than LimitBytes or
  /// MaxNameBytes, or built of unreasonably many parts, is cut and ends in an
  /// ellipsis; returns false then. Takes time for the text that it makes, and
  /// not for what it cuts. An id without entry appends nothing. An
  /// entry that the style leaves out is shown nevertheless when it is asked for
  /// itself.
  bool expand(NameId Id, const NameStyle &Style, std::string &Out,
              size_t LimitBytes) const {
    return expandPrefix({Id}, Style, Out, LimitBytes);
  }
  bool expandPrefix(const NamePrefix &Name, const NameStyle &Style,
                    std::string &Out, size_t LimitBytes) const;
  bool expand(NameId Id, std::string &Out, size_t LimitBytes) const {
    return expand(Id, NameStyle::whole(), Out, LimitBytes);
  }
  std::string text(NameId Id, const NameStyle &Style, size_t LimitBytes) const;
  std::string text(NameId Id, size_t LimitBytes) const {
    return text(Id, NameStyle::whole(), LimitBytes);
  }

  /// The key of a text: equal to that of an entry which expands to it.
  static NameKey keyOf(std::string_view Text);
  /// Of a text with another one behind it.
  static NameKey keyOf(const NameKey &Begin, std::string_view Text);
  /// Of an id without entry: the key of the empty text.
  NameKey key(NameId Id) const;
  NameKey prefixKey(const NamePrefix &Name) const;
  /// Of begins of one entry, the shortest first, in one pass over its text.
  std::vector<NameKey> prefixKeys(NameId Id,
                                  std::span<const uint64_t> MarkedBytes) const;

  /// Of the text with everything in it, saturating; 0 for an id without entry.
  uint64_t sizeBytes(NameId Id) const;

  /// One entry as it is in the file. Valid until the next add().
  struct EntryView {
    std::string_view MarkedName;
    std::span<const uint32_t> Markers; ///< NameIds; 0 is a NUL of the text
    NamePart Part = NamePart::Text;
    /// A template head is the first marker and the last byte closes what it
    /// opens: what is between them are template arguments.
    bool HasArguments = false;
  };
  /// Requires: contains(Id).
  EntryView entry(NameId Id) const;

  /// Of all entries, with what is allocated ahead.
  uint64_t memoryBytes() const;

private:
  struct Entry {
    uint64_t TextEnd = 0; // in MarkedText; it begins where the one before ends
    uint64_t MarkerEnd = 0; // in Markers
    uint64_t SizeBytes = 0; // expanded, saturating
    uint64_t KeySizeBytes = 0;
    uint64_t Hash = 0;  // of the text that keys are over
    uint64_t Power = 1; // base ^ size of that
    NamePart Part = NamePart::Text;
    bool HasArguments = false;
    // A bit per combination of parts that are left out (hiddenSet).
    uint8_t EmptyFor = 0;          // there is no text
    uint8_t ArgumentsEmptyFor = 0; // there is none between the brackets
    uint32_t Level = 0; // so many entries are each the begin of the one before
  };
  static constexpr uint32_t LevelsPerMark = 64;
  /// An entry whose level is a multiple of LevelsPerMark, but not 0. Others
  /// have no mark, and so few names have any.
  struct LevelMark {
    uint32_t Id = 0;
    // Into Marks: the one LevelsPerMark levels below, and one that many marks
    // are leapt over to; the mark itself if it is the lowest.
    uint32_t Below = 0;
    uint32_t FarBelow = 0;
    uint64_t LeastBytes = 0; // of the text, whatever the style leaves out
  };
  struct Totals;
  struct Frame;
  Frame frame(uint32_t Id, unsigned Depth) const;
  uint32_t beginOf(std::string_view MarkedName,
                   std::span<const uint32_t> MarkerIds) const;
  uint64_t leastBytes(uint32_t Id) const;
  void addMark();
  const LevelMark *markBelow(uint32_t Id) const;
  uint32_t lowestEnough(uint32_t Id, uint64_t Bytes, uint64_t Levels) const;

  uint64_t textBegin(uint32_t Id) const {
    return Id > 1 ? Entries[Id - 2].TextEnd : 0;
  }
  uint64_t markerBegin(uint32_t Id) const {
    return Id > 1 ? Entries[Id - 2].MarkerEnd : 0;
  }
  Totals totals(std::string_view MarkedName,
                std::span<const uint32_t> MarkerIds) const;
  void append(Totals &T, std::string_view MarkedName,
              std::span<const uint32_t> MarkerIds) const;
  bool hasArguments(std::string_view MarkedName,
                    std::span<const uint32_t> MarkerIds) const;
  uint8_t emptyFor(std::string_view MarkedName,
                   std::span<const uint32_t> MarkerIds) const;

  std::string MarkedText;
  std::vector<uint32_t> Markers;
  std::vector<Entry> Entries;
  std::vector<LevelMark> Marks; // by id
};

} // namespace instantrace
