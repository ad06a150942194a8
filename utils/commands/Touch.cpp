/// \file
/// `instantrace touch`: what a change of each file costs those who build.
///
/// Flow: RebuildReading, readGitHistory -> touchCosts -> TouchText -> stdout
#include "utils/cli/Choices.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/commands/Commands.h"
#include "utils/commands/RebuildReading.h"
#include "utils/commands/TouchProject.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"
#include "utils/render/TouchText.h"

#include <CLI/CLI.hpp>

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
  std::string Since = DefaultSince, Repository;
  TouchKey Key = TouchKey::File;
  std::optional<TouchOrder> Order; ///< none: a week, if there is a history
  size_t Rows = 15;
  std::optional<RecordFormat> Records;
};

std::string dateText(uint64_t Seconds) {
  return utcText(static_cast<int64_t>(Seconds), "%Y-%m-%d")
      .value_or(std::to_string(Seconds));
}

void printNotes(const Rebuilds &R, const TouchProject &P) {
  if (!P.Git)
    printNote("without git, what a touch costs, but not how often one comes, "
              "and with generated files: " +
              P.WhyNoGit);
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
  INSTANTRACE_TRY_ASSIGN(TouchProject P,
                         touchProject(Reading.headers(), Opts.Inputs,
                                      Opts.Since, Opts.Repository));
  printNotes(R, P);
  TouchTextStyle Style{Opts.Rows, Opts.Key, Reading.clock(), {}};
  const std::optional<TouchHistory> History = P.takeHistory();
  if (P.Git) {
    Style.Since = dateText(P.Git->BeginSeconds);
    Style.Weeks = P.Git->Weeks;
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
