#include "plugin/LocationResolver.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManagerInternals.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>

using namespace clang;

namespace instantrace {

size_t
LocationResolver::InclusionKeyHash::operator()(const InclusionKey &Key) const {
  return llvm::hash_combine(Key.Path.Value, Key.File.getHashValue(),
                            Key.IncludedAt.getRawEncoding(), Key.IsSystem);
}

NameId LocationResolver::pathOf(const char *Name) {
  if (Name != LastName) {
    LastName = Name;
    LastPath = Strings.ordinal(Strings.intern(Name));
  }
  return LastPath;
}

LocationResolver::InclusionKey
LocationResolver::keyOf(SourceLocation InFile, const PresumedLoc &Presumed) {
  return {pathOf(Presumed.getFilename()), Sources.getFileID(InFile),
          Presumed.getIncludeLoc(), Sources.isInSystemHeader(InFile)};
}

/// With those that it is inside of. Not recursive: line markers can nest files
/// as deep as the input is long.
uint32_t LocationResolver::inclusionOf(const InclusionKey &Innermost) {
  llvm::SmallVector<InclusionKey, 16> Entered;
  uint32_t Id = 0;
  for (InclusionKey Key = Innermost;;) {
    // An id of 0 while its own includers are looked for.
    auto [It, IsNew] = InclusionIds.try_emplace(Key, 0);
    if (!IsNew) {
      Id = It->second;
      break;
    }
    Entered.push_back(Key);
    SourceLocation Location = Sources.getExpansionLoc(Key.IncludedAt);
    if (!canBeRead(Sources.getFileID(Location)))
      break;
    PresumedLoc Presumed = Sources.getPresumedLoc(Location);
    if (Presumed.isInvalid())
      break;
    Key = keyOf(Location, Presumed);
  }
  for (; !Entered.empty(); Entered.pop_back())
    Id = addInclusion(Entered.back(), Id);
  return Id;
}

uint32_t LocationResolver::addInclusion(const InclusionKey &Key,
                                        uint32_t IncludedFrom) {
  InclusionRow Row;
  Row.Path = Key.Path;
  Row.IncludedFrom = IncludedFrom;
  Row.IsSystem = Key.IsSystem;
  if (IncludedFrom != 0) {
    SourceLocation Location = Sources.getExpansionLoc(Key.IncludedAt);
    PresumedLoc Presumed = Sources.getPresumedLoc(Location);
    Row.LineNo = Presumed.getLine();
    // A line marker stands in a line of its own, wherever the #include was.
    if (Sources.getFileID(Location) != Key.File)
      Row.ColumnNo = Presumed.getColumn();
  }
  Inclusions.push_back(Row);
  auto Id = static_cast<uint32_t>(Inclusions.size());
  InclusionIds[Key] = Id;
  FirstInclusions.insert(Key.Path.Value, Id);
  EnteredFiles.insert(Key.File);
  return Id;
}

const LocationResolver::Segment &
LocationResolver::segmentOf(FileID File, uint32_t MarkerBytes,
                            SourceLocation InFile) {
  auto [It, IsNew] = Segments.try_emplace(
      uint64_t(File.getHashValue()) << 32 | MarkerBytes, Segment());
  Segment &S = It->second;
  if (!IsNew)
    return S;
  PresumedLoc Presumed = Sources.getPresumedLoc(InFile);
  PresumedLoc Physical =
      Sources.getPresumedLoc(InFile, /*UseLineDirectives=*/false);
  if (Presumed.isInvalid() || Physical.isInvalid())
    return S;
  S.IsValid = true;
  S.LineDelta = int64_t(Presumed.getLine()) - int64_t(Physical.getLine());
  InclusionKey Key = keyOf(InFile, Presumed);
  S.File = Key.Path;
  NameId PhysicalFile = pathOf(Physical.getFilename());
  if (S.LineDelta != 0 || !(PhysicalFile == S.File))
    S.PhysicalFile = PhysicalFile;
  S.Inclusion = inclusionOf(Key);
  S.IsFirstOfFile = FirstInclusions.lookup(S.File.Value) == S.Inclusion;
  return S;
}

/// What Clang says of a line, once it has made the file's table of lines; it
/// alone knows the last byte of a line, and the last line.
bool LocationResolver::findInLines(const SrcMgr::SLocEntry &Entry,
                                   unsigned OffsetBytes, Position &Place) {
  const auto &Lines = Entry.getFile().getContentCache().SourceLineCache;
  if (!Lines)
    return false;
  llvm::ArrayRef<unsigned> Starts = Lines.getLines();
  const unsigned *Next =
      std::upper_bound(Starts.begin(), Starts.end(), OffsetBytes);
  if (Next == Starts.begin() || Next == Starts.end() ||
      *Next == OffsetBytes + 1)
    return false;
  Place.PhysicalLineNo = static_cast<uint32_t>(Next - Starts.begin());
  Place.ColumnNo = OffsetBytes - Next[-1] + 1;
  return true;
}

/// A file of a PCH is read when its lines are asked for. Read in vain, it would
/// be marked as invalid, and Clang would not report that it is gone when it
/// needs it itself.
bool LocationResolver::canBeRead(FileID File) {
  if (!Sources.isLoadedFileID(File) || Sources.getBufferDataIfLoaded(File))
    return true;
  auto [It, IsNew] = ReadableFiles.insert(File, true);
  const FileEntry *Known = Sources.getFileEntryForID(File);
  if (!IsNew || !Known)
    return It->second;
  StringRef Name = Sources.getFilename(Sources.getLocForStartOfFile(File));
  llvm::ErrorOr<llvm::vfs::Status> Now =
      Sources.getFileManager().getVirtualFileSystem().status(Name);
  It->second = Now && static_cast<uint64_t>(Known->getSize()) == Now->getSize();
  return It->second;
}

LocationResolver::Position LocationResolver::positionOf(SourceLocation InFile) {
  auto [File, OffsetBytes] = Sources.getDecomposedLoc(InFile);
  bool IsInvalid = false;
  const SrcMgr::SLocEntry &Entry = Sources.getSLocEntry(File, &IsInvalid);
  if (IsInvalid || !Entry.isFile() || !canBeRead(File))
    return {};
  uint32_t MarkerBytes = 0;
  if (Entry.getFile().hasLineDirectives())
    if (const LineEntry *Marker =
            Sources.getLineTable().FindNearestLineEntry(File, OffsetBytes))
      MarkerBytes = Marker->FileOffset;
  Position Place;
  const Segment &S = segmentOf(File, MarkerBytes, InFile);
  if (!S.IsValid)
    return {};
  if (!findInLines(Entry, OffsetBytes, Place)) {
    Place.PhysicalLineNo = Sources.getLineNumber(File, OffsetBytes, &IsInvalid);
    if (IsInvalid)
      return {};
    Place.ColumnNo = Sources.getColumnNumber(File, OffsetBytes, &IsInvalid);
    if (IsInvalid)
      return {};
  }
  Place.LineNo = static_cast<uint32_t>(Place.PhysicalLineNo + S.LineDelta);
  Place.Enclosing = &S;
  return Place;
}

LocationRows LocationResolver::resolve(llvm::ArrayRef<uint32_t> RawLocations) {
  LocationRows Result;
  Result.Rows.reserve(RawLocations.size());
  for (uint32_t Raw : RawLocations) {
    SourceLocation Location = SourceLocation::getFromRawEncoding(Raw);
    if (mustNotLoad(Location)) {
      Result.Rows.push_back({Strings.ordinal(Strings.intern("")), 0, 0});
      continue;
    }
    CharSourceRange Expansion(Location, /*ITR=*/true);
    if (Location.isMacroID())
      Expansion = Sources.getExpansionRange(Location);
    // The halves of a `>>` that closes two argument lists are expansions, too,
    // but of no macro.
    bool IsInMacro = Location.isMacroID() && Expansion.isTokenRange();
    Position Place = positionOf(Expansion.getBegin());
    LocationDetailRow Detail;
    Detail.Element = static_cast<uint32_t>(Result.Rows.size());
    if (!Place.Enclosing) {
      Result.Rows.push_back({Strings.ordinal(Strings.intern("")), 0, 0});
      continue;
    }
    Result.Rows.push_back(
        {Place.Enclosing->File, Place.LineNo, Place.ColumnNo});
    if (Place.Enclosing->IsFirstOfFile && !Place.Enclosing->PhysicalFile &&
        !IsInMacro)
      continue;
    if (!Place.Enclosing->IsFirstOfFile)
      Detail.Inclusion = Place.Enclosing->Inclusion;
    if (Place.Enclosing->PhysicalFile) {
      Detail.PhysicalFile = Place.Enclosing->PhysicalFile;
      Detail.PhysicalLineNo = Place.PhysicalLineNo;
    }
    if (IsInMacro)
      addMacro(Location, Expansion, *Place.Enclosing, Detail);
    Result.Details.push_back(Detail);
  }
  return Result;
}

void LocationResolver::addMacro(SourceLocation Location,
                                CharSourceRange Expansion,
                                const Segment &Enclosing,
                                LocationDetailRow &Detail) {
  Detail.Macro = macroName(Expansion.getBegin());
  // An expansion that ends in another segment ends at no line of this one.
  Position End = positionOf(Expansion.getEnd());
  if (End.Enclosing == &Enclosing) {
    Detail.ExpansionEndLineNo = End.LineNo;
    Detail.ExpansionEndColumnNo = End.ColumnNo;
  }
  SourceLocation Spelled = spelledAt(Location);
  if (mustNotLoad(Spelled))
    return;
  // A macro of a PCH is in a file that need not be read for anything else.
  if (!Sources.getBufferDataIfLoaded(Sources.getFileID(Spelled)))
    return;
  Position Place = positionOf(Spelled);
  if (!Place.Enclosing)
    return;
  Detail.SpellingFile = Place.Enclosing->File;
  Detail.SpellingLineNo = Place.LineNo;
  Detail.SpellingColumnNo = Place.ColumnNo;
}

NameId LocationResolver::macroName(SourceLocation ExpandedAt) {
  if (ExpandedAt == LastExpansion)
    return LastMacro;
  LastExpansion = ExpandedAt;
  LastMacro = {};
  if (!Sources.getBufferDataIfLoaded(Sources.getFileID(ExpandedAt)))
    return LastMacro;
  llvm::SmallString<64> Buffer;
  bool IsInvalid = false;
  StringRef Name =
      Lexer::getSpelling(ExpandedAt, Buffer, Sources, Language, &IsInvalid);
  if (!IsInvalid && !Name.empty())
    LastMacro = Strings.ordinal(Strings.intern({Name.data(), Name.size()}));
  return LastMacro;
}

/// The text of tokens that ## and # make is in a buffer of the preprocessor's
/// own. For these, where the first operand is spelled.
SourceLocation LocationResolver::spelledAt(SourceLocation Location) {
  while (Location.isMacroID()) {
    SourceLocation Spelled = Sources.getImmediateSpellingLoc(Location);
    bool IsMade = !mustNotLoad(Spelled) && Spelled.isFileID() &&
                  isScratchSpace(Sources.getFileID(Spelled));
    Location = IsMade ? Sources.getImmediateExpansionRange(Location).getBegin()
                      : Spelled;
  }
  return Location;
}

bool LocationResolver::isScratchSpace(FileID File) {
  auto [It, IsNew] = ScratchFiles.insert(File, false);
  if (IsNew && !Sources.getFileEntryForID(File))
    It->second = Sources.getBufferOrFake(File).getBufferIdentifier() ==
                 "<scratch space>";
  return It->second;
}

void LocationResolver::addOtherInclusions(llvm::ArrayRef<FileID> Entered) {
  for (FileID File : Entered) {
    if (EnteredFiles.contains(File))
      continue;
    bool IsInvalid = false;
    const SrcMgr::SLocEntry &Entry = Sources.getSLocEntry(File, &IsInvalid);
    if (IsInvalid || !Entry.isFile() ||
        Entry.getFile().getIncludeLoc().isInvalid())
      continue;
    // Not as it is presumed to be, which would cost a look for its lines.
    StringRef Name = Sources.getFilename(Sources.getLocForStartOfFile(File));
    if (Name.empty())
      continue;
    InclusionKey Key;
    Key.Path = Strings.ordinal(Strings.intern({Name.data(), Name.size()}));
    Key.File = File;
    Key.IncludedAt = Entry.getFile().getIncludeLoc();
    // At its end, since a pragma may come after the first line.
    Key.IsSystem = Sources.isInSystemHeader(Sources.getLocForEndOfFile(File));
    inclusionOf(Key);
  }
}

} // namespace instantrace
