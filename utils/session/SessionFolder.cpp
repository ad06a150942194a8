#include "utils/session/SessionFolder.h"

#include "runtime/base/NewFile.h"
#include "utils/open/Leftovers.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"
#include "utils/session/CommandOutput.h"
#include "utils/session/GitHistory.h"
#include "utils/session/RecordedSession.h"

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <sys/utsname.h>
#include <thread>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr int GitPatienceMs = 2000;

/// Of "author NAME <ADDRESS> SECONDS ZONE" in the head of a commit.
std::string authorOf(const std::string &Commit) {
  std::string Head = Commit.substr(0, Commit.find("\n\n"));
  size_t Offset = Head.find("\nauthor ");
  if (Offset == Head.npos)
    return {};
  std::string Line = firstLine(Head.substr(Offset + 8));
  return Line.substr(0, Line.rfind('>') + 1);
}

/// Variables for git by which no filter is run that the repository itself
/// names: to compare a file, git runs what its attributes ask for. Those of the
/// user's own configuration stay. \p Scopes: "SCOPE\0NAME\0" each.
std::vector<std::string> withoutOwnFilters(std::string_view Scopes) {
  std::vector<std::string> Variables;
  size_t Count = 0;
  auto next = [&Scopes] {
    size_t Length = std::min(Scopes.find('\0'), Scopes.size());
    std::string_view Word = Scopes.substr(0, Length);
    Scopes.remove_prefix(std::min(Length + 1, Scopes.size()));
    return Word;
  };
  while (!Scopes.empty()) {
    std::string_view Scope = next(), Name = next();
    if (Scope == "system" || Scope == "global")
      continue;
    std::string No = std::to_string(Count++);
    bool IsRequired = Name.ends_with(".required");
    Variables.push_back("GIT_CONFIG_KEY_" + No + "=" + std::string(Name));
    Variables.push_back("GIT_CONFIG_VALUE_" + No + "=" +
                        (IsRequired ? "false" : ""));
  }
  Variables.push_back("GIT_CONFIG_COUNT=" + std::to_string(Count));
  return Variables;
}

/// Continuous integration checks out a commit without a branch, and says which
/// one it is of in the environment.
std::string branchFor(std::string CheckedOut) {
  auto valueOf = [](const char *Variable) {
    const char *Value = std::getenv(Variable);
    return std::string(Value ? Value : "");
  };
  if (std::string Given = valueOf("INSTANTRACE_BRANCH"); !Given.empty())
    return Given;
  for (const char *Variable :
       {"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME",
        "BRANCH_NAME", "BUILDKITE_BRANCH"})
    if (CheckedOut.empty())
      CheckedOut = valueOf(Variable);
  return CheckedOut;
}

/// By the clock on the user's wall.
std::string nameByTime() {
  const time_t Seconds = ::time(nullptr);
  std::tm Parts = {};
  ::localtime_r(&Seconds, &Parts);
  char Text[64];
  return {Text, std::strftime(Text, sizeof(Text), "instantrace-%Y%m%d-%H%M%S",
                              &Parts)};
}

std::string processorName() {
  std::ifstream File("/proc/cpuinfo");
  for (std::string Line; std::getline(File, Line);)
    if (Line.starts_with("model name"))
      if (size_t Offset = Line.find(": "); Offset != Line.npos)
        return Line.substr(Offset + 2);
  return {};
}

void appendMachine(std::string &Out) {
  JsonObject Machine(Out);
  utsname Names = {};
  if (::uname(&Names) == 0) {
    Machine.text("host", Names.nodename);
    Machine.text("system", std::string(Names.sysname) + " " + Names.release);
    Machine.text("architecture", Names.machine);
  }
  Machine.text("processor", processorName());
  Machine.number("cpus", std::max(1u, std::thread::hardware_concurrency()));
}

/// An object a line, of which \p Write gives the members.
template <class Rows, class Writer>
void appendRows(std::string &Out, const Rows &Each, Writer Write) {
  Out.push_back('[');
  for (size_t I = 0; I != Each.size(); ++I) {
    Out.append(I == 0 ? "\n" : ",\n");
    JsonObject Object(Out);
    Write(Object, Each[I]);
  }
  Out.push_back(']');
}

void appendEnd(JsonObject &Whole, std::string &Out, const SessionFacts &Facts) {
  Whole.number("wall_ns", Facts.WallNs);
  Whole.number("user_ns", Facts.UserNs);
  Whole.number("system_ns", Facts.SystemNs);
  Whole.number("exit_code", static_cast<uint64_t>(Facts.ExitCode));
  Whole.number("signal", static_cast<uint64_t>(Facts.Signal));
  Whole.number("compiled_again", Facts.CompiledAgain);
  Whole.name("not_profiled");
  {
    JsonObject Missing(Out);
    for (const auto &[Name, Use] : Facts.Foreign) {
      Missing.name(Name);
      JsonObject Row(Out);
      Row.number("count", Use.Count);
      Row.number("unattributed", Use.Others);
      if (Name == "sccache" && Facts.ServerCache.Runs != 0) {
        Row.number("runs", Facts.ServerCache.Runs);
        Row.number("hits", Facts.ServerCache.Hits);
      }
      Row.name("sources");
      appendTexts(Out, Use.Sources);
    }
    Missing.name("ccache");
    JsonObject Cache(Out);
    Cache.number("runs", Facts.Cache.Runs);
    Cache.number("hits", Facts.Cache.Hits);
    Cache.name("sources");
    appendTexts(Out, Facts.Cache.HitSources);
  }
  Whole.name("links");
  appendRows(Out, Facts.Links,
             [](JsonObject &Object, const ForeignCompiles::Link &Link) {
               Object.text("output", Link.Output);
               Object.number("begin_ns", Link.BeginRealtimeNs);
               Object.number("end_ns", Link.EndRealtimeNs);
             });
  Whole.name("problems");
  appendTexts(Out, Facts.Problems);
  Whole.name("units");
  appendRows(Out, Facts.Units, [](JsonObject &Object, const SessionUnit &Unit) {
    Object.text("trace", Unit.Trace);
    Object.text("source", Unit.Source);
    Object.text("clang", Unit.Clang);
    Object.number("wall_ns", Unit.WallNs);
    Object.boolean("complete", Unit.IsComplete);
  });
}

FileDescriptor openFolder(const std::string &Path) {
  return FileDescriptor(
      ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Otherwise it is locked now, if locks are to be had there.
bool isHeldElsewhere(const FileDescriptor &Folder, int Lock) {
  return Folder && ::flock(Folder.get(), Lock | LOCK_NB) != 0 &&
         errno == EWOULDBLOCK;
}

/// Nothing in it is anybody else's.
Result<void> checkEmpty(const std::string &Path) {
  std::error_code Failed;
  bool IsEmpty = fs::is_empty(Path, Failed);
  if (Failed)
    return Error{Path + ": " + Failed.message()};
  if (!IsEmpty)
    return makeError(Path, "a folder with files in it",
                     "an empty one, or a name that is not there yet");
  return {};
}

/// A folder of our own, and empty.
Result<void> checkUsable(const std::string &Path) {
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) != 0)
    return Error{Path + ": " + systemMessage(errno)};
  if (!S_ISDIR(Status.st_mode))
    return makeError(Path, S_ISLNK(Status.st_mode) ? "a link" : "no folder",
                     "an empty folder, or none");
  if (Status.st_uid != ::geteuid())
    return makeError(Path, "another user's folder", "one of your own");
  if ((Status.st_mode & S_IWOTH) && !(Status.st_mode & S_ISVTX))
    return makeError(Path, "a folder in which everybody may write",
                     "one in which others may not");
  return checkEmpty(Path);
}

/// Of a folder that somebody else has locked.
Error inUse(const std::string &Path) {
  Result<RecordedSession> Theirs = readSession(Path);
  std::string Pid = Theirs && Theirs->Pid != 0
                        ? ", process " + std::to_string(Theirs->Pid) + ","
                        : "";
  return usageError(Path + ": another instantrace" + Pid +
                    " is writing a session into this folder; wait until it "
                    "has ended, or give another folder by -o");
}

} // namespace

SourceRevision instantrace::revisionOf(const std::string &Folder) {
  std::vector<std::string> Variables;
  auto run = [&](std::initializer_list<const char *> Words) {
    std::vector<std::string> Command = gitCommand(Folder, Variables);
    Command.insert(Command.end(), Words.begin(), Words.end());
    return runShortly(Command, GitPatienceMs);
  };
  auto git = [&run](std::initializer_list<const char *> Words) {
    CommandOutput Done = run(Words);
    return Done.isGood() ? std::move(Done.Text) : std::string();
  };
  SourceRevision Revision;
  std::string Where = git({"rev-parse", "HEAD", "--show-toplevel"});
  Revision.Commit = firstLine(Where);
  if (Revision.Commit.empty())
    return Revision;
  Revision.Root = firstLine(Where.substr(Revision.Commit.size() + 1));
  Revision.Author = authorOf(git({"cat-file", "commit", "HEAD"}));
  Revision.Branch =
      branchFor(firstLine(git({"symbolic-ref", "--short", "HEAD"})));
  CommandOutput Filters =
      run({"config", "--show-scope", "-z", "--name-only", "--get-regexp",
           "^filter\\..*\\.(clean|process|required)$"});
  constexpr int NoneOfThese = 1;
  if (!Filters.isGood() && Filters.ExitCode != NoneOfThese)
    return Revision;
  Variables = withoutOwnFilters(Filters.Text);
  // A line of it is an answer, even if it had no time for more. Of a submodule
  // the configuration is another one, so only its commit is looked at.
  CommandOutput Status = run({"status", "--porcelain", "--untracked-files=no",
                              "--ignore-submodules=dirty"});
  if (Status.isGood() || !Status.Text.empty())
    Revision.IsModified = !Status.Text.empty();
  return Revision;
}

std::string instantrace::sessionJson(const SessionFacts &Facts) {
  std::string Out;
  {
    JsonObject Whole(Out);
    Whole.text("format", "instantrace session");
    Whole.number("version", 1);
    Whole.text("tool", INSTANTRACE_VERSION);
    constexpr std::array<const char *, 3> States = {"running", "ended",
                                                    "interrupted"};
    Whole.text("state", States[static_cast<size_t>(Facts.State)]);
    Whole.name("command");
    appendTexts(Out, Facts.Command);
    Whole.text("working_directory", Facts.WorkingDirectory);
    Whole.text("begun", utcText(static_cast<int64_t>(Facts.BeginRealtimeNs /
                                                     1'000'000'000),
                                "%FT%TZ")
                            .value_or(""));
    Whole.number("begun_realtime_ns", Facts.BeginRealtimeNs);
    Whole.number("pid", static_cast<uint64_t>(Facts.Pid));
    if (!Facts.Revision.Commit.empty()) {
      Whole.name("git");
      JsonObject Git(Out);
      Git.text("commit", Facts.Revision.Commit);
      Git.text("branch", Facts.Revision.Branch);
      Git.text("author", Facts.Revision.Author);
      Git.text("root", Facts.Revision.Root);
      if (Facts.Revision.IsModified)
        Git.boolean("modified", *Facts.Revision.IsModified);
    }
    Whole.name("machine");
    appendMachine(Out);
    if (Facts.State != SessionFacts::StateKind::Running)
      appendEnd(Whole, Out, Facts);
  }
  return Out + "\n";
}

Result<void> instantrace::writeFile(const std::string &Path,
                                    const std::string &Text) {
  UnfinishedFile Temporary;
  FileDescriptor File(
      makeNewFile(Path + ".", ".tmp", O_WRONLY, 0666, Temporary));
  if (!File)
    return Error{Path + ": " + systemMessage(errno)};
  for (size_t Index = 0; Index != Text.size();) {
    ssize_t Put = ::write(File.get(), Text.data() + Index, Text.size() - Index);
    if (Put < 0 && errno == EINTR)
      continue;
    if (Put < 0)
      return Error{Path + ": " + systemMessage(errno)};
    Index += static_cast<size_t>(Put);
  }
  if (!Temporary.renameTo(Path))
    return Error{Path + ": " + systemMessage(errno)};
  return {};
}

Result<SessionFolder> SessionFolder::make(const std::string &Path) {
  SessionFolder Made;
  std::error_code Failed;
  if (Path.empty()) {
    std::string Stem = nameByTime();
    for (unsigned I = 1; !Made.IsMade; ++I) {
      Made.Shown = I == 1 ? Stem : Stem + "-" + std::to_string(I);
      Made.IsMade = ::mkdir(Made.Shown.c_str(), 0777) == 0;
      if (!Made.IsMade && errno != EEXIST)
        return Error{Made.Shown + ": " + systemMessage(errno) +
                     "; -o names another folder"};
    }
  } else {
    Made.Shown = Path;
    while (Made.Shown.size() > 1 && Made.Shown.back() == '/')
      Made.Shown.pop_back();
    if (fs::path Parent = fs::path(Made.Shown).parent_path(); !Parent.empty())
      fs::create_directories(Parent, Failed);
    if (Failed)
      return Error{Made.Shown + ": " + Failed.message()};
    Made.IsMade = ::mkdir(Made.Shown.c_str(), 0777) == 0;
    if (!Made.IsMade && errno != EEXIST)
      return Error{Made.Shown + ": " + systemMessage(errno)};
  }
  if (Result<void> Claimed = Made.claim(); !Claimed) {
    if (Made.IsMade)
      ::rmdir(Made.Shown.c_str()); // if it is empty
    return Claimed.error();
  }
  return Made;
}

Result<void> SessionFolder::claim() {
  // Where locks are not to be had, the process id in session.json has to do.
  Held = openFolder(Shown);
  if (isHeldElsewhere(Held, LOCK_EX)) {
    IsMade = false; // theirs now
    return inUse(Shown);
  }
  // Only now: whoever had it until a moment ago has left something in it, also
  // if it was us who made it.
  INSTANTRACE_TRY(IsMade ? checkEmpty(Shown) : checkUsable(Shown));
  std::error_code Failed;
  Path = fs::canonical(Shown, Failed).string();
  if (Failed)
    return Error{Shown + ": " + Failed.message()};
  if (Held && !isNameOf(Held, Path))
    return Error{Shown + ": " + systemMessage(errno)};
  return {};
}

bool instantrace::isHeld(const std::string &Folder) {
  return isHeldElsewhere(openFolder(Folder), LOCK_SH);
}

Result<void> SessionFolder::write(const SessionFacts &Facts) const {
  return writeSessionJson(Path, sessionJson(Facts));
}

Result<void> instantrace::writeSessionJson(const std::string &Folder,
                                           const std::string &SessionJson) {
  return writeFile(Folder + "/session.json", SessionJson);
}

FileDescriptor SessionFolder::reserve() const {
  constexpr off_t ReservedBytes = 1 << 18; // of a thousand units
  FileDescriptor Room(
      ::open(Path.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (Room && ::posix_fallocate(Room.get(), 0, ReservedBytes) != 0)
    return {};
  return Room;
}

void SessionFolder::undo() const {
  // Ours: the folder was empty.
  ::unlink((Path + "/session.json").c_str());
  if (IsMade)
    ::rmdir(Path.c_str());
}

Result<PrivateFolder> PrivateFolder::make(bool MayHaveSpace) {
  std::string FirstFailure;
  for (const char *Variable : {"XDG_RUNTIME_DIR", "TMPDIR", ""}) {
    const char *Value = *Variable ? std::getenv(Variable) : "/tmp";
    if (!Value || *Value != '/')
      continue;
    std::string Path = std::string(Value) + "/instantrace-XXXXXX";
    // The name of a socket has 108 bytes, and its folder's is a part of it.
    constexpr size_t LongestFolder = 90;
    bool IsLong = Path.size() > LongestFolder;
    bool IsCut = !MayHaveSpace && Path.find(' ') != std::string::npos;
    if (!IsLong && !IsCut && ::mkdtemp(Path.data()))
      return PrivateFolder(Path);
    if (FirstFailure.empty())
      FirstFailure = Path + ": " +
                     (IsLong  ? "too long for a socket"
                      : IsCut ? "a space in it, at which Clang cuts "
                                "CCC_OVERRIDE_OPTIONS"
                              : systemMessage(errno));
  }
  return Error{FirstFailure};
}

namespace {

constexpr std::string_view TemporaryName = "instantrace-try-";

/// Folders that killed processes left: nobody holds them any more.
void removeAbandoned(const fs::path &Folder) {
  std::error_code Failed;
  for (fs::directory_iterator It(Folder, Failed), End; !Failed && It != End;
       It.increment(Failed)) {
    const std::string Name = It->path().filename().string();
    if (!Name.starts_with(TemporaryName) ||
        Name.size() != TemporaryName.size() + 6) // of mkdtemp()
      continue;
    const FileDescriptor Open(::open(
        It->path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat Found = {};
    std::error_code Kept;
    if (Open && ::fstat(Open.get(), &Found) == 0 &&
        Found.st_uid == ::geteuid() && (Found.st_mode & 0777) == 0700 &&
        ::flock(Open.get(), LOCK_EX | LOCK_NB) == 0)
      fs::remove_all(It->path(), Kept);
  }
}

} // namespace

Result<PrivateFolder> PrivateFolder::makeTemporary() {
  std::error_code Failed;
  const fs::path Folder = fs::temp_directory_path(Failed);
  if (Failed)
    return Error{"TMPDIR: " + Failed.message()};
  removeAbandoned(Folder);
  while (true) {
    std::string Path = fs::absolute(Folder / TemporaryName).string() + "XXXXXX";
    if (!::mkdtemp(Path.data()))
      return Error{Path + ": " + systemMessage(errno)};
    PrivateFolder Made(Path);
    Made.Held = openFolder(Path);
    // Another process may take it for abandoned until it is held.
    struct stat Found = {};
    if (!isHeldElsewhere(Made.Held, LOCK_EX) &&
        ::stat(Path.c_str(), &Found) == 0)
      return Made;
  }
}

PrivateFolder::PrivateFolder(PrivateFolder &&Other) noexcept
    : Path(std::exchange(Other.Path, {})), Held(std::move(Other.Held)),
      IsKept(Other.IsKept) {}

PrivateFolder::~PrivateFolder() {
  try {
    std::error_code Failed;
    if (!Path.empty() && !IsKept)
      fs::remove_all(Path, Failed);
  } catch (const std::exception &) { // NOLINT(bugprone-empty-catch)
    // Without memory for names, an empty folder in /tmp stays.
  }
}
