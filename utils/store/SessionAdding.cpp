#include "utils/store/SessionAdding.h"

#include "runtime/base/Hash.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/EachTrace.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/NumberText.h"
#include "utils/session/RecordedSession.h"
#include "utils/session/SessionFolder.h"
#include "utils/store/SessionTables.h"
#include "utils/system/SystemClock.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

void addText(PieceHash &Hash, const std::string &Text) {
  uint64_t SizeBytes = Text.size();
  Hash.add(&SizeBytes, sizeof(SizeBytes)).add(Text.data(), Text.size());
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

/// What kind of machine it is: others of that kind should be as fast.
std::string machineKind(const RecordedSession &S) {
  std::string Kind = S.Processor.empty() ? S.Architecture : S.Processor;
  return Kind.empty() ? "" : Kind + " x " + std::to_string(S.Cpus);
}

class Adding {
public:
  Adding(Store &Db, const std::string &Folder, InputObserver &Seen)
      : Db(Db), Folder(Folder), Seen(Seen) {}

  Result<AddedSession> add(bool Replaces);

private:
  Result<void> findTraceFiles();
  Result<std::string> contentKey();
  Result<void> readTraces(SessionTables &Tables);
  void addMissing(SessionTables &Tables);
  BuildFacts factsOf(std::string Key, std::string Content,
                     const SessionTables &Tables) const;

  Store &Db;
  const std::string &Folder;
  InputObserver &Seen;
  RecordedSession Session;
  std::vector<std::string> Files;
};

Result<void> Adding::findTraceFiles() {
  INSTANTRACE_TRY_ASSIGN(Files, tracesOfSession(Folder, &Seen));
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

/// What one trace adds.
class TracePart final : public StreamedTrace {
public:
  TraceSink &events() override { return Events; }
  void finish() override {
    Lost = T.losses();
    Costs = Events.take(/*AreKindsKept=*/false);
  }

  std::vector<std::string> Lost;
  std::vector<CostTable> Costs;

private:
  CostSink Events{T, SessionTables::Kinds, *TraceFilter::make({})};
};

/// Keeps what is said of the next trace, and takes what cannot be read for
/// missing.
class TraceObserver final : public InputObserver {
public:
  TraceObserver(InputObserver &Seen, SessionTables &Tables)
      : Seen(Seen), Tables(Tables) {}

  void warn(const std::string &Message) override { Lost.push_back(Message); }
  void unreadable(const std::string &Message) override {
    Tables.addMissing("unreadable trace", 1, Message);
    Lost.clear();
  }
  void begin(uint64_t TotalBytes) override { Seen.begin(TotalBytes); }
  void enter(const std::string &Name) override { Seen.enter(Name); }
  void at(uint64_t DoneBytes) override { Seen.at(DoneBytes); }

  std::vector<std::string> takeLost() { return std::exchange(Lost, {}); }

private:
  InputObserver &Seen;
  SessionTables &Tables;
  std::vector<std::string> Lost;
};

Result<void> Adding::readTraces(SessionTables &Tables) {
  TraceObserver Observer(Seen, Tables);
  return forEachStreamed(
      EachTrace{Files, Observer, /*AreFailuresTold=*/true},
      [] { return std::make_unique<TracePart>(); },
      [&](const TracePart &Part) -> Result<void> {
        std::vector<std::string> Lost = Observer.takeLost();
        std::string Name = traceName(Part.T.Files.front().Name);
        if (Part.T.Sequences.empty()) {
          Tables.addMissing("unreadable trace", 1, Name + ": no compile in it");
          return {};
        }
        Lost.insert(Lost.end(), Part.Lost.begin(), Part.Lost.end());
        if (!Lost.empty())
          Tables.addMissing("incomplete trace", 1, Name + ": " + Lost.front());
        return Tables.add(Part.T, Part.Costs, Name, Lost.empty(),
                          Session.SourceRoot);
      });
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
  for (const auto &[What, Use] : Session.NotProfiled)
    if (Use.Runs != 0 && Use.Hits != 0)
      Tables.addMissing("object out of " + What, Use.Hits, What);
    else if (Use.Runs == 0 && Use.Count != 0)
      Tables.addMissing("compile without a profile", Use.Count, What);
  if (Session.State != "ended")
    Tables.addMissing("interrupted build", 1,
                      Session.State == "interrupted"
                          ? "the build was stopped"
                          : "its record did not end");
}

BuildFacts Adding::factsOf(std::string Key, std::string Content,
                           const SessionTables &Tables) const {
  BuildFacts F;
  F.Session = std::move(Key);
  F.Content = std::move(Content);
  F.BegunNs = Session.BeginRealtimeNs;
  F.Commit = Session.Commit;
  F.Branch = Session.Branch;
  F.Author = Session.Author;
  F.IsModified = Session.IsModified;
  F.State = Session.State;
  F.ExitCode = static_cast<uint64_t>(Session.ExitCode);
  F.Command = fmt::format("{}", fmt::join(Session.Command, " "));
  F.Clang = Tables.clangs();
  F.Host = Session.Host;
  F.Machine = machineKind(Session);
  F.System = Session.System;
  F.WallNs = Session.WallNs;
  F.UserNs = Session.UserNs;
  F.SystemNs = Session.SystemNs;
  F.Units = Tables.compiles();
  F.Missing = Tables.missing().size();
  F.AddedNs = realtimeNs();
  return F;
}

Result<AddedSession> Adding::add(bool Replaces) {
  INSTANTRACE_TRY_ASSIGN(Session, readSession(Folder));
  if (isRunning(Session, Folder))
    return makeError(Folder, "a session whose build runs",
                     "one that has ended");
  INSTANTRACE_TRY(findTraceFiles());
  INSTANTRACE_TRY_ASSIGN(std::string Content, contentKey());
  INSTANTRACE_TRY_ASSIGN(uint64_t Kept, Db.keptSinceNs());
  if (Session.BeginRealtimeNs < Kept)
    return AddedSession{.Outcome = Store::Inserted::IsTooOld};
  std::string Key = sessionKey(Session);
  INSTANTRACE_TRY_ASSIGN(std::optional<Store::KnownBuild> Before,
                         Db.known(Key));
  if (Before && Before->Content == Content)
    return AddedSession{.Outcome = Store::Inserted::AlreadyThere,
                        .Build = Before->Build};
  auto otherTraces = [&](uint64_t Build) {
    return makeError(Folder,
                     "other traces than build " + std::to_string(Build) +
                         " has of this session",
                     "the same; --replace takes these");
  };
  if (Before && !Replaces)
    return otherTraces(Before->Build);

  INSTANTRACE_TRY_ASSIGN_AS(Db.failure, SessionTables Tables, Db.stage());
  {
    INSTANTRACE_TRY_ASSIGN_AS(Db.failure, Transaction Own, Tables.begin());
    INSTANTRACE_TRY_AS(Db.failure, readTraces(Tables));
    INSTANTRACE_TRY_AS(Db.failure, Own.commit());
  }
  addMissing(Tables);
  INSTANTRACE_TRY_AS(Db.failure, Tables.stageMissing());

  INSTANTRACE_TRY_ASSIGN(
      Store::Inserted In,
      Db.insert(factsOf(std::move(Key), std::move(Content), Tables), Tables,
                Replaces));
  if (In.Outcome == Store::Inserted::IsOther)
    return otherTraces(In.Build);
  AddedSession Added{
      .Outcome = In.Outcome, .Build = In.Build, .Units = Tables.compiles()};
  for (const MissingPart &Part : Tables.missing())
    Added.Missing.push_back(Part.line());
  return Added;
}

} // namespace

Result<AddedSession> instantrace::addSession(Store &Db,
                                             const std::string &Folder,
                                             bool Replaces,
                                             InputObserver &Seen) {
  try {
    return Adding(Db, Folder, Seen).add(Replaces);
  } catch (const fs::filesystem_error &E) {
    return Error{Folder + ": " + E.code().message()};
  }
}
