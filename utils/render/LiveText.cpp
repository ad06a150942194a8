#include "utils/render/LiveText.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/render/CostText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace instantrace;

namespace {

/// Without a terminal's height to keep to, a deep stack shows so many levels.
constexpr size_t MostLevels = 100;
constexpr size_t FewestLevels = 6;
/// Quiet for so long means that the compiler is at one thing.
constexpr uint64_t BusyNs = 1'000'000'000;

std::string rateText(double PerSecond) {
  return groupedText(
      static_cast<uint64_t>(std::llround(std::max(0.0, PerSecond))));
}

/// Seconds with one digit, as they pass: no unit changes while one looks.
std::string secondsText(uint64_t Ns) {
  return fmt::format("{:.1f} s", static_cast<double>(Ns) / 1e9);
}

std::string levelName(const LiveLevel &Level) {
  return Level.Name.empty() ? Level.Kind : Level.Name;
}

/// Where nobody has written the place yet, the nearest one that is around it.
std::string locationText(const std::vector<LiveLevel> &Stack, size_t Depth) {
  for (size_t I = Depth + 1; I-- != 0;)
    if (!Stack[I].File.empty())
      return fmt::format("{}{}:{}:{}", I == Depth ? "" : "within ",
                         shownPath(normalPath(Stack[I].File)), Stack[I].LineNo,
                         Stack[I].ColumnNo);
    else if (!Stack[I].IsPlaceLate)
      break;
  return {};
}

/// ", 4.10 GB, still growing", or nothing.
std::string memoryText(const LiveFrame &Frame) {
  if (Frame.ResidentBytes == 0)
    return {};
  return ", " + sizeText(Frame.ResidentBytes) +
         (Frame.IsGrowing ? ", still growing" : "");
}

class Lines {
public:
  Lines(const LiveFrame &Frame, const Terminal &Term)
      : Frame(Frame), Term(Term), Styles(Term) {}

  std::vector<std::string> make(size_t Rows) {
    addHead();
    std::vector<std::string> Below = hottest();
    for (const std::string &Problem : Frame.Problems)
      Below.push_back(cut("warning: " + printableText(Problem)));
    size_t Levels = MostLevels;
    if (Rows != 0) {
      // Room for the stack: the costliest templates give way to it.
      size_t Needed = std::min(Frame.Stack.size(), FewestLevels) + 2;
      while (!Below.empty() && Made.size() + Needed + Below.size() > Rows)
        Below.pop_back();
      size_t Used = Made.size() + Below.size() + 2;
      Levels = Rows > Used ? Rows - Used : 1;
    }
    addStack(Levels);
    Made.insert(Made.end(), Below.begin(), Below.end());
    if (Rows != 0 && Made.size() > Rows)
      Made.resize(Rows);
    return std::move(Made);
  }

private:
  std::string cut(const std::string &Line) const {
    return columnsOf(Line) <= Term.Columns ? Line
                                           : Line.substr(0, Term.Columns);
  }

  void addHead() {
    std::string Input =
        Frame.Input.empty() ? "<no input>" : printableText(Frame.Input);
    bool IsRunning = Frame.State == LiveFrame::StateKind::Running;
    Made.push_back(fmt::format(
        "{}{}{}: process {}, {} {}{}", Styles.Bold, Input, Styles.Plain,
        Frame.Pid, IsRunning ? "running for" : "ended; last event after",
        secondsText(Frame.RunningNs), memoryText(Frame)));
    std::string Events = fmt::format(
        "{}, {} /s, {} /s on average; AST {}", counted(Frame.Events, "event"),
        rateText(Frame.EventsPerSecond), rateText(Frame.AverageEventsPerSecond),
        sizeText(Frame.AstBytes));
    if (Frame.EventsDropped != 0)
      Events += fmt::format("; {} dropped", groupedText(Frame.EventsDropped));
    Made.push_back(cut(Events));
    if (!Frame.Pass.empty())
      Made.push_back(cut("optimizer in " + printableText(Frame.Pass)));
    if (IsRunning && Frame.Events == 0)
      Made.push_back("no event yet");
    else if (IsRunning)
      Made.push_back(lastEvent());
  }

  std::string lastEvent() const {
    std::string Text =
        fmt::format("last event {} ago", secondsText(Frame.SinceEventNs));
    if (Frame.SinceEventNs < BusyNs || Frame.Stack.empty())
      return Text;
    Text += ": the compiler is busy inside ";
    size_t Room = Term.Columns - std::min(Term.Columns - 20, columnsOf(Text));
    return Text + elideName(printableText(levelName(Frame.Stack.back())), Room);
  }

  void addStack(size_t Levels) {
    size_t Depth = Frame.Stack.size();
    Made.emplace_back();
    Made.push_back(fmt::format("{}{:>10}  {}{}", Styles.Bold, "open for",
                               "active, innermost last", Styles.Plain));
    if (Depth == 0)
      Made.push_back(fmt::format("{:>10}  nothing", ""));
    // The outermost say which phase it is, the innermost what is being done.
    size_t Outer = Depth, Hidden = 0;
    if (Depth > Levels && Levels > 3) {
      Outer = 2;
      Hidden = Depth - (Levels - 1);
    } else if (Depth > Levels) {
      Outer = 0;
      Hidden = Depth - Levels;
    }
    for (size_t I = 0; I != Depth; ++I) {
      if (I == Outer && Hidden != 0) {
        if (Outer != 0)
          Made.push_back(fmt::format("{:>10}  ... {} ...", "",
                                     counted(Hidden, "more level")));
        I += Hidden;
      }
      Made.push_back(level(Frame.Stack[I], I));
    }
  }

  std::string level(const LiveLevel &Level, size_t Depth) const {
    std::string Begin = fmt::format("{:>10}  ", secondsText(Level.OpenNs));
    Begin.append(std::min<size_t>(Depth, 16), ' ');
    std::string Location = locationText(Frame.Stack, Depth);
    if (!Location.empty())
      Location.insert(0, "  ");
    if (Level.Name.empty())
      return Begin + Level.Kind + Location;
    std::string Kind = Level.Kind == "TemplateInstantiation" ? std::string()
                                                             : Level.Kind + " ";
    size_t Used = columnsOf(Begin) + Kind.size() + columnsOf(Location);
    size_t Room = Term.Columns > Used + 20 ? Term.Columns - Used : 20;
    return Begin + std::string(Styles.Dim) + Kind + std::string(Styles.Plain) +
           elideName(printableText(Level.Name), Room) + Location;
  }

  std::vector<std::string> hottest() const {
    std::vector<std::string> Rows;
    if (Frame.Hottest.empty())
      return Rows;
    Rows.emplace_back();
    Rows.push_back(fmt::format("{}{:>10}{:>10}  {}{}", Styles.Bold, "self",
                               "count", "hottest templates so far",
                               Styles.Plain));
    for (const LiveCostRow &Row : Frame.Hottest)
      Rows.push_back(
          fmt::format("{:>10}{:>10}  {}", timeText(Row.SelfNs),
                      groupedText(Row.Specializations),
                      elideName(printableText(Row.Name),
                                std::max<size_t>(Term.Columns, 42) - 22)));
    return Rows;
  }

  const LiveFrame &Frame;
  const Terminal &Term;
  TextStyles Styles;
  std::vector<std::string> Made;
};

const char *stateName(LiveFrame::StateKind State) {
  switch (State) {
  case LiveFrame::StateKind::Running:
    return "running";
  case LiveFrame::StateKind::Finished:
    return "finished";
  case LiveFrame::StateKind::Killed:
    return "killed";
  case LiveFrame::StateKind::Vanished:
    return "gone";
  }
  return "";
}

} // namespace

std::vector<std::string> instantrace::liveLines(const LiveFrame &Frame,
                                                const Terminal &Term,
                                                size_t Rows) {
  return Lines(Frame, Term).make(Rows);
}

std::string instantrace::liveSummary(const LiveFrame &Frame,
                                     const Terminal &Term) {
  std::string Text = fmt::format(
      "process {}: {}, running for {}{}", Frame.Pid, printableText(Frame.Input),
      secondsText(Frame.RunningNs), memoryText(Frame));
  if (Frame.Stack.empty())
    return Text;
  Text += ", " + counted(Frame.Stack.size(), "level") + " deep in ";
  size_t Used = columnsOf(Text);
  return Text + elideName(printableText(levelName(Frame.Stack.back())),
                          Term.Columns > Used + 20 ? Term.Columns - Used : 20);
}

std::string instantrace::hangText(const LiveFrame &Frame, size_t Columns) {
  if (Frame.Stack.empty())
    return {};
  std::string End =
      fmt::format(", no event for {}", secondsText(Frame.SinceEventNs));
  const size_t Used = columnsOf(End) + 4;
  return " in " +
         elideName(printableText(levelName(Frame.Stack.back())),
                   Columns > Used + 20 ? Columns - Used : 20) +
         End;
}

std::string instantrace::liveEnd(const LiveFrame &Frame) {
  std::string Text =
      (Frame.Input.empty() ? "process " + std::to_string(Frame.Pid)
                           : printableText(Frame.Input)) +
      ": ";
  switch (Frame.State) {
  case LiveFrame::StateKind::Running:
    return Text + "still running";
  case LiveFrame::StateKind::Finished:
    return Text + "the compile finished; its trace is " +
           printableText(Frame.FinalPath);
  case LiveFrame::StateKind::Vanished:
    return Text + "the compile ended and left no trace";
  case LiveFrame::StateKind::Killed:
    return Text + "the compiler was killed" +
           (Frame.Signal ? " by " + signalText(Frame.Signal) : "") + " after " +
           secondsText(Frame.RunningNs) +
           "; for the trace of what it did: instantrace recover " +
           printableText(Frame.BufferPath);
  }
  return Text;
}

void instantrace::appendLiveJson(std::string &Out, const LiveFrame &Frame,
                                 const std::vector<ExplainedCompile> &Open) {
  {
    JsonAnswer Object(Out);
    Object.text("input", Frame.Input);
    Object.number("pid", Frame.Pid);
    Object.text("state", stateName(Frame.State));
    Object.number("signal", Frame.Signal);
    Object.text("buffer", Frame.BufferPath);
    Object.text("trace", Frame.FinalPath);
    Object.number("running_ns", Frame.RunningNs);
    Object.number("since_event_ns", Frame.SinceEventNs);
    Object.number("events", Frame.Events);
    Object.number("events_dropped", Frame.EventsDropped);
    Object.number("average_events_per_second",
                  static_cast<uint64_t>(Frame.AverageEventsPerSecond));
    Object.number("ast_bytes", Frame.AstBytes);
    Object.number("resident_bytes", Frame.ResidentBytes);
    Object.text("pass", Frame.Pass);
    Object.objects("unfinished", Open,
                   [](JsonObject &Item, const ExplainedCompile &Each) {
                     appendUnfinished(Item, Each.Compile, Each.Context);
                   });
    Object.objects("stack", Frame.Stack,
                   [](JsonObject &Item, const LiveLevel &Level) {
                     Item.text("kind", Level.Kind);
                     Item.text("name", Level.Name);
                     Item.text("file", Level.File);
                     Item.number("line", Level.LineNo);
                     Item.number("column", Level.ColumnNo);
                     Item.number("open_ns", Level.OpenNs);
                   });
    Object.objects("hottest", Frame.Hottest,
                   [](JsonObject &Item, const LiveCostRow &Row) {
                     Item.text("name", Row.Name);
                     Item.number("self_ns", Row.SelfNs);
                     Item.number("specializations", Row.Specializations);
                   });
    Object.texts("problems", Frame.Problems);
  }
  Out.push_back('\n');
}
