/// \file
/// Turns raw source locations into files, lines and columns, and finds which
/// macro and which inclusion of a file each is in.
///
/// Flow:   NamingPass -> LocationResolver -> LocationRows, InclusionRow
///         -> TraceWriter
/// Leaves: which locations when, and writing
/// Reads:  source text only where it is in memory, but for line numbers: Clang
///         reads the file of a location in a PCH for these
///
/// A compile has up to a hundred thousand locations. What they have in common
/// is therefore found once per *segment*: a file up to its first line marker,
/// or the text from one marker to the next. #line, a line marker of
/// preprocessed input and `#pragma GCC system_header` are such markers, so
/// within a segment the presumed file, the distance between presumed and
/// physical line, the include chain and whether it is a system header are one.
#pragma once

#include "plugin/memory/SteadyMap.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/strings/StringTable.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace instantrace {

class LocationResolver {
public:
  /// All three must outlive the object.
  LocationResolver(clang::SourceManager &Sources,
                   const clang::LangOptions &Language, StringTable &Strings)
      : Sources(Sources), Language(Language), Strings(Strings) {}

  /// From now on, what is in a PCH or a module has no place.
  void neverLoad() { NeverLoads = true; }

  /// Of SourceLocations' raw encodings. The inclusions that the result names
  /// are in inclusions() afterwards.
  LocationRows resolve(llvm::ArrayRef<uint32_t> RawLocations);

  /// Adds those of \p Entered that have no location.
  void addOtherInclusions(llvm::ArrayRef<clang::FileID> Entered);

  /// Element i has id i + 1; elements are only ever added.
  const std::vector<InclusionRow> &inclusions() const { return Inclusions; }

private:
  struct Segment {
    NameId File;
    NameId PhysicalFile;   ///< none: as File, and the lines are the same
    int64_t LineDelta = 0; ///< presumed minus physical
    uint32_t Inclusion = 0;
    bool IsFirstOfFile = false; ///< no earlier inclusion has the path
    bool IsValid = false;
  };
  /// Of a place in a file.
  struct Position {
    const Segment *Enclosing = nullptr; ///< null: Clang knows no file for it
    uint32_t LineNo = 0, ColumnNo = 0, PhysicalLineNo = 0;
  };
  struct InclusionKey {
    NameId Path;
    clang::FileID File;
    clang::SourceLocation IncludedAt;
    bool IsSystem;
    bool operator==(const InclusionKey &Other) const {
      return Path == Other.Path && File == Other.File &&
             IncludedAt == Other.IncludedAt && IsSystem == Other.IsSystem;
    }
  };
  struct InclusionKeyHash {
    size_t operator()(const InclusionKey &Key) const;
  };

  Position positionOf(clang::SourceLocation InFile);
  static bool findInLines(const clang::SrcMgr::SLocEntry &Entry,
                          unsigned OffsetBytes, Position &Place);
  const Segment &segmentOf(clang::FileID File, uint32_t MarkerBytes,
                           clang::SourceLocation InFile);
  uint32_t inclusionOf(const InclusionKey &Innermost);
  InclusionKey keyOf(clang::SourceLocation InFile,
                     const clang::PresumedLoc &Presumed);
  uint32_t addInclusion(const InclusionKey &Key, uint32_t IncludedFrom);
  void addMacro(clang::SourceLocation Location,
                clang::CharSourceRange Expansion, const Segment &Enclosing,
                LocationDetailRow &Detail);
  NameId macroName(clang::SourceLocation ExpandedAt);
  clang::SourceLocation spelledAt(clang::SourceLocation Location);
  bool isScratchSpace(clang::FileID File);
  bool mustNotLoad(clang::SourceLocation Location) const {
    return NeverLoads && Sources.isLoadedSourceLocation(Location);
  }
  bool canBeRead(clang::FileID File);
  NameId pathOf(const char *Name);

  clang::SourceManager &Sources;
  const clang::LangOptions &Language;
  StringTable &Strings;
  bool NeverLoads = false;

  /// By file and offset of the marker that begins it; 0 before the first one.
  /// Values stay where they are.
  std::unordered_map<uint64_t, Segment> Segments;
  std::unordered_map<InclusionKey, uint32_t, InclusionKeyHash> InclusionIds;
  std::vector<InclusionRow> Inclusions;
  SteadyMap<uint64_t, uint32_t> FirstInclusions; ///< by path
  SteadySet<clang::FileID> EnteredFiles;         ///< with an inclusion
  SteadyMap<clang::FileID, bool> ScratchFiles, ReadableFiles;

  const char *LastName = nullptr; ///< that pathOf() was asked for
  NameId LastPath;
  clang::SourceLocation LastExpansion;
  NameId LastMacro; ///< expanded there
};

} // namespace instantrace
