#include "utils/store/SessionAdding.h"

#include "runtime/base/Hash.h"
#include "utils/input/CompressedTrace.h"
#include "utils/input/EachTrace.h"
#include "utils/input/SystemClock.h"
#include "utils/input/TraceInputs.h"
#include "utils/render/NumberText.h"
#include "utils/session/RecordedSession.h"
#include "utils/store/SessionTables.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <optional>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

void addText(PieceHash &To, const std::string &Text) {
  uint64_t SizeBytes = Text.size();
  To.add(&SizeBytes, sizeof(SizeBytes)).add(Text.data(), Text.size());
}

/// What no two sessions have in common.
std::string sessionKey(const RecordedSession &S) {
  PieceHash Key;
  addText(Key, S.Host);
  addText(Key, S.WorkingDirectory);
  for (const std::string &Word : S.Command)
    addText(Key, Word);
  Key.add(&S.BeginRealtimeNs, sizeof(S.BeginRealtimeNs));
  Key.add(&S.Pid, sizeof(S.Pid));
  return hashText(Key.value());
}

/// Of a trace, as session.json has it: compacting changes neither the trace nor
/// what it is called here.
std::string traceName(const std::string &File) {
  std::string Name = fs::path(File).filename().string();
  if (Name.ends_with(CompressedEnding))
    Name.resize(Name.size() - CompressedEnding.size());
  return Name;
}

/// `record` says so until it has ended, and for ever if it was killed.
bool isRunning(const RecordedSession &S) {
  return S.State == "running" && S.Pid != 0 && S.Pid <= INT32_MAX &&
         (::kill(static_cast<pid_t>(S.Pid), 0) == 0 || errno == EPERM);
}

std::string commandText(const std::vector<std::string> &Words) {
  std::string Text;
  for (const std::string &Word : Words)
    Text += (Text.empty() ? "" : " ") + Word;
  return Text;
}

/// What kind of machine it is: others of that kind should be as fast.
std::string machineKind(const RecordedSession &S) {
  std::string Kind = S.Processor.empty() ? S.Architecture : S.Processor;
  return Kind.empty() ? "" : Kind + " x " + std::to_string(S.Cpus);
}

class Adding {
public:
  Adding(Store &To, const std::string &Folder, InputObserver &Seen)
      : To(To), Folder(Folder), Seen(Seen) {}

  Result<AddedSession> add(bool Replaces);

private:
  struct Known {
    uint64_t Build = 0;
    std::string Content;
  };

  Result<void> findTraceFiles();
  Result<std::string> contentKey();
  Result<std::optional<Known>> known(const std::string &Key) const;
  Result<void> readTraces(SessionTables &Tables);
  void addMissing(SessionTables &Tables);
  Result<uint64_t> insertBuild(const std::string &Key,
                               const std::string &Content,
                               const SessionTables &Tables);

  Store &To;
  const std::string &Folder;
  InputObserver &Seen;
  RecordedSession Session;
  std::vector<std::string> Files;
};

Result<void> Adding::findTraceFiles() {
  Result<std::vector<std::string>> Found = findTraces({Folder});
  if (Found)
    Files = std::move(*Found);
  if (Files.empty() && Session.Traces.empty())
    return makeError(Folder, "no trace", "a session with a compile in it");
  return {};
}

Result<std::string> Adding::contentKey() {
  PieceHash Content;
  for (const std::string &File : Files) {
    addText(Content, traceName(File));
    // What cannot be read now is missing, and is other content when it can.
    Result<std::string> Bytes = readBytes(File);
    addText(Content, Bytes ? *Bytes : std::string());
  }
  return hashText(Content.value());
}

Result<std::optional<Adding::Known>>
Adding::known(const std::string &Key) const {
  Result<Statement> Asked = Statement::prepare(
      To.database(), "SELECT id, content FROM builds WHERE session = ?");
  if (!Asked)
    return To.failure(Asked.error());
  Result<bool> Row = Asked->bind(1, Key).step();
  if (!Row)
    return To.failure(Row.error());
  if (!*Row)
    return std::optional<Known>();
  return std::optional<Known>(
      Known{static_cast<uint64_t>(Asked->number(0)), Asked->text(1)});
}

Result<void> Adding::readTraces(SessionTables &Tables) {
  Seen.begin(totalBytes(Files));
  uint64_t Done = 0;
  for (const std::string &File : Files) {
    Seen.enter(File);
    std::vector<std::string> Lost;
    MessageList Of(Lost);
    std::string Name = traceName(File);
    Result<Trace> T = instantrace::readTraces({File}, Of);
    if (!T) {
      Tables.addMissing("unreadable trace", 1, T.error().Message);
    } else if (T->Sequences.empty()) {
      Tables.addMissing("unreadable trace", 1, Name + ": no compile in it");
    } else {
      std::vector<std::string> More = T->losses();
      Lost.insert(Lost.end(), More.begin(), More.end());
      if (!Lost.empty())
        Tables.addMissing("incomplete trace", 1, Name + ": " + Lost.front());
      if (Result<void> Added =
              Tables.add(*T, Name, Lost.empty(), Session.SourceRoot);
          !Added)
        return Added;
    }
    std::error_code Failed;
    if (auto SizeBytes = fs::file_size(File, Failed); !Failed)
      Done += SizeBytes;
    Seen.at(Done);
  }
  return {};
}

void Adding::addMissing(SessionTables &Tables) {
  std::vector<std::string> Names;
  for (const std::string &File : Files)
    Names.push_back(traceName(File));
  std::sort(Names.begin(), Names.end());
  for (const std::string &Trace : Session.Traces)
    if (!std::binary_search(Names.begin(), Names.end(), Trace))
      Tables.addMissing("absent trace", 1,
                        Trace + ": named in session.json, not in the folder");
  for (const auto &[What, Count] : Session.NotProfiled)
    Tables.addMissing(What == "ccache" ? "object out of ccache"
                                       : "compile without a profile",
                      Count, What);
  if (Session.State != "ended")
    Tables.addMissing("interrupted build", 1,
                      Session.State == "interrupted"
                          ? "the build was stopped"
                          : "its record did not end");
}

Result<uint64_t> Adding::insertBuild(const std::string &Key,
                                     const std::string &Content,
                                     const SessionTables &Tables) {
  Result<Statement> Row = Statement::prepare(
      To.database(),
      "INSERT INTO builds(session, content, begun_ns, commit_id, branch, "
      "author, modified, state, exit_code, command, clang, host, machine, "
      "system, wall_ns, user_ns, system_ns, units, missing, added_ns) VALUES "
      "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!Row)
    return To.failure(Row.error());
  int At = 0;
  auto text = [&](std::string_view Text) { Row->bind(++At, Text); };
  auto number = [&](uint64_t Value) { Row->bind(++At, Value); };
  text(Key);
  text(Content);
  number(Session.BeginRealtimeNs);
  text(Session.Commit);
  text(Session.Branch);
  text(Session.Author);
  number(Session.IsModified);
  text(Session.State);
  number(Session.ExitCode);
  text(commandText(Session.Command));
  text(Tables.clangs());
  text(Session.Host);
  text(machineKind(Session));
  text(Session.System);
  number(Session.WallNs);
  number(Session.UserNs);
  number(Session.SystemNs);
  number(Tables.compiles());
  number(Tables.missing().size());
  number(realtimeNs());
  if (Result<void> Done = Row->run(); !Done)
    return To.failure(Done.error());
  return static_cast<uint64_t>(sqlite3_last_insert_rowid(To.database()));
}

Result<AddedSession> Adding::add(bool Replaces) {
  Result<RecordedSession> Read = readSession(Folder);
  if (!Read)
    return Read.error();
  Session = std::move(*Read);
  if (isRunning(Session))
    return makeError(Folder, "a session whose build runs",
                     "one that has ended");
  if (Result<void> Found = findTraceFiles(); !Found)
    return Found.error();
  Result<std::string> Content = contentKey();
  if (!Content)
    return Content.error();
  std::string Key = sessionKey(Session);
  Result<std::optional<Known>> Before = known(Key);
  if (!Before)
    return Before.error();
  auto isThere = [&] { return *Before && (*Before)->Content == *Content; };
  if (isThere())
    return AddedSession{AddedSession::AlreadyThere, (*Before)->Build, 0, {}};

  Result<SessionTables> Tables = SessionTables::make(To.database());
  if (!Tables)
    return To.failure(Tables.error());
  {
    Result<Transaction> Own = Transaction::beginOwn(To.database());
    if (!Own)
      return To.failure(Own.error());
    if (Result<void> Done = readTraces(*Tables); !Done)
      return To.failure(Done.error());
    if (Result<void> Kept = Own->commit(); !Kept)
      return To.failure(Kept.error());
  }
  addMissing(*Tables);

  Result<Transaction> Work = Transaction::begin(To.database());
  if (!Work)
    return To.failure(Work.error());
  Before = known(Key); // another process may have added it meanwhile
  if (!Before)
    return Before.error();
  if (isThere())
    return AddedSession{AddedSession::AlreadyThere, (*Before)->Build, 0, {}};
  if (*Before && !Replaces)
    return makeError(Folder,
                     "other traces than build " +
                         std::to_string((*Before)->Build) +
                         " has of this session",
                     "the same; --replace takes these");
  if (*Before)
    if (Result<uint64_t> Gone =
            To.removeBuilds("id = " + std::to_string((*Before)->Build));
        !Gone)
      return Gone.error();
  Result<uint64_t> Build = insertBuild(Key, *Content, *Tables);
  if (!Build)
    return Build.error();
  if (Result<void> Done = Tables->insertInto(*Build); !Done)
    return To.failure(Done.error());
  if (Result<void> Kept = Work->commit(); !Kept)
    return To.failure(Kept.error());
  AddedSession Added{*Before ? AddedSession::Replaced : AddedSession::Added,
                     *Build,
                     Tables->compiles(),
                     {}};
  for (const MissingPart &Part : Tables->missing())
    Added.Missing.push_back(Part.line());
  return Added;
}

} // namespace

Result<AddedSession> instantrace::addSession(Store &To,
                                             const std::string &Folder,
                                             bool Replaces,
                                             InputObserver &Seen) {
  try {
    return Adding(To, Folder, Seen).add(Replaces);
  } catch (const fs::filesystem_error &E) {
    return Error{Folder + ": " + E.code().message()};
  }
}
