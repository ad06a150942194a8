#include "utils/replay/ReplayText.h"

#include "runtime/base/PrintableText.h"
#include "runtime/format/EventKind.h"
#include "utils/render/IndexText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

bool isTemplate(const IndexFrame &F) {
  return isTemplateWork(static_cast<EventKind>(F.Is.Kind));
}

std::string kindSuffix(const IndexFrame &F) {
  auto Kind = static_cast<EventKind>(F.Is.Kind);
  return Kind == EventKind::TemplateInstantiation
             ? ""
             : fmt::format(" [{}]", eventKindName(Kind));
}

std::string durationOf(const IndexFrame &F) {
  return F.Is.IsOpen ? "no end" : timeText(F.Is.EndNs - F.Is.BeginNs);
}

/// "Breakpoint 1, " or nothing.
std::string hitText(const Stop &S) {
  std::string Text;
  for (uint32_t Number : S.Hit)
    Text += fmt::format("{}{}", Text.empty() ? "Breakpoint " : " and ", Number);
  return Text.empty() ? Text : Text + ", ";
}

/// In all their digits if they look the same in three and are not.
template <class Text>
std::pair<std::string, std::string>
distinctTexts(uint64_t First, uint64_t Second, Text Short, const char *Unit) {
  std::pair<std::string, std::string> Texts = {Short(First), Short(Second)};
  if (Texts.first == Texts.second && First != Second)
    Texts = {groupedText(First) + " " + Unit, groupedText(Second) + " " + Unit};
  return Texts;
}

std::string sourceLine(uint32_t LineNo, const std::string &Text) {
  std::string Line = Text;
  std::replace(Line.begin(), Line.end(), '\t', ' ');
  return fmt::format("{}\t{}", LineNo, printableText(Line));
}

} // namespace

void ReplayText::stop(const StopView &View) {
  TextStyles Styles(Term);
  if (View.Is.Why == Stop::Reason::AtBegin)
    Out.append("There is nothing before this.\n");
  if (View.Is.Why == Stop::Reason::AtEnd)
    Out.append("There is nothing behind this.\n");
  if (View.IsOtherCompile && View.Compiles > 1)
    Out.append(fmt::format("[Compile {} of {}, {}]\n",
                           View.Event.Compile + uint64_t(1), View.Compiles,
                           printableText(View.Input)));
  if (View.Event.Record == Timeline::None) {
    Out.append(fmt::format("before event 0 of {}\n", groupedText(View.Events)));
    return;
  }
  const IndexFrame &F = View.Frame;
  std::string Begin =
      fmt::format("{}event {} of {}, {}: ", hitText(View.Is),
                  groupedText(View.Event.Number), groupedText(View.Events),
                  timeText(View.TimeNs));
  std::string What = View.Event.IsBegin ? "begin" : "end";
  std::string Place =
      F.File.empty() ? "" : " at " + elideName(printableText(F.place()), 50);
  std::string End = kindSuffix(F);
  if (!View.Event.IsBegin) {
    End +=
        fmt::format(" after {}, self {}", durationOf(F), timeText(F.Is.SelfNs));
    if (F.Is.AllBytes != 0)
      End += ", " + sizeText(F.Is.AllBytes);
  }
  Out.append(Begin + What + "\n");
  size_t Used = 2 + columnsOf(Place) + columnsOf(End);
  Out.append(
      fmt::format("  {}{}{}{}{}\n", Styles.Bold,
                  elideName(indexedName(F.Name), columnsLeft(Term, Used)),
                  Styles.Plain, End, Place));
  if (View.EndedBytes) {
    const auto [Old, New] =
        distinctTexts(View.BytesBefore, *View.EndedBytes, sizeText, "B");
    Out.append(fmt::format("Old value = {}\nNew value = {}\n", Old, New));
  }
  if (View.Source)
    Out.append(sourceLine(F.LineNo, *View.Source) + "\n");
}

void ReplayText::stack(const StackView &View) {
  if (View.Depth == 0) {
    Out.append("No stack: nothing is going on here.\n");
    return;
  }
  TextTable Table(
      Out, Term, {{"frame", 7}, {"open for", 10}, {"whole", 10}, {"self", 10}});
  Table.head("what");
  for (const StackView::Row &Row : View.Rows) {
    const IndexFrame &F = Row.Frame;
    std::string Number =
        (Row.Number == View.Selected ? "*#" : "#") + groupedText(Row.Number);
    uint64_t OpenNs = View.TimeNs - std::min(View.TimeNs, F.Is.BeginNs);
    Table.row({Number, timeText(OpenNs), durationOf(F), timeText(F.Is.SelfNs)},
              indexFrameText(F, Table.nameColumns()), !isTemplate(F));
    if (!F.RequesterName.empty())
      Table.addLineBelow("  requested by " + F.RequesterName);
  }
  if (View.Rows.size() < View.Depth)
    Out.append(fmt::format(
        "{}\n", counted(View.Depth - View.Rows.size(), "more frame")));
}

void ReplayText::line(std::string_view What, const std::string &Is) {
  Out.append(fmt::format("  {:<12}{}\n", What, Is));
}

void ReplayText::frame(size_t Number, const IndexFrame &F, uint64_t NowNs,
                       bool IsWhole) {
  std::string Begin = fmt::format("#{}  ", groupedText(Number));
  if (!IsWhole) {
    Out.append(Begin + indexFrameText(F, columnsLeft(Term, Begin.size())) +
               "\n");
    return;
  }
  Out.append(Begin + indexedName(F.Name) + kindSuffix(F) + "\n");
  if (!F.File.empty())
    line("at", printableText(F.place()));
  line("record", groupedText(F.Id));
  line("depth", groupedText(F.Is.Depth));
  const auto [BeginText, EndText] =
      distinctTexts(F.Is.BeginNs, F.Is.EndNs, timeText, "ns");
  line("begin", BeginText);
  line("end", F.Is.IsOpen ? "was not recorded" : EndText);
  line("open for", timeText(NowNs - std::min(NowNs, F.Is.BeginNs)));
  line("whole", durationOf(F));
  line("self", timeText(F.Is.SelfNs));
  line("inside", counted(F.Is.SubtreeEnd - F.Id - 1, "record"));
  if (F.Is.AllBytes != 0)
    line("memory",
         sizeText(F.Is.AllBytes) + ", own " + sizeText(F.Is.OwnBytes));
  if (F.Is.IsDefinition)
    line("", "completed the definition");
  if (!F.RequesterName.empty())
    line("requested", "by " + printableText(F.RequesterName) + ", record " +
                          groupedText(F.Is.Requester));
}

void ReplayText::breakpoints(const std::vector<BreakpointView> &Rows) {
  if (Rows.empty()) {
    Out.append("No breakpoints or watchpoints.\n");
    return;
  }
  Out.append("Num  Type        Disp  Enb  What\n");
  for (const BreakpointView &B : Rows) {
    Out.append(
        fmt::format("{:<4} {:<11} {:<5} {:<4} {}{}\n", B.Number,
                    B.IsWatch ? "watchpoint" : "breakpoint",
                    B.IsTemporary ? "del" : "keep", B.IsEnabled ? "y" : "n",
                    (B.IsPending ? "<PENDING>  " : "") + printableText(B.What),
                    B.Places ? ", " + counted(*B.Places, "place") : ""));
    if (!B.Condition.empty())
      Out.append("     stop only if " + printableText(B.Condition) + "\n");
    if (B.Hits != 0)
      Out.append("     already hit " + counted(B.Hits, "time") + "\n");
    if (B.Ignore != 0)
      Out.append("     ignore next " + counted(B.Ignore, "hit") + "\n");
    for (const std::string &Line : B.Commands)
      Out.append("        " + printableText(Line) + "\n");
  }
}

void ReplayText::breakpointAdded(const BreakpointView &B) {
  std::string Type = B.IsWatch       ? "Watchpoint"
                     : B.IsTemporary ? "Temporary breakpoint"
                                     : "Breakpoint";
  if (B.IsPending) { // in gdb's words
    Out.append(fmt::format("{} {} ({}) pending.\n", Type, B.Number,
                           printableText(B.What)));
    return;
  }
  Out.append(fmt::format("{} {}: {}{}\n", Type, B.Number, printableText(B.What),
                         B.Places ? ", " + counted(*B.Places, "place") : ""));
}

void ReplayText::entities(const std::vector<EntityView> &Rows, size_t More) {
  for (const EntityView &E : Rows) {
    Out.append(indexedName(E.Name) + "\n");
    line("kind", E.Kind);
    if (!E.TemplateSet.empty() && E.TemplateSet != E.Name)
      line("of", printableText(E.TemplateSet));
    if (!E.DeclaredAt.empty())
      line("declared", "at " + printableText(E.DeclaredAt));
    line("records", groupedText(E.Costs.Count) + ", " +
                        counted(E.Definitions, "definition"));
    line("time",
         timeText(E.Costs.InclusiveNs) + ", self " + timeText(E.Costs.SelfNs));
    if (E.AstBytes != 0)
      line("memory", sizeText(E.AstBytes));
    if (E.Longest != Timeline::None)
      line("longest",
           "record " + groupedText(E.Longest) + ", " + timeText(E.LongestNs));
  }
  if (More != 0)
    Out.append(counted(More, "more entity", "more entities") + "\n");
}

void ReplayText::statistics(const StatisticsView &View) {
  Out.append("recorded\n");
  line("compiles", groupedText(View.Compiles));
  line("records", groupedText(View.Records));
  line("entities", groupedText(View.Entities) + " of " +
                       counted(View.Templates, "template"));
  Out.append(fmt::format("compile {}, {}\n", View.Compile + uint64_t(1),
                         printableText(View.Input)));
  line("events", groupedText(View.Event) + " of " + groupedText(View.Events) +
                     " have happened");
  line("time", timeText(View.TimeNs) + " of " + timeText(View.EndNs));
  line("open", counted(View.Depth, "record"));
  if (View.AllBytes != 0)
    line("memory", sizeText(View.EndedBytes) + " of " +
                       sizeText(View.AllBytes) + " in records that have ended");
  else
    line("memory", "not recorded");
}

void ReplayText::source(const SourceView &View) {
  Out.append(printableText(View.File) + "\n");
  for (const SourceView::Line &Line : View.Lines) {
    std::string Text = Line.Text;
    std::replace(Text.begin(), Text.end(), '\t', ' ');
    std::string Time = Line.Count == 0 ? ""
                       : Line.IsTimed  ? timeText(Line.InclusiveNs)
                                       : "…";
    std::string Count = Line.Count == 0 ? "" : groupedText(Line.Count) + "x";
    Out.append(fmt::format("{}{:>9} {:>8} {:>6}  {}\n",
                           Line.LineNo == View.Current ? ">" : " ", Time, Count,
                           Line.LineNo, printableText(Text)));
  }
}

void ReplayText::compiles(const std::vector<CompileView> &Rows) {
  Out.append("  Num   Events        Time        What\n");
  for (const CompileView &C : Rows)
    Out.append(fmt::format("{} {:<5} {:<13} {:<11} {}{}\n",
                           C.IsCurrent ? "*" : " ", C.Number,
                           groupedText(C.Events), timeText(C.EndNs),
                           printableText(C.Input.empty() ? C.Trace : C.Input),
                           C.IsIncomplete ? " (incomplete)" : ""));
}

void ReplayText::name(const std::string &Text) {
  for (size_t Index = 0; Index <= Text.size();) {
    size_t End = std::min(Text.find('\n', Index), Text.size());
    Out.append(printableText(Text.substr(Index, End - Index)) + "\n");
    Index = End + 1;
  }
}

void ReplayText::error(const std::string &Message) {
  // What was said before comes before it, wherever the two go.
  if (Result<int> Written = Out.finish(); !Written)
    return;
  std::fprintf(stderr, "%s\n", printableText(Message).c_str());
}

Result<void> ReplayText::finish() {
  INSTANTRACE_TRY(Out.finish());
  return {};
}
