/// \file
/// The bytes of an index: header, table of sections, rows.
///
/// Layout: proto/INDEX.md, which a test compares with this file:
///
///         header | section table | block sums | section | section ...
///
///         Everything is little-endian and has an explicit width; a section
///         begins at the next multiple of SectionAlignment, counted from the
///         begin of the file. A row that is not there is `None`, all ones.
/// Source: SymCache (mapped rows, starts only, holes), measureme (strings)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace instantrace::index {

static_assert(std::endian::native == std::endian::little,
              "rows are read as they are in the file");

/// INDEX.md's version table ends with it.
inline constexpr uint16_t IndexMajor = 1;
inline constexpr uint16_t IndexMinor = 0;
inline constexpr std::string_view IndexMagic = "insttidx";

inline constexpr uint32_t None = UINT32_MAX;
inline constexpr uint64_t NoString = UINT64_MAX;

inline constexpr size_t SectionAlignment = 8;
/// A section has one checksum for each so many bytes, so that a question reads
/// and checks no more than what it needs.
inline constexpr size_t SumBlockBytes = 65536;
/// Range starts in one block, at most.
inline constexpr uint32_t RangesPerBlock = 128;
/// In a row of RBEG, one for each range.
inline constexpr uint32_t BitsPerWord = 64;
/// Prefix sums have a 64-bit base for each so many.
inline constexpr uint32_t SumsPerBase = 256;

struct Header {
  char Magic[8];
  uint16_t Major;
  uint16_t Minor;
  uint32_t HeaderBytes;
  uint64_t FileBytes;
  uint64_t TraceBytes; ///< of all traces that it is of
  uint64_t TraceHash;  ///< of them; identity() in IndexIdentity.h
  uint32_t SectionCount;
  uint32_t SumCount;
  uint64_t Reserved;  ///< 0
  uint64_t HeadCheck; ///< of header before this, section table, sums
};
static_assert(sizeof(Header) == 64);
inline constexpr size_t HeadCheckOffset = offsetof(Header, HeadCheck);

/// In the order of the file, which is that of Sections.def.
struct SectionRow {
  char Tag[4];
  uint16_t Version; ///< of its rows
  uint16_t RowBytes;
  uint64_t Offset;
  uint64_t SizeBytes;
  uint32_t FirstSum;
  uint32_t SumCount;
};
static_assert(sizeof(SectionRow) == 32);

/// One compiler process. Its records, its blocks of ranges and its folders are
/// those from First... to the next compile's.
struct CompileRow {
  uint64_t File;             ///< string: the trace
  uint64_t Input;            ///< string: what was compiled
  uint64_t WorkingDirectory; ///< string; NoString: it is not known
  uint64_t RealtimeNs;
  uint64_t EndNs; ///< of the last event
  uint32_t Sequence;
  uint32_t FirstRecord;
  uint32_t FirstBlock;
  uint32_t FirstFolder;
  uint32_t OpenCount; ///< intervals without an end
  uint32_t Flags;     ///< CompileFlag
};
static_assert(sizeof(CompileRow) == 64);

enum CompileFlag : uint32_t {
  CompileIncomplete = 1, ///< its trace lacks something
  CompileFlagLimit = 2,
};

/// Where a compile has sources: its own folder, and those of -I and the like.
struct FolderRow {
  uint64_t Path; ///< string
};
static_assert(sizeof(FolderRow) == 8);

struct FileRow {
  uint64_t Path; ///< string
};
static_assert(sizeof(FileRow) == 8);

/// Sorted by file, line, column; so a line is a slice, of postings as well.
struct LocationRow {
  uint32_t File; ///< None: no file
  uint32_t LineNo;
  uint32_t ColumnNo;
  uint32_t FirstPosting; ///< in PLOC; ends at the next one's
};
static_assert(sizeof(LocationRow) == 16);

struct EntityRow {
  uint64_t Name; ///< string
  uint64_t Hash; ///< of the name's text, as Dictionary::keyOf() has it
  uint32_t TemplateSet;
  uint32_t DeclaredAt;   ///< location
  uint32_t FirstPosting; ///< in PENT; ends at the next one's
  uint8_t Kind;          ///< EntityKind of the trace
  uint8_t Reserved[3];
};
static_assert(sizeof(EntityRow) == 32);

struct TemplateSetRow {
  uint64_t Name; ///< string
};
static_assert(sizeof(TemplateSetRow) == 8);

/// One interval. In the order of begins: a parent precedes its children, and
/// what is under a record is the slice up to its SubtreeEnd.
struct RecordRow {
  uint32_t Entity;
  uint32_t Location;
  uint32_t Parent; ///< None, or less than the own number
  uint32_t SubtreeEnd;
  uint8_t Kind;   ///< EventKind of the trace
  uint8_t Flags;  ///< RecordFlag
  uint16_t Depth; ///< records around it; saturates
};
static_assert(sizeof(RecordRow) == 20);

/// Each begin and each end starts a range. Before a record begins, all before
/// it have begun, and ended but for those around it.
constexpr uint64_t beginRange(uint64_t Record, uint64_t Depth) {
  return Record * 2 - Depth;
}
constexpr uint64_t endRange(uint64_t SubtreeEnd, uint64_t Depth) {
  return SubtreeEnd * 2 - Depth - 1;
}

enum RecordFlag : uint8_t {
  RecordOpen = 1,       ///< no end was recorded
  RecordDefinition = 2, ///< completed the definition of its entity
  RecordRequested = 4,  ///< has a row in REQU
  RecordFlagLimit = 8,
};
inline constexpr uint16_t DeepestDepth = UINT16_MAX;

/// Sorted by record. What queued a body that was instantiated later.
struct RequesterRow {
  uint32_t Record;
  uint32_t Requester; ///< less than Record
};
static_assert(sizeof(RequesterRow) == 8);

/// A block of ranges: the starts RKEY are relative to BaseNs, the start of the
/// first one. Its ranges end at the next block's FirstRange.
struct RangeBlockRow {
  uint64_t BaseNs;
  uint32_t FirstRange;
  uint32_t FirstRecord; ///< the first one that begins in it or later
};
static_assert(sizeof(RangeBlockRow) == 16);

/// A prefix sum that is too far from its base.
struct WideSumRow {
  uint64_t Sum;
  uint32_t Record;
  uint32_t Reserved;
};
static_assert(sizeof(WideSumRow) == 16);

enum class Section : uint8_t {
#define INDEX_SECTION(Name, Tag, Version, RowBytes) Name,
#include "runtime/index/Sections.def"
};

struct SectionKind {
  const char *Tag;
  uint16_t Version;
  uint16_t RowBytes;
};
inline constexpr SectionKind SectionKinds[] = {
#define INDEX_SECTION(Name, Tag, Version, RowBytes) {Tag, Version, RowBytes},
#include "runtime/index/Sections.def"
};
inline constexpr size_t SectionLimit =
    sizeof(SectionKinds) / sizeof(SectionKinds[0]);
constexpr uint64_t aligned(uint64_t Bytes) {
  return (Bytes + SectionAlignment - 1) / SectionAlignment * SectionAlignment;
}
constexpr uint64_t sumBlocks(uint64_t Bytes) {
  return Bytes / SumBlockBytes + (Bytes % SumBlockBytes != 0);
}

} // namespace instantrace::index
