#include "utils/system/Processes.h"

#include "runtime/shm/BufferSnapshot.h"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr uint32_t SignalBits = 0x7f; // of a status of wait()

std::string procPath(uint32_t Pid, const char *Name) {
  return "/proc/" + std::to_string(Pid) + "/" + Name;
}

template <class Number> bool parseNumber(std::string_view Text, Number &Into) {
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Into);
  return Error == std::errc() && End == Text.data() + Text.size();
}

/// The name that a buffer has among the descriptors of its process.
bool isBufferName(std::string_view Target) {
  constexpr std::string_view Memfd = "/memfd:instantrace", Ending = ".buffer";
  return Target.starts_with(Memfd) || Target.ends_with(Ending) ||
         Target.find(".buffer (deleted)") != std::string_view::npos;
}

FileDescriptor openBuffer(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  char Magic[8] = {};
  if (File && FileBufferImage(File.get()).read(0, Magic, 8) == 8 &&
      hasBufferMagic({Magic, 8}))
    return File;
  return {};
}

/// Entries of \p Folder. Where memory ends, directory_iterator may end the
/// program, and a build that it runs.
std::vector<uint32_t> numbersIn(const std::string &Folder) {
  std::vector<uint32_t> Numbers;
  std::unique_ptr<DIR, int (*)(DIR *)> Open(::opendir(Folder.c_str()),
                                            ::closedir);
  while (const dirent *Entry = Open ? ::readdir(Open.get()) : nullptr) {
    uint32_t Number;
    if (parseNumber(std::string_view(Entry->d_name), Number))
      Numbers.push_back(Number);
  }
  return Numbers;
}

} // namespace

std::optional<ProcessStat>
instantrace::parseProcessStat(std::string_view Text) {
  // "PID (NAME) STATE PPID ...": the name may hold blanks and parentheses.
  size_t NameEnd = Text.rfind(')');
  if (NameEnd == std::string_view::npos)
    return std::nullopt;
  ProcessStat Stat;
  if (!parseNumber(Text.substr(0, Text.find(' ')), Stat.Pid))
    return std::nullopt;
  size_t Field = 3, Index = NameEnd + 2;
  constexpr size_t LastField = 52;
  for (; Index < Text.size() && Field <= LastField; ++Field) {
    size_t End = std::min(Text.find(' ', Index), Text.size());
    std::string_view Value = Text.substr(Index, End - Index);
    if (Field == 3 && !Value.empty())
      Stat.State = Value[0];
    if (Field == 4 && !parseNumber(Value, Stat.ParentPid))
      return std::nullopt;
    if (Field == 14)
      parseNumber(Value, Stat.UserTicks);
    if (Field == 15)
      parseNumber(Value, Stat.SystemTicks);
    if (Field == 22 && !parseNumber(Value, Stat.StartTicks))
      return std::nullopt;
    if (Field == 24)
      parseNumber(Value, Stat.ResidentPages);
    if (uint32_t Status = 0;
        Field == LastField &&
        parseNumber(Value.substr(0, Value.find('\n')), Status))
      Stat.Signal = Status & SignalBits;
    Index = End + 1;
  }
  return Field > 22 ? std::optional(Stat) : std::nullopt;
}

std::optional<ProcessStat> instantrace::processStat(uint32_t Pid) {
  std::ifstream File(procPath(Pid, "stat"));
  std::string Text;
  std::getline(File, Text, '\0'); // a process that ends meanwhile has none
  return parseProcessStat(Text);
}

std::optional<ProcessUsage> instantrace::processUsage(uint32_t Pid) {
  std::optional<ProcessStat> Stat = processStat(Pid);
  if (!Stat)
    return std::nullopt;
  const auto TickNs = 1'000'000'000 / static_cast<uint64_t>(
                                          std::max(::sysconf(_SC_CLK_TCK), 1L));
  ProcessUsage Usage;
  Usage.StartTicks = Stat->StartTicks;
  Usage.UserNs = Stat->UserTicks * TickNs;
  Usage.SystemNs = Stat->SystemTicks * TickNs;
  Usage.ResidentBytes =
      Stat->ResidentPages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  Usage.Signal = Stat->Signal;
  Usage.PeakBytes = Usage.ResidentBytes;
  std::ifstream File(procPath(Pid, "status"));
  constexpr std::string_view Label = "VmHWM:";
  for (std::string Word; File >> Word;) {
    if (uint64_t KiloBytes = 0; Word == Label && File >> KiloBytes)
      Usage.PeakBytes = std::max(Usage.PeakBytes, KiloBytes * 1024);
    if (Word == Label)
      break;
  }
  return Usage;
}

FileDescriptor instantrace::openPeer(int Socket) {
  constexpr int PeerPidfd = 77; // SO_PEERPIDFD
  int Process = -1;
  socklen_t SizeBytes = sizeof(Process);
  return FileDescriptor(
      ::getsockopt(Socket, SOL_SOCKET, PeerPidfd, &Process, &SizeBytes) == 0
          ? Process
          : -1);
}

uint32_t instantrace::endSignal(const FileDescriptor &Process) {
  constexpr uint64_t HasExit = 1 << 3; // PIDFD_INFO_EXIT
  struct { // pidfd_info of linux/pidfd.h, in its first size
    uint64_t Mask = HasExit;
    uint64_t Others[6] = {};
    uint32_t More = 0;
    int32_t Status = 0; // of wait()
  } Info;
  static_assert(sizeof(Info) == 64);
  const unsigned long GetInfo = _IOWR(0xFF, 11, Info); // PIDFD_GET_INFO
  const bool IsKnown = Process && ::ioctl(Process.get(), GetInfo, &Info) == 0 &&
                       (Info.Mask & HasExit) != 0;
  return IsKnown ? static_cast<uint32_t>(Info.Status) & SignalBits : 0;
}

void ProcessUsage::update(const ProcessUsage &Later) {
  if (StartTicks != 0 && Later.StartTicks != StartTicks)
    return;
  const uint64_t Peak = std::max(PeakBytes, Later.PeakBytes);
  *this = Later;
  PeakBytes = Peak;
}

std::vector<uint32_t> instantrace::allProcesses() { return numbersIn("/proc"); }

std::vector<uint32_t> instantrace::processTree(uint32_t Pid) {
  std::vector<ProcessStat> All;
  for (uint32_t Number : allProcesses())
    if (auto Stat = processStat(Number))
      All.push_back(*Stat);
  std::vector<uint32_t> Tree = {Pid};
  for (size_t I = 0; I != Tree.size() && I <= All.size(); ++I)
    for (const ProcessStat &P : All)
      if (P.ParentPid == Tree[I] &&
          std::find(Tree.begin(), Tree.end(), P.Pid) == Tree.end())
        Tree.push_back(P.Pid);
  return Tree;
}

std::vector<uint32_t> instantrace::processesBelow(uint32_t Pid) {
  std::vector<uint32_t> Tree = {Pid};
  bool IsTold = false;
  for (size_t I = 0; I != Tree.size(); ++I) {
    const std::string Tasks = procPath(Tree[I], "task");
    for (uint32_t Task : numbersIn(Tasks)) {
      std::ifstream File(Tasks + "/" + std::to_string(Task) + "/children");
      IsTold = IsTold || File.is_open();
      for (uint32_t Child; File >> Child;)
        if (std::find(Tree.begin(), Tree.end(), Child) == Tree.end())
          Tree.push_back(Child);
    }
  }
  return IsTold ? Tree : processTree(Pid);
}

bool instantrace::hasProcessWith(std::string_view Variable) {
  for (uint32_t Pid : allProcesses()) {
    std::ifstream File(procPath(Pid, "environ"), std::ios::binary);
    for (std::string Name; std::getline(File, Name, '\0');)
      if (Name == Variable)
        return true;
  }
  return false;
}

void instantrace::findOpenBuffers(uint32_t Pid, OpenBuffers &Into) {
  std::error_code Failed;
  fs::directory_iterator It(procPath(Pid, "fd"), Failed);
  if (Failed == std::errc::permission_denied) {
    Into.IsDenied = true;
    return;
  }
  for (fs::directory_iterator End; !Failed && It != End; It.increment(Failed)) {
    std::error_code NoLink;
    std::string Target = fs::read_symlink(It->path(), NoLink).string();
    if (NoLink || !isBufferName(Target))
      continue;
    // The link leads to the file also where its name does not, as for a memfd
    // or from outside of a container.
    if (FileDescriptor File = openBuffer(It->path().string())) {
      bool IsMemfd = Target.starts_with("/memfd:");
      Into.Found.push_back(
          {Pid, IsMemfd ? "memfd of process " + std::to_string(Pid) : Target,
           std::move(File)});
      return; // a process compiles one file at a time
    }
  }
}
