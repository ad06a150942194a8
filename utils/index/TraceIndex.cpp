#include "utils/index/TraceIndex.h"

#include "runtime/base/Hash.h"
#include "runtime/base/NewFile.h"
#include "runtime/index/IndexFormat.h"
#include "utils/index/IndexFeed.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/FileKind.h"
#include "utils/open/Leftovers.h"
#include "utils/open/TimeTraceReader.h"
#include "utils/open/TraceInputs.h"
#include "utils/open/TraceStreams.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/HoleWatch.h"

#include <cerrno>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>
#include <unordered_map>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Of several files, that of their sizes and hashes, in their order.
class Identity {
public:
  void add(uint64_t SizeBytes, uint64_t Hash) {
    Last = Hash;
    Sum.TraceBytes += SizeBytes;
    All.add(&SizeBytes, sizeof(SizeBytes)).add(&Hash, sizeof(Hash));
    ++Count;
  }
  IndexIdentity value() {
    Sum.TraceHash = Count == 1 ? Last : All.value();
    return Sum;
  }

private:
  PieceHash All; ///< first, since it is aligned to 64 bytes
  uint64_t Last = 0, Count = 0;
  IndexIdentity Sum;
};

/// Size and hash of a regular file, without keeping it; no size: not one.
Result<bool> hashFile(const std::string &Path, uint64_t &SizeBytes,
                      uint64_t &Hash) {
  if (Path == "-" || isLeftover(Path))
    return false;
  FileDescriptor Open = openRegularFile(Path);
  if (!Open)
    return systemError(Path);
  PieceHash Sum;
  std::string Piece(HoleWatch::PieceBytes, '\0');
  HoleWatch Holes;
  SizeBytes = 0;
  while (true) {
    ssize_t Got = ::read(Open.get(), Piece.data(), Piece.size());
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return systemError(Path);
    if (Got == 0)
      break;
    std::string_view Read(Piece.data(), static_cast<size_t>(Got));
    if (SizeBytes == 0 && isCompressed(Read))
      return false;
    Sum.add(Piece.data(), static_cast<size_t>(Got));
    SizeBytes += static_cast<uint64_t>(Got);
    if (!Holes.goesOn(Read))
      break;
  }
  Hash = Sum.value();
  return true;
}

constexpr std::string_view TemporaryEnding = ".tmp";

/// A file that takes the place of another one when it is whole. It begins as an
/// index from the begin, and is locked, so that `clean` knows what was left by
/// one that was killed.
class NewFile {
public:
  explicit NewFile(std::string Wanted, mode_t Mode = 0666)
      : Path(std::move(Wanted)), Mode(Mode) {}

  Result<void> create() {
    Open = FileDescriptor(
        makeNewFile(Path + ".", TemporaryEnding, O_RDWR, Mode, Temporary));
    if (!Open)
      return systemError(Path);
    ::flock(Open.get(), LOCK_EX | LOCK_NB);
    constexpr std::string_view Begin = index::IndexMagic;
    return ::pwrite(Open.get(), Begin.data(), Begin.size(), 0) < 0
               ? systemError(Path)
               : Result<void>();
  }
  int descriptor() const { return Open.get(); }
  const std::string &path() const { return Path; }
  /// Nobody else has it until it is kept.
  const std::string &temporary() const { return Temporary.path(); }
  Result<void> keep() {
    if (!Temporary.renameTo(Path))
      return systemError(Path);
    Open = FileDescriptor();
    return {};
  }

private:
  std::string Path;
  mode_t Mode; ///< less what the user's mask says
  UnfinishedFile Temporary;
  FileDescriptor Open;
};

/// Something of another kind has the name.
Result<void> checkReplaceable(const std::string &Path, bool IsForced) {
  std::error_code Failed;
  if (IsForced)
    return checkReplacesNoTrace(Path);
  if (!fs::exists(fs::symlink_status(Path, Failed)) || isIndex(Path))
    return {};
  return makeError(Path, "a file that is no index",
                   "none or an index; --force replaces it");
}

std::string folderToWriteIn(const std::string &Path) {
  std::string Folder = fs::path(Path).parent_path().string();
  return Folder.empty() ? "." : Folder;
}

} // namespace

bool instantrace::isIndex(const std::string &Path) {
  FileDescriptor Open = openRegularFile(Path);
  char Begin[8];
  return Open &&
         ::pread(Open.get(), Begin, sizeof(Begin), 0) ==
             static_cast<ssize_t>(sizeof(Begin)) &&
         InstantiationIndex::hasMagic({Begin, sizeof(Begin)});
}

bool instantrace::isUnfinishedIndex(const std::string &Path) {
  if (!Path.ends_with(TemporaryEnding))
    return false;
  std::string_view Rest(Path);
  Rest.remove_suffix(TemporaryEnding.size());
  if (Rest.size() < NewFileDigits + 2 ||
      Rest[Rest.size() - NewFileDigits - 1] != '.')
    return false;
  return Rest.find_first_not_of("0123456789abcdef",
                                Rest.size() - NewFileDigits) == Rest.npos &&
         isIndex(Path);
}

Result<IndexIdentity>
instantrace::identityOf(const std::vector<std::string> &Files) {
  Identity All;
  for (const std::string &Path : Files) {
    uint64_t SizeBytes = 0, Hash = 0;
    INSTANTRACE_TRY_ASSIGN(bool IsHashed, hashFile(Path, SizeBytes, Hash));
    if (!IsHashed) {
      INSTANTRACE_TRY_ASSIGN(std::string Bytes, readBytes(Path));
      SizeBytes = Bytes.size();
      Hash = hashBytes(Bytes);
    }
    All.add(SizeBytes, Hash);
  }
  return All.value();
}

std::string instantrace::usualIndexPath(const std::vector<std::string> &Paths) {
  if (Paths.size() != 1 || Paths.front() == "-")
    return {};
  fs::path Path = Paths.front();
  std::error_code Failed;
  if (fs::is_directory(Path, Failed))
    return (Path / "instantrace.itx").string();
  if (hasTraceName(Path.native()) && Path.extension() == CompressedEnding)
    Path.replace_extension();
  if (Path.extension() == ".itrace")
    return Path.replace_extension(".itx").string();
  return Path.string() + ".itx";
}

namespace {

/// Returns what is missing from the traces.
Result<std::vector<std::string>> indexAll(const std::vector<std::string> &Files,
                                          InputObserver &Seen,
                                          IndexBuilder &Builder, Identity &I) {
  std::vector<std::string> Losses;
  TimeTraceCount TimeTraces;
  IndexFeed Records(Builder);
  INSTANTRACE_TRY(forEachStream(
      Files, Seen, Records, [&](const Trace &T, const InputIdentity &Is) {
        I.add(Is.SizeBytes, Is.Hash);
        std::vector<std::string> Lost = T.losses();
        if (!Lost.empty())
          Builder.markIncomplete(T.Sequences.size());
        TimeTraces.add(T);
        Losses.insert(Losses.end(), Lost.begin(), Lost.end());
        return Result<void>();
      }));
  if (std::string Note = TimeTraces.note(); !Note.empty())
    Losses.push_back(std::move(Note));
  return Losses;
}

/// How messages name an index that has no file of its own.
std::string namesOf(const std::vector<std::string> &Files) {
  std::string First = Files.empty() ? "" : inputName(Files.front());
  return Files.size() < 2
             ? First
             : First + " and " + std::to_string(Files.size() - 1) + " more";
}

/// Opens what it makes for who wants it, before it has its name: afterwards
/// that could be the name of another one, which somebody else has made.
Result<void> fillIndex(const std::vector<std::string> &Files, NewFile &File,
                       InputObserver &Seen, InstantiationIndex *Opened,
                       const std::string &Name) {
  INSTANTRACE_TRY(File.create());
  IndexBuilder Builder(folderToWriteIn(File.path()));
  Identity I;
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Losses,
                         indexAll(Files, Seen, Builder, I));
  Result<void> Written = Builder.finish(I.value(), File.descriptor());
  if (!Written)
    return Error{File.path() + ": " + Written.error().Message};
  std::string Why;
  if (Opened && !InstantiationIndex::open(File.temporary(), *Opened, Why, Name))
    return Error{Why};
  for (const std::string &Loss : Losses)
    Seen.warn(Loss);
  return {};
}

Result<void> writeIndex(const std::vector<std::string> &Files,
                        const std::string &Into, bool IsForced,
                        InputObserver &Seen, InstantiationIndex *Opened) {
  INSTANTRACE_TRY(checkReplaceable(Into, IsForced));
  NewFile File(Into);
  INSTANTRACE_TRY(fillIndex(Files, File, Seen, Opened, Into));
  return File.keep();
}

} // namespace

Result<void> instantrace::makeIndex(const std::vector<std::string> &Files,
                                    const std::string &Into, bool IsForced,
                                    InputObserver &Seen) {
  return writeIndex(Files, Into, IsForced, Seen, nullptr);
}

namespace {

Result<InstantiationIndex> openExisting(const std::string &Path) {
  InstantiationIndex X;
  std::string Why;
  if (!InstantiationIndex::open(Path, X, Why))
    return Error{Why};
  return X;
}

/// A trace that has compiles in an index.
struct IndexedFile {
  std::string Path;
  bool IsIncomplete;
};

Result<std::vector<IndexedFile>> filesOf(const InstantiationIndex &X) {
  std::vector<IndexedFile> Indexed;
  InstantiationIndex::Compile C = {};
  for (uint32_t Id = 0; Id != X.compileCount(); ++Id) {
    if (!X.compile(Id, C))
      return Error{X.fault()};
    if (Indexed.empty() || Indexed.back().Path != C.Trace)
      Indexed.push_back({C.Trace, false});
    Indexed.back().IsIncomplete |= C.IsIncomplete;
  }
  return Indexed;
}

/// The traces are in the same order as when the index was made of these bytes.
/// Those that have no compile are not among \p Then, which are known by their
/// last parts; where these do not fit either, paths stay what they were.
std::unordered_map<std::string, std::string>
presentNames(const std::vector<IndexedFile> &Then,
             const std::vector<std::string> &Now) {
  std::unordered_map<std::string, std::string> Names;
  size_t Index = 0;
  for (const IndexedFile &File : Then) {
    const fs::path Last = fs::path(File.Path).filename();
    while (Then.size() != Now.size() && Index != Now.size() &&
           fs::path(Now[Index]).filename() != Last)
      ++Index;
    if (Index == Now.size())
      return {};
    if (std::string Name = inputName(Now[Index++]); Name != File.Path)
      Names[File.Path] = std::move(Name);
  }
  return Names;
}

/// Whoever asks an index again is told what whoever made it was told. \p Files
/// are the traces that it is of, where these were looked for.
Result<InstantiationIndex> askAgain(Result<InstantiationIndex> X,
                                    const std::vector<std::string> &Files,
                                    InputObserver &Seen) {
  if (!X)
    return X;
  INSTANTRACE_TRY_ASSIGN(std::vector<IndexedFile> Indexed, filesOf(*X));
  X->setTraceNames(presentNames(Indexed, Files));
  for (const IndexedFile &File : Indexed)
    if (File.IsIncomplete)
      Seen.warn(X->traceName(File.Path) +
                ": is incomplete; `instantrace verify` says what is missing");
  return X;
}

} // namespace

Result<InstantiationIndex>
instantrace::openIndex(const std::vector<std::string> &Paths,
                       InputObserver &Seen, std::string &Made) {
  if (Paths.size() == 1 && isIndex(Paths.front()))
    return askAgain(openExisting(Paths.front()), {}, Seen);
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraces(Paths, &Seen));
  std::string Usual = usualIndexPath(Paths);
  if (!Usual.empty() && isIndex(Usual)) {
    Result<InstantiationIndex> X = openExisting(Usual);
    INSTANTRACE_TRY_ASSIGN(IndexIdentity Identity, identityOf(Files));
    if (X && X->traceBytes() == Identity.TraceBytes &&
        X->traceHash() == Identity.TraceHash)
      return askAgain(std::move(X), Files, Seen);
    Made = X ? "of other traces" : "that cannot be read";
  }
  if (!Usual.empty()) {
    InstantiationIndex X;
    Result<void> Kept = writeIndex(Files, Usual, /*IsForced=*/false, Seen, &X);
    if (Kept) {
      Made = Usual + ": " +
             (Made.empty() ? "made this index" : "replaced an index " + Made);
      return X;
    }
    if (Kept.error().Message.rfind(Usual + ":", 0) != 0)
      return Kept.error(); // of a trace
    Made = Kept.error().Message + "; this index is not kept";
  } else {
    Made = "this index is not kept; `instantrace index -o` keeps it";
  }
  return openPassingIndex(Files, Seen);
}

/// Once it is open it needs no name.
Result<InstantiationIndex>
instantrace::openPassingIndex(const std::vector<std::string> &Files,
                              InputObserver &Seen) {
  std::error_code Failed;
  constexpr mode_t OwnerOnly = 0600; // anybody may look into that folder
  NewFile File((fs::temp_directory_path(Failed) / "instantrace").string(),
               OwnerOnly);
  InstantiationIndex X;
  INSTANTRACE_TRY(fillIndex(Files, File, Seen, &X, namesOf(Files)));
  return X;
}
