#include "utils/session/GitHistory.h"

#include "utils/session/CommandOutput.h"
#include "utils/system/SystemClock.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

constexpr int HistoryPatienceMs = 60'000;
constexpr size_t MostHistoryBytes = size_t(64) << 20;
constexpr uint64_t MostCommits = 20'000;
constexpr uint64_t WeekSeconds = uint64_t(7) * 24 * 3600;
/// A file is renamed a few times at most; a name can come back.
constexpr int MostRenames = 64;

/// Texts with a NUL behind each.
class NulWords {
public:
  explicit NulWords(std::string_view Text) : Text(Text) {}
  std::optional<std::string_view> next() {
    const size_t End = Text.find('\0');
    if (End == Text.npos)
      return std::nullopt;
    std::string_view Word = Text.substr(0, End);
    Text.remove_prefix(End + 1);
    return Word;
  }
  bool isAtEnd() const { return Text.empty(); }

private:
  std::string_view Text;
};

std::optional<uint64_t> numberIn(std::string_view Text) {
  uint64_t Number = 0;
  auto [End, Failed] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  if (Failed != std::errc() || End != Text.data() + Text.size())
    return std::nullopt;
  return Number;
}

Result<std::string> runGit(const std::string &Folder,
                           const std::vector<std::string> &Arguments,
                           bool *IsCut = nullptr) {
  std::vector<std::string> Command = gitCommand(Folder);
  Command.insert(Command.end(), Arguments.begin(), Arguments.end());
  CommandOutput Done = runShortly(Command, HistoryPatienceMs,
                                  ErrorOutput::Dropped, MostHistoryBytes);
  if (Done.isGood())
    return std::move(Done.Text);
  const bool IsShort = Done.IsTooLate || Done.IsTooLong;
  if (IsCut && IsShort && !Done.Text.empty()) {
    *IsCut = true;
    return std::move(Done.Text);
  }
  // Its own words may be of any language; the first line of `git` says why.
  constexpr int NotFound = 127;
  return Error{
      "git in " + Folder + ": " +
      (Done.StartError != 0        ? std::string(std::strerror(Done.StartError))
       : Done.ExitCode == NotFound ? "git is not installed"
       : IsShort                   ? "it takes too long"
       : Done.Signal != 0
           ? "it was ended by signal " + std::to_string(Done.Signal)
           : "it failed with exit code " + std::to_string(Done.ExitCode))};
}

/// The line, without its end; a path may have more lines.
std::string takeLine(std::string &Text) {
  std::string Line = firstLine(Text);
  Text.erase(0, Line.size() + 1);
  return Line;
}

} // namespace

std::vector<std::string>
instantrace::gitCommand(const std::string &Folder,
                        const std::vector<std::string> &Variables) {
  // Objects that are missing from a partial clone are fetched, by a program
  // that the repository names; the second word is for a git before 2.45.
  std::vector<std::string> Command = {"env", "GIT_NO_LAZY_FETCH=1",
                                      "GIT_ALLOW_PROTOCOL=none"};
  Command.insert(Command.end(), Variables.begin(), Variables.end());
  // A hook or a watcher is a program of somebody's.
  for (const char *Word :
       {"git", "--no-optional-locks", "--no-pager", "-c",
        "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C"})
    Command.push_back(Word);
  Command.push_back(Folder);
  return Command;
}

Result<void> instantrace::parseGitLog(std::string_view Log, GitHistory &Into) {
  std::unordered_map<std::string, std::string> NameNow; // of a name before
  std::unordered_map<std::string, std::string> LaterName;
  auto malformed = [](std::string_view Where) {
    return Error{"git log: " + std::string(Where) +
                 " is not what its format says"};
  };
  NulWords In(Log);
  std::optional<std::string_view> Word = In.next();
  uint64_t Seconds = 0;
  bool HasRoot = false;
  const bool LacksEnd = Into.IsCut;
  while (Word) {
    if (Into.Commits.size() == MostCommits) {
      Into.IsCut = true;
      break;
    }
    if (!Word->empty())
      return malformed("the begin of a commit");
    std::optional<std::string_view> Head = In.next();
    if (!Head)
      break;
    // "SECONDS PARENT..."
    const size_t End = std::min(Head->find(' '), Head->size());
    std::optional<uint64_t> Time = numberIn(Head->substr(0, End));
    if (!Time)
      return malformed("the time of a commit");
    Seconds = *Time;
    const bool IsRoot = Head->substr(End).find_first_not_of(' ') == Head->npos;
    HasRoot |= IsRoot;
    std::vector<std::string> &Files = Into.Commits.emplace_back();
    auto nameNow = [&NameNow](std::string Name) {
      auto Known = NameNow.find(Name);
      return Known == NameNow.end() ? std::move(Name) : Known->second;
    };
    while ((Word = In.next()) && !Word->empty()) {
      const std::string_view Status =
          Word->substr(Word->starts_with('\n') ? 1 : 0);
      const bool IsRename = Status.starts_with('R');
      std::optional<std::string_view> Path = In.next();
      std::optional<std::string_view> New =
          IsRename || Status.starts_with('C') ? In.next() : Path;
      Word = New;
      if (!New)
        break;
      // The end of a shallow clone has all files, of all commits before it.
      if (!IsRoot || !Into.IsShallow)
        Files.push_back(nameNow(std::string(*New)));
      if (IsRename && !Files.empty()) {
        NameNow.insert_or_assign(std::string(*Path), Files.back());
        LaterName.try_emplace(std::string(*Path), Files.back());
      }
    }
  }
  if (LacksEnd && !Into.Commits.empty())
    Into.Commits.pop_back();
  else if (!Into.IsCut && !In.isAtEnd())
    return malformed("the end");
  // A branch may go on with a name that another one had changed before.
  for (std::vector<std::string> &Files : Into.Commits) {
    for (std::string &File : Files)
      for (int I = 0; I != MostRenames && !Into.Tracked.contains(File); ++I) {
        auto Later = LaterName.find(File);
        if (Later == LaterName.end())
          break;
        File = Later->second;
      }
    std::sort(Files.begin(), Files.end());
    Files.erase(std::unique(Files.begin(), Files.end()), Files.end());
  }
  if (HasRoot || Into.IsCut)
    Into.BeginSeconds = Seconds;
  return {};
}

Result<GitHistory> instantrace::readGitHistory(const std::string &Folder,
                                               const std::string &Since) {
  GitHistory History;
  const uint64_t AskedSeconds = realtimeNs() / 1'000'000'000;
  INSTANTRACE_TRY_ASSIGN(
      std::string Facts,
      runGit(Folder, {"rev-parse", "--is-shallow-repository",
                      "--since=" + Since, "--show-prefix", "--show-toplevel"}));
  History.IsShallow = takeLine(Facts) == "true";
  constexpr std::string_view Age = "--max-age=";
  const std::string Begin = takeLine(Facts);
  constexpr uint64_t Unknown = UINT64_MAX;
  const uint64_t Seconds =
      Begin.starts_with(Age)
          ? numberIn(Begin.substr(Age.size())).value_or(Unknown)
          : Unknown;
  const std::string Prefix = takeLine(Facts);
  if (Seconds == Unknown || !Facts.ends_with('\n'))
    return Error{"git rev-parse in " + Folder +
                 ": it does not say where the repository is"};
  // git takes words that it does not know for now.
  if (Seconds >= AskedSeconds)
    return Error{"'" + Since + "' is no time in the past that git knows"};
  Facts.pop_back();
  History.BeginSeconds = Seconds;
  // Links on the way to it are as the folder has them, as compilers do.
  const std::string Asked = Folder + "/";
  History.Root = Asked.ends_with("/" + Prefix)
                     ? Asked.substr(0, Asked.size() - Prefix.size())
                     : Facts + "/";
  INSTANTRACE_TRY_ASSIGN(
      std::string Files,
      runGit(History.Root, {"ls-files", "-z", "--full-name"}));
  for (NulWords Each(Files);
       std::optional<std::string_view> File = Each.next();)
    History.Tracked.emplace(*File);
  INSTANTRACE_TRY_ASSIGN(
      std::string Log,
      runGit(History.Root,
             {"-c", "log.showSignature=false", "log", "-z", "--since=" + Since,
              "--max-count=" + std::to_string(MostCommits + 1), "--no-color",
              "--no-notes", "--no-ext-diff", "--no-textconv", "--no-relative",
              "--find-renames", "--name-status", "--root",
              "--format=%x00%ct %P", "HEAD", "--"},
             &History.IsCut));
  INSTANTRACE_TRY(parseGitLog(Log, History));
  const uint64_t NowSeconds = realtimeNs() / 1'000'000'000;
  if (NowSeconds > History.BeginSeconds)
    History.Weeks =
        std::max(1.0, static_cast<double>(NowSeconds - History.BeginSeconds) /
                          static_cast<double>(WeekSeconds));
  return History;
}
