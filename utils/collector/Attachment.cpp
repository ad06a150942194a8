#include "utils/collector/Attachment.h"

#include "utils/system/SystemClock.h"

#include <algorithm>

using namespace instantrace;

namespace {

bool hasEnded(const std::optional<ProcessStat> &Stat) {
  return !Stat || Stat->State == 'Z' || Stat->State == 'X';
}

LiveFrame::StateKind stateOf(const Leftover &L) {
  if (L.Buffer.Phase == BufferPhase::Finished)
    return LiveFrame::StateKind::Finished;
  if (L.IsRunning)
    return LiveFrame::StateKind::Running;
  // Without a name nobody finds it: the producer took it away.
  struct stat Status;
  bool IsNamed =
      ::fstat(L.BufferFile.get(), &Status) == 0 && Status.st_nlink != 0;
  return IsNamed ? LiveFrame::StateKind::Killed
                 : LiveFrame::StateKind::Vanished;
}

} // namespace

Result<void> Attachments::add(OpenBuffer Found) {
  struct stat Status;
  if (::fstat(Found.File.get(), &Status) != 0)
    return {};
  auto [Entry, IsNew] = All.try_emplace({Status.st_dev, Status.st_ino});
  if (!IsNew)
    return {};
  Result<Leftover> L = openLeftover(std::move(Found.File), Found.Path);
  if (!L) {
    All.erase(Entry);
    return L.error();
  }
  Entry->second = std::make_unique<Attached>();
  Entry->second->Left = std::move(*L);
  return {};
}

Result<Attachments> Attachments::toFile(const std::string &Path) {
  INSTANTRACE_TRY_ASSIGN(Leftover L, openLeftover(Path));
  if (L.BufferPath.empty())
    return Error{Path + ": a partial trace without its buffer shows no compile "
                        "at work; see instantrace summary or recover"};
  Attachments A;
  A.All[{0, 0}] = std::make_unique<Attached>();
  A.All[{0, 0}]->Left = std::move(L);
  return A;
}

Result<Attachments> Attachments::toProcess(uint32_t Pid) {
  auto Stat = processStat(Pid);
  std::string Name = "process " + std::to_string(Pid);
  if (hasEnded(Stat))
    return Error{Name + ": no such process"};
  Attachments A;
  A.Pid = Pid;
  A.StartTicks = Stat->StartTicks;
  A.find();
  if (!A.All.empty())
    return A;
  if (!A.LastError.empty())
    return Error{A.LastError};
  if (A.IsDenied)
    return Error{Name + ": permission denied; attach as the user who runs it"};
  return makeError(Name,
                   "no buffer of Instantrace in it or in a process below it",
                   "a compile with the plugin (-fplugin=libinstantrace.so) and "
                   "without a private buffer");
}

void Attachments::find() {
  OpenBuffers Open;
  for (uint32_t Each : processTree(Pid))
    findOpenBuffers(Each, Open);
  IsDenied = Open.IsDenied;
  LastError.clear();
  for (OpenBuffer &Found : Open.Found) {
    // One that is making its header will be ready with the next look.
    Result<void> Added = add(std::move(Found));
    if (!Added)
      LastError = Added.error().Message;
  }
}

LiveFrame Attachments::lookAt(Attached &A,
                              const LiveCompile::TextFunction &TextOf) {
  // Its end is looked for first: what comes before the end is in the snapshot.
  std::string Problem;
  if (Result<void> Fresh = refresh(A.Left); !Fresh)
    Problem = Fresh.error().Message;
  FileBufferImage Partial(A.Left.PartialFile.get());
  LiveFrame Frame =
      A.Compile.look(A.Left.Buffer, A.Left.PartialFile ? &Partial : nullptr,
                     stateOf(A.Left), monotonicNs(), TextOf);
  Frame.BufferPath = A.Left.BufferPath;
  Frame.FinalPath = A.Left.finalPath();
  if (!Problem.empty())
    Frame.Problems.push_back(Problem);
  if (std::optional<ProcessUsage> Usage = processUsage(Frame.Pid);
      Usage && Frame.State == LiveFrame::StateKind::Running) {
    Frame.ResidentBytes = Usage->ResidentBytes;
    Frame.IsGrowing =
        A.ResidentBytes != 0 && Frame.ResidentBytes > A.ResidentBytes;
    A.ResidentBytes = Frame.ResidentBytes;
  }
  A.IsOver = Frame.State != LiveFrame::StateKind::Running;
  return Frame;
}

std::vector<LiveFrame>
Attachments::look(const LiveCompile::TextFunction &TextOf) {
  if (Pid != 0) {
    std::erase_if(All, [](const auto &Entry) { return Entry.second->IsOver; });
    find();
  }
  std::vector<LiveFrame> Frames;
  for (auto &[Key, Each] : All)
    Frames.push_back(lookAt(*Each, TextOf));
  std::stable_sort(
      Frames.begin(), Frames.end(),
      [](const LiveFrame &A, const LiveFrame &B) { return A.Pid < B.Pid; });
  return Frames;
}

bool Attachments::isOver() const {
  bool IsAnyRunning =
      std::any_of(All.begin(), All.end(),
                  [](const auto &Entry) { return !Entry.second->IsOver; });
  if (IsAnyRunning || Pid == 0)
    return !IsAnyRunning;
  auto Stat = processStat(Pid);
  return hasEnded(Stat) || Stat->StartTicks != StartTicks;
}
