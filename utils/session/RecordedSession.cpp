#include "utils/session/RecordedSession.h"

#include "utils/input/FileDescriptor.h"
#include "utils/input/Leftovers.h"
#include "utils/session/SessionFolder.h"
#include "utils/session/SessionParsing.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <string_view>
#include <sys/utsname.h>
#include <utility>

using namespace instantrace;
using Json = nlohmann::json;

namespace {

/// What is wanted of session.json, taken as it is parsed: a tree of all that it
/// may have would take many times as much.
class SessionParser final : public nlohmann::json_sax<Json> {
public:
  std::string Format;
  uint64_t Version = 0;
  RecordedSession Session;

  bool null() override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool boolean(bool Value) override {
    if (isAt({"git", "modified"}))
      Session.IsModified = Value;
    return true;
  }
  bool number_unsigned(number_unsigned_t Value) override {
    if (Where.size() == 1)
      set(Numbers, Where[0], Value);
    else if (isAt({"machine", "cpus"}))
      Session.Cpus = Value;
    else if (Where.size() == 3 && Where[0] == "not_profiled")
      addUse(Value);
    else if (isAt({"links", "", "begin_ns"}))
      Link.BeginNs = Value;
    else if (isAt({"links", "", "end_ns"}))
      Link.EndNs = Value;
    return true;
  }
  bool string(string_t &Value) override {
    if (Where.size() == 1)
      set(Texts, Where[0], Value);
    else if (Where.size() == 2 && Where[0] == "git")
      set(GitTexts, Where[1], Value);
    else if (Where.size() == 2 && Where[0] == "machine")
      set(MachineTexts, Where[1], Value);
    else if (isAt({"command", ""}))
      Session.Command.push_back(std::move(Value));
    else if (isAt({"problems", ""}))
      Session.Problems.push_back(std::move(Value));
    else if (isAt({"units", "", "trace"}))
      Trace = std::move(Value);
    else if (isAt({"links", "", "output"}))
      Link.Output = std::move(Value);
    return true;
  }
  bool start_object(size_t) override { return enter(); }
  bool start_array(size_t) override { return enter(); }
  bool key(string_t &Name) override {
    Where.back() = std::move(Name);
    if (Where.size() == 1)
      forget(Where[0]);
    return true;
  }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(size_t, const std::string &,
                   const Json::exception &) override {
    return false;
  }

private:
  template <class T> using Member = std::pair<std::string_view, T *>;

  template <class T, size_t N>
  static void set(const std::array<Member<T>, N> &Members,
                  std::string_view Name, T Value) {
    for (const auto &[Known, To] : Members)
      if (Known == Name) {
        *To = std::move(Value);
        return;
      }
  }

  bool isAt(std::initializer_list<std::string_view> Names) const {
    return std::equal(Where.begin(), Where.end(), Names.begin(), Names.end());
  }
  bool enter() {
    if (Where.size() == 2 && Where[0] == "not_profiled")
      Session.NotProfiled[Where[1]];
    Where.emplace_back();
    return true;
  }
  bool leave() {
    Where.pop_back();
    if (isAt({"units", ""}) && !Trace.empty())
      Session.Traces.push_back(std::exchange(Trace, {}));
    if (isAt({"links", ""}))
      Session.Links.push_back(std::exchange(Link, {}));
    return true;
  }
  /// Where a member is there twice, the last one counts, whatever its type.
  void forget(std::string_view Name) {
    set(Texts, Name, std::string());
    set(Numbers, Name, uint64_t(0));
    if (Name == "command")
      Session.Command.clear();
    if (Name == "problems")
      Session.Problems.clear();
    if (Name == "units")
      Session.Traces.clear();
    if (Name == "not_profiled")
      Session.NotProfiled.clear();
    if (Name == "links")
      Session.Links.clear();
  }
  void addUse(uint64_t Value) {
    RecordedUse &Use = Session.NotProfiled[Where[1]];
    set(std::array<Member<uint64_t>, 4>{{{"count", &Use.Count},
                                         {"unattributed", &Use.Unattributed},
                                         {"runs", &Use.Runs},
                                         {"hits", &Use.Hits}}},
        Where[2], Value);
  }

  std::string Trace; ///< of the unit that is open
  RecordedLink Link; ///< that is open
  /// Of each object that is open the name of its member, of an array none.
  std::vector<std::string> Where;
  const std::array<Member<std::string>, 3> Texts = {
      {{"format", &Format},
       {"state", &Session.State},
       {"working_directory", &Session.WorkingDirectory}}};
  const std::array<Member<std::string>, 4> GitTexts = {
      {{"commit", &Session.Commit},
       {"branch", &Session.Branch},
       {"author", &Session.Author},
       {"root", &Session.SourceRoot}}};
  const std::array<Member<std::string>, 4> MachineTexts = {
      {{"host", &Session.Host},
       {"system", &Session.System},
       {"architecture", &Session.Architecture},
       {"processor", &Session.Processor}}};
  const std::array<Member<uint64_t>, 8> Numbers = {
      {{"version", &Version},
       {"begun_realtime_ns", &Session.BeginRealtimeNs},
       {"pid", &Session.Pid},
       {"wall_ns", &Session.WallNs},
       {"user_ns", &Session.UserNs},
       {"system_ns", &Session.SystemNs},
       {"exit_code", &Session.ExitCode},
       {"compiled_again", &Session.CompiledAgain}}};
};

Result<std::string> readText(const std::string &Path) {
  // What it says is copied by merge and split.
  FileDescriptor File = openRegularFile(Path, FinalLink::Refused);
  if (!File && errno == ELOOP)
    return makeError(Path, "a link", "a file of the session itself");
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
  SessionParser Parser;
  if (!isSessionShaped(Text) ||
      !Json::sax_parse(Text.begin(), Text.end(), &Parser) ||
      Parser.Format != "instantrace session")
    return makeError(Path, "no session", "what instantrace record writes");
  if (Parser.Version != 1)
    return makeError(Path, "a session of another version",
                     "one of version 1, which this tool reads");
  return std::move(Parser.Session);
}

static Result<RecordedSession> readInto(const std::string &Folder,
                                        std::string &Text) {
  std::string Path = Folder + "/session.json";
  struct stat Status;
  if (::stat(Folder.c_str(), &Status) == 0 && !S_ISDIR(Status.st_mode))
    return makeError(Folder, "a file",
                     "the folder of a session, as instantrace record makes it");
  INSTANTRACE_TRY_ASSIGN(std::string Read, readText(Path));
  Text = std::move(Read);
  return parseSession(Text, Path);
}

Result<std::string> instantrace::readSessionText(const std::string &Folder) {
  std::string Text;
  if (Result<RecordedSession> Read = readInto(Folder, Text); !Read)
    return Read.error();
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
