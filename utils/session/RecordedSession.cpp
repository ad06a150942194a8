#include "utils/session/RecordedSession.h"

#include "utils/input/FileDescriptor.h"
#include "utils/input/Leftovers.h"
#include "utils/session/SessionFolder.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <string_view>
#include <sys/utsname.h>

using namespace instantrace;
using Json = nlohmann::json;

namespace {

/// Never null: of what is absent, a value of no type.
const Json &jsonMember(const Json &Of, const char *Name) {
  static const Json None;
  if (!Of.is_object())
    return None;
  auto At = Of.find(Name);
  return At == Of.end() ? None : *At;
}

std::string jsonText(const Json &Of, const char *Name) {
  const Json &Found = jsonMember(Of, Name);
  return Found.is_string() ? Found.get<std::string>() : std::string();
}

uint64_t jsonNumber(const Json &Of, const char *Name) {
  const Json &Found = jsonMember(Of, Name);
  return Found.is_number_unsigned() ? Found.get<uint64_t>() : 0;
}

Result<std::string> readText(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  if (!File)
    return Error{Path + ": " + systemMessage(errno) +
                 "; expected the folder of a session, as instantrace record "
                 "makes it"};
  std::string Text;
  char Bytes[1 << 16];
  while (true) {
    ssize_t Got = ::read(File.get(), Bytes, sizeof(Bytes));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return Error{Path + ": " + systemMessage(errno)};
    if (Got == 0)
      return Text;
    Text.append(Bytes, static_cast<size_t>(Got));
    if (Text.size() > LongestSessionBytes)
      return makeError(Path, "more than 16 MiB", "what says what was built");
  }
}

} // namespace

bool instantrace::isSessionShaped(std::string_view Text) {
  constexpr size_t MostLevels = 16, MostMembers = 1000;
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
    else if (Byte == '[' || Byte == '{')
      Members.push_back(0);
    else if ((Byte == ']' || Byte == '}') && !Members.empty())
      Members.pop_back();
    else if (Byte == ':' && !Members.empty())
      ++Members.back();
    if (Members.size() > MostLevels ||
        (!Members.empty() && Members.back() > MostMembers))
      return false;
  }
  return true;
}

Result<std::string> instantrace::readSessionText(const std::string &Folder) {
  std::string Path = Folder + "/session.json";
  struct stat Status;
  if (::stat(Folder.c_str(), &Status) == 0 && !S_ISDIR(Status.st_mode))
    return makeError(Folder, "a file",
                     "the folder of a session, as instantrace record makes it");
  Result<std::string> Text = readText(Path);
  if (!Text)
    return Text;
  if (!isSessionShaped(*Text))
    return makeError(Path, "no session", "what instantrace record writes");
  Json Whole = Json::parse(*Text, nullptr, /*allow_exceptions=*/false);
  if (jsonText(Whole, "format") != "instantrace session")
    return makeError(Path, "no session", "what instantrace record writes");
  if (jsonNumber(Whole, "version") != 1)
    return makeError(Path, "a session of another version",
                     "one of version 1, which this tool reads");
  return Text;
}

Result<RecordedSession> instantrace::readSession(const std::string &Folder) {
  Result<std::string> Text = readSessionText(Folder);
  if (!Text)
    return Text.error();
  Json Whole = Json::parse(*Text, nullptr, /*allow_exceptions=*/false);
  RecordedSession Read;
  Read.State = jsonText(Whole, "state");
  for (const Json &Word : jsonMember(Whole, "command"))
    if (Word.is_string())
      Read.Command.push_back(Word.get<std::string>());
  Read.WorkingDirectory = jsonText(Whole, "working_directory");
  Read.BeginRealtimeNs = jsonNumber(Whole, "begun_realtime_ns");
  Read.Pid = jsonNumber(Whole, "pid");
  const Json &Git = jsonMember(Whole, "git");
  Read.Commit = jsonText(Git, "commit");
  Read.Branch = jsonText(Git, "branch");
  Read.Author = jsonText(Git, "author");
  Read.SourceRoot = jsonText(Git, "root");
  Read.IsModified = jsonMember(Git, "modified") == Json(true);
  const Json &Machine = jsonMember(Whole, "machine");
  Read.Host = jsonText(Machine, "host");
  Read.System = jsonText(Machine, "system");
  Read.Architecture = jsonText(Machine, "architecture");
  Read.Processor = jsonText(Machine, "processor");
  Read.Cpus = jsonNumber(Machine, "cpus");
  Read.WallNs = jsonNumber(Whole, "wall_ns");
  Read.UserNs = jsonNumber(Whole, "user_ns");
  Read.SystemNs = jsonNumber(Whole, "system_ns");
  Read.ExitCode = jsonNumber(Whole, "exit_code");
  for (const Json &Unit : jsonMember(Whole, "units"))
    if (std::string Trace = jsonText(Unit, "trace"); !Trace.empty())
      Read.Traces.push_back(std::move(Trace));
  Read.CompiledAgain = jsonNumber(Whole, "compiled_again");
  for (const Json &Problem : jsonMember(Whole, "problems"))
    if (Problem.is_string())
      Read.Problems.push_back(Problem.get<std::string>());
  const Json &Missing = jsonMember(Whole, "not_profiled");
  if (Missing.is_object())
    for (const auto &[Name, Use] : Missing.items())
      Read.NotProfiled.emplace(
          Name,
          RecordedUse{jsonNumber(Use, "count"), jsonNumber(Use, "unattributed"),
                      jsonNumber(Use, "runs"), jsonNumber(Use, "hits")});
  return Read;
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
  Result<RecordedSession> S = readSession(Folder);
  if (!S)
    return S.error();
  if (S->State != "running")
    return makeError(Folder, "a session that has ended",
                     "one whose build runs; instantrace summary shows it");
  // A number that means a group of processes, or all of them, is none.
  constexpr uint64_t LargestPid = 1 << 22; // Linux's
  if (S->Pid == 0 || S->Pid > LargestPid)
    return makeError(Folder + "/session.json", "no process",
                     "that of the instantrace record");
  return static_cast<uint32_t>(S->Pid);
}
