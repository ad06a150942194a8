/// \file
/// `instantrace attach`: what a running compile is doing.
///
/// Flow: PID, file -> Attachments -> LiveFrame -> LiveText -> Screen, stdout
#include "utils/cli/ColorOption.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/UnfinishedCompiles.h"
#include "utils/collector/Attachment.h"
#include "utils/commands/Commands.h"
#include "utils/commands/Replaying.h"
#include "utils/render/LiveText.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/render/Screen.h"
#include "utils/session/RecordedSession.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

using namespace instantrace;

namespace {

struct AttachOptions {
  std::string Target;
  double IntervalSeconds = 1;
  bool Once = false;
  bool Json = false;
  bool Replay = false;
  ReplaySession Session;
  NameStyle Names;
};

/// The longest name in JSON.
constexpr size_t JsonNameBytes = 1 << 14;

std::optional<uint32_t> processNumber(const std::string &Text) {
  uint32_t Pid = 0;
  auto [End, Failed] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Pid);
  std::error_code NoFile;
  bool IsNumber = Failed == std::errc() && End == Text.data() + Text.size();
  return IsNumber && Pid != 0 && !std::filesystem::exists(Text, NoFile)
             ? std::optional(Pid)
             : std::nullopt;
}

/// One compile in full, several in a line each.
std::vector<std::string> linesOf(const std::vector<LiveFrame> &Frames,
                                 size_t Rows) {
  Terminal Term = standardOutputTerminal();
  if (Frames.size() == 1)
    return liveLines(Frames.front(), Term, Rows);
  if (Frames.empty())
    return {"no compile with Instantrace is running at the moment"};
  std::vector<std::string> Lines = {counted(Frames.size(), "compile") +
                                    "; attach to one of the processes to see "
                                    "more of it"};
  for (const LiveFrame &Frame : Frames)
    Lines.push_back(liveSummary(Frame, Term));
  return Lines;
}

void appendEnds(Output &Out, const std::vector<LiveFrame> &Frames) {
  for (const LiveFrame &Frame : Frames)
    if (Frame.State != LiveFrame::StateKind::Running)
      Out.append(liveEnd(Frame) + "\n");
}

/// No wider than the terminal; lines that have other things too shorten more.
LiveCompile::TextFunction namesInStyle(const NameStyle &Style) {
  return [Style](const Dictionary &Names, NameId Name) {
    return elidedName(Names, {Name}, Style, standardOutputTerminal().Columns);
  };
}

LiveCompile::TextFunction namesForScripts(const NameStyle &Style) {
  return [Style](const Dictionary &Names, NameId Name) {
    return nameText(Names, {Name}, scriptStyle(Style), JsonNameBytes);
  };
}

Result<int> once(Attachments &A, bool Json, const NameStyle &Style) {
  Output Out(stdout);
  std::vector<LiveFrame> Frames =
      A.look(Json ? namesForScripts(Style) : namesInStyle(Style));
  for (const LiveFrame &Frame : Frames) {
    std::vector<ExplainedCompile> Open = explainRunning(Frame.BufferPath);
    for (ExplainedCompile &Each : Open)
      if (Each.Compile.IsRunning)
        Each.Compile.PeakBytes = Frame.ResidentBytes;
    if (Json)
      appendLiveJson(Out.buffer(), Frame, Open);
    else
      Out.append(unfinishedBlocks(Open, standardOutputTerminal().Columns));
  }
  if (Json)
    return Out.finish();
  Out.append("\n");
  for (const std::string &Line : linesOf(Frames, 0))
    Out.append(Line + "\n");
  appendEnds(Out, Frames);
  return Out.finish();
}

/// For a log: one snapshot after the other.
Result<int> follow(Attachments &A, double IntervalSeconds,
                   const NameStyle &Style) {
  Output Out(stdout);
  while (true) {
    std::vector<LiveFrame> Frames = A.look(namesInStyle(Style));
    bool IsOver = A.isOver();
    if (!IsOver)
      for (const std::string &Line : linesOf(Frames, 0))
        Out.append(Line + "\n");
    appendEnds(Out, Frames);
    if (!IsOver)
      Out.append("\n");
    Result<int> Written = Out.finish();
    if (!Written || IsOver)
      return Written;
    std::this_thread::sleep_for(std::chrono::duration<double>(IntervalSeconds));
  }
}

/// On a terminal: in place, until the compile ends or the user has enough.
Result<int> watch(Attachments &A, double IntervalSeconds,
                  const NameStyle &Style) {
  std::vector<LiveFrame> Frames;
  Output Ends(stdout);
  {
    Screen View;
    do {
      Frames = A.look(namesInStyle(Style));
      appendEnds(Ends, Frames);
      if (A.isOver())
        break;
      View.show(linesOf(Frames, View.rows()));
    } while (View.wait(IntervalSeconds));
  }
  return Ends.finish();
}

/// Of the one compile that there is.
Result<int> replay(Attachments &A, const NameStyle &Style,
                   const ReplaySession &Session) {
  std::vector<LiveFrame> Frames = A.look(namesInStyle(Style));
  std::erase_if(Frames, [](const LiveFrame &F) {
    return F.State != LiveFrame::StateKind::Running;
  });
  if (Frames.size() == 1)
    return replayRunning(Frames.front().BufferPath, Frames.front().FinalPath,
                         Style, Session);
  std::string List;
  for (const LiveFrame &F : Frames)
    List += (List.empty() ? "one of " : ", ") + std::to_string(F.Pid);
  return makeError({}, counted(Frames.size(), "compile"),
                   Frames.empty() ? "one that runs" : List);
}

Result<int> runAttach(const AttachOptions &Opts) {
  const Console::Options &Running = Opts.Session.Running;
  if (!Opts.Replay && (!Running.First.empty() || Running.IsBatch ||
                       !Opts.Session.SourceRoots.empty()))
    return usageError(makeError({}, "an option of the debugger",
                                "--replay with -x, -ex, --batch and "
                                "--source-root"));
  std::optional<uint32_t> Pid = processNumber(Opts.Target);
  std::error_code NoFile;
  if (std::filesystem::is_directory(Opts.Target, NoFile)) {
    INSTANTRACE_TRY_ASSIGN(Pid, runningSession(Opts.Target));
  }
  INSTANTRACE_TRY_ASSIGN(Attachments A, Pid ? Attachments::toProcess(*Pid)
                                            : Attachments::toFile(Opts.Target));
  if (Opts.Replay)
    return replay(A, Opts.Names, Opts.Session);
  if (Opts.Once || Opts.Json)
    return once(A, Opts.Json, Opts.Names);
  return Screen::isTerminal() ? watch(A, Opts.IntervalSeconds, Opts.Names)
                              : follow(A, Opts.IntervalSeconds, Opts.Names);
}

} // namespace

CommandRun instantrace::addAttach(CLI::App &App) {
  auto Opts = std::make_shared<AttachOptions>();
  CLI::App *Command = App.add_subcommand(
      "attach", "Show what a running compile is doing, without disturbing it.");
  Command
      ->add_option("process", Opts->Target,
                   "process id of the compiler or of one of its parents, such "
                   "as ninja; the folder of a session that is recorded; or a "
                   "buffer file")
      ->required();
  Command->add_flag("--once", Opts->Once, "show it once and exit");
  Command
      ->add_option("--interval", Opts->IntervalSeconds,
                   "seconds between two updates (default 1)")
      ->check(CLI::Range(0.1, 86400.0));
  Command->add_flag("--json", Opts->Json,
                    "print one JSON object per compile and exit");
  Command->add_flag("--replay", Opts->Replay,
                    "debug what it has done so far; `continue` waits for more");
  addReplayOptions(*Command, Opts->Session);
  addColorOption(*Command);
  addNameOptions(*Command, Opts->Names);
  Command->footer(
      R"(Shows the active instantiations, innermost last, with the place that requested
each and the time it has been open; the rate of events and the age of the last
one; and the templates that have cost most so far. A name that is not written
yet is shown as identifier<…>. On a terminal the view is refreshed in place;
Ctrl-C leaves it. --once begins with the block that `record` prints of a compile
that did not finish. The compile is only observed: neither stopped nor slowed.

Examples:
  instantrace attach --once 4711
  instantrace attach --replay --batch -ex step -ex bt 4711
  instantrace attach --json build/.a.itrace.buffer | jq .stack)");
  return [Opts] { return runAttach(*Opts); };
}
