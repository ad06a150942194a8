#include "utils/open/TraceStreams.h"

#include "runtime/base/Hash.h"
#include "runtime/index/Index.h"
#include "runtime/read/TraceScan.h"
#include "runtime/shm/BufferSnapshot.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/FileKind.h"
#include "utils/open/InputPlace.h"
#include "utils/open/Leftovers.h"
#include "utils/open/TimeTraceReader.h"
#include "utils/open/TraceInputs.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/HoleWatch.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace instantrace;

namespace {

/// The bytes of a file, from any place before its end or a hole.
class FileBytes {
public:
  explicit FileBytes(int Descriptor) : Descriptor(Descriptor) {}

  size_t read(uint64_t Offset, char *Into, size_t Most) {
    if (Offset >= EndBytes)
      return 0;
    Most = std::min<uint64_t>({Most, HoleWatch::PieceBytes, EndBytes - Offset});
    ssize_t Got = 0;
    do {
      Got = ::pread(Descriptor, Into, Most, static_cast<off_t>(Offset));
    } while (Got < 0 && errno == EINTR);
    if (Got < 0)
      Failure = errno;
    if (Got <= 0)
      return 0;
    const auto GotBytes = static_cast<size_t>(Got);
    if (!Holes.goesOn({Into, GotBytes}))
      EndBytes = Offset + GotBytes;
    return GotBytes;
  }
  InputIdentity identity() {
    PieceHash Sum;
    uint64_t SizeBytes = 0;
    std::string Piece(HoleWatch::PieceBytes, '\0');
    while (size_t Got = read(SizeBytes, Piece.data(), Piece.size())) {
      Sum.add(Piece.data(), Got);
      SizeBytes += Got;
    }
    return {SizeBytes, Sum.value()};
  }
  /// errno; 0: none.
  int failure() const { return Failure; }

private:
  int Descriptor, Failure = 0;
  HoleWatch Holes;
  uint64_t EndBytes = UINT64_MAX; ///< a hole's begin, once it was met
};

/// One input, wherever its events come from.
class Source {
public:
  /// \p Rounds may be null.
  static Result<Source> open(const std::string &Path, InputObserver &Seen,
                             const ByteProgress &AtByte, InputRounds *Rounds);

  uint64_t sizeBytes() const { return File ? Before.SizeBytes : Bytes->size(); }
  /// Reads all of it.
  Result<InputIdentity> identity() const;
  Result<void> read(Trace &Into, TraceSink &Events, const ByteProgress &AtByte);

private:
  /// Calls \p Use with the bytes, which are to be the same until it returns as
  /// when they were opened.
  template <class Function> Result<void> withBytes(Function Use) const;

  std::string head() const;

  std::string Name;
  FileDescriptor File;                      ///< if it can be read from there
  FileState Before;                         ///< of the file
  std::shared_ptr<const std::string> Bytes; ///< otherwise
  bool IsModel = false;
};

std::string openHead(const FileDescriptor &File) {
  std::string Head(FileKindBytes, '\0');
  ssize_t Got = ::pread(File.get(), Head.data(), Head.size(), 0);
  Head.resize(Got < 0 ? 0 : static_cast<size_t>(Got));
  return Head;
}

/// Whether a file is a trace as the plugin writes it. What is none is told
/// apart by readBytes().
bool isPlainTrace(const FileDescriptor &File) {
  std::string Head = openHead(File);
  return !Head.empty() && !isCompressed(Head) && !hasBufferMagic(Head) &&
         !InstantiationIndex::hasMagic(Head) && !isTimeTrace(Head);
}

/// An error if a file is not what it was in the round before.
Result<void> checkRound(const std::string &Path, InputRounds::Known &Known) {
  struct stat Is{};
  if (::stat(Path.c_str(), &Is) != 0)
    return {}; // opening it says why
  FileState Now(Is);
  if (Known.State && *Known.State != Now)
    return changedWhileRead(Path);
  Known.State = Now;
  return {};
}

/// Of what can be read once, the same each time.
Result<std::shared_ptr<const std::string>> readOnce(const std::string &Path,
                                                    InputObserver &Seen,
                                                    const ByteProgress &AtByte,
                                                    InputRounds::Known &Known) {
  if (!Known.Bytes) {
    INSTANTRACE_TRY_ASSIGN(std::string Bytes,
                           readBytes(Path, &Known.Messages, AtByte));
    Known.Bytes = std::make_shared<const std::string>(std::move(Bytes));
  }
  Known.Messages.tell(Seen);
  return Known.Bytes;
}

Result<Source> Source::open(const std::string &Path, InputObserver &Seen,
                            const ByteProgress &AtByte, InputRounds *Rounds) {
  Source S;
  S.Name = inputName(Path);
  const bool IsFile = areFiles({Path}) && !isLeftover(Path);
  if (Rounds && IsFile)
    INSTANTRACE_TRY(checkRound(Path, Rounds->input(Path)));
  if (IsFile) {
    S.File = openRegularFile(Path);
    if (S.File && !isPlainTrace(S.File))
      S.File = FileDescriptor();
  }
  if (S.File) {
    std::optional<FileState> Is = fileStateOf(S.File.get());
    if (!Is)
      return Error{S.Name + ": " + systemMessage(errno)};
    S.Before = *Is;
    return S;
  }
  if (Rounds && !IsFile) {
    INSTANTRACE_TRY_ASSIGN(S.Bytes,
                           readOnce(Path, Seen, AtByte, Rounds->input(Path)));
  } else {
    INSTANTRACE_TRY_ASSIGN(std::string Bytes, readBytes(Path, &Seen, AtByte));
    S.Bytes = std::make_shared<const std::string>(std::move(Bytes));
  }
  S.IsModel = isTimeTrace(*S.Bytes);
  return S;
}

Result<InputIdentity> Source::identity() const {
  if (!File)
    return InputIdentity{Bytes->size(), hashBytes(*Bytes)};
  FileBytes Content(File.get());
  InputIdentity Identity = Content.identity();
  if (Content.failure() != 0)
    return Error{Name + ": " + systemMessage(Content.failure())};
  return Identity;
}

template <class Function> Result<void> Source::withBytes(Function Use) const {
  if (!File) {
    TraceBytes Input(*Bytes);
    Use(Input);
    return {};
  }
  FileBytes Content(File.get());
  TraceBytes Input([&Content](uint64_t Offset, char *Into, size_t Most) {
    return Content.read(Offset, Into, Most);
  });
  Use(Input);
  if (Content.failure() != 0)
    return Error{Name + ": " + systemMessage(Content.failure())};
  if (fileStateOf(File.get()) != Before)
    return changedWhileRead(Name);
  return {};
}

std::string Source::head() const {
  return File ? openHead(File) : Bytes->substr(0, FileKindBytes);
}

Result<void> Source::read(Trace &Into, TraceSink &Events,
                          const ByteProgress &AtByte) {
  if (!IsModel) {
    Into.Clock = eventClock();
    Result<void> Read = withBytes([&](TraceBytes &Input) {
      streamTrace(Input, sizeBytes(), Name, Into, Events, AtByte);
    });
    nameForeignFile(head(), Into.Files.back());
    return Read;
  }
  INSTANTRACE_TRY(addTrace(*Bytes, Name, Into, AtByte));
  Bytes.reset(); // the model has what is needed
  feedAll(Into, Events);
  return {};
}

} // namespace

void instantrace::feedAll(Trace &T, TraceSink &Events) {
  Events.beginTrace(T.Files.front().Name);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    Sequence &S = T.Sequences[Index];
    if (LookAhead *Ahead = Events.lookAhead())
      *Ahead = lookAhead(S);
    feedEvents(S, Events.beginSequence(Index));
    Events.endSequence(S);
  }
}

Result<void> instantrace::streamFile(
    const std::string &Path, InputObserver &Seen,
    const ByteProgress &WhileItComes,
    const std::function<void(uint64_t Done, uint64_t All)> &Progress,
    Trace &Into, TraceSink &Events, InputRounds *Rounds) {
  INSTANTRACE_TRY_ASSIGN(Source S,
                         Source::open(Path, Seen, WhileItComes, Rounds));
  const uint64_t All = S.sizeBytes();
  return S.read(Into, Events, [&](uint64_t Done) { Progress(Done, All); });
}

Result<void> instantrace::forEachStream(const std::vector<std::string> &Files,
                                        InputObserver &Seen, TraceSink &Events,
                                        const StreamUse &Use) {
  InputPlace Place(Seen, totalBytes(Files));
  bool HasSequence = false;
  std::string Damage;
  for (const std::string &Path : Files) {
    Place.enter(inputName(Path), totalBytes({Path}));
    INSTANTRACE_TRY_ASSIGN(
        Source S, Source::open(Path, Seen, Place.whileItComes(), nullptr));
    INSTANTRACE_TRY_ASSIGN(InputIdentity Identity, S.identity());
    Place.hasBytes(S.sizeBytes());
    Trace T;
    INSTANTRACE_TRY(
        S.read(T, Events, [&Place](uint64_t Done) { Place.at(Done); }));
    HasSequence |= !T.Sequences.empty();
    if (Damage.empty())
      Damage = damageOf(T);
    INSTANTRACE_TRY(Use(T, Identity));
  }
  if (!HasSequence && !Damage.empty())
    return Error{Damage};
  return {};
}
