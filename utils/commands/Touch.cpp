/// \file
/// `instantrace touch`: what a change of each file costs those who build.
///
/// Flow: RebuildReading, readGitHistory -> touchCosts -> TouchText -> stdout
#include "utils/analysis/advice/TouchCosts.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/cli/Choices.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/commands/Commands.h"
#include "utils/commands/OverviewPart.h"
#include "utils/commands/RebuildReading.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"
#include "utils/render/TouchText.h"
#include "utils/session/GitHistory.h"

#include <CLI/CLI.hpp>

#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

constexpr Choice<TouchOrder> TouchOrders[] = {
    {"week", TouchOrder::Week},   {"time", TouchOrder::Time},
    {"wall", TouchOrder::Wall},   {"commits", TouchOrder::Commits},
    {"units", TouchOrder::Units}, {"name", TouchOrder::Name},
};
constexpr Choice<TouchKey> TouchKeys[] = {
    {"file", TouchKey::File},
    {"folder", TouchKey::Folder},
};
/// Whose includers are looked at.
constexpr size_t SplitFiles = 5;

struct TouchOptions {
  std::vector<std::string> Inputs, MoreRoots;
  std::string Since = "3 months", Repository;
  TouchKey Key = TouchKey::File;
  std::optional<TouchOrder> Order; ///< none: a week, if there is a history
  size_t Rows = 15;
  std::optional<RecordFormat> Records;
};

/// Ends with a slash; empty: there is none.
std::string commonFolder(const HeaderFacts &H) {
  std::optional<std::string> Common;
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile) {
    const std::string &Source = H.run(Compile).Source;
    if (H.isForOthers(Compile) || !Source.starts_with('/'))
      continue;
    std::string Folder = Source.substr(0, Source.rfind('/') + 1);
    if (!Common)
      Common = Folder;
    size_t Alike = 0;
    for (size_t Index = 0; Index != std::min(Common->size(), Folder.size()) &&
                           (*Common)[Index] == Folder[Index];
         ++Index)
      if (Folder[Index] == '/')
        Alike = Index + 1;
    Common->resize(Alike);
  }
  return Common && Common->size() > 1 ? *Common : std::string();
}

/// The files below \p Root for which \p IsOwn is true; \p Root ends with a
/// slash.
template <class Function>
std::vector<OwnFile> ownFiles(const HeaderFacts &H, const std::string &Root,
                              const Function &IsOwn) {
  std::map<std::string, OwnFile> Found;
  for (FileNumber File = 0; File != H.fileCount(); ++File) {
    std::string Path = H.fullPath(File);
    if (!Path.starts_with(Root))
      continue;
    std::string Name = Path.substr(Root.size());
    if (!IsOwn(Name, File))
      continue;
    OwnFile &Own = Found[Name];
    Own.Name = std::move(Name);
    Own.Spelled.push_back(File);
  }
  std::vector<OwnFile> All;
  for (auto &[Name, File] : Found)
    All.push_back(std::move(File));
  return All;
}

struct Project {
  std::vector<OwnFile> Files;
  std::optional<GitHistory> Git;
};

std::vector<OwnFile> trackedFiles(const HeaderFacts &H, const GitHistory &Git,
                                  const std::string &Root) {
  return ownFiles(H, Root, [&Git](const std::string &Name, FileNumber) {
    return Git.Tracked.contains(Name);
  });
}

/// With the history of the repository that has sources of the compiles; if
/// there is none, a note says why.
Result<Project> projectOf(const TouchOptions &Opts, const HeaderFacts &H) {
  const std::string Common = commonFolder(H);
  std::vector<std::string> Folders, Roots;
  std::error_code None;
  if (!Opts.Repository.empty())
    Folders.push_back(
        normalPath(std::filesystem::absolute(Opts.Repository, None).string()));
  // Where the build was recorded, which may have been elsewhere.
  if (std::optional<RecordedSession> Session = sessionNamed(Opts.Inputs);
      Session && Session->SourceRoot.starts_with('/'))
    Roots.push_back(normalPath(Session->SourceRoot) + "/");
  if (Opts.Repository.empty()) {
    Folders = Roots;
    if (!Common.empty())
      Folders.push_back(Common);
    constexpr size_t MostFolders = 8;
    std::set<std::string> Sources;
    for (size_t Compile = 0; Compile != H.compileCount(); ++Compile)
      if (const std::string &Source = H.run(Compile).Source;
          Source.starts_with('/') && Sources.size() < MostFolders)
        Sources.insert(folderOf(Source));
    Folders.insert(Folders.end(), Sources.begin(), Sources.end());
  }
  std::string Why;
  for (std::string &Folder : Folders) {
    if (!std::filesystem::is_directory(Folder, None))
      continue;
    while (Folder.size() > 1 && Folder.ends_with('/'))
      Folder.pop_back();
    Result<GitHistory> Git = readGitHistory(Folder, Opts.Since);
    if (!Git) {
      if (!Opts.Repository.empty())
        return Git.error();
      if (Why.empty())
        Why = Git.error().Message;
      continue;
    }
    Roots.insert(Roots.begin(), Git->Root);
    for (const std::string &Root : Roots)
      if (std::vector<OwnFile> Files = trackedFiles(H, *Git, Root);
          !Files.empty())
        return Project{std::move(Files), std::move(*Git)};
    Roots.erase(Roots.begin());
    Why = Git->Root + ": no file that a compile reads is in this repository";
  }
  if (!Opts.Repository.empty())
    return Error{Why.empty() ? Opts.Repository + ": not a folder" : Why};
  printNote("without git, what a touch costs, but not how often one comes, and "
            "with generated files: " +
            (Why.empty() ? "the sources are not here" : Why));
  return Project{ownFiles(H, Common,
                          [&H](const std::string &, FileNumber File) {
                            return !H.isSystem(File);
                          }),
                 std::nullopt};
}

std::string dateText(uint64_t Seconds) {
  auto When = static_cast<time_t>(Seconds);
  std::tm Utc{};
  char Text[64] = "";
  if (!::gmtime_r(&When, &Utc) ||
      std::strftime(Text, sizeof(Text), "%Y-%m-%d", &Utc) == 0)
    return std::to_string(Seconds);
  return Text;
}

void printNotes(const Rebuilds &R, const Project &P) {
  if (R.usersOfUnknown() != 0)
    printNote(counted(R.usersOfUnknown(), "compile") +
              " used a precompiled header or module that was not made in this "
              "recording; what it was made of is not in their touches");
  if (P.Git && (P.Git->IsCut || P.Git->IsShallow))
    printNote(std::string("the history before ") +
              dateText(P.Git->BeginSeconds) + " is left out: " +
              (P.Git->IsCut ? "it is too long" : "this is a shallow clone"));
}

Result<int> runTouch(const TouchOptions &Opts) {
  RebuildReading Reading;
  INSTANTRACE_TRY(Reading.read(Opts.Inputs, Opts.MoreRoots));
  const Rebuilds &R = Reading.rebuilds();
  INSTANTRACE_TRY_ASSIGN(Project P, projectOf(Opts, Reading.headers()));
  printNotes(R, P);
  TouchTextStyle Style{Opts.Rows, Opts.Key, Reading.clock(), {}, 0};
  std::optional<TouchHistory> History;
  if (P.Git) {
    History = TouchHistory{std::move(P.Git->Commits), P.Git->Weeks};
    Style.Since = dateText(P.Git->BeginSeconds);
    Style.WeekTenths = static_cast<uint64_t>(10 * P.Git->Weeks + 0.5);
  }
  const TouchHistory *Known = History ? &*History : nullptr;
  TouchTable Table = touchCosts(
      R, P.Files, Known, Opts.Key,
      Opts.Order.value_or(Known && !Known->Commits.empty() ? TouchOrder::Week
                                                           : TouchOrder::Time));
  if (Opts.Key == TouchKey::File)
    addSplits(R, P.Files, Known, SplitFiles, Table);
  Output Out(stdout);
  if (Opts.Records)
    writeTouchRecords(Out, *Opts.Records, Table, Style);
  else
    writeTouch(Out, Table, Style, standardOutputTerminal());
  return Out.finish();
}

} // namespace

CommandRun instantrace::addTouch(CLI::App &App) {
  auto Opts = std::make_shared<TouchOptions>();
  CLI::App *Command = App.add_subcommand(
      "touch", "Show what a change of each file costs: what is compiled again, "
               "and how often it changes.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command->add_option("--since", Opts->Since,
                      "count commits since then, as git log has it (default "
                      "'3 months')");
  Command->add_option("--repository", Opts->Repository,
                      "the repository, where it is not the one that the "
                      "sources are in");
  addChoice(*Command, "--by", TouchKeys, Opts->Key,
            "what a row stands for, file by default");
  addChoice(*Command, "--sort", TouchOrders, Opts->Order,
            "largest first; week by default, time without commits");
  addSourceRootOption(*Command, Opts->MoreRoots);
  Command->add_option("-n,--limit", Opts->Rows,
                      "how many rows of each table to show; 0 means all "
                      "(default 15)");
  addRecordOptions(*Command, Opts->Records, "rows of both tables");
  addColorOption(*Command);
  Command->footer(
      R"(Columns:
  units     compiles that read the file, or use a precompiled header or module
            for which it was read
  time      what these took in the recording; links are not in it
  wall      how long that takes with as many at once as the recorded build had,
            by the schedule of critical-path (estimated)
  commits   that changed the file, under its earlier names, too
  per week  time x commits / weeks: for who builds after each commit. A commit
            of several files compiles once, so rows may not add up

Files are those that git tracks, in the repository that has the sources; not
system headers, generated files and submodules. Git only reads, runs no program
that the repository names, and at most 20,000 commits or 64 MB of their names
are looked at. Merges count as in git log --name-only: not by themselves.

The second table has #includes of the first five files in other headers, and
what would go from a touch if each was not there, as far as no other way to the
file is known, from the recorded compiles and the #include lines of the sources.

Examples:
  instantrace touch session/
  instantrace touch --since='1 year' --by=folder session/
  instantrace touch --json -n 0 session/ > touch.json)");
  return runOnTraces(Opts, runTouch);
}
