#include "utils/input/TraceIndex.h"

#include "runtime/base/Hash.h"
#include "utils/analysis/index/SequenceTables.h"
#include "utils/analysis/index/SummarySums.h"
#include "utils/input/CompressedTrace.h"
#include "utils/input/FileDescriptor.h"
#include "utils/input/FileKind.h"
#include "utils/input/IndexFeed.h"
#include "utils/input/Leftovers.h"
#include "utils/input/TimeTraceReader.h"
#include "utils/input/TraceInputs.h"
#include "utils/input/TraceStreams.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
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

Result<NameRules> instantrace::rulesOf(const InstantiationIndex &X) {
  std::vector<std::string> Lines;
  if (!X.rules(Lines))
    return Error{X.fault()};
  return NameRules::fromLines(Lines);
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
                            const NameRules &Rules, InputObserver &Seen,
                            LearnedScopes &Into) {
  if (!canBeReadAgain(Files))
    return makeError({}, "several inputs with one that cannot be read twice",
                     "an index of files, or of it alone");
  Identity Of;
  NoEvents None;
  RuledSink First(Rules, None);
  Result<void> Read = forEachStream(
      Files, Seen, {}, First,
      [&](const Trace &T, const InputIdentity &Is, const EventsAgain &) {
        Of.add(Is.SizeBytes, Is.Hash);
        Into.add(LearnedScopes(T));
        return Result<void>();
      });
  if (!Read)
    return Read.error();
  return Of.value();
}

/// The second time; returns what is missing from the traces.
Result<std::vector<std::string>>
indexAll(const std::vector<std::string> &Files, const NameRules &Rules,
         InputObserver &Seen, IndexBuilder &Builder, SummarySums *Summaries,
         Identity &Of) {
  std::vector<std::string> Losses;
  TimeTraceCount TimeTraces;
  uint64_t FileCount = 0;
  IndexFeed Records(Builder);
  TraceFacts Facts;
  BothSinks Both(Records, Facts);
  RuledSink First(Rules, Summaries ? static_cast<TraceSink &>(Both) : Records);
  Result<void> Read = forEachStream(
      Files, Seen, {Summaries ? 2u : 1u}, First,
      [&](const Trace &T, const InputIdentity &Is,
          const EventsAgain &Again) -> Result<void> {
        Of.add(Is.SizeBytes, Is.Hash);
        std::vector<std::string> Lost = T.losses();
        if (!Lost.empty())
          Builder.markIncomplete(T.Sequences.size());
        for (size_t I = 0; I != T.Sequences.size(); ++I) {
          const Sequence &S = T.Sequences[I];
          Builder.setAbout(
              T.Sequences.size() - I,
              aboutSequence(S, T.Files[S.FileIndex], FileCount + S.FileIndex));
        }
        FileCount += T.Sequences.empty() ? 0 : T.Files.size();
        TimeTraces.add(T);
        Losses.insert(Losses.end(), Lost.begin(), Lost.end());
        return Summaries ? Summaries->add(T, Facts, Again) : Result<void>();
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
                                    IndexContent Content,
                                    const NameRules &Rules, bool IsForced,
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
    First = learn(Files, Rules, Seen, Learned);
  if (!First)
    return First.error();
  IndexBuilder Builder(folderToWriteIn(Into));
  Builder.setRules(Rules.lines());
  std::optional<SummarySums> Summaries;
  if (HasSummary)
    Summaries.emplace(AreReadTwice ? &Learned : nullptr);
  Identity Of;
  Result<std::vector<std::string>> Losses = indexAll(
      Files, Rules, Seen, Builder, Summaries ? &*Summaries : nullptr, Of);
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
  NameRules Rules;
  if (!Usual.empty() && isIndex(Usual)) {
    Result<IndexIdentity> Of = identityOf(*Files);
    if (!Of)
      return Of.error();
    Result<InstantiationIndex> X = openExisting(Usual);
    if (Result<NameRules> Before = X ? rulesOf(*X) : NameRules(); Before)
      Rules = std::move(*Before);
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
    Result<void> Index = makeIndex(*Files, Path, Content, Rules, false, Seen);
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
  return openPassingIndex(*Files, Content, Seen, Rules);
}

/// In a folder of its own, of which nobody knows the name beforehand; once it
/// is open it needs none.
Result<InstantiationIndex>
instantrace::openPassingIndex(const std::vector<std::string> &Files,
                              IndexContent Content, InputObserver &Seen,
                              const NameRules &Rules) {
  std::error_code Failed;
  std::string Folder =
      (fs::temp_directory_path(Failed) / "instantrace-XXXXXX").string();
  if (!::mkdtemp(Folder.data()))
    return systemError(Folder);
  std::string Passing = Folder + "/passing.itx";
  Result<void> Index = makeIndex(Files, Passing, Content, Rules, false, Seen);
  Result<InstantiationIndex> X =
      Index ? openExisting(Passing) : Result<InstantiationIndex>(Index.error());
  ::unlink(Passing.c_str());
  ::rmdir(Folder.c_str());
  return X;
}
