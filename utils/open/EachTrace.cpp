#include "utils/open/EachTrace.h"

#include "utils/open/OrderedWork.h"
#include "utils/open/TraceInputs.h"
#include "utils/open/TraceStreams.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>

using namespace instantrace;

namespace {

/// Whether the command line names \p File, spelled so or otherwise.
bool isAmong(const std::vector<std::string> &Named, const std::string &File) {
  auto place = [](const std::string &Path) {
    std::error_code NoFile;
    std::filesystem::path Place = std::filesystem::canonical(Path, NoFile);
    return NoFile ? std::filesystem::path(Path).lexically_normal() : Place;
  };
  return std::any_of(Named.begin(), Named.end(), [&](const std::string &Name) {
    return Name == File || place(Name) == place(File);
  });
}

/// Where a compile ran, the same in whatever order files are named; for traces
/// of which no session says where their build did.
std::string commonFolder(std::vector<std::string> Files,
                         const InputObserver &Seen) {
  std::erase_if(Files, [&Seen](const std::string &File) {
    std::error_code Failed;
    return !Seen.buildFolder(File).empty() ||
           !std::filesystem::is_regular_file(File, Failed);
  });
  if (Files.size() < 2)
    return {};
  Trace First;
  NoEvents Unread;
  KeptMessages Unseen; // reading it says them
  Result<void> Read = streamFile(
      *std::ranges::min_element(Files), Unseen, nullptr,
      [](uint64_t, uint64_t) {}, First, Unread, nullptr);
  return Read ? First.BuildFolder : "";
}

/// Of one file, from its reading to its use.
struct ReadInput {
  KeptMessages Messages;
  std::optional<Error> Failure;
  std::string Damage;
  bool HasSequence = false;
};

/// How far all threads are together, which the caller's tells.
class SharedProgress {
public:
  explicit SharedProgress(InputObserver &Seen)
      : Seen(Seen), Caller(std::this_thread::get_id()) {}

  bool isCaller() const { return std::this_thread::get_id() == Caller; }
  void add(uint64_t Bytes) {
    Done += Bytes;
    if (isCaller())
      tell();
  }
  void tell() { Seen.at(Done); }

private:
  InputObserver &Seen;
  std::thread::id Caller;
  std::atomic<uint64_t> Done = 0;
};

/// Tells the shared progress of one file, in bytes of the disk.
class FileProgress {
public:
  FileProgress(SharedProgress &Progress, uint64_t SizeBytes)
      : Progress(Progress), SizeBytes(SizeBytes) {}

  /// \p Done of \p All of what is read.
  void at(uint64_t Done, uint64_t All) {
    double Share = static_cast<double>(Done) /
                   static_cast<double>(std::max<uint64_t>(All, 1));
    moveTo(SizeBytes == 0
               ? Done
               : static_cast<uint64_t>(static_cast<double>(SizeBytes) * Share));
  }
  void end(uint64_t ReadBytes) {
    moveTo(SizeBytes == 0 ? ReadBytes : SizeBytes);
  }

private:
  void moveTo(uint64_t End) {
    Progress.add(End - std::min(std::exchange(ReportedBytes,
                                              std::max(End, ReportedBytes)),
                                End));
  }

  SharedProgress &Progress;
  uint64_t SizeBytes, ReportedBytes = 0;
};

} // namespace

/// How one file is read, in whichever way.
class EachTrace::Reading {
public:
  /// What it is told, and how far it is.
  struct OneFile {
    size_t Index;
    const std::string &Path;
    ReadInput &Input;
    ByteProgress WhileItComes; ///< of a pipe, which takes its time to come
    FileProgress &FileDone;
    std::string BuildFolder; ///< of the trace; empty: not known
  };
  /// The trace, which lives until the file is done.
  using ReadFile = std::function<Result<const Trace *>(const OneFile &)>;

  explicit Reading(const EachTrace &Each) : Each(Each) {}
  Result<void> run(const ReadFile &Read,
                   const std::function<void(size_t Index)> &Done,
                   const std::function<Result<void>(size_t Index)> &Use) const;

private:
  const EachTrace &Each;
};

Result<void>
EachTrace::run(const std::function<void(size_t Index, Trace T)> &Make,
               const std::function<Result<void>(size_t Index)> &Use) const {
  std::vector<std::optional<Trace>> Traces(Files.size());
  auto Read = [&](const Reading::OneFile &File) -> Result<const Trace *> {
    INSTANTRACE_TRY_ASSIGN(
        std::string Bytes,
        readBytes(File.Path, &File.Input.Messages, File.WhileItComes));
    const uint64_t ReadBytes = Bytes.size();
    Trace &T = Traces[File.Index].emplace();
    T.BuildFolder = File.BuildFolder;
    ByteProgress AtByte = [&](uint64_t Done) {
      File.FileDone.at(Done, ReadBytes);
    };
    INSTANTRACE_TRY(addTrace(Bytes, inputName(File.Path), T, AtByte));
    return &T;
  };
  auto Done = [&](size_t Index) {
    Make(Index, std::move(*Traces[Index]));
    Traces[Index].reset();
  };
  return Reading(*this).run(Read, Done, Use);
}

Result<void>
EachTrace::stream(const std::function<StreamedTrace &(size_t Index)> &Open,
                  const std::function<void(size_t Index)> &Done,
                  const std::function<Result<void>(size_t Index)> &Use) const {
  auto Read = [&](const Reading::OneFile &File) -> Result<const Trace *> {
    StreamedTrace &Into = Open(File.Index);
    Into.Path = File.Path;
    Into.T.BuildFolder = File.BuildFolder;
    ObservedEvents Events(Into.T, Into.events());
    INSTANTRACE_TRY(streamFile(
        File.Path, File.Input.Messages, File.WhileItComes,
        [&](uint64_t Done, uint64_t All) { File.FileDone.at(Done, All); },
        Into.T, Events, Rounds));
    Into.Observed = Events.observed();
    return &Into.T;
  };
  return Reading(*this).run(Read, Done, Use);
}

Result<void> EachTrace::Reading::run(
    const ReadFile &ReadOne, const std::function<void(size_t Index)> &Done,
    const std::function<Result<void>(size_t Index)> &Use) const {
  const std::vector<std::string> &Files = Each.Files;
  InputObserver &Seen = Each.Seen;
  const bool AreFailuresTold = Each.AreFailuresTold;
  OrderedWork Work;
  for (const std::string &Path : Files)
    Work.SizesBytes.push_back(totalBytes({Path}));
  const uint64_t Total = totalBytes(Files);
  Seen.begin(Total);
  SharedProgress Progress(Seen);
  std::vector<ReadInput> Inputs(Files.size());
  const std::string Common = commonFolder(Files, Seen);
  auto Read = [&](size_t Index, ReadInput &Input) -> Result<void> {
    if (Progress.isCaller())
      Seen.enter(inputName(Files[Index]));
    FileProgress FileDone(Progress, Total == 0 ? 0 : Work.SizesBytes[Index]);
    ByteProgress WhileItComes;
    if (Total == 0)
      WhileItComes = [&FileDone](uint64_t Have) { FileDone.at(Have, Have); };
    std::string BuildFolder = Seen.buildFolder(Files[Index]);
    if (BuildFolder.empty())
      BuildFolder = Common;
    Result<const Trace *> T = ReadOne({Index, Files[Index], Input, WhileItComes,
                                       FileDone, std::move(BuildFolder)});
    if (!T)
      return T.error();
    Input.HasSequence = !(*T)->Sequences.empty();
    Input.Damage = damageOf(**T);
    const uint64_t ReadBytes =
        (*T)->Files.empty() ? 0 : (*T)->Files.front().SizeBytes;
    if (AreFailuresTold && !Input.HasSequence && !Input.Damage.empty())
      return Error{Input.Damage};
    Done(Index);
    FileDone.end(ReadBytes);
    return {};
  };
  Work.Work = [&](size_t Index) {
    ReadInput &Input = Inputs[Index];
    try {
      if (Result<void> Done = Read(Index, Input); !Done)
        Input.Failure = Done.error();
    } catch (const std::bad_alloc &) {
      if (!AreFailuresTold)
        throw;
      Input.Failure = Error{inputName(Files[Index]) + ": out of memory"};
    }
  };
  auto isTold = [&](const std::string &File) {
    return AreFailuresTold ||
           (Each.Named && Files.size() != 1 && !isAmong(*Each.Named, File));
  };
  bool HasSequence = false, IsAnyTold = false;
  std::string Damage;
  Result<void> Outcome;
  Work.Use = [&](size_t Index) {
    ReadInput Input = std::move(Inputs[Index]);
    Seen.enter(inputName(Files[Index]));
    Progress.tell();
    Input.Messages.tell(Seen);
    HasSequence |= Input.HasSequence;
    if (Damage.empty())
      Damage = Input.Damage;
    if (Input.Failure && isTold(Files[Index])) {
      IsAnyTold = true;
      Seen.unreadable(Input.Failure->Message);
      return true;
    }
    if (Input.Failure) {
      Outcome = *Input.Failure;
      return false;
    }
    Outcome = Use(Index);
    return static_cast<bool>(Outcome);
  };
  Work.Waiting = [&] { Progress.tell(); };
  // What comes through a pipe comes in its order.
  workInOrder(Work, areFiles(Files) ? Each.MostThreads : 1);
  if (!Outcome || AreFailuresTold || HasSequence)
    return Outcome;
  if (!Damage.empty())
    return Error{Damage};
  return IsAnyTold ? noCompile() : Outcome;
}

Result<Trace> instantrace::readTraces(const std::vector<std::string> &Paths,
                                      InputObserver &Seen) {
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraces(Paths, &Seen));
  return readFoundTraces(Files, Paths, Seen);
}

Result<Trace>
instantrace::readFoundTraces(const std::vector<std::string> &Files,
                             const std::vector<std::string> &Named,
                             InputObserver &Seen) {
  Trace Whole;
  EachTrace Each{Files, Seen};
  Each.Named = &Named;
  std::vector<Trace> Parts(Files.size());
  INSTANTRACE_TRY(
      Each.run([&](size_t Index, Trace T) { Parts[Index] = std::move(T); },
               [&](size_t Index) -> Result<void> {
                 Whole.append(std::exchange(Parts[Index], {}));
                 return {};
               }));
  return Whole;
}
