#include "utils/input/TraceStreams.h"

#include "runtime/base/Hash.h"
#include "runtime/index/Index.h"
#include "runtime/shm/BufferSnapshot.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/input/CompressedTrace.h"
#include "utils/input/FileDescriptor.h"
#include "utils/input/FileKind.h"
#include "utils/input/InputPlace.h"
#include "utils/input/Leftovers.h"
#include "utils/input/TemplightReader.h"
#include "utils/input/TimeTraceReader.h"
#include "utils/input/TraceInputs.h"

#include <cerrno>
#include <unistd.h>

using namespace instantrace;

namespace {

/// The bytes of a file from its begin, with their hash.
class FileBytes {
public:
  explicit FileBytes(int Descriptor) : Descriptor(Descriptor) {}

  size_t read(char *Into, size_t Most) {
    ssize_t Got = 0;
    do {
      Got = ::pread(Descriptor, Into, Most, static_cast<off_t>(SizeBytes));
    } while (Got < 0 && errno == EINTR);
    if (Got < 0)
      Failure = errno;
    if (Got <= 0)
      return 0;
    Sum.add(Into, static_cast<size_t>(Got));
    SizeBytes += static_cast<uint64_t>(Got);
    return static_cast<size_t>(Got);
  }
  /// Of all bytes, those behind a damage as well.
  InputIdentity identity() {
    std::string Piece(1 << 18, '\0');
    while (read(Piece.data(), Piece.size()) != 0)
      ;
    return {SizeBytes, Sum.value()};
  }
  /// errno; 0: none.
  int failure() const { return Failure; }

private:
  PieceHash Sum; ///< first, since it is aligned to 64 bytes
  uint64_t SizeBytes = 0;
  int Descriptor, Failure = 0;
};

/// One input, wherever its events come from.
class Source {
public:
  static Result<Source> open(const std::string &Path, InputObserver &Seen,
                             const ByteProgress &AtByte);

  const InputIdentity &identity() const { return Of; }
  void takeModel() { IsModel = true; }
  Result<void> read(Trace &Into, TraceSink &Events, const ByteProgress &AtByte);
  Result<void> readAgain(Trace &Known, TraceSink &Events,
                         const ByteProgress &AtByte) const;

private:
  /// Calls \p Use with the packets, and compares what was read with what it was
  /// when it was opened.
  template <class Function> Result<void> withPackets(Function Use) const;

  std::string head() const;

  std::string Name;
  InputIdentity Of;
  FileDescriptor File; ///< if it can be read from there
  std::string Bytes;   ///< otherwise
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
         !InstantiationIndex::hasMagic(Head) && !isTemplight(Head) &&
         !isTimeTrace(Head);
}

Result<Source> Source::open(const std::string &Path, InputObserver &Seen,
                            const ByteProgress &AtByte) {
  Source S;
  S.Name = inputName(Path);
  if (Path != "-" && !isLeftover(Path)) {
    S.File = openRegularFile(Path);
    if (S.File && !isPlainTrace(S.File))
      S.File = FileDescriptor();
  }
  if (S.File) {
    FileBytes From(S.File.get());
    S.IsModel = !areSequencesApart(PacketFraming(
        [&From](char *Into, size_t Most) { return From.read(Into, Most); }));
    S.Of = From.identity();
    if (From.failure() != 0)
      return Error{S.Name + ": " + systemMessage(From.failure())};
    return S;
  }
  Result<std::string> Bytes = readBytes(Path, &Seen, AtByte);
  if (!Bytes)
    return Bytes.error();
  S.Bytes = std::move(*Bytes);
  S.Of = {S.Bytes.size(), hashBytes(S.Bytes)};
  S.IsModel = isTemplight(S.Bytes) || isTimeTrace(S.Bytes) ||
              !areSequencesApart(PacketFraming(S.Bytes));
  return S;
}

template <class Function> Result<void> Source::withPackets(Function Use) const {
  if (!File) {
    Use(PacketFraming(Bytes));
    return {};
  }
  FileBytes From(File.get());
  Use(PacketFraming(
      [&From](char *Into, size_t Most) { return From.read(Into, Most); }));
  InputIdentity Now = From.identity();
  if (From.failure() != 0)
    return Error{Name + ": " + systemMessage(From.failure())};
  if (Now.SizeBytes != Of.SizeBytes || Now.Hash != Of.Hash)
    return makeError(Name, "a trace that changed while it was read",
                     "that of a compile that has ended");
  return {};
}

std::string Source::head() const {
  return File ? openHead(File) : Bytes.substr(0, FileKindBytes);
}

Result<void> Source::read(Trace &Into, TraceSink &Events,
                          const ByteProgress &AtByte) {
  if (!IsModel) {
    Result<void> Read = withPackets([&](PacketFraming From) {
      streamTrace(std::move(From), Of.SizeBytes, Name, Into, Events, AtByte);
    });
    nameForeignFile(head(), Into.Files.back());
    return Read;
  }
  if (File) {
    Bytes.resize(Of.SizeBytes);
    FileBytes From(File.get());
    size_t Used = 0;
    while (size_t Got = From.read(Bytes.data() + Used, Bytes.size() - Used))
      Used += Got;
    Bytes.resize(Used);
    if (From.failure() != 0)
      return Error{Name + ": " + systemMessage(From.failure())};
    if (hashBytes(Bytes) != Of.Hash)
      return makeError(Name, "a trace that changed while it was read",
                       "that of a compile that has ended");
  }
  if (Result<void> Added = addTrace(Bytes, Name, Into, AtByte); !Added)
    return Added.error();
  std::string().swap(Bytes); // the model has what is needed
  feedAll(Into, Events);
  return {};
}

Result<void> Source::readAgain(Trace &Known, TraceSink &Events,
                               const ByteProgress &AtByte) const {
  if (!IsModel)
    return withPackets([&](PacketFraming From) {
      streamAgain(std::move(From), Known.Files.front(), Events, AtByte);
    });
  feedAll(Known, Events);
  return {};
}

} // namespace

void instantrace::feedAll(Trace &T, TraceSink &Events) {
  Events.beginTrace(T.Files.front().Name);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    Sequence &S = T.Sequences[Index];
    feedEvents(S, Events.beginSequence(Index));
    Events.endSequence(S);
  }
}

Result<void> instantrace::forEachStream(const std::vector<std::string> &Files,
                                        InputObserver &Seen,
                                        const StreamSpec &Spec,
                                        TraceSink &First,
                                        const StreamUse &Use) {
  InputPlace Place(Seen, totalBytes(Files));
  bool HasSequence = false;
  std::string Damage;
  for (const std::string &Path : Files) {
    Place.enter(inputName(Path), totalBytes({Path}));
    Result<Source> From = Source::open(Path, Seen, Place.whileItComes());
    if (!From)
      return From.error();
    const uint64_t SizeBytes = From->identity().SizeBytes;
    Place.hasBytes(SizeBytes, Spec.Reads);
    if (Spec.AreWhole)
      From->takeModel();
    uint64_t Before = 0;
    ByteProgress AtByte = [&](uint64_t Done) { Place.at(Before + Done); };
    Trace T;
    if (Result<void> Read = From->read(T, First, AtByte); !Read)
      return Read.error();
    HasSequence |= !T.Sequences.empty();
    if (Damage.empty())
      Damage = damageOf(T);
    EventsAgain Again = [&](TraceSink &Events) {
      Before += SizeBytes;
      return From->readAgain(T, Events, AtByte);
    };
    if (Result<void> Used = Use(T, From->identity(), Again); !Used)
      return Used.error();
  }
  if (!HasSequence && !Damage.empty())
    return Error{Damage};
  return {};
}
