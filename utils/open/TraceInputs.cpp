#include "utils/open/TraceInputs.h"

#include "runtime/index/Index.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/FileKind.h"
#include "utils/open/InputRounds.h"
#include "utils/open/Leftovers.h"
#include "utils/open/TimeTraceReader.h"
#include "utils/system/FolderEntries.h"
#include "utils/system/HoleWatch.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// What a compile left that is in no trace beside it: it was not recovered, and
/// no compile since has ended.
enum class LeftBeside : uint8_t { Nothing, NoTrace, OlderTrace };

LeftBeside leftBeside(const fs::path &Path) {
  if (!isHiddenLeftover(Path))
    return LeftBeside::Nothing;
  std::error_code Failed;
  const fs::path Trace =
      Path.parent_path() / finalNameOf(Path.filename().string());
  if (fs::exists(Trace.string() + std::string(CompressedEnding), Failed))
    return LeftBeside::OlderTrace;
  auto TracedAt = fs::last_write_time(Trace, Failed);
  if (Failed)
    return LeftBeside::NoTrace;
  return TracedAt < fs::last_write_time(Path, Failed) ? LeftBeside::OlderTrace
                                                      : LeftBeside::Nothing;
}

/// What becomes of leftovers in an answer about a folder, and what makes traces
/// of them.
std::string leftoverText(const std::string &Folder, size_t Leftovers,
                         const char *Fate) {
  return std::to_string(Leftovers) +
         (Leftovers == 1 ? " compile was interrupted, or runs"
                         : " compiles were interrupted, or run") +
         Fate + "; `instantrace recover " + Folder + "` makes what it can of " +
         (Leftovers == 1 ? "it" : "them");
}

bool hasTimeTraceName(std::string_view Path) {
  if (Path.ends_with(GzipEnding))
    Path.remove_suffix(GzipEnding.size());
  return Path.ends_with(".json");
}

struct FolderContent {
  std::vector<std::string> Traces; ///< those of -ftime-trace if no others
  std::vector<std::string> Sessions;
  std::vector<std::string> Left; ///< by compiles that have no trace
  size_t Outdated = 0;           ///< traces of compiles that have left more
};

/// Sorted. \p Seen is warned of what nobody may look into.
Result<FolderContent> contentBelow(const std::string &Folder,
                                   InputObserver *Seen, LinksInFolders Links) {
  FolderContent Found;
  std::vector<std::string> TimeTraces;
  INSTANTRACE_TRY(visitBelow(
      Folder,
      [&](const fs::directory_entry &Entry) {
        std::error_code NoStatus;
        const fs::path &Path = Entry.path();
        bool IsTrace = hasTraceName(Path.native());
        const LeftBeside Left = leftBeside(Path);
        if (Left == LeftBeside::NoTrace)
          Found.Left.push_back(Path.string());
        Found.Outdated += Left == LeftBeside::OlderTrace;
        if ((!IsTrace && !hasTimeTraceName(Path.native())) ||
            !Entry.is_regular_file(NoStatus))
          return;
        if (Links == LinksInFolders::LeaveOut && Entry.is_symlink(NoStatus)) {
          if (Seen && IsTrace)
            Seen->warn(Path.string() +
                       ": a link, which is left out; give its name, or copy "
                       "what it leads to, if that belongs here");
          return;
        }
        if (IsTrace)
          Found.Traces.push_back(Path.string());
        else if (Path.filename() == "session.json" && !hasTimeTrace(Path))
          Found.Sessions.push_back(Path.parent_path().string());
        else if (Found.Traces.empty() && hasTimeTrace(Path))
          TimeTraces.push_back(Path.string());
      },
      [Seen](const std::string &Message) {
        if (Seen)
          Seen->warn(Message);
      }));
  if (Found.Traces.empty())
    Found.Traces = std::move(TimeTraces);
  std::sort(Found.Traces.begin(), Found.Traces.end());
  std::sort(Found.Sessions.begin(), Found.Sessions.end());
  std::sort(Found.Left.begin(), Found.Left.end());
  return Found;
}

/// Compacting was interrupted, or a compile has written a newer one: of
/// a.itrace and a.itrace.zst the plain one. \p Sorted.
std::vector<std::string> withoutOlder(const std::vector<std::string> &Sorted) {
  std::vector<std::string> Once;
  std::remove_copy_if(Sorted.begin(), Sorted.end(), std::back_inserter(Once),
                      [&](std::string_view Plain) {
                        if (!Plain.ends_with(CompressedEnding))
                          return false;
                        Plain.remove_suffix(CompressedEnding.size());
                        return std::binary_search(Sorted.begin(), Sorted.end(),
                                                  Plain);
                      });
  return Once;
}

/// What `recover` would make of it. Of a compile that runs it is what there is
/// now, and no footer says that it has ended.
Result<std::string> readLeftover(const std::string &Path, InputObserver *Seen) {
  INSTANTRACE_TRY_ASSIGN(Leftover L, openLeftover(Path));
  INSTANTRACE_TRY_ASSIGN(RecoveredTrace Trace, recoverLeftover(L));
  if (Seen) {
    for (const std::string &Problem : Trace.Problems)
      Seen->warn(Path + ": " + Problem);
    if (L.IsRunning)
      Seen->warn(Path + ": its compile, process " +
                 std::to_string(L.Buffer.Pid) + ", is still running");
  }
  if (!L.IsRunning)
    addInterruptedFooter(Trace);
  return std::move(Trace.Bytes);
}

/// Null: errno says why.
FILE *openInput(const std::string &Path) {
  if (arePipesRead())
    return std::fopen(Path.c_str(), "rb");
  const FileDescriptor File = openRegularFile(Path);
  const int Copy = File ? ::fcntl(File.get(), F_DUPFD_CLOEXEC, 0) : -1;
  return Copy < 0 ? nullptr : ::fdopen(Copy, "rb");
}

Result<std::vector<std::string>> tracesBelow(const std::string &Folder,
                                             InputObserver *Seen,
                                             NamedTwice Twice,
                                             LinksInFolders Links) {
  INSTANTRACE_TRY_ASSIGN(FolderContent Found,
                         contentBelow(Folder, Seen, Links));
  if (Seen && Twice == NamedTwice::CountOnce)
    for (const std::string &Session : Found.Sessions)
      Seen->session(Session);
  // Who looks at files looks at those that are whole.
  const bool AreRead = Twice == NamedTwice::CountOnce;
  if (AreRead)
    std::erase_if(Found.Left, [Seen](const std::string &Path) {
      Result<std::string> Read = readLeftover(Path, nullptr);
      if (!Read && Seen)
        Seen->warn(Read.error().Message);
      return !Read;
    });
  const std::string Left =
      Found.Left.empty() ? ""
                         : leftoverText(Folder, Found.Left.size(),
                                        AreRead ? ": what was left is read"
                                                : ", and left no trace yet");
  if (Found.Traces.empty() && (!AreRead || Left.empty()))
    return Error{
        Folder +
        ": no *.itrace file in this folder, and no *.json of -ftime-trace" +
        (Left.empty() ? "" : "; " + Left)};
  if (Seen && !Left.empty())
    Seen->warn(Folder + ": " + Left);
  if (Seen && Found.Outdated != 0)
    Seen->warn(Folder + ": " +
               leftoverText(Folder, Found.Outdated,
                            ", and the trace of the compile before is read"));
  if (!AreRead)
    return std::move(Found.Traces);
  std::vector<std::string> Files = withoutOlder(Found.Traces);
  std::move(Found.Left.begin(), Found.Left.end(), std::back_inserter(Files));
  return Files;
}

/// A trace that is given twice, by itself and by its folder or a link, would
/// count twice. Of a.itrace and a.itrace.zst the plain one counts, of a trace
/// and a link to it, the trace.
void keepOnce(std::vector<std::string> &Files, InputObserver *Seen) {
  std::unordered_map<std::string, size_t> FirstOf; // by what it leads to
  std::vector<bool> Goes(Files.size());
  for (size_t I = 0; I != Files.size(); ++I) {
    std::error_code Failed;
    std::string Path = Files[I];
    if (Path != "-")
      Path = fs::canonical(Path, Failed).string();
    if (Failed) // whoever reads it says why
      continue;
    bool IsCompressed = Path.ends_with(CompressedEnding);
    if (IsCompressed)
      Path.resize(Path.size() - CompressedEnding.size());
    auto [Entry, IsFirst] = FirstOf.try_emplace(Path, I);
    if (IsFirst)
      continue;
    const std::string &First = Files[Entry->second];
    bool IsBetter = First.ends_with(CompressedEnding)
                        ? !IsCompressed
                        : !IsCompressed && fs::is_symlink(First, Failed) &&
                              !fs::is_symlink(Files[I], Failed);
    Goes[IsBetter ? Entry->second : I] = true;
    if (IsBetter)
      Entry->second = I;
    if (Seen)
      Seen->warn(Files[I] + ": given more than once, and counted once");
  }
  size_t Kept = 0;
  for (size_t I = 0; I != Files.size(); ++I)
    if (!Goes[I])
      std::swap(Files[Kept++], Files[I]);
  Files.resize(Kept);
}

void keepPathsOnce(std::vector<std::string> &Files) {
  std::unordered_set<std::string> Paths;
  std::erase_if(Files, [&](const std::string &File) {
    std::error_code Failed;
    return File != "-" &&
           !Paths.insert(fs::absolute(File, Failed).lexically_normal()).second;
  });
}

/// Nothing that begins otherwise is read as a trace.
bool canBeTrace(std::string_view Head) {
  return isBeginOfTrace(Head) || isCompressed(Head) || isTimeTrace(Head) ||
         hasBufferMagic(Head) || InstantiationIndex::hasMagic(Head);
}

} // namespace

bool instantrace::hasTimeTrace(const std::string &Path) {
  constexpr size_t HeadBytes = 32;
  FileDescriptor File = openRegularFile(Path);
  std::string Head = File ? headOf(File) : std::string();
  return isTimeTrace(Head) &&
         std::string_view(Head).substr(0, HeadBytes).find("\"traceEvents\"") !=
             Head.npos;
}

std::string instantrace::inputName(const std::string &Path) {
  return Path == "-" ? "<stdin>" : Path;
}

Result<std::vector<std::string>>
instantrace::findTraces(const std::vector<std::string> &Paths,
                        InputObserver *Seen, NamedTwice Twice,
                        LinksInFolders Links) {
  std::vector<std::string> Files;
  for (const std::string &Path : Paths) {
    std::error_code Failed;
    if (Path == "-" || !fs::is_directory(Path, Failed)) {
      const std::string Left = Path == "-" ? "" : leftoverInPlaceOf(Path);
      if (!Left.empty() && Seen)
        Seen->warn(Path +
                   ": its compile was interrupted, or runs; this is "
                   "what it left; `instantrace recover " +
                   Left + "` makes the trace");
      Files.push_back(Left.empty() ? Path : Left);
      continue;
    }
    INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Below,
                           tracesBelow(Path, Seen, Twice, Links));
    Files.insert(Files.end(), Below.begin(), Below.end());
  }
  if (Twice == NamedTwice::CountOnce)
    keepOnce(Files, Seen);
  else
    keepPathsOnce(Files);
  return Files;
}

Result<std::vector<std::string>>
instantrace::tracesOfSession(const std::string &Folder, InputObserver *Seen) {
  INSTANTRACE_TRY_ASSIGN(FolderContent Found,
                         contentBelow(Folder, Seen, LinksInFolders::LeaveOut));
  std::vector<std::string> Files = withoutOlder(Found.Traces);
  keepOnce(Files, /*Seen=*/nullptr);
  return Files;
}

uint64_t instantrace::totalBytes(const std::vector<std::string> &Paths) {
  uint64_t Sum = 0;
  for (const std::string &Path : Paths) {
    std::error_code Failed;
    if (Path == "-" || !fs::is_regular_file(Path, Failed))
      return 0;
    auto SizeBytes = fs::file_size(Path, Failed);
    Sum += Failed ? 0 : SizeBytes;
  }
  return Sum;
}

Result<std::string> instantrace::readBytes(const std::string &Path,
                                           InputObserver *Seen,
                                           const ByteProgress &AtByte) {
  if (Path != "-" && isLeftover(Path))
    return readLeftover(Path, Seen);
  std::unique_ptr<FILE, int (*)(FILE *)> Opened(nullptr, std::fclose);
  FILE *File = stdin;
  if (Path != "-") {
    Opened.reset(openInput(Path));
    File = Opened.get();
  }
  if (!File)
    return Error{Path + ": " + systemMessage(errno)};
  const std::optional<FileState> Before = fileStateOf(::fileno(File));
  const bool HasEnd = Before && *Before != FileState();
  std::string Bytes;
  HoleWatch Holes;
  size_t Used = 0;
  while (true) {
    // No size is asked for: a file has what can be read from it.
    if (Bytes.size() - Used < HoleWatch::PieceBytes)
      Bytes.resize(std::max(Bytes.size() * 2, HoleWatch::PieceBytes));
    size_t Got =
        std::fread(Bytes.data() + Used, 1, HoleWatch::PieceBytes, File);
    if (Got == 0)
      break;
    Used += Got;
    if (AtByte)
      AtByte(Used);
    if (!Holes.goesOn({Bytes.data() + Used - Got, Got}))
      break;
    if (Seen && !HasEnd && Used == Got && !canBeTrace({Bytes.data(), Used}))
      break;
  }
  if (std::ferror(File))
    return Error{inputName(Path) + ": " + systemMessage(errno)};
  if (fileStateOf(::fileno(File)) != Before)
    return changedWhileRead(inputName(Path));
  Bytes.resize(Used);
  if (isCompressed(Bytes)) {
    ExpandedTrace Expanded = expandTrace(Bytes);
    std::string Damage = inputName(Path) + ": " + Expanded.Damage;
    if (!Expanded.Damage.empty() && (Expanded.Bytes.empty() || !Seen))
      return Error{std::move(Damage)};
    if (!Expanded.Damage.empty())
      Seen->damaged(Damage);
    Bytes = std::move(Expanded.Bytes);
  }
  if (hasBufferMagic(Bytes))
    return Error{inputName(Path) + ": a buffer; give the name of its file, so "
                                   "that its partial trace is found"};
  if (InstantiationIndex::hasMagic(Bytes))
    return makeError(inputName(Path), "an index",
                     "a trace; `at` and `replay` can ask it");
  return Bytes;
}

bool &instantrace::arePipesRead() {
  static bool AreRead = true;
  return AreRead;
}

EventClock &instantrace::eventClock() {
  static EventClock Clock = EventClock::Processor;
  return Clock;
}

Result<void> instantrace::addTrace(std::string_view Bytes,
                                   const std::string &Name, Trace &Into,
                                   const ByteProgress &AtByte) {
  Into.Clock = EventClock::Wall; // of other tools
  if (isTimeTrace(Bytes))
    return readTimeTrace(Bytes, Name, Into);
  Into.Clock = eventClock();
  readTrace(Bytes, Name, Into, AtByte);
  nameForeignFile(Bytes, Into.Files.back());
  return {};
}

std::string instantrace::damageOf(const Trace &T) {
  for (const TraceInput &File : T.Files)
    if (const TraceIssue *Damage = File.damage())
      return Damage->message(File.Name);
  return {};
}

Error instantrace::noCompile(const std::string &File) {
  return makeError(File, "no compile that can be read",
                   "a trace of instantrace");
}

bool instantrace::areFiles(const std::vector<std::string> &Paths) {
  return std::all_of(Paths.begin(), Paths.end(), [](const std::string &Path) {
    std::error_code Failed;
    return Path != "-" && fs::is_regular_file(Path, Failed);
  });
}
