#include "utils/input/TraceIndex.h"

#include "runtime/base/Hash.h"
#include "utils/analysis/index/SequenceTables.h"
#include "utils/analysis/index/SummarySums.h"
#include "utils/input/CompressedTrace.h"
#include "utils/input/EachTrace.h"
#include "utils/input/FileDescriptor.h"
#include "utils/input/Leftovers.h"
#include "utils/input/TimeTraceReader.h"
#include "utils/input/TraceInputs.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <unistd.h>

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
  std::function<void(const InputIdentity &)> adder() {
    return [this](const InputIdentity &Of) { add(Of.SizeBytes, Of.Hash); };
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
  std::string Piece(1 << 20, '\0');
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
  }
  Hash = Sum.value();
  return true;
}

IndexBuilder::LocationIs placeOf(const Location &L) {
  return {L.File, L.LineNo, L.ColumnNo};
}

IndexBuilder::Tables tablesOf(const Sequence &S, index::CompileTables More) {
  IndexBuilder::Tables Tables;
  Tables.More = std::move(More);
  Tables.Names = &S.Names;
  for (const Location &L : S.Locations.Rows)
    Tables.Locations.push_back(placeOf(L));
  for (const Location &L : S.DeclarationLocations.Rows)
    Tables.Declarations.push_back(placeOf(L));
  for (const Entity &E : S.Entities) {
    IndexBuilder::EntityIs Is;
    Is.Name = E.Name;
    Is.TemplateSet = E.TemplateSet;
    Is.Kind = static_cast<uint8_t>(E.Kind);
    if (E.DeclaredAt) {
      Is.DeclaredAt = E.DeclaredAt.number() - 1;
      Is.IsDeclaration = E.DeclaredAt.isDeclaration();
    }
    Tables.Entities.push_back(Is);
  }
  auto Count = [&Tables](EntityId Id, uint64_t Hits) {
    if (Id && Id.Value <= Tables.Entities.size())
      Tables.Entities[Id.Value - 1].Memoized += Hits;
  };
  for (const MemoizedHits &M : S.Memoized)
    Count(M.Entity, M.Hits);
  for (const Instant &I : S.Instants)
    if (I.Kind == EventKind::Memoization)
      Count(I.Entity, 1);
  return Tables;
}

/// \p FileIndex is that of the file among those of the index.
void addSequence(const Sequence &S, const TraceInput &File, uint64_t FileIndex,
                 bool IsIncomplete, IndexBuilder &Builder) {
  IndexBuilder::Compile Of;
  Of.Trace = File.Name;
  Of.IsIncomplete = IsIncomplete;
  Of.Sequence = S.Id;
  if (S.Session) {
    Of.Input = S.Session->Input;
    Of.MonotonicNs = S.Session->MonotonicNs;
    Of.RealtimeNs = S.Session->RealtimeNs;
  }
  Builder.beginCompile(Of);
  std::vector<uint32_t> Open;
  auto End = [&] {
    const Interval &I = S.Intervals[Open.back()];
    Builder.end(I.EndNs, {I.AstBytes, I.Definition, I.HasElided, I.memoized()});
    Open.pop_back();
  };
  for (uint32_t Id = 0; Id != S.Intervals.size(); ++Id) {
    const Interval &I = S.Intervals[Id];
    while (!Open.empty() && Open.back() != I.Parent.Value)
      End();
    Builder.begin(I.BeginNs, static_cast<uint8_t>(I.Kind), I.Entity.Value,
                  I.Location.Value, I.Requester.Value);
    Open.push_back(Id);
  }
  while (!Open.empty() && !S.Intervals[Open.back()].Open)
    End();
  Builder.endCompile(S.LastTimeNs,
                     tablesOf(S, sequenceTables(S, File, FileIndex, Builder)));
}

/// A file that takes the place of another one when it is whole.
class NewFile {
public:
  explicit NewFile(std::string Wanted)
      : Path(std::move(Wanted)),
        Temporary(Path + "." + std::to_string(::getpid()) + ".tmp") {}
  ~NewFile() {
    if (Open)
      ::unlink(Temporary.c_str());
  }
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  Result<void> create() {
    constexpr mode_t Mode = 0666; // as the user's mask says
    Open = FileDescriptor(
        ::open(Temporary.c_str(),
               O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Mode));
    if (!Open)
      return systemError(Path);
    return {};
  }
  int descriptor() const { return Open.get(); }
  Result<void> keep() {
    if (::rename(Temporary.c_str(), Path.c_str()) != 0)
      return systemError(Path);
    Open = FileDescriptor();
    return {};
  }

private:
  std::string Path, Temporary;
  FileDescriptor Open;
};

/// Something of another kind has the name.
Result<void> checkReplaceable(const std::string &Path, bool IsForced) {
  std::error_code Failed;
  if (IsForced || !fs::exists(fs::symlink_status(Path, Failed)) ||
      isIndex(Path))
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

Result<IndexIdentity>
instantrace::identityOf(const std::vector<std::string> &Files) {
  Identity All;
  for (const std::string &Path : Files) {
    uint64_t SizeBytes = 0, Hash = 0;
    Result<bool> IsHashed = hashFile(Path, SizeBytes, Hash);
    if (!IsHashed)
      return IsHashed.error();
    if (!*IsHashed) {
      Result<std::string> Bytes = readBytes(Path);
      if (!Bytes)
        return Bytes.error();
      SizeBytes = Bytes->size();
      Hash = hashBytes(*Bytes);
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

/// What has to be known of all traces before any is grouped.
Result<IndexIdentity> learn(const std::vector<std::string> &Files,
                            InputObserver &Seen, LearnedScopes &Into) {
  if (!canBeReadAgain(Files))
    return makeError({}, "several inputs with one that cannot be read twice",
                     "an index of files, or of it alone");
  Identity Of;
  Result<void> Read = forEachPart<LearnedScopes>(
      EachTrace{Files, Seen, false, Of.adder()},
      [](const Trace &T) { return LearnedScopes(T); },
      [&Into](LearnedScopes One) -> Result<void> {
        Into.add(std::move(One));
        return {};
      });
  if (!Read)
    return Read.error();
  return Of.value();
}

/// The second time; returns what is missing from the traces.
Result<std::vector<std::string>>
indexAll(const std::vector<std::string> &Files, InputObserver &Seen,
         IndexBuilder &Builder, SummarySums *Summaries, Identity &Of) {
  std::vector<std::string> Losses;
  TimeTraceCount TimeTraces;
  uint64_t FileCount = 0;
  Result<void> Read = forEachTrace(
      EachTrace{Files, Seen, false, Of.adder()},
      [&](const Trace &T) -> Result<void> {
        std::vector<std::string> Lost = T.losses();
        for (const Sequence &S : T.Sequences)
          addSequence(S, T.Files[S.FileIndex], FileCount + S.FileIndex,
                      !Lost.empty(), Builder);
        FileCount += T.Sequences.empty() ? 0 : T.Files.size();
        if (Summaries)
          Summaries->add(T);
        TimeTraces.add(T);
        Losses.insert(Losses.end(), Lost.begin(), Lost.end());
        return {};
      });
  if (!Read)
    return Read.error();
  if (std::string Note = TimeTraces.note(); !Note.empty())
    Losses.push_back(std::move(Note));
  return Losses;
}

} // namespace

Result<void> instantrace::makeIndex(const std::vector<std::string> &Files,
                                    const std::string &Into,
                                    IndexContent Content, bool IsForced,
                                    InputObserver &Seen) {
  if (Result<void> May = checkReplaceable(Into, IsForced); !May)
    return May.error();
  NewFile File(Into);
  if (Result<void> Made = File.create(); !Made)
    return Made.error();
  const bool HasSummary = Content == IndexContent::RecordsAndSummary;
  const bool AreReadTwice = HasSummary && Files.size() > 1;
  LearnedScopes Learned;
  Result<IndexIdentity> First = IndexIdentity();
  if (AreReadTwice)
    First = learn(Files, Seen, Learned);
  if (!First)
    return First.error();
  IndexBuilder Builder(folderToWriteIn(Into));
  std::optional<SummarySums> Summaries;
  if (HasSummary)
    Summaries.emplace(AreReadTwice ? &Learned : nullptr);
  Identity Of;
  Result<std::vector<std::string>> Losses =
      indexAll(Files, Seen, Builder, Summaries ? &*Summaries : nullptr, Of);
  if (!Losses)
    return Losses.error();
  IndexIdentity Now = Of.value();
  if (AreReadTwice && (Now.TraceBytes != First->TraceBytes ||
                       Now.TraceHash != First->TraceHash))
    return makeError(Into, "traces that changed while they were read",
                     "those of a build that has ended");
  if (Summaries)
    Builder.setSummary(Summaries->take(Builder));
  Result<void> Written = Builder.finish(Now, File.descriptor());
  if (!Written)
    return Error{Into + ": " + Written.error().Message};
  if (Result<void> Kept = File.keep(); !Kept)
    return Kept.error();
  for (const std::string &Loss : *Losses)
    Seen.warn(Loss);
  return {};
}

namespace {

Result<InstantiationIndex> openExisting(const std::string &Path) {
  InstantiationIndex X;
  std::string Why;
  if (!InstantiationIndex::open(Path, X, Why))
    return Error{Why};
  return X;
}

/// Whoever asks an index again is told what whoever made it was told.
Result<void> warnOfIncomplete(const InstantiationIndex &X,
                              InputObserver &Seen) {
  std::string Last;
  InstantiationIndex::Compile Of = {};
  for (uint32_t Id = 0; Id != X.compileCount(); ++Id) {
    if (!X.compile(Id, Of))
      return Error{X.fault()};
    if (!Of.IsIncomplete || Of.Trace == Last)
      continue;
    Seen.warn(Of.Trace +
              ": is incomplete; `instantrace verify` says what is missing");
    Last = Of.Trace;
  }
  return {};
}

Result<InstantiationIndex> askAgain(Result<InstantiationIndex> X,
                                    InputObserver &Seen) {
  if (X)
    if (Result<void> Read = warnOfIncomplete(*X, Seen); !Read)
      return Read.error();
  return X;
}

} // namespace

Result<InstantiationIndex>
instantrace::openIndex(const std::vector<std::string> &Paths,
                       IndexContent Content, InputObserver &Seen,
                       std::string &Made) {
  if (Paths.size() == 1 && isIndex(Paths.front()))
    return askAgain(openExisting(Paths.front()), Seen);
  Result<std::vector<std::string>> Files = findTraces(Paths);
  if (!Files)
    return Files.error();
  std::string Usual = usualIndexPath(Paths);
  if (!Usual.empty() && isIndex(Usual)) {
    Result<IndexIdentity> Of = identityOf(*Files);
    if (!Of)
      return Of.error();
    Result<InstantiationIndex> X = openExisting(Usual);
    bool IsCurrent = X && X->traceBytes() == Of->TraceBytes &&
                     X->traceHash() == Of->TraceHash;
    // Later versions say more in the summary.
    bool HasAll = X && (Content == IndexContent::Records ||
                        (Content == IndexContent::Tables && X->hasTables()) ||
                        (Content == IndexContent::RecordsAndSummary &&
                         X->hasSummary() && X->isNewest()));
    if (IsCurrent && HasAll)
      return askAgain(std::move(X), Seen);
    Made = X && !IsCurrent ? "of other traces"
           : X && Content == IndexContent::RecordsAndSummary && !X->hasSummary()
               ? "without a summary"
               : "of another version";
  }
  auto Make = [&](const std::string &Path) -> Result<InstantiationIndex> {
    Result<void> Index = makeIndex(*Files, Path, Content, false, Seen);
    if (!Index)
      return Index.error();
    return openExisting(Path);
  };
  if (!Usual.empty()) {
    Result<InstantiationIndex> X = Make(Usual);
    if (X) {
      Made = Usual + ": " +
             (Made.empty() ? "made this index" : "replaced an index " + Made);
      return X;
    }
    if (X.error().Message.rfind(Usual + ":", 0) != 0)
      return X; // of a trace
    Made = X.error().Message + "; this index is not kept";
  } else {
    Made = "this index is not kept; `instantrace index -o` keeps it";
  }
  return openPassingIndex(*Files, Content, Seen);
}

/// In a folder of its own, of which nobody knows the name beforehand; once it
/// is open it needs none.
Result<InstantiationIndex>
instantrace::openPassingIndex(const std::vector<std::string> &Files,
                              IndexContent Content, InputObserver &Seen) {
  std::error_code Failed;
  std::string Folder =
      (fs::temp_directory_path(Failed) / "instantrace-XXXXXX").string();
  if (!::mkdtemp(Folder.data()))
    return systemError(Folder);
  std::string Passing = Folder + "/passing.itx";
  Result<void> Index = makeIndex(Files, Passing, Content, false, Seen);
  Result<InstantiationIndex> X =
      Index ? openExisting(Passing) : Result<InstantiationIndex>(Index.error());
  ::unlink(Passing.c_str());
  ::rmdir(Folder.c_str());
  return X;
}
