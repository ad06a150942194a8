#include "utils/session/RecordedSession.h"

#include "utils/open/Leftovers.h"
#include "utils/session/SessionFolder.h"
#include "utils/session/SessionJson.h"
#include "utils/session/SessionParsing.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/utsname.h>
#include <utility>

using namespace instantrace;
using namespace instantrace::json;

bool instantrace::isSessionShaped(std::string_view Text) {
  constexpr size_t MostLevels = 16, MostMembers = 1000;
  constexpr size_t MostValues = size_t(1) << 20;
  size_t Values = 0;
  std::vector<size_t> Members; // of what is open, the outermost first
  bool IsInText = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char Byte = Text[I];
    if (Byte == '"')
      IsInText = !IsInText;
    else if (IsInText && Byte == '\\')
      ++I;
    else if (IsInText)
      continue;
    else if (Byte == ',')
      ++Values;
    else if (Byte == '[' || Byte == '{') {
      ++Values;
      Members.push_back(0);
    } else if ((Byte == ']' || Byte == '}') && !Members.empty())
      Members.pop_back();
    else if (Byte == ':' && !Members.empty())
      ++Members.back();
    if (Values > MostValues || Members.size() > MostLevels ||
        (!Members.empty() && Members.back() > MostMembers))
      return false;
  }
  return true;
}

Result<RecordedSession> instantrace::parseSession(std::string_view Text,
                                                  const std::string &Path) {
  INSTANTRACE_TRY_ASSIGN(Json Whole, parse(Text, Path, "instantrace session",
                                           "instantrace record writes"));
  RecordedSession S;
  read(Whole, "state", S.State);
  read(Whole, "command", S.Command);
  read(Whole, "working_directory", S.WorkingDirectory);
  read(Whole, "begun_realtime_ns", S.BeginRealtimeNs);
  read(Whole, "pid", S.Pid);
  read(Whole, "wall_ns", S.WallNs);
  read(Whole, "user_ns", S.UserNs);
  read(Whole, "system_ns", S.SystemNs);
  read(Whole, "exit_code", S.ExitCode);
  read(Whole, "compiled_again", S.CompiledAgain);
  read(Whole, "problems", S.Problems);
  const Json &Git = member(Whole, "git", JsonType::object);
  read(Git, "commit", S.Commit);
  read(Git, "branch", S.Branch);
  read(Git, "author", S.Author);
  read(Git, "root", S.SourceRoot);
  read(Git, "modified", S.IsModified);
  const Json &Machine = member(Whole, "machine", JsonType::object);
  read(Machine, "host", S.Host);
  read(Machine, "system", S.System);
  read(Machine, "architecture", S.Architecture);
  read(Machine, "processor", S.Processor);
  read(Machine, "cpus", S.Cpus);
  for (const Json &Unit : member(Whole, "units", JsonType::array)) {
    std::string Trace;
    read(Unit, "trace", Trace);
    if (!Trace.empty())
      S.Traces.push_back(std::move(Trace));
  }
  for (const auto &[Name, Object] :
       member(Whole, "not_profiled", JsonType::object).items())
    if (Object.is_object()) {
      RecordedUse &Use = S.NotProfiled[Name];
      read(Object, "count", Use.Count);
      read(Object, "runs", Use.Runs);
      read(Object, "hits", Use.Hits);
    }
  for (const Json &Object : member(Whole, "links", JsonType::array))
    if (Object.is_object()) {
      RecordedLink &Link = S.Links.emplace_back();
      read(Object, "output", Link.Output);
      read(Object, "begin_ns", Link.BeginNs);
      read(Object, "end_ns", Link.EndNs);
    }
  return S;
}

static Result<RecordedSession> readInto(const std::string &Folder,
                                        std::string &Text) {
  std::string Path = Folder + "/session.json";
  struct stat Status;
  if (::stat(Folder.c_str(), &Status) == 0 && !S_ISDIR(Status.st_mode))
    return makeError(Folder, "a file",
                     "the folder of a session, as instantrace record makes it");
  INSTANTRACE_TRY_ASSIGN(
      Text, readText(Path, "the folder of a session, as instantrace record "
                           "makes it"));
  return parseSession(Text, Path);
}

Result<std::string> instantrace::readSessionText(const std::string &Folder) {
  std::string Text;
  INSTANTRACE_TRY(readInto(Folder, Text));
  return Text;
}

Result<RecordedSession> instantrace::readSession(const std::string &Folder) {
  std::string Text;
  return readInto(Folder, Text);
}

bool instantrace::isRunning(const RecordedSession &S,
                            const std::string &Folder) {
  if (S.State != "running")
    return false;
  utsname Names = {};
  bool IsHere = ::uname(&Names) == 0 && S.Host == Names.nodename;
  return isHeld(Folder) ||
         (IsHere && S.Pid != 0 && S.Pid <= INT32_MAX &&
          (::kill(static_cast<pid_t>(S.Pid), 0) == 0 || errno == EPERM));
}

bool instantrace::isBeingRecorded(const std::string &Folder) {
  Result<RecordedSession> S = readSession(Folder);
  return S && isRunning(*S, Folder);
}

Result<uint32_t> instantrace::runningSession(const std::string &Folder) {
  INSTANTRACE_TRY_ASSIGN(RecordedSession S, readSession(Folder));
  if (S.State != "running")
    return makeError(Folder, "a session that has ended",
                     "one whose build runs; instantrace summary shows it");
  // A number that means a group of processes, or all of them, is none.
  constexpr uint64_t LargestPid = 1 << 22; // Linux's
  if (S.Pid == 0 || S.Pid > LargestPid)
    return makeError(Folder + "/session.json", "no process",
                     "that of the instantrace record");
  return static_cast<uint32_t>(S.Pid);
}
