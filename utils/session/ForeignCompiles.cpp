#include "utils/session/ForeignCompiles.h"

#include "utils/input/Processes.h"
#include "utils/input/SystemClock.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <glob.h>
#include <iterator>
#include <sys/inotify.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view Gcc = "GCC";
constexpr std::array<std::string_view, 4> GccPrograms = {
    "cc1plus", "cc1", "cc1objplus", "cc1obj"};
constexpr std::array<const char *, 6> GccFolders = {
    "/usr/lib/gcc/*/*/cc1*",       "/usr/libexec/gcc/*/*/cc1*",
    "/usr/local/lib/gcc/*/*/cc1*", "/usr/local/libexec/gcc/*/*/cc1*",
    "/opt/*/lib/gcc/*/*/cc1*",     "/opt/*/libexec/gcc/*/*/cc1*"};
/// They compile on other machines, or in a server that is not of the build.
constexpr std::array<std::string_view, 3> Distributors = {"distcc", "icecc",
                                                          "sccache"};
constexpr uint64_t PauseNs = 2'000'000'000;
/// After a start: its process has another program for a moment.
constexpr unsigned LooksAfterStart = 3;
/// Looking takes time, in proportion to the processes of the build: no more
/// than one part in so many, and no more often.
constexpr uint64_t LookCostDivisor = 50, ShortestPauseNs = 4'000'000;
constexpr size_t MostSeen = 10'000;

bool isGccProgram(std::string_view Name) {
  return std::find(GccPrograms.begin(), GccPrograms.end(), Name) !=
         GccPrograms.end();
}

bool isSource(std::string_view Name) {
  constexpr std::array<std::string_view, 14> Endings = {
      ".c",  ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C",
      ".CC", ".i",  ".ii", ".m",   ".mm",  ".CPP", ".ixx"};
  return std::any_of(
      Endings.begin(), Endings.end(), [Name](std::string_view Ending) {
        return Name.size() > Ending.size() && Name.ends_with(Ending);
      });
}

std::vector<std::string> argumentsOf(uint32_t Pid) {
  std::ifstream File("/proc/" + std::to_string(Pid) + "/cmdline",
                     std::ios::binary);
  std::vector<std::string> Arguments;
  for (std::string Argument; std::getline(File, Argument, '\0');)
    Arguments.push_back(Argument);
  return Arguments;
}

} // namespace

std::string instantrace::gccSource(const std::vector<std::string> &Arguments) {
  std::string Source, Base;
  for (size_t I = 1; I < Arguments.size(); ++I) {
    const std::string &Argument = Arguments[I];
    if (Argument == "-E")
      return {};
    if (Argument == "-dumpbase" && I + 1 < Arguments.size())
      Base = Arguments[++I];
    else if (Argument == "-include" || Argument == "-imacros" ||
             Argument == "-o")
      ++I;
    else if (!Argument.starts_with('-') && isSource(Argument) && Source.empty())
      Source = Argument;
  }
  return Source.empty() ? Base : Source;
}

ForeignCompiles::ForeignCompiles(const std::string &SearchPath)
    : Events(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  for (const char *Pattern : GccFolders) {
    glob_t Found = {};
    if (::glob(Pattern, 0, nullptr, &Found) == 0)
      for (size_t I = 0; I != Found.gl_pathc; ++I)
        if (isGccProgram(fs::path(Found.gl_pathv[I]).filename().native()))
          watch(Found.gl_pathv[I], std::string(Gcc));
    ::globfree(&Found);
  }
  for (size_t At = 0; At < SearchPath.size();) {
    size_t End = std::min(SearchPath.find(':', At), SearchPath.size());
    for (std::string_view Name : Distributors)
      if (End != At)
        watch(SearchPath.substr(At, End - At) + "/" + std::string(Name),
              std::string(Name));
    At = End + 1;
  }
}

void ForeignCompiles::watch(const std::string &Program,
                            const std::string &Name) {
  std::error_code Failed;
  std::string Real = fs::canonical(Program, Failed).string();
  if (!Events || Failed || Programs.contains(Real))
    return;
  // Accesses, too, stand between the starts of two, so that the kernel does
  // not merge them.
  int Watch =
      ::inotify_add_watch(Events.get(), Real.c_str(), IN_OPEN | IN_ACCESS);
  if (Watch < 0)
    return;
  Programs.emplace(Real, Watch);
  Watched.emplace(Watch, Name);
}

void ForeignCompiles::readEvents() {
  alignas(inotify_event) char Bytes[4096];
  ssize_t Got;
  while ((Got = ::read(Events.get(), Bytes, sizeof(Bytes))) > 0)
    for (char *At = Bytes; At < Bytes + Got;) {
      const auto *Event = reinterpret_cast<const inotify_event *>(At);
      At += sizeof(inotify_event) + Event->len;
      auto Name = Watched.find(Event->wd);
      if (!(Event->mask & IN_OPEN) || Name == Watched.end())
        continue;
      ++Openings[Name->second];
      LooksLeft = LooksAfterStart;
    }
}

void ForeignCompiles::look(uint32_t Pid, uint64_t NowNs) {
  if (!Events)
    return;
  readEvents();
  if (NowNs < NextLookNs && (LooksLeft == 0 || NowNs < SoonestLookNs))
    return;
  LooksLeft -= LooksLeft != 0;
  lookAtProcesses(Pid);
  uint64_t TookNs = monotonicNs() - NowNs;
  SoonestLookNs = NowNs + std::max(TookNs * LookCostDivisor, ShortestPauseNs);
  NextLookNs = NowNs + std::max(TookNs * LookCostDivisor, PauseNs);
}

void ForeignCompiles::lookAtGcc(const std::vector<std::string> &Arguments) {
  std::string Source = gccSource(Arguments);
  if (Source.empty())
    return;
  Use &OfGcc = Uses[std::string(Gcc)];
  ++OfGcc.Count;
  if (OfGcc.Sources.size() < MostSources)
    OfGcc.Sources.push_back(Source);
}

void ForeignCompiles::lookAtProcesses(uint32_t Pid) {
  if (Seen.size() > MostSeen)
    Seen.clear();
  for (uint32_t Below : processesBelow(Pid)) {
    std::error_code Failed;
    fs::path Program =
        fs::read_symlink("/proc/" + std::to_string(Below) + "/exe", Failed);
    if (Failed)
      continue;
    std::string Name = Program.filename().string();
    bool IsGcc = isGccProgram(Name);
    if (!IsGcc && std::find(Distributors.begin(), Distributors.end(), Name) ==
                      Distributors.end())
      continue;
    std::optional<ProcessStat> Stat = processStat(Below);
    if (!Stat || !Seen.emplace(Below, Stat->StartTicks).second)
      continue;
    std::vector<std::string> Arguments;
    if (IsGcc)
      Arguments = argumentsOf(Below);
    if (IsGcc && Arguments.empty())
      continue; // it has just ended: of its opening nobody knows whose it was
    std::string Kind = IsGcc ? std::string(Gcc) : Name;
    ++Found[Kind];
    if (!Programs.contains(Program.string())) {
      watch(Program.string(), Kind);
      ++Openings[Kind];
    }
    if (IsGcc)
      lookAtGcc(Arguments);
    else
      ++Uses[Kind].Count;
  }
}

std::map<std::string, ForeignCompiles::Use> ForeignCompiles::uses() const {
  std::map<std::string, Use> All = Uses;
  for (const auto &[Name, Count] : Openings) {
    auto At = Found.find(Name);
    uint64_t Known = At == Found.end() ? 0 : At->second;
    if (Count > Known)
      All[Name].Others = Count - Known;
  }
  return All;
}
