/// \file
/// `instantrace store`: builds over time.
///
/// Flow: sessions -> addSession -> Store
///       Question, options -> ask -> AnswerText | AnswerPage
#include "utils/store/Store.h"

#include "utils/cli/ColorOption.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/OutputOptions.h"
#include "utils/commands/Commands.h"
#include "utils/export/ExportOutput.h"
#include "utils/query/Select.h"
#include "utils/render/NumberText.h"
#include "utils/session/RecordedSession.h"
#include "utils/store/AnswerPage.h"
#include "utils/store/AnswerText.h"
#include "utils/store/AskStore.h"
#include "utils/store/SessionAdding.h"
#include "utils/system/SystemClock.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <sys/stat.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct StoreOptions {
  std::string Action;
  std::vector<std::string> Words;
  std::string Location, Cluster, Html, Before;
  std::optional<uint64_t> KeepDays;
  bool Replaces = false, IsUnreplicated = false;
  AskOptions Ask;
  std::optional<RecordFormat> Records;
};

/// What an action is given, and which options are its.
struct StoreAction {
  const char *Name;
  Result<int> (*Run)(const StoreOptions &Opts);
  size_t LeastWords, MostWords;
  const char *Words; ///< that it expects
};

constexpr size_t AnyNumber = SIZE_MAX;
constexpr size_t MostMissingShown = 10;

Result<StoreLocation> locationOf(const StoreOptions &Opts) {
  StoreLocation Location;
  Location.Place = Opts.Location;
  Location.Cluster = Opts.Cluster;
  Location.IsReplicated = !Opts.IsUnreplicated;
  if (!Location.Place.empty())
    return Location;
  INSTANTRACE_TRY_ASSIGN(Location.Place, defaultStorePath());
  return Location;
}

using OpenStore = std::unique_ptr<Store>;

Result<OpenStore> openForReading(const StoreOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(StoreLocation Location, locationOf(Opts));
  return Store::open(Location, /*IsToWrite=*/false);
}

/// Makes the folder of the usual place alone: another one may be mistyped.
Result<OpenStore> openForWriting(const StoreOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(StoreLocation Location, locationOf(Opts));
  if (Opts.Location.empty()) {
    std::error_code Failed;
    mode_t Before = ::umask(077); // what is built is nobody else's business
    fs::create_directories(fs::path(Location.Place).parent_path(), Failed);
    ::umask(Before);
    if (Failed)
      return Error{Location.Place + ": " + Failed.message()};
  }
  return Store::open(Location, /*IsToWrite=*/true);
}

void sayAdded(Output &Out, const std::string &Session,
              const AddedSession &Added) {
  std::string Shown = printableText(Session);
  if (Added.Outcome == Store::Inserted::IsTooOld) {
    Out.append(Shown + ": older than what the store keeps, left out\n");
    return;
  }
  std::string Build = "build #" + std::to_string(Added.Build);
  if (Added.Outcome == Store::Inserted::AlreadyThere) {
    Out.append(Shown + ": there already, " + Build + "\n");
    return;
  }
  Out.append(Shown + ": " + Build + ", " + counted(Added.Units, "unit") +
             (Added.Outcome == Store::Inserted::Replaced
                  ? ", in place of an older one"
                  : "") +
             "\n");
  size_t Listed = std::min(Added.Missing.size(), MostMissingShown);
  for (size_t I = 0; I != Listed; ++I)
    Out.append("  missing: " + printableText(Added.Missing[I]) + "\n");
  if (Listed != Added.Missing.size())
    Out.append("  and " + groupedText(Added.Missing.size() - Listed) +
               " more\n");
}

/// Each session by itself, so that one that cannot be read stops no other; and
/// no store is made for none.
Result<int> runAdd(const StoreOptions &Opts) {
  OpenStore Destination;
  Output Out(stdout);
  std::optional<Error> First;
  auto fail = [&](const Error &E) {
    if (First)
      First->Others.push_back(E);
    else
      First = E;
  };
  for (const std::string &Session : Opts.Words) {
    std::string Folder = Session;
    while (Folder.size() > 1 && Folder.back() == '/')
      Folder.pop_back();
    if (!Destination) {
      if (Result<RecordedSession> Read = readSession(Folder); !Read) {
        fail(Read.error());
        continue;
      }
      Result<OpenStore> Opened = openForWriting(Opts);
      if (!Opened) {
        fail(Opened.error());
        break;
      }
      Destination = std::move(*Opened);
    }
    InputProgress Seen("adding");
    Result<AddedSession> Added =
        addSession(*Destination, Folder, Opts.Replaces, Seen);
    if (Added)
      sayAdded(Out, Folder, *Added);
    else
      fail(Added.error());
  }
  Result<int> Written = Out.finish();
  if (First)
    return *First;
  return Written;
}

Result<int> runList(const StoreOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(OpenStore Db, openForReading(Opts));
  INSTANTRACE_TRY_ASSIGN(AnswerTable Builds, listBuilds(*Db));
  Output Out(stdout);
  if (Opts.Records)
    writeAnswerRows(Out, Builds, *Opts.Records);
  else if (Builds.Rows.empty())
    Out.append(printableText(Db->place()) + ": no builds\n");
  else
    writeAnswerTable(Out, Builds, standardOutputTerminal());
  return Out.finish();
}

Result<int> listQuestions() {
  Output Out(stdout);
  for (const Question &Q : storeQuestions()) {
    Out.append(Q.Name + ": " + Q.Text + "\n ");
    for (const std::string &Option : Q.Takes) {
      bool IsNeeded =
          std::find(Q.Needs.begin(), Q.Needs.end(), Option) != Q.Needs.end();
      Out.append(" " + optionName(Option) + (IsNeeded ? " (needed)" : ""));
    }
    Out.append("\n");
  }
  return Out.finish();
}

Result<int> runAsk(const StoreOptions &Opts) {
  if (Opts.Words.empty())
    return listQuestions();
  INSTANTRACE_TRY_ASSIGN(Question Asked, findQuestion(Opts.Words.front()));
  INSTANTRACE_TRY_ASSIGN(OpenStore Db, openForReading(Opts));
  INSTANTRACE_TRY_ASSIGN(Answer A, ask(*Db, Asked, Opts.Ask));
  if (!Opts.Html.empty()) {
    ExportOutput Page(Opts.Html);
    writeAnswerPage(Page, A);
    return Page.finish();
  }
  Output Out(stdout);
  if (Opts.Records)
    writeAnswerRecords(Out, A, *Opts.Records);
  else
    writeAnswer(Out, A, standardOutputTerminal());
  return Out.finish();
}

Result<int> runSql(const StoreOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(OpenStore Db, openForReading(Opts));
  Output Out(stdout);
  return Db->select(Opts.Words.front(),
                    !Opts.Records                         ? RowFormat::Text
                    : *Opts.Records == RecordFormat::Json ? RowFormat::Json
                                                          : RowFormat::Csv,
                    Out);
}

Result<int> runPrune(const StoreOptions &Opts) {
  Result<uint64_t> Before = Opts.Before.empty()
                                ? Result<uint64_t>(uint64_t(0))
                                : parseMoment(Opts.Before, realtimeNs());
  if (!Before)
    return usageError(
        makeError("--before", "'" + Opts.Before + "'", Before.error().Message));
  // One that there is: pruning makes none.
  INSTANTRACE_TRY(openForReading(Opts));
  INSTANTRACE_TRY_ASSIGN(OpenStore Db, openForWriting(Opts));
  INSTANTRACE_TRY_ASSIGN(Store::Pruned Done, Db->prune(*Before, Opts.KeepDays));
  Output Out(stdout);
  Out.append(counted(Done.Builds, "build") + " taken out" + Done.Rest + "\n");
  for (const std::string &Note : Done.Notes)
    Out.append(Note + "\n");
  return Out.finish();
}

Result<int> runCheck(const StoreOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(OpenStore Db, openForReading(Opts));
  INSTANTRACE_TRY_ASSIGN(Store::Checked Found, Db->check());
  Output Out(stdout);
  for (const std::string &Line : Found.Faults)
    Out.append(printableText(Line) + "\n");
  for (const std::string &Line : Found.Notes)
    Out.append(printableText(Line) + "\n");
  if (Found.Faults.empty())
    Out.append(printableText(Db->place()) + ": sound\n");
  Result<int> Written = Out.finish();
  return !Written || Found.Faults.empty() ? Written : Result<int>(ExitBadInput);
}

Result<int> runSchema(const StoreOptions &Opts) {
  StoreLocation Location{Opts.Location, Opts.Cluster, !Opts.IsUnreplicated};
  INSTANTRACE_TRY_ASSIGN(std::string Text, Store::schema(Location));
  Output Out(stdout);
  Out.append(Text);
  return Out.finish();
}

constexpr StoreAction StoreActions[] = {
    {"add", runAdd, 1, AnyNumber, "the folders of sessions"},
    {"list", runList, 0, 0, "nothing"},
    {"ask", runAsk, 0, 1, "the name of a question; without one, all are shown"},
    {"sql", runSql, 1, 1, "one SELECT"},
    {"prune", runPrune, 0, 0, "nothing but --before or --keep"},
    {"check", runCheck, 0, 0, "nothing"},
    {"schema", runSchema, 0, 0, "nothing"},
};

Result<void> checkUse(const StoreAction &A, const StoreOptions &Opts) {
  std::string Place = std::string("store ") + A.Name;
  if (Opts.Words.size() < A.LeastWords || Opts.Words.size() > A.MostWords)
    return usageError(makeError(
        Place, Opts.Words.empty() ? "nothing" : "'" + Opts.Words.back() + "'",
        A.Words));
  std::string_view Name = A.Name;
  auto refuse = [&](const char *Option, bool IsGiven,
                    bool IsTaken) -> Result<void> {
    if (!IsGiven || IsTaken)
      return {};
    return usageError(makeError(Place, Option, "an option of it"));
  };
  for (Result<void> Each :
       {refuse("--replace", Opts.Replaces, Name == "add"),
        refuse("--before", !Opts.Before.empty(), Name == "prune"),
        refuse("--keep", Opts.KeepDays.has_value(), Name == "prune"),
        refuse("--html", !Opts.Html.empty(), Name == "ask"),
        refuse("--cluster", !Opts.Cluster.empty(),
               Name == "add" || Name == "prune" || Name == "schema"),
        refuse("--unreplicated", Opts.IsUnreplicated,
               Name == "add" || Name == "prune" || Name == "schema"),
        refuse("--json or --csv", Opts.Records.has_value(),
               Name == "list" || Name == "ask" || Name == "sql"),
        refuse("an option of ask", !Opts.Ask.empty(), Name == "ask")})
    if (!Each)
      return Each;
  return {};
}

Result<int> runStore(const StoreOptions &Opts) {
  for (const StoreAction &A : StoreActions) {
    if (Opts.Action != A.Name)
      continue;
    INSTANTRACE_TRY(checkUse(A, Opts));
    return A.Run(Opts);
  }
  return usageError(makeError("store", "'" + Opts.Action + "'", "an action"));
}

void addAskOption(CLI::App &Command, StoreOptions &Opts, const char *Name,
                  const char *Key, const std::string &Help) {
  Command.add_option_function<std::string>(
      Name, [&Opts, Key](const std::string &Value) { Opts.Ask[Key] = Value; },
      Help);
}

void addAskOptions(CLI::App &Command, StoreOptions &Opts) {
  addAskOption(Command, Opts, "--by", "by",
               "what a row is about, template by default: template, header, "
               "library or specialization");
  addAskOption(Command, Opts, "--name", "name", "whose trend is asked for");
  addAskOption(Command, Opts, "--metric", "metric",
               "what a regression is of, count by default: count, memoized, "
               "ast, bytes (exact), self, time or memory (with noise)");
  addAskOption(Command, Opts, "--budget", "budget",
               "a bound as in the file of instantrace budget, such as 'count "
               "<= 12000', or such a file");
  addAskOption(Command, Opts, "--base", "base",
               "the build to compare with: a commit, a branch, a moment or "
               "#BUILD (default: the earliest of the branch)");
  addAskOption(Command, Opts, "--head", "head",
               "the build that is compared (default: the latest)");
  addAskOption(Command, Opts, "--since", "since",
               "builds from then on: 2026-11-24, 2026-11-24T12:00 (UTC), or so "
               "long ago: 7d, 12h, 30m");
  addAskOption(Command, Opts, "--until", "until", "builds before then");
  addAskOption(Command, Opts, "--branch", "branch", "builds of that branch");
  addAskOption(Command, Opts, "--machine", "machine",
               "builds on that host or kind of machine");
  addAskOption(Command, Opts, "--clang", "clang",
               "builds with a Clang whose version has that in it");
  addAskOption(Command, Opts, "-n,--limit", "rows",
               "how many rows to show; 0 means all (default 20)");
}

} // namespace

CommandRun instantrace::addStore(CLI::App &App) {
  auto Opts = std::make_shared<StoreOptions>();
  CLI::App *Command = App.add_subcommand(
      "store", "Keep builds over time, and ask what changed.");
  std::vector<std::string> Names;
  for (const StoreAction &A : StoreActions)
    Names.emplace_back(A.Name);
  Command->add_option("action", Opts->Action, "what to do")
      ->required()
      ->check(CLI::IsMember(Names));
  Command->add_option(
      "words", Opts->Words,
      "what the action is about: sessions, a question, a SELECT");
  Command->add_option("--to", Opts->Location,
                      "the file of the store (default: instantrace/store.db in "
                      "XDG_DATA_HOME or ~/.local/share), or "
                      "clickhouse://HOST:PORT/DATABASE");
  Command->add_option("--cluster", Opts->Cluster,
                      "of a server: the cluster over whose shards a store is");
  Command->add_flag("--unreplicated", Opts->IsUnreplicated,
                    "of a cluster without ZooKeeper: make the tables of this "
                    "server alone");
  Command->add_flag("--replace", Opts->Replaces,
                    "of add: take a session again whose traces are others now");
  Command->add_option("--before", Opts->Before,
                      "of prune: what began before then, such as 90d");
  Command->add_option("--keep", Opts->KeepDays,
                      "of prune on a server: for how many days it keeps a "
                      "build from now on, 3650 at most; 0: for ever");
  addAskOptions(*Command, *Opts);
  Command->add_option("--html", Opts->Html,
                      "of ask: write a page with a drawing to this file");
  addRecordOptions(*Command, Opts->Records, "rows");
  addColorOption(*Command);
  Command->footer(
      R"(Actions:
  add SESSION...  take in folders that instantrace record made. A session that
                  is there already counts once, one that cannot be read is named
                  and stops no other, and whatever interrupts it, a session is
                  there as a whole or not at all: rerun it to continue
  list            the builds
  ask             the questions, with the options that each takes
  ask QUESTION    an answer, and what is missing from it
  sql SELECT      any other question, by SQL that cannot change anything
  prune           take out what is older than --before, or than a server keeps
  check           whether the store is sound
  schema          the tables, as SQL

A unit is the same in two builds by its path from the root of the sources, its
target and the options that choose the language. Numbers are those of
instantrace summary. Counts are the same whenever the same is compiled, so each
change of one is shown; of times, those that are more than noise
(docs/use/store.md).

A store is a file, or on a server of ClickHouse: user, password and more for
that come from the variables INSTANTRACE_STORE_*, never from the command line:
--to=clickhouse://builds.example:8123/builds.

Examples:
  instantrace store add instantrace-20261124-*
  instantrace store ask hottest --by=header --since=7d
  instantrace store ask trend --name='std::vector<$>'
  instantrace store ask budget --budget='count <= 12000')");
  return [Opts] { return runStore(*Opts); };
}
