#include "utils/render/SessionHeader.h"

#include "runtime/base/PrintableText.h"
#include "runtime/base/SaturatingSum.h"
#include "runtime/format/Record.h"
#include "utils/render/CleanText.h"
#include "utils/render/HookText.h"
#include "utils/render/NumberText.h"

using namespace instantrace;

namespace {

/// A longer command line is cut.
constexpr size_t CommandLimitBytes = 1 << 14;

std::string exitText(const TraceFooter &Footer) {
  std::string Text(shownName(Footer.State));
  if (Footer.isInterrupted() && Footer.Signal != 0)
    Text += " by " + signalText(Footer.Signal);
  return Text;
}

/// A trace may claim any time, also one that no calendar has.
std::string dateText(uint64_t RealtimeNs) {
  return utcText(static_cast<int64_t>(RealtimeNs / 1'000'000'000),
                 "%Y-%m-%d %H:%M:%S UTC")
      .value_or(std::to_string(RealtimeNs) + " ns since the epoch");
}

constexpr std::string_view Older = "recorded before waiting was told apart";

/// What other threads of the process did, or it before and after the compile.
std::string unrecordedText(const Sequence &S) {
  constexpr uint64_t StartNs = 500'000'000; // of a process, generously
  const uint64_t ProcessNs =
      addSaturating(S.Footer->UserTimeNs, S.Footer->SystemTimeNs);
  const uint64_t RanNs = S.processorNs();
  if (!S.knowsWaits() || ProcessNs < RanNs + RanNs / 10 + StartNs)
    return {};
  return " (" + timeText(ProcessNs - RanNs) +
         " of both not in this compile: other threads, or other compiles of "
         "the process)";
}

} // namespace

std::string instantrace::sessionHeader(const Trace &T, const Sequence &S) {
  std::string Out;
  auto Line = [&Out](std::string_view Key, std::string_view Value) {
    if (Value.empty())
      return;
    Out.append(Key).append(": ");
    appendPrintable(Out, Value);
    Out.push_back('\n');
  };
  Line("trace", T.Files[S.FileIndex].Name);
  Line("format",
       std::to_string(FormatMajor) + "." + std::to_string(S.FormatMinor));
  Line("sequence", std::to_string(S.Id));
  if (S.Session) {
    const TraceSession &Session = *S.Session;
    Line("recorded by", "instantrace " + Session.ToolVersion);
    Line("clang", Session.ClangVersion);
    std::string Command;
    for (const std::string &Argument : Session.Argv)
      Command.append(Command.empty() ? "" : " ").append(Argument);
    Line("command", Command);
    Line("working directory", Session.WorkingDirectory);
    Line("input", Session.Input);
    Line("object", Session.Object);
    for (const std::string &Path : Session.PchInputs)
      Line("PCH", Path);
    for (const std::string &Path : Session.ModuleInputs)
      Line("module", Path);
    Line("triple", Session.Triple);
    Line("language standard", Session.LanguageStandard);
    Line("optimization level", Session.OptimizationLevel);
    Line("pid", std::to_string(Session.Pid));
    Line("started", dateText(Session.RealtimeNs));
    Line("hook", hookText(S));
    Line("buffer", Session.Buffer);
    Line("clock",
         Session.Clock.empty() || S.knowsWaits()
             ? Session.Clock
             : Session.Clock + " (wall time: " + std::string(Older) + ")");
    Line("memoization", shownName(Session.Memoization));
    Line("granularity", timeText(Session.GranularityNs));
  }
  Line("events", groupedText(S.EventCount));
  if (S.knowsWaits()) {
    Line("time on a processor", timeText(S.processorNs()));
    Line("not running",
         timeText(S.WaitedNs) + ", " + counted(S.WaitCount, "time"));
  }
  if (S.Footer) {
    const TraceFooter &Footer = *S.Footer;
    Line("exit", exitText(Footer));
    Line("pass", Footer.Pass);
    Line("backend", Footer.Backend);
    if (Footer.CodeBytes != 0)
      Line("code", sizeText(Footer.CodeBytes));
    Line("peak memory", sizeText(Footer.PeakRssBytes));
    Line("user time", timeText(Footer.UserTimeNs));
    Line("system time", timeText(Footer.SystemTimeNs) + unrecordedText(S));
    Line("dropped", groupedText(Footer.EventsDropped) + " events");
    if (Footer.FragmentsDropped != 0)
      Line("dropped", groupedText(Footer.FragmentsDropped) + " fragments");
    Line("elided", groupedText(Footer.EventsElided) + " events");
  } else {
    Line("exit", "unknown: the trace has no footer");
  }
  Out.push_back('\n');
  return Out;
}

std::string instantrace::commandText(const TraceSession &Session) {
  std::string Command;
  for (const std::string &Argument : Session.Argv) {
    if (Command.size() > CommandLimitBytes)
      break;
    Command.append(Command.empty() ? "" : " ")
        .append(std::string_view(Argument).substr(0, CommandLimitBytes));
  }
  return cleanText(Command);
}
