/// \file
/// `instantrace record`: profiles each Clang of a build, whatever builds.
///
/// Flow: command -> SessionFolder, buildEnvironment -> BuildProcess
///       Collector | ForeignCompiles -> StatusLine, while it runs
///       traces -> BuildReading -> session.json, SessionText
///       showRecorded (Overview.cpp)
#include "utils/cli/Amounts.h"
#include "utils/cli/BuildWords.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/Installation.h"
#include "utils/cli/UnfinishedCompiles.h"
#include "utils/collector/Collector.h"
#include "utils/commands/Commands.h"
#include "utils/commands/CompileWatch.h"
#include "utils/commands/Recording.h"
#include "utils/commands/Summarizing.h"
#include "utils/export/TraceCompaction.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/TraceInputs.h"
#include "utils/recover/LeftoverRecovery.h"
#include "utils/render/BuildText.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"
#include "utils/render/Progress.h"
#include "utils/render/StatusLine.h"
#include "utils/session/BuildEnvironment.h"
#include "utils/session/BuildProcess.h"
#include "utils/session/BuildReading.h"
#include "utils/session/CacheLog.h"
#include "utils/session/CacheServer.h"
#include "utils/session/ForeignCompiles.h"
#include "utils/session/SessionFolder.h"
#include "utils/session/SessionText.h"
#include "utils/system/Processes.h"
#include "utils/system/SystemClock.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <unordered_map>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct RecordOptions {
  std::string Program;
  std::vector<std::string> Command;
  std::string Output;
  bool IgnoresCaches = false;
  bool Compacts = false;
  bool IsQuiet = false;
  bool HidesProgress = false;
  CompileLimits Limits;
};

/// For compiles that a build leaves behind, such as in a server of its own.
constexpr uint64_t PatienceNs = 5'000'000'000;
constexpr uint64_t StatusPauseNs = 250'000'000;
constexpr long RoundMs = 100, LookingRoundMs = 5;
constexpr size_t MostProblemsShown = 10;

/// Says why, too. Requires: errno of that.
int exitCodeOfNoStart(const Error &Failure) {
  bool IsMissing = errno == ENOENT;
  printError(Failure.Message);
  return IsMissing ? BuildProcess::ExitNotFound : BuildProcess::ExitNotRunnable;
}

/// With fewer files there is no session, or the build does not begin.
bool mayOpenEnoughFiles() {
  constexpr size_t LeastFiles = 5;
  std::optional<rlimit> Before = allowManyDescriptors();
  std::array<FileDescriptor, LeastFiles> Files;
  for (FileDescriptor &File : Files)
    File = FileDescriptor(::open("/", O_RDONLY | O_CLOEXEC));
  if (Before)
    ::setrlimit(RLIMIT_NOFILE, &*Before);
  return static_cast<bool>(Files.back());
}

/// Clang would cut the path of the plugin at a space in it.
bool isLinkNeeded() {
  Result<std::string> Folder = pluginFolder();
  return Folder && Folder->find(' ') != std::string::npos;
}

/// Beside our own, a path without spaces if ours has some. Requires: that of
/// \p Private has none then.
Result<std::string> usablePluginFolder(const std::string &Private) {
  Result<std::string> Folder = pluginFolder();
  if (!Folder || !isLinkNeeded())
    return Folder;
  if (installedClangs().empty())
    return makeError(*Folder, "no module for any Clang", "one at least");
  std::string Link = Private + "/plugin";
  std::error_code Failed;
  fs::create_directory_symlink(*Folder, Link, Failed);
  if (Failed)
    return Error{Link + ": " + Failed.message()};
  return Link;
}

class Recording {
public:
  Recording(const RecordOptions &Opts, SessionFolder Session,
            PrivateFolder Private)
      : Opts(Opts), Session(std::move(Session)), Private(std::move(Private)),
        Status(!Opts.HidesProgress) {}

  /// ExitSuccess: the build was run.
  Result<int> run();
  /// Requires: run() has run it.
  const BuildEnd &buildEnd() const { return *End; }

private:
  std::string socketPath() const { return Private.path() + "/collector"; }
  Result<void> begin();
  void serveUntilEnd(Collector &Serving);
  void handleSignals();
  void showStatus(const Collector &Serving, uint64_t NowNs);
  void recoverLeftovers();
  void countCompiledAgain();
  void noteElsewhere();
  void keepLink();
  BuildReading readTraces();
  void compactTraces(BuildReading &Reading);
  void addToSession();
  void explainUnfinished(const BuildReading &Reading) const;
  void finishFacts(BuildReading &Reading);

  const RecordOptions &Opts;
  SessionFolder Session;
  PrivateFolder Private;
  BuildProcess Build;
  std::optional<ForeignCompiles> Foreign; ///< since begin()
  StatusLine Status;
  SessionFacts Facts;
  FileDescriptor Reserve;
  std::vector<std::string> Environment;
  std::string CacheLog;
  uint64_t CacheLogBegin = 0;
  std::optional<CacheUse> ServerCacheBegin; ///< none: it gave no answer
  uint64_t BeginNs = 0;
  std::optional<BuildEnd> End;
  size_t EndedCompiles = 0;
  std::unordered_map<std::string, uint64_t> Outputs; ///< of how many of those
  std::vector<std::string> LetGo; ///< traces of compiles that outlive the build
  uint64_t NextStatusNs = 0;
  CompileWatch Watch{Opts.Limits};
  std::unordered_map<std::string, std::string> EndedBy; ///< by trace
};

Result<void> Recording::begin() {
  INSTANTRACE_TRY_ASSIGN(std::string Plugin,
                         usablePluginFolder(Private.path()));
  BuildSettings Settings;
  Settings.Override = compilerOverride(Plugin);
  Settings.Traces = Session.path();
  Settings.Socket = socketPath();
  Settings.CacheLog = configuredCacheLog();
  if (Settings.CacheLog.empty())
    Settings.CacheLog = Private.path() + "/ccache";
  Settings.IgnoresCaches = Opts.IgnoresCaches;
  std::vector<std::string> Ours = ownEnvironment();
  Environment = buildEnvironment(Ours, Settings);
  CacheLog = variableOf(Environment, "CCACHE_STATSLOG");
  std::error_code None;
  if (auto Size = fs::file_size(CacheLog, None); !None)
    CacheLogBegin = Size;
  ServerCacheBegin = readCacheServer();
  // Behind that, which starts sccache itself.
  Foreign.emplace(variableOf(Ours, "PATH"));
  if (!Foreign->isWatching())
    Facts.Problems.push_back(
        "compiles by GCC, and by Clang without the plugin, are not counted: "
        "the kernel gives no inotify instance (fs.inotify.max_user_instances)");
  Facts.Command = Opts.Command;
  Facts.WorkingDirectory = fs::current_path(None).string();
  Facts.Revision = revisionOf(".");
  Facts.BeginRealtimeNs = realtimeNs();
  Facts.Pid = ::getpid();
  return Session.write(Facts);
}

void Recording::handleSignals() {
  if (BuildProcess::takeResized())
    Status.resized();
  if (!Build.shouldStop())
    return;
  Status.release();
  BuildProcess::stop();
}

void Recording::showStatus(const Collector &Serving, uint64_t NowNs) {
  if (!Status.isWanted() || NowNs < NextStatusNs)
    return;
  NextStatusNs = NowNs + StatusPauseNs;
  BuildStatus Now;
  Now.Ended = EndedCompiles;
  Now.Running = Watch.running(Serving, NowNs);
  Status.show(buildStatusText(Now, StatusLine::columns()));
}

void Recording::serveUntilEnd(Collector &Serving) {
  uint64_t LastNs = 0;
  int AskedBefore = 0;
  while (true) {
    // After the end nobody reads it, and it would be readable for ever.
    Serving.serveRound(Build.duringWait(), End ? -1 : Foreign->descriptor(),
                       Foreign->isLooking() ? LookingRoundMs : RoundMs);
    uint64_t NowNs = monotonicNs();
    if (!End) {
      Foreign->look(static_cast<uint32_t>(Build.pid()), NowNs);
      End = Build.poll();
      LastNs = NowNs + PatienceNs;
      AskedBefore = BuildProcess::endsAsked();
      Facts.WallNs = NowNs - BeginNs;
    }
    // What stops us has been passed on to the build before.
    handleSignals();
    if (End && (Serving.compiles().empty() || NowNs > LastNs ||
                AskedBefore != BuildProcess::endsAsked()))
      break;
    Watch.look(Serving, NowNs);
    showStatus(Serving, NowNs);
  }
  for (const auto &Compile : Serving.compiles())
    if (!Compile->finalName().empty())
      LetGo.push_back(Compile->finalName());
}

void Recording::recoverLeftovers() {
  Result<std::vector<std::string>> Found = leftoversBelow(Session.path());
  if (!Found)
    return;
  RecoveryTarget Target("");
  LeftoverRecovery Recovery(Target, "", /*Removes=*/true);
  for (const std::string &Path : *Found) {
    RecoveryReport Report = Recovery.recover({Path, Session.path()});
    if (Report.Outcome == RecoveryReport::Failed)
      Facts.Problems.push_back(Report.Error);
  }
}

/// A compile without template work leaves no trace, however often it is run.
void Recording::countCompiledAgain() {
  for (const auto &[Output, Compiles] : Outputs) {
    std::error_code None;
    if (fs::exists(fs::symlink_status(Output, None)))
      Facts.CompiledAgain += Compiles - 1;
  }
}

/// The build has set the variable itself.
void Recording::noteElsewhere() {
  size_t Compiles = 0;
  std::string First; // the same in every run
  for (const auto &[Output, Count] : Outputs) {
    std::error_code None;
    if (Output.starts_with(Session.path() + "/") ||
        !fs::exists(fs::symlink_status(Output, None)))
      continue;
    Compiles += Count;
    if (First.empty() || Output < First)
      First = Output;
  }
  if (Compiles != 0)
    Facts.Problems.push_back(
        counted(Compiles, "compile") + " left a trace elsewhere, such as " +
        First + ": the build sets INSTANTRACE_OUTPUT or output= itself");
}

/// A compile that begins after us fails if its -fplugin leads nowhere.
void Recording::keepLink() {
  if (!isLinkNeeded() ||
      !hasProcessWith("INSTANTRACE_COLLECTOR=" + socketPath()))
    return;
  Private.keep();
  Facts.Problems.push_back(Private.path() +
                           ": stays, since processes of the build go on and "
                           "Clang finds the plugin there");
}

BuildReading Recording::readTraces() {
  Result<std::vector<std::string>> Paths =
      tracesOfSession(Session.path(), nullptr);
  if (!Paths || Paths->empty())
    return {};
  Progress Shown("reading", Paths->size(), ProgressUnit::Items);
  BuildReading Reading;
  Reading.add(*Paths, [&Shown](size_t Done) {
    Shown.at(Done);
    return BuildProcess::takeEndSignal() == 0;
  });
  return Reading;
}

/// One that cannot be compressed stays as it is.
void Recording::compactTraces(BuildReading &Reading) {
  Compaction How;
  How.Level = CompressionLevel::Default;
  Progress Shown("compacting", Reading.Units.size(), ProgressUnit::Items);
  std::unordered_map<std::string, std::string> Done;
  for (size_t I = 0; I != Reading.Units.size(); ++I) {
    Shown.at(I);
    if (BuildProcess::takeEndSignal() != 0)
      return;
    auto [Entry, IsNew] = Done.try_emplace(Reading.Units[I].Trace);
    if (IsNew) {
      Result<CompactedFile> File =
          compactFile(Session.path() + "/" + Entry->first, How);
      Entry->second = Entry->first;
      if (File) {
        Entry->second = fs::path(File->NewPath).filename().string();
        Reading.SizeBytes -= File->BytesBefore - File->BytesAfter;
      } else {
        Reading.Problems.push_back(File.error().Message);
      }
    }
    Reading.Units[I].Trace = Entry->second;
  }
}

void Recording::finishFacts(BuildReading &Reading) {
  bool IsInterrupted = End->Signal != 0 ||
                       (BuildProcess::endsAsked() != 0 && End->ExitCode != 0);
  Facts.State = IsInterrupted ? SessionFacts::StateKind::Interrupted
                              : SessionFacts::StateKind::Ended;
  Facts.UserNs = End->UserNs;
  Facts.SystemNs = End->SystemNs;
  Facts.ExitCode = End->ExitCode;
  Facts.Signal = End->Signal;
  Facts.Units = Reading.Units;
  Facts.Foreign = Foreign->uses();
  Facts.Links = Foreign->links();
  Facts.Cache = readCacheLog(CacheLog, CacheLogBegin);
  if (Facts.Cache.IsCut)
    Facts.Problems.push_back(CacheLog + ": more than 64 MiB since the build "
                                        "began; of what ccache says of itself "
                                        "behind that, nothing is counted");
  if (Facts.Foreign.contains("sccache"))
    Facts.ServerCache = cacheUseSince(ServerCacheBegin, readCacheServer());
  for (const std::string &Trace : LetGo)
    Facts.Problems.push_back(Trace + ": its compile goes on after the build, "
                                     "and writes it when it ends");
  keepLink();
  Facts.Problems.insert(Facts.Problems.end(), Reading.Problems.begin(),
                        Reading.Problems.end());
}

Result<int> Recording::run() {
  Result<CollectorSocket> Socket = CollectorSocket::listen(socketPath());
  if (!Socket) {
    Session.undo();
    return Socket.error();
  }
  if (Result<void> R = begin(); !R) {
    Session.undo();
    return R.error();
  }
  CollectorEvents Events;
  Events.Ended = [&](const RecoveryReport &Report) {
    ++EndedCompiles;
    ++Outputs[Report.Output];
    if (const std::string *Why = Watch.endedBy(Report.Pid);
        Why && Report.Outcome == RecoveryReport::Recovered)
      EndedBy[Report.Output] = *Why;
    for (const std::string &Problem : Report.Problems)
      Facts.Problems.push_back(Report.Output + ": " + Problem);
  };
  Events.Failed = [&](const Error &E) { Facts.Problems.push_back(E.Message); };
  BeginNs = monotonicNs();
  // Who wants to end it before it has begun gets that, as without us.
  if (int Signal = BuildProcess::takeEndSignal()) {
    Session.undo();
    End = BuildEnd{128 + Signal, Signal, 0, 0};
    return ExitSuccess;
  }
  if (Result<void> Started = Build.start(Opts.Command, Environment); !Started) {
    int Code = exitCodeOfNoStart(Started.error());
    Session.undo();
    return Code;
  }
  // Behind the start, which needs the last descriptors where there are few.
  Reserve = Session.reserve();
  {
    Collector Serving(std::move(*Socket), std::move(Events));
    serveUntilEnd(Serving);
  }
  Status.release();
  // Whatever becomes of what we add, the build ended as it ended.
  try {
    addToSession();
  } catch (const std::exception &E) {
    std::fprintf(stderr,
                 "instantrace: warning: the session is incomplete: %s\n",
                 E.what());
  }
  return ExitSuccess;
}

/// What the traces say, in the folder and on the terminal.
void Recording::addToSession() {
  BuildReading Reading;
  try {
    recoverLeftovers();
    countCompiledAgain();
    noteElsewhere();
    Reading = readTraces();
    if (Opts.Compacts)
      compactTraces(Reading);
  } catch (const std::exception &E) {
    Facts.Problems.push_back(std::string("traces could not be read: ") +
                             E.what());
  }
  if (!Opts.IsQuiet)
    explainUnfinished(Reading);
  finishFacts(Reading);
  Reserve = FileDescriptor();
  if (Result<void> Written = Session.write(Facts); !Written)
    printWarning(Written.error().Message);
  size_t ShownProblems = std::min(Facts.Problems.size(), MostProblemsShown);
  for (size_t I = 0; I != ShownProblems; ++I)
    printWarning(Facts.Problems[I]);
  if (Facts.Problems.size() > ShownProblems)
    printWarning(
        counted(Facts.Problems.size() - ShownProblems, "more problem") +
        ", in " + Session.shownPath() + "/session.json");
  if (!Opts.IsQuiet)
    if (Result<int> Said = writeSessionText(
            {Facts, Reading, Session.shownPath(), LetGo, installedClangs()});
        !Said)
      printWarning(Said.error().Message);
}

/// The first words of the end.
void Recording::explainUnfinished(const BuildReading &Reading) const {
  try {
    std::vector<ExplainedCompile> Compiles =
        instantrace::explainUnfinished(Reading.Unfinished);
    for (ExplainedCompile &Each : Compiles) {
      if (Each.Compile.Signal == 0 && BuildProcess::endsAsked() != 0)
        Each.Compile.Signal = SIGINT; // as all of the build
      if (auto Found = EndedBy.find(Each.Compile.Trace); Found != EndedBy.end())
        Each.Context.EndedBy = Found->second;
    }
    std::fputs(
        unfinishedBlocks(Compiles, standardErrorTerminal().Columns).c_str(),
        stderr);
  } catch (const std::exception &E) {
    printWarning(std::string("what did not finish cannot be shown: ") +
                 E.what());
  }
}

/// Nothing of the recording is left when it returns.
Result<Recorded> recordWith(const RecordOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(PrivateFolder Private,
                         PrivateFolder::make(/*MayHaveSpace=*/!isLinkNeeded()));
  INSTANTRACE_TRY_ASSIGN(SessionFolder Session,
                         SessionFolder::make(Opts.Output));
  Recorded Done;
  Done.Folder = Session.shownPath();
  Recording Work(Opts, std::move(Session), std::move(Private));
  INSTANTRACE_TRY_ASSIGN(int Code, Work.run());
  Done.Code = Code;
  if (Done.Code == ExitSuccess)
    Done.End = Work.buildEnd();
  return Done;
}

Result<int> runRecord(const RecordOptions &Opts) {
  if (!mayOpenEnoughFiles()) {
    printWarning("nothing is recorded: this process may open too few files "
                 "(ulimit -n)");
    return exitCodeOfNoStart(BuildProcess::replaceBy(Opts.Command));
  }
  INSTANTRACE_TRY_ASSIGN(Recorded Done, recordWith(Opts));
  if (!Done.End)
    return Done.Code;
  if (!Opts.IsQuiet)
    showRecorded(Done.Folder);
  return BuildProcess::endAs(*Done.End);
}

} // namespace

Result<std::string>
instantrace::recordBuild(const std::vector<std::string> &Command) {
  RecordOptions Opts;
  Opts.Command = Command;
  Opts.IsQuiet = true;
  INSTANTRACE_TRY_ASSIGN(Recorded Done, recordWith(Opts));
  if (!Done.End)
    return makeError(Command.front(), "a command that cannot be run",
                     "a compile or a build");
  return Done.Folder;
}

Result<Recorded>
instantrace::recordInto(const std::string &Output,
                        const std::vector<std::string> &Command) {
  RecordOptions Opts;
  Opts.Command = Command;
  Opts.Output = Output;
  return recordWith(Opts);
}

CommandRun instantrace::addRecord(CLI::App &App) {
  auto Opts = std::make_shared<RecordOptions>();
  CLI::App *Command = App.add_subcommand(
      "record", "Build, and profile each Clang in the build.");
  // Only the first word is an argument of ours, so that nothing is read into
  // the others.
  Command
      ->add_option("command", Opts->Program,
                   "the build, such as ninja or make -j8, behind a --")
      ->required();
  Command->prefix_command();
  Command->add_option("-o,--output", Opts->Output,
                      "the folder for the session: one that is not there yet, "
                      "or an empty one (default: instantrace-DATE-TIME)");
  Command->add_flag("--no-cache", Opts->IgnoresCaches,
                    "compile what ccache or sccache have (they keep the new "
                    "objects): a cached object has no trace");
  Command->add_flag("--compact", Opts->Compacts,
                    "compress the traces when the build has ended, as "
                    "`compact` does");
  Command
      ->add_option("--kill-after-memory", Opts->Limits.Memory,
                   "stop a compile that uses more, such as 4G, and build on "
                   "as when it fails (default: none is stopped)")
      ->check([Opts](const std::string &Text) {
        Result<uint64_t> Bytes = parseSize(Text);
        Opts->Limits.MemoryBytes = Bytes ? *Bytes : 0;
        return Opts->Limits.MemoryBytes != 0
                   ? std::string()
                   : Text + ": not a size, such as 500M or 4G";
      });
  Command
      ->add_option("--kill-after", Opts->Limits.Time,
                   "stop a compile that takes longer, such as 90s, likewise")
      ->check([Opts](const std::string &Text) {
        Result<uint64_t> Ns = parseDuration(Text);
        Opts->Limits.TimeNs = Ns ? *Ns : 0;
        return Ns ? std::string() : Ns.error().Message;
      });
  Command->add_flag("-q,--quiet", Opts->IsQuiet,
                    "do not print what was recorded at the end");
  Command->add_flag("--no-progress", Opts->HidesProgress,
                    "leave the last line of the terminal to the build");
  addColorOption(*Command);
  Command->footer(
      R"(The build is run as it is: any build system or script, with its own output,
terminal, signals and exit code, which is that of record, too. Each Clang in it
that Instantrace has a module for loads the plugin (CCC_OVERRIDE_OPTIONS; what
is in that variable already is kept), and leaves a trace in the folder. Objects
are the same as without. What has no trace is counted and named: compiles by
GCC, by a Clang whose environment the build has cleared or changed, and objects
out of a cache.

The folder has the traces and session.json: command, times, machine, revision,
units, and what is missing. It can be given to every command that takes traces.
A build that failed or was stopped leaves a session of what was compiled.
The screen at the end goes to the standard error.

Exit code: that of the build; 127 and 126 if it cannot be run. 1 or 2, before
anything was built, if there can be no session.

Examples:
  instantrace record -- ninja
  instantrace record -o before -- cmake --build build -j8
  instantrace record --no-cache -- make -j4 all)");
  return [Opts, Command]() -> Result<int> {
    Opts->Command = buildWords(Opts->Program, Command->remaining());
    return runRecord(*Opts);
  };
}
