/// \file
/// Makes an index in one pass over begins and ends.
///
/// Flow:    a trace's events -> [IndexBuilder] -> IndexFile -> x.itx
/// Memory:  open records and entities, names, locations. Whatever there is one
///          of for each interval is in SpillColumns, of which some megabytes
///          are in memory
/// Errors:  the first is remembered, and finish() gives it
/// Threads: one
///
/// Records are written when they begin, and completed when they end, with the
/// ids that they have in the trace. What needs all of them (numbers, costs,
/// sums, postings) is made by finish(), by passes over the columns and none
/// over the trace: rows of records and postings only while they are written.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/index/IndexFile.h"
#include "runtime/index/IndexFormat.h"
#include "runtime/index/SpillColumn.h"
#include "runtime/strings/Dictionary.h"
#include "runtime/strings/StringTable.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// Which traces an index is of.
struct IndexIdentity {
  uint64_t TraceBytes = 0;
  uint64_t TraceHash = 0;
};

class IndexBuilder {
public:
  static constexpr uint32_t None = UINT32_MAX;

  struct Compile {
    std::string Trace, Input;
    std::string WorkingDirectory;     ///< empty: it is not known
    std::vector<std::string> Folders; ///< where it has sources
    uint32_t Sequence = 0;
    uint64_t RealtimeNs = 0;
  };

  /// Rows of a compile's tables, by the ids that its events have.
  struct LocationIs {
    NameId File;
    uint32_t LineNo = 0, ColumnNo = 0;
  };
  struct EntityIs {
    NameId Name, TemplateSet;
    uint32_t DeclaredAt = None; ///< into Declarations or Locations
    bool IsDeclaration = false; ///< which of the two
    uint8_t Kind = 0;
  };
  struct Tables {
    const Dictionary *Names = nullptr;
    std::vector<LocationIs> Locations, Declarations;
    std::vector<EntityIs> Entities;
  };

  /// Columns are kept in \p Folder until the builder goes. Postings are in
  /// memory so many at a time, while they are made.
  explicit IndexBuilder(const std::string &Folder,
                        uint64_t PostingsAtOnce = 1 << 22);

  void beginCompile();
  /// Ids are those of the tables, from 1; 0: none. \p Requester is the number
  /// of an earlier interval of the compile, or None. Times do not decrease.
  void begin(uint64_t TimeNs, uint8_t Kind, uint32_t Entity, uint32_t Location,
             uint32_t Requester);
  struct End {
    uint64_t AstBytes = 0;
    bool IsDefinition = false;
  };
  /// Without an open record it does nothing.
  void end(uint64_t TimeNs, const End &With);
  /// What is open ends with the last event.
  void endCompile(const Compile &C, uint64_t LastTimeNs, const Tables &T);
  /// The traces of the last \p Compiles compiles lack something.
  void markIncomplete(size_t Compiles);
  /// Writes the file to an open descriptor, from its begin. Once, at the end.
  Result<void> finish(const IndexIdentity &Identity, int Descriptor);

private:
  struct OpenRecord {
    uint32_t Id;
    uint64_t BeginNs, ChildrenNs;
  };
  /// What there is of a record besides what it refers to.
  struct RecordPart {
    uint32_t Parent, SubtreeEnd;
    uint8_t Kind, Flags;
    uint16_t Depth;
    uint32_t Unused;
    uint64_t SelfNs, AstBytes;
  };
  /// What the ids in the records of a compile stand for.
  struct Numbers {
    std::vector<uint32_t> Entities, Places;
    /// What an interrupted compile had no time to describe.
    std::unordered_map<uint32_t, uint32_t> OtherEntities;
    uint32_t entity(uint32_t Id) const;
    uint32_t place(uint32_t Id) const;
  };
  struct TextKey {
    NameKey Name;
    uint8_t Kind;
    friend bool operator==(const TextKey &, const TextKey &) = default;
  };
  struct HashName {
    size_t operator()(const NameKey &K) const { return K.Hash ^ K.SizeBytes; }
    size_t operator()(const TextKey &K) const {
      return (*this)(K.Name) + K.Kind;
    }
  };
  struct PlaceKey {
    uint32_t File, LineNo, ColumnNo;
    friend bool operator==(const PlaceKey &, const PlaceKey &) = default;
  };
  struct HashPlace {
    size_t operator()(const PlaceKey &K) const {
      return (uint64_t(K.File) << 32 | K.LineNo) * 0x9E3779B97F4A7C15 +
             K.ColumnNo;
    }
  };

  uint32_t recordCount() const { return static_cast<uint32_t>(Parts.size()); }
  void mark(uint64_t TimeNs, bool IsBegin);
  void close(uint64_t TimeNs, const End &With, bool IsOpen);
  void fail(std::string Message);
  std::vector<StringId> internNames(const Dictionary &Names);
  uint64_t address(StringId Id) const;
  uint32_t file(NameId Path, const Tables &T, const std::vector<StringId> &Ids);
  std::vector<uint32_t> places(const std::vector<LocationIs> &Rows,
                               const Tables &T,
                               const std::vector<StringId> &Ids);
  uint32_t templateSet(NameId Name, const Tables &T,
                       const std::vector<StringId> &Ids);
  uint32_t entity(const EntityIs &Is, const Tables &T,
                  const std::vector<StringId> &Ids);

  // Of finish().
  void sortLocations();
  /// So many records at a time, which are in one chunk of each column.
  static constexpr uint32_t BatchRecords = 4096;
  struct Batch {
    uint32_t First, Count;
    RecordPart *Parts;
    uint32_t *Entities, *Places;
    std::vector<RecordPart> PartRows;
    std::vector<uint32_t> EntityRows, PlaceRows;
  };
  bool readBatch(uint32_t First, uint32_t End, Batch &Into);
  void completeRecords();
  void addRecords(index::IndexFile &File);
  class Postings;
  void addPostings(index::IndexFile &File);
  void sortHashes();
  int columnError() const;
  std::string failure() const;

  std::vector<index::CompileRow> Compiles;
  std::vector<index::FolderRow> Folders;
  std::vector<index::FileRow> Files;
  std::vector<index::LocationRow> Locations;
  std::vector<index::EntityRow> Entities;
  std::vector<uint32_t> EntitiesByHash;
  std::vector<index::TemplateSetRow> TemplateSets;
  index::SpillColumn<RecordPart> Parts;
  /// By record: ids of its compile from 1; then numbers, while it is finished.
  index::SpillColumn<uint32_t> EntityOf, PlaceOf;
  uint32_t EntityPostingCount = 0, PlacePostingCount = 0;
  index::SpillColumn<index::RequesterRow> Requesters;
  index::SpillColumn<index::RangeBlockRow> RangeBlocks;
  index::SpillColumn<uint32_t> RangeStarts;
  index::SpillColumn<uint64_t> RangeBegins;
  struct Sums {
    index::SpillColumn<uint64_t> Bases;
    index::SpillColumn<uint32_t> Deltas;
    index::SpillColumn<index::WideSumRow> Wide;
    void add(uint64_t Offset, uint64_t Sum);
  };
  Sums SelfSums, MemorySums;
  // Not in the file.
  std::vector<Numbers> NumbersOf; ///< by compile
  uint32_t LargestEntity = 0;     ///< in this compile
  bool HasAstBytes = false;       ///< some are not 0

  StringTable Strings;
  std::unordered_map<NameKey, uint32_t, HashName> FileByPath, SetByName;
  std::unordered_map<TextKey, uint32_t, HashName> EntityByName;
  std::unordered_map<PlaceKey, uint32_t, HashPlace> LocationByPlace;

  const uint64_t PostingsAtOnce;
  std::vector<OpenRecord> Open;
  bool HasRange = false; ///< in this compile
  std::string Fault;
};

} // namespace instantrace
