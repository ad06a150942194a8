#include "utils/session/ForeignCompiles.h"

#include "utils/session/ClangStart.h"
#include "utils/system/Processes.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <glob.h>
#include <sys/inotify.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view Gcc = "GCC", Clang = "Clang", Linker = "linker";
constexpr std::array<std::string_view, 4> GccPrograms = {
    "cc1plus", "cc1", "cc1objplus", "cc1obj"};
constexpr std::array<const char *, 6> GccFolders = {
    "/usr/lib/gcc/*/*/cc1*",       "/usr/libexec/gcc/*/*/cc1*",
    "/usr/local/lib/gcc/*/*/cc1*", "/usr/local/libexec/gcc/*/*/cc1*",
    "/opt/*/lib/gcc/*/*/cc1*",     "/opt/*/libexec/gcc/*/*/cc1*"};
constexpr std::array<const char *, 3> ClangFolders = {
    "/usr/lib/llvm-*/bin", "/usr/local/bin", "/opt/*/bin"};
/// Which may be links to it.
constexpr std::array<const char *, 4> ClangNames = {"clang", "clang-[0-9]*",
                                                    "cc", "c++"};
/// Which may be links to one; and by the ends of their names.
constexpr std::array<const char *, 5> LinkerNames = {"ld", "ld.*", "*-ld",
                                                     "lld", "mold"};
constexpr std::array<std::string_view, 5> LinkerEndings = {
    "ld", "ld.bfd", "ld.gold", "ld.lld", "gold"};
/// They compile on other machines, or in a server that is not of the build.
constexpr std::array<std::string_view, 3> Distributors = {"distcc", "icecc",
                                                          "sccache"};
constexpr uint64_t PauseNs = 2'000'000'000;
/// After a start: its process has another program for a moment.
constexpr unsigned LooksAfterStart = 3;
/// Looking takes time, in proportion to the processes of the build: no more
/// than one part in so many, and no more often.
constexpr uint64_t LookCostDivisor = 50, ShortestPauseNs = 4'000'000;
/// While something links.
constexpr uint64_t LinkPauseNs = 20'000'000;
constexpr size_t MostSeen = 10'000;

bool isGccProgram(std::string_view Name) {
  return std::find(GccPrograms.begin(), GccPrograms.end(), Name) !=
         GccPrograms.end();
}

bool isLinker(std::string_view Name) {
  return std::any_of(LinkerEndings.begin(), LinkerEndings.end(),
                     [Name](std::string_view Ending) {
                       // "lld" and "mold", but not "build".
                       size_t Before = Name.size() - Ending.size();
                       return Name.ends_with(Ending) &&
                              (Before == 0 || Name[Before - 1] == '-');
                     }) ||
         Name == "lld" || Name == "mold";
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

/// Of "cmdline" or "environ"; none: it cannot be read.
std::optional<std::vector<std::string>> textsOf(uint32_t Pid,
                                                const char *What) {
  std::ifstream File("/proc/" + std::to_string(Pid) + "/" + What,
                     std::ios::binary);
  if (!File)
    return std::nullopt;
  std::vector<std::string> Texts;
  for (std::string Text; std::getline(File, Text, '\0');)
    Texts.push_back(Text);
  return Texts;
}

/// What a program is called here; empty: it is none that we know.
std::string kindOf(const std::string &Program) {
  if (isGccProgram(Program))
    return std::string(Gcc);
  if (isClangProgram(Program))
    return std::string(Clang);
  if (isLinker(Program))
    return std::string(Linker);
  bool IsKnown = std::find(Distributors.begin(), Distributors.end(), Program) !=
                 Distributors.end();
  return IsKnown ? Program : std::string();
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

std::string instantrace::linkOutput(const std::vector<std::string> &Arguments) {
  for (size_t I = 1; I < Arguments.size(); ++I) {
    std::string_view Argument = Arguments[I];
    if ((Argument == "-o" || Argument == "--output") &&
        I + 1 < Arguments.size())
      return Arguments[I + 1];
    if (Argument.starts_with("--output="))
      return std::string(Argument.substr(Argument.find('=') + 1));
    if (Argument.starts_with("-o") && Argument.size() > 2)
      return std::string(Argument.substr(2));
  }
  return "a.out";
}

ForeignCompiles::ForeignCompiles(const std::string &SearchPath)
    : Events(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  for (const char *Pattern : GccFolders)
    watchMatching(Pattern, Gcc);
  for (const char *Folder : ClangFolders)
    for (const char *Name : ClangNames)
      watchMatching(std::string(Folder) + "/" + Name, Clang);
  for (const char *Folder : ClangFolders)
    watchMatching(std::string(Folder) + "/lld", Linker);
  for (size_t Index = 0; Index < SearchPath.size();) {
    size_t End = std::min(SearchPath.find(':', Index), SearchPath.size());
    std::string Folder = SearchPath.substr(Index, End - Index);
    Index = End + 1;
    if (Folder.empty())
      continue;
    for (std::string_view Name : Distributors)
      watch(Folder + "/" + std::string(Name), std::string(Name));
    for (const char *Name : ClangNames)
      watchMatching(Folder + "/" + Name, Clang);
    for (const char *Name : LinkerNames)
      watchMatching(Folder + "/" + Name, Linker);
  }
}

/// Those that are \p Name in truth: "cc" may be any compiler.
void ForeignCompiles::watchMatching(const std::string &Pattern,
                                    std::string_view Name) {
  glob_t Found = {};
  if (::glob(Pattern.c_str(), 0, nullptr, &Found) == 0)
    for (size_t I = 0; I != Found.gl_pathc; ++I) {
      std::error_code Failed;
      fs::path Real = fs::canonical(Found.gl_pathv[I], Failed);
      if (!Failed && kindOf(Real.filename().string()) == Name)
        watch(Real.string(), std::string(Name));
    }
  ::globfree(&Found);
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
    for (char *Cursor = Bytes; Cursor < Bytes + Got;) {
      const auto *Event = reinterpret_cast<const inotify_event *>(Cursor);
      Cursor += sizeof(inotify_event) + Event->len;
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
  NextLookNs = NowNs + std::max(TookNs * LookCostDivisor,
                                OpenLinks.empty() ? PauseNs : LinkPauseNs);
}

void ForeignCompiles::note(const std::string &Name,
                           const std::vector<std::string> &Sources) {
  Use &U = Uses[Name];
  U.Count += Sources.size();
  for (const std::string &Source : Sources)
    if (U.Sources.size() < MostSources)
      U.Sources.push_back(Source);
}

void ForeignCompiles::noteLink(std::pair<uint32_t, uint64_t> Process,
                               const std::vector<std::string> &Arguments) {
  if (Links.size() == MostSources)
    return;
  OpenLinks.emplace(Process, Links.size());
  const uint64_t NowNs = realtimeNs();
  Links.push_back({linkOutput(Arguments), NowNs, NowNs});
}

/// A driver has its sources compiled by processes of their own, if there is
/// more than one thing to do: they count once.
void ForeignCompiles::lookAtClang(uint32_t Pid, uint32_t ParentPid,
                                  const std::vector<std::string> &Arguments) {
  // Until it has become another program, such a process looks like the driver.
  if (CountedDrivers.contains(ParentPid))
    return;
  std::optional<std::vector<std::string>> Environment = textsOf(Pid, "environ");
  if (!Environment)
    return;
  std::string Why = whyWithoutPlugin(Arguments, *Environment);
  std::vector<std::string> Sources;
  if (!Why.empty())
    Sources = clangSources(Arguments);
  // One that has ended meanwhile had no environment left to show.
  if (Sources.empty() || textsOf(Pid, "cmdline") != Arguments)
    return;
  CountedDrivers.insert(Pid);
  note(Why, Sources);
}

void ForeignCompiles::lookAtProcesses(uint32_t Pid) {
  if (Seen.size() > MostSeen) {
    Seen.clear();
    CountedDrivers.clear();
  }
  auto LinkedBefore = std::exchange(OpenLinks, {});
  for (uint32_t Below : processesBelow(Pid)) {
    std::error_code Failed;
    fs::path Program =
        fs::read_symlink("/proc/" + std::to_string(Below) + "/exe", Failed);
    if (Failed)
      continue;
    std::string Kind = kindOf(Program.filename().string());
    if (Kind.empty())
      continue;
    std::optional<ProcessStat> Stat = processStat(Below);
    if (!Stat)
      continue;
    if (Seen.contains({Below, Stat->StartTicks})) {
      if (auto Link = LinkedBefore.extract({Below, Stat->StartTicks})) {
        Links[Link.mapped()].EndRealtimeNs = realtimeNs();
        OpenLinks.insert(std::move(Link));
      }
      continue;
    }
    std::vector<std::string> Arguments =
        textsOf(Below, "cmdline").value_or(std::vector<std::string>());
    // It begins or ends right now. If it has ended, nobody knows whose its
    // opening was.
    if (Arguments.empty())
      continue;
    Seen.emplace(Below, Stat->StartTicks);
    ++Found[Kind];
    if (!Programs.contains(Program.string())) {
      watch(Program.string(), Kind);
      ++Openings[Kind];
    }
    if (Kind == Clang) {
      CountedDrivers.erase(Below); // of another process, of the same number
      lookAtClang(Below, Stat->ParentPid, Arguments);
    } else if (Kind == Linker) {
      noteLink({Below, Stat->StartTicks}, Arguments);
    } else if (Kind == Gcc) {
      if (std::string Source = gccSource(Arguments); !Source.empty())
        note(Kind, {Source});
    } else {
      ++Uses[Kind].Count;
    }
  }
}

std::map<std::string, ForeignCompiles::Use> ForeignCompiles::uses() const {
  std::map<std::string, Use> All = Uses;
  for (const auto &[Name, Count] : Openings) {
    auto Match = Found.find(Name);
    uint64_t Known = Match == Found.end() ? 0 : Match->second;
    if (Count > Known && Name != Clang && Name != Linker)
      All[Name].Others = Count - Known;
  }
  return All;
}
